"""What an import would change: the dry run.

A plan compares the rows of a roster with what is stored. It names every row as new, changed, moved,
left or unchanged, and finds the faults that only show beside the stored rows. It writes nothing:
`changes.py` carries a plan out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment
from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters.consent import Ask, Consent
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import ClassId, EnrolmentId, SchoolId, UserId
from puzzleclass.rosters.oneroster import ClassRow, EnrolmentRow, OneRoster, UserRow
from puzzleclass.rosters.stored import Stored
from puzzleclass.rosters.tables import STORED, Mode, file_of
from solvers.message import Message

MAX_LISTED = 1000
"""The most rows that a plan names for each table and change. All rows are counted."""


class Change(StrEnum):
    """What an import does with a row."""

    NEW = "new"
    CHANGED = "changed"
    MOVED = "moved"
    LEFT = "left"
    UNCHANGED = "unchanged"
    WAITING = "waiting"
    """A teacher has to confirm that this is a student who was entered by hand."""
    IGNORED = "ignored"
    """The row is about nobody who learns or teaches in one of the schools."""


@dataclass(slots=True)
class Person:
    """A student or a teacher who is in the roster or was stored by an earlier one."""

    is_student: bool
    user: User | None
    """The account; None for a student who is new."""


@dataclass(slots=True)
class PlannedEnrolment:
    """A student's enrolment, or a teacher's role in a class, as the roster says."""

    row: EnrolmentRow
    id: EnrolmentId | None
    """The stored identifier that becomes this one; None for a new one."""
    number: int = 0
    """The student's number; 0 for a teacher."""
    enrolment: Enrolment | None = None
    """The enrolment that becomes this one; None if it has to be created."""


@dataclass(slots=True)
class Unlinked:
    """A teacher of the roster whose identifier belongs to no account."""

    line: int
    sourced_id: str
    name: str
    school: str
    account: User | None
    """The only account with the same username or e-mail address, if its owner is known to the
    school or has agreed."""
    is_claimed: bool = False
    """Whether a school has given the identifier to an account, which nobody has confirmed yet."""


@dataclass(slots=True)
class Plan:
    """What an import changes. The dictionaries are by the source's identifiers."""

    roster: OneRoster
    stored: Stored
    changes: dict[str, Counter[Change]] = field(
        default_factory=lambda: {table: Counter() for table in STORED}
    )
    listed: dict[str, dict[Change, list[str]]] = field(
        default_factory=lambda: {table: defaultdict(list) for table in STORED}
    )
    """The names of the counted rows, at most `MAX_LISTED` for each table and change."""
    target: School | None = None
    """The only school that the import may change; None for all schools of the roster, which only
    the operator of the site may import, and the administrators of their board."""
    board: Board | None = None
    """The board whose schools alone the import may change."""
    schools: dict[str, str] = field(default_factory=dict)
    """Schools that are created or changed, with their names."""
    adopted: dict[str, School] = field(default_factory=dict)
    """Schools of this site that the source names for the first time."""
    classes: dict[str, ClassRow] = field(default_factory=dict)
    """Classes that are created or changed."""
    students: dict[str, UserRow] = field(default_factory=dict)
    """Students who are created, or whose names change."""
    linked: dict[str, User] = field(default_factory=dict)
    """Accounts that get an identifier: those of teachers, and of students entered by hand."""
    master_ids: dict[str, str] = field(default_factory=dict)
    """The `userMasterIdentifier` of each person who has got another one, and of new people."""
    user_schools: dict[str, str] = field(default_factory=dict)
    """The school of each person who is new, moved or back."""
    second_schools: list[tuple[str, str]] = field(default_factory=list)
    """People with a further school that has named none of its people by this identifier yet."""
    ended: list[UserId] = field(default_factory=list)
    """Identifiers of people who have left a further school. They are deleted: who is in another
    school now is nobody whom this one may name again."""
    returned: list[UserId] = field(default_factory=list)
    """Identifiers of people in a further school that names them again."""
    enrolments: dict[str, PlannedEnrolment] = field(default_factory=dict)
    """Enrolments that are created or changed."""
    left_schools: list[SchoolId] = field(default_factory=list)
    left_classes: list[ClassId] = field(default_factory=list)
    left_users: list[UserId] = field(default_factory=list)
    left_enrolments: list[EnrolmentId] = field(default_factory=list)
    consent: Consent = field(default_factory=Consent)
    asks: dict[int, Ask] = field(default_factory=dict)
    """The teachers to be asked, by the key of the account. Only they may see them."""
    unlinked: list[Unlinked] = field(default_factory=list)
    matches: dict[str, PlannedEnrolment] = field(default_factory=dict)
    """Enrolments of new students who are probably those entered by hand, not confirmed yet."""
    scope: set[str] = field(default_factory=set)
    """The schools that the import is about. Nothing changes in any other."""
    present_classes: set[str] = field(default_factory=set)
    """The classes of these schools that the source has now."""
    people: dict[str, Person] = field(default_factory=dict)
    """The people of these schools whom the source has now, without unlinked teachers."""

    def count(self, table: str, change: Change, name: str) -> None:
        """Count a row of the table, and list its name."""
        self.changes[table][change] += 1
        names = self.listed[table][change]
        if len(names) < MAX_LISTED:
            names.append(name)

    def recount(self, table: str, before: Change, change: Change, name: str) -> None:
        """Count a row of the table that was counted as `before` as something else."""
        self.changes[table][before] -= 1
        if name in self.listed[table][before]:
            self.listed[table][before].remove(name)
        self.count(table, change, name)

    @property
    def leavers(self) -> set[int]:
        """The keys of the people whom the source no longer names in any of the schools."""
        present = {each.user.pk for each in self.people.values() if each.user}
        return {each.user_id for each in self.left_users} - present

    @property
    def adopted_classes(self) -> list[int]:
        """The keys of classes of this site that the source names for the first time."""
        return [each.classroom_id for each in self.stored.classes.values() if each.pk is None]


