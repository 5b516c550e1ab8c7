"""What an import would change: the dry run.

A plan compares the rows of a roster with what is stored. It names every row as new, changed, moved,
left or unchanged, and finds the faults that only show beside the stored rows. It writes nothing:
`changes.py` carries a plan out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment, School
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import ClassId, EnrolmentId, SchoolId, UserId
from puzzleclass.rosters.oneroster import ClassRow, EnrolmentRow, OneRoster, SchoolRow, UserRow
from puzzleclass.rosters.stored import Stored
from puzzleclass.rosters.tables import STORED, Mode, file_of
from solvers.message import Message

MOST_LISTED = 1000
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
    account: User | None
    """The only account with the same username or e-mail address."""


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
    """The names of the counted rows, at most `MOST_LISTED` for each table and change."""
    target: School | None = None
    """The only school that the import may change; None for all schools of the roster."""
    schools: dict[str, SchoolRow] = field(default_factory=dict)
    """Schools that are created or changed."""
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
    enrolments: dict[str, PlannedEnrolment] = field(default_factory=dict)
    """Enrolments that are created or changed."""
    left_schools: list[SchoolId] = field(default_factory=list)
    left_classes: list[ClassId] = field(default_factory=list)
    left_users: list[UserId] = field(default_factory=list)
    left_enrolments: list[EnrolmentId] = field(default_factory=list)
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
        if len(names) < MOST_LISTED:
            names.append(name)

    def recount(self, table: str, before: Change, change: Change, name: str) -> None:
        """Count a row of the table that was counted as `before` as something else."""
        self.changes[table][before] -= 1
        if name in self.listed[table][before]:
            self.listed[table][before].remove(name)
        self.count(table, change, name)

    @property
    def adopted_classes(self) -> list[int]:
        """The keys of classes of this site that the source names for the first time."""
        return [each.classroom_id for each in self.stored.classes.values() if each.pk is None]


def plan_schools(plan: Plan, name: str, faults: Faults) -> None:
    """Plan the schools; with a name, only the schools of this name."""
    rows, known = plan.roster.schools, plan.stored.schools
    names = {sourced_id: row.name for sourced_id, row in rows.items() if row.is_present}
    if plan.roster.mode("orgs") is not Mode.BULK:
        here = {key: each.school.name for key, each in known.items() if each.left_at is None}
        names = {key: each for key, each in here.items() if key not in rows} | names
    plan.scope = {key for key, each in names.items() if not name or each == name}
    if plan.target:
        name = plan.target.name
        plan.scope = _key_of_target(plan.target, names, known)
    if name and not plan.scope:
        missing = Message("No school of the roster has the name “{name}”.", {"name": name[:40]})
        faults.add(file_of("orgs"), 0, "name", missing)
    fresh = {key: names[key] for key in plan.scope if key not in known}
    plan.adopted = dict.fromkeys(fresh, plan.target) if plan.target else _by_hand(fresh)
    for key in sorted(plan.roster.other_orgs):
        plan.count("orgs", Change.IGNORED, key)
    for sourced_id, row in rows.items():
        old = known.get(sourced_id)
        if not row.is_present:
            change = _gone(old, is_in_scope=not name)
            if change is Change.LEFT and old:
                plan.left_schools.append(old)
        elif sourced_id not in plan.scope:
            change = Change.IGNORED
        else:
            change = Change.NEW
            if old:
                is_same = old.left_at is None and old.school.name == row.name
                change = Change.UNCHANGED if is_same else Change.CHANGED
            if change is not Change.UNCHANGED:
                plan.schools[sourced_id] = row
        plan.count("orgs", change, _renamed(old.school.name if old else "", row.name))


def plan_classes(plan: Plan, faults: Faults) -> None:
    """Plan the classes of the schools."""
    rows, known = plan.roster.classes, plan.stored.classes
    school_of = _schools_by_key(plan.stored)
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
                change = Change.UNCHANGED if is_same else Change.CHANGED
            if change is not Change.UNCHANGED:
                plan.classes[sourced_id] = row
        elif row.is_present and not _is_known_org(plan, row.school):
            unknown = Message("{file} has no row “{id}”.", {"file": "orgs.csv", "id": row.school})
            faults.add(file_of("classes"), row.line, "schoolSourcedId", unknown)
            continue
        else:
            change = _gone(old, is_in_scope=old_school in plan.scope)
            if change is Change.LEFT and old:
                plan.left_classes.append(old)
        plan.count("classes", change, _renamed(old.classroom.name if old else "", row.name))
    for sourced_id, old in known.items():
        is_ours = school_of.get(old.classroom.school_id) in plan.scope
        if old.left_at or sourced_id in rows or not is_ours:
            continue
        if plan.roster.mode("classes") is Mode.BULK:
            plan.left_classes.append(old)
            plan.count("classes", Change.LEFT, old.classroom.name)
        else:
            plan.present_classes.add(sourced_id)


def plan_users(plan: Plan, faults: Faults, *, link: bool) -> None:
    """Plan the people of the schools.

    With `link`, a teacher's only account with the same username or e-mail address is linked.
    """
    rows, known = plan.roster.users, plan.stored.users
    school_of = _schools_by_key(plan.stored)
    roles, schools = _from_enrolments(plan)
    accounts = _Accounts(known.values())
    for sourced_id, row in rows.items():
        old = known.get(sourced_id)
        old_school = school_of.get(old.school_id) if old else None
        wanted = row.roles or roles[sourced_id]
        named = [*row.schools, *schools[sourced_id]]
        if old and old.left_at is None:
            # A delta may name neither a role nor a school of somebody whose name has changed.
            wanted = wanted or {old.user.role}
            named = named or [old_school or ""]
        role = next((each for each in ("teacher", "student") if each in wanted), "")
        candidates = [key for key in named if key in plan.scope]
        if not (row.is_present and role and candidates):
            change = _gone(old, is_in_scope=old_school in plan.scope)
            if change is Change.LEFT and old:
                plan.left_users.append(old)
            plan.count("users", change, row.name or (old.user.name if old else sourced_id))
            continue
        if old and old.user.is_student != (role == "student"):
            wrong = Message("The role of a person can't change. Give the row a new identifier.")
            faults.add(file_of("users"), row.line, "sourcedId", wrong)
            continue
        account = old.user if old else None
        if role == "teacher" and account is None:
            account = accounts.of(row)
            if account is None or not link:
                plan.unlinked.append(Unlinked(row.line, sourced_id, row.name, account))
                plan.count("users", Change.IGNORED, row.name)
                continue
            plan.linked[sourced_id] = account
        plan.people[sourced_id] = Person(role == "student", account)
        change = Change.NEW
        if old:
            is_moved = old_school not in candidates
            is_same = old.left_at is None and row.master_id in ("", old.master_id)
            is_same = is_same and (role == "teacher" or _has_names(old.user, row))
            unmoved = Change.UNCHANGED if is_same else Change.CHANGED
            change = Change.MOVED if is_moved else unmoved
        if row.master_id and (old is None or old.master_id != row.master_id):
            plan.master_ids[sourced_id] = row.master_id
        if role == "student" and (old is None or not _has_names(old.user, row)):
            plan.students[sourced_id] = row
        if old is None or change is Change.MOVED or old.left_at:
            plan.user_schools[sourced_id] = candidates[0]
        before = old.user.name if old and old.user.is_student else ""
        plan.count("users", change, _renamed(before, row.name))
    for sourced_id, old in known.items():
        if old.left_at or sourced_id in rows:
            continue
        if plan.roster.mode("users") is not Mode.BULK:
            plan.people[sourced_id] = Person(old.user.is_student, old.user)
        elif school_of.get(old.school_id) in plan.scope:
            plan.left_users.append(old)
            plan.count("users", Change.LEFT, old.user.name)


def _by_hand(names: Mapping[str, str]) -> dict[str, School]:
    """Return the schools with these names that no source has named yet, if there is one of each."""
    same: dict[str, list[School]] = defaultdict(list)
    for school in School.objects.filter(external_ids=None, name__in=names.values()):
        same[school.name].append(school)
    times = Counter(names.values())
    return {
        key: same[name][0] for key, name in names.items() if times[name] == len(same[name]) == 1
    }


def _key_of_target(
    target: School, names: Mapping[str, str], known: Mapping[str, SchoolId]
) -> set[str]:
    """Return the identifier of the school in the roster, in a set; an empty set if there is none.

    At the first import, it is the school with this name, or the only school of the roster. An
    identifier that belongs to another school is never taken.
    """
    keys = {key for key, each in known.items() if each.school_id == target.pk}
    if keys:
        return keys & names.keys()
    free = {key: name for key, name in names.items() if key not in known}
    same = {key for key, name in free.items() if name == target.name}
    return same if len(same) == 1 else set(free if len(names) == 1 else ())


def check_target(plan: Plan, faults: Faults) -> None:
    """Add a fault for each row of another school that an import into one school would change."""
    if plan.target is None:
        return
    roster, stored = plan.roster, plan.stored
    here = (None, plan.target.pk)
    for key in plan.present_classes:
        known = stored.classes.get(key)
        if (
            known
            and known.pk
            and known.classroom.school_id != plan.target.pk
            and key in roster.classes
        ):
            _add_foreign(faults, "classes", roster.classes[key].line, "sourcedId", key)
    users = {key: each for key, each in stored.users.items() if each.school_id not in here}
    for key in plan.people:
        if key in users and key in roster.users:
            _add_foreign(faults, "users", roster.users[key].line, "sourcedId", key)
    for planned in plan.enrolments.values():
        row = planned.row
        if row.user in users and row.user not in roster.users:
            _add_foreign(faults, "enrollments", row.line, "userSourcedId", row.user)


def _add_foreign(faults: Faults, table: str, line: int, column: str, key: str) -> None:
    foreign = Message(
        "“{id}” belongs to another school of this site. Ask the site's administrator to import the "
        "rosters of both schools together.",
        {"id": key[:40]},
    )
    faults.add(file_of(table), line, column, foreign)


def _renamed(before: str, name: str) -> str:
    """Return the name, with the one before if it was another."""
    return f"{before} → {name}" if before and name and before != name else name or before


class _Accounts:
    """The teachers' accounts that no identifier of the source belongs to."""

    def __init__(self, known: Iterable[UserId]) -> None:
        linked = {each.user_id for each in known}
        self.found: dict[str, set[User]] = defaultdict(set)
        for user in User.objects.filter(role=User.Role.TEACHER, is_active=True):
            if user.pk not in linked:
                self.found[user.username].add(user)
                if user.email:
                    self.found[user.email.casefold()].add(user)

    def of(self, row: UserRow) -> User | None:
        """Return the only account with the same username or e-mail address."""
        found = set(self.found.get(row.username, ()))
        if row.email:
            found |= self.found.get(row.email.casefold(), set())
        return found.pop() if len(found) == 1 else None