def plan_schools(plan: Plan, *, all_schools: bool) -> None:
    """Plan the schools that were found. An import for one school does not change its name."""
    rows, known = plan.roster.schools, plan.stored.schools
    for key in sorted(plan.roster.other_orgs):
        plan.count("orgs", Change.IGNORED, key)
    for sourced_id, row in rows.items():
        old = known.get(sourced_id)
        before = old.source.school.name if old else ""
        name = plan.target.name if plan.target and sourced_id in plan.scope else row.name
        if not row.is_present:
            change = gone(old, is_in_scope=all_schools)
            if change is Change.LEFT and old:
                plan.left_schools.append(old)
        elif sourced_id not in plan.scope:
            change = Change.IGNORED
        else:
            change = Change.NEW
            if old:
                is_same = old.left_at is None and before == name and old.sourced_id == sourced_id
                is_same = is_same and not plan.stored.likeness.is_renamed(old)
                change = Change.UNCHANGED if is_same else Change.CHANGED
            if change is not Change.UNCHANGED:
                plan.schools[sourced_id] = name
        plan.count("orgs", change, renamed(before, name))


def plan_classes(plan: Plan, faults: Faults) -> None:
    """Plan the classes of the schools."""
    rows, known = plan.roster.classes, plan.stored.classes
    school_of = schools_by_key(plan.stored)
    for sourced_id, row in rows.items():
        old = known.get(sourced_id)
        old_school = school_of.get(old.classroom.school_id) if old else None
        if row.is_present and row.school in plan.scope:
            plan.present_classes.add(sourced_id)
            change = Change.NEW
            if old and old_school != row.school:
                change = Change.MOVED
            elif old:
                is_same = old.left_at is None and old.classroom.name == row.name
                is_same = is_same and row.grade in (None, old.classroom.grade)
                is_same = is_same and not _has_other_needs(old, row)
                is_same = is_same and not plan.stored.likeness.is_renamed(old)
                change = Change.UNCHANGED if is_same else Change.CHANGED
            if change is not Change.UNCHANGED:
                plan.classes[sourced_id] = row
        elif row.is_present and not _is_known_org(plan, row.school):
            unknown = Message("{file} has no row “{id}”.", {"file": "orgs.csv", "id": row.school})
            faults.add(file_of("classes"), row.line, "schoolSourcedId", unknown)
            continue
        else:
            change = gone(old, is_in_scope=old_school in plan.scope)
            if change is Change.LEFT and old:
                plan.left_classes.append(old)
        plan.count("classes", change, renamed(old.classroom.name if old else "", row.name))
    for sourced_id, old in known.items():
        is_ours = school_of.get(old.classroom.school_id) in plan.scope
        if old.left_at or sourced_id in rows or not is_ours:
            continue
        if plan.roster.mode("classes") is Mode.BULK:
            plan.left_classes.append(old)
            plan.count("classes", Change.LEFT, old.classroom.name)
        else:
            plan.present_classes.add(sourced_id)
    for old in plan.stored.other_classes:
        is_ours = school_of.get(old.classroom.school_id) in plan.scope
        is_over = old.sourced_id in rows or plan.roster.mode("classes") is Mode.BULK
        if old.left_at is None and is_ours and is_over:
            plan.left_classes.append(old)
            plan.count("classes", Change.LEFT, old.classroom.name)


def renamed(before: str, name: str) -> str:
    """Return the name, with the one before if it was another."""
    return f"{before} → {name}" if before and name and before != name else name or before


def gone(old: SchoolId | ClassId | UserId | None, *, is_in_scope: bool) -> Change:
    """Return what happens to a row that the source no longer has in the schools."""
    if old is None:
        return Change.IGNORED
    return Change.LEFT if old.left_at is None and is_in_scope else Change.UNCHANGED


def schools_by_key(stored: Stored) -> dict[int | None, str]:
    """Return the identifier of each school of the source by the key of the school."""
    return {each.source.school_id: sourced_id for sourced_id, each in stored.schools.items()}


def _is_known_org(plan: Plan, sourced_id: str) -> bool:
    orgs: tuple[Iterable[str], ...] = (
        plan.roster.schools, plan.roster.other_orgs, plan.stored.schools
    )  # fmt: skip
    return any(sourced_id in each for each in orgs)


def _has_other_needs(old: ClassId, row: ClassRow) -> bool:
    """Return whether the school keeps what the row says about special needs and has not yet."""
    school = old.classroom.school
    is_kept = school is not None and school.keeps_special_needs
    return is_kept and row.special_needs not in (None, old.special_needs)