def _gone(old: SchoolId | ClassId | UserId | None, *, is_in_scope: bool) -> Change:
    """Return what happens to a row that the source no longer has in the schools."""
    if old is None:
        return Change.IGNORED
    return Change.LEFT if old.left_at is None and is_in_scope else Change.UNCHANGED


def _schools_by_key(stored: Stored) -> dict[int | None, str]:
    return {each.school_id: sourced_id for sourced_id, each in stored.schools.items()}


def _is_known_org(plan: Plan, sourced_id: str) -> bool:
    orgs: tuple[Iterable[str], ...] = (
        plan.roster.schools, plan.roster.other_orgs, plan.stored.schools
    )  # fmt: skip
    return any(sourced_id in each for each in orgs)


def _from_enrolments(plan: Plan) -> tuple[dict[str, set[str]], dict[str, list[str]]]:
    """Return the roles of each person in classes, and the schools of these classes."""
    school_of = _schools_by_key(plan.stored)
    roles: dict[str, set[str]] = defaultdict(set)
    schools: dict[str, list[str]] = defaultdict(list)
    for row in plan.roster.enrolments.values():
        if not row.is_present:
            continue
        roles[row.user].add(row.role)
        if classroom := plan.roster.classes.get(row.classroom):
            schools[row.user].append(classroom.school)
        elif old := plan.stored.classes.get(row.classroom):
            schools[row.user].append(school_of.get(old.classroom.school_id, ""))
    return roles, schools


def _has_other_needs(old: ClassId, row: ClassRow) -> bool:
    """Return whether the school keeps what the row says about special needs and has not yet."""
    school = old.classroom.school
    is_kept = school is not None and school.keeps_special_needs
    return is_kept and row.special_needs not in (None, old.special_needs)


def _has_names(user: User, row: UserRow) -> bool:
    return user.name == row.name and row.reading in ("", user.reading)
