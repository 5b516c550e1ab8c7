"""What earlier imports of a source have stored, as a plan needs it.

An import for one school reads only the school's own source. An import of the operator reads the
sources of the same name of all schools that the roster names. From the sources of other schools, it
reads only the rows that an import of the operator has named before, because the administrators of
one school must not decide who somebody in another school is. An import of a board does the same
within the schools of the board. What a school has written of its own people is used by these
imports only if their administrators have said so (`claims`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import Q

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment, Teaching
from puzzleclass.classes.school_models import Board
from puzzleclass.rosters.claims import Claims
from puzzleclass.rosters.likeness import Likeness
from puzzleclass.rosters.models import ClassId, EnrolmentId, ExternalId, SchoolId, UserId, named_by
from puzzleclass.rosters.oneroster import OneRoster


@dataclass(slots=True)
class Stored:
    """The identifiers of a source with their rows, and the class lists that they belong to.

    Each dictionary holds the row that the roster means. Sources of several schools may have others
    with the same identifier.
    """

    schools: dict[str, SchoolId] = field(default_factory=dict)
    classes: dict[str, ClassId] = field(default_factory=dict)
    users: dict[str, UserId] = field(default_factory=dict)
    enrolments: dict[str, EnrolmentId] = field(default_factory=dict)
    other_classes: list[ClassId] = field(default_factory=list)
    other_users: list[UserId] = field(default_factory=list)
    other_enrolments: list[EnrolmentId] = field(default_factory=list)
    """The rows that the roster does not mean although they have the same identifiers."""
    lists: dict[int, list[Enrolment]] = field(default_factory=lambda: defaultdict(list))
    """All enrolments of each class of the source, also those entered by hand."""
    teachings: dict[tuple[int, int], Teaching] = field(default_factory=dict)
    """The roles in these classes, by class and teacher."""
    claims: Claims = field(default_factory=Claims)
    """What narrower authorities have written of those whom the roster names."""
    likeness: Likeness = field(default_factory=Likeness)
    """What the roster names by other identifiers than before."""

    @property
    def sources(self) -> set[int]:
        """The keys of the sources that the rows belong to."""
        rows: tuple[Iterable[ExternalId], ...] = (
            *(self.schools.values(), self.classes.values(), self.users.values()),
            *(self.enrolments.values(), self.other_classes, self.other_users),
            *(self.other_enrolments, self.claims.dropped, self.claims.teachers.values()),
        )
        return {each.source_id for some in rows for each in some if each.source_id}


Id = TypeVar("Id", ClassId, UserId, EnrolmentId)


def load(
    stored: Stored,
    roster: OneRoster,
    schools: Mapping[str, int],
    *,
    everywhere: bool,
    board: Board | None = None,
) -> None:
    """Read what is stored of the roster's source.

    `schools` are the keys of the schools that the import is about, by identifier. With
    `everywhere`, the rows of other schools count as well that an import of the operator, or of the
    `board` in its own schools, has named (`models.named_by`).
    """
    here = Q(source__name=roster.source, source__school__in=set(schools.values()))
    rows = here | Q(source__name=roster.source) & named_by(board) if everywhere else here
    school_of = {
        key: schools.get(row.school, 0) for key, row in roster.classes.items() if row.is_present
    }
    classes, users = _ids(ClassId, rows, "classroom__school"), _ids(UserId, rows)
    enrolments = _ids(EnrolmentId, rows, "teaching")
    stored.likeness.find_people(roster, schools, classes, users, enrolments)
    claims = stored.claims
    if everywhere:
        classes = claims.sift(classes, _homes_of_classes(roster, classes, school_of))
    stored.classes = _meant(classes, {key: {one} for key, one in school_of.items()}, board)
    for each in stored.classes.values():
        school_of.setdefault(each.sourced_id, each.source.school_id)
    homes: dict[str, set[int]] = {
        key: {schools.get(school, 0) for school in row.schools}
        for key, row in roster.users.items()
        if row.is_present
    }
    for row in roster.enrolments.values():
        if row.is_present:
            homes.setdefault(row.user, set()).add(school_of.get(row.classroom, 0))
    if everywhere:
        users = claims.sift(users, homes)
    stored.users = _meant(users, homes, board)
    places = {
        key: {school_of.get(row.classroom, 0)}
        for key, row in roster.enrolments.items()
        if row.is_present
    }
    if everywhere:
        known = {key: row.user_id for key, row in stored.users.items()}
        people = {key: known.get(row.user, 0) for key, row in roster.enrolments.items()}
        enrolments = claims.sift(enrolments, places, people)
    stored.enrolments = _meant(enrolments, places, board)
    stored.other_classes = _others(classes, stored.classes)
    stored.other_users = _others(users, stored.users)
    stored.other_enrolments = _others(enrolments, stored.enrolments)
    _connect(stored, rows, classes, users, enrolments)


def _homes_of_classes(
    roster: OneRoster, classes: Iterable[ClassId], school_of: Mapping[str, int]
) -> dict[str, set[int]]:
    """Return the schools in which the roster names each class. A delta may name only enrolments."""
    homes = {key: {school} for key, school in school_of.items()}
    enrolled = {each.classroom for each in roster.enrolments.values() if each.is_present}
    for row in classes:
        if row.sourced_id in enrolled and row.sourced_id not in school_of:
            homes.setdefault(row.sourced_id, set()).add(row.source.school_id)
    return homes


def _ids(model: type[Id], rows: Q, *related: str) -> list[Id]:
    # The rows of a source share it: copies for each of 20,000 rows would take much memory.
    found = model._default_manager.filter(rows).prefetch_related("source").order_by("pk")
    return list(found.select_related(*related) if related else found)


def _connect(
    stored: Stored,
    rows: Q,
    classes: Iterable[ClassId],
    users: Iterable[UserId],
    enrolments: Iterable[EnrolmentId],
) -> None:
    """Give the identifiers their people and enrolments, of which each is read once, and read the
    lists of the classes."""
    rooms = {each.classroom_id: each.classroom for each in classes}
    keys = ClassId.objects.filter(rows).values("classroom")
    named = EnrolmentId.objects.filter(rows).exclude(enrolment=None).values("enrolment")
    known = Enrolment.objects.filter(Q(classroom__in=keys) | Q(pk__in=named))
    ours = Q(pk__in=UserId.objects.filter(rows).values("user"))
    ours |= Q(pk__in=known.order_by().values("student"))
    people = {each.pk: each for each in User.objects.filter(ours)}
    entries = {each.pk: each for each in known}
    for each in entries.values():
        each.student = people[each.student_id]
        if room := rooms.get(each.classroom_id):
            each.classroom = room
            stored.lists[room.pk].append(each)
    for row in users:
        row.user = people[row.user_id]
    for one in enrolments:
        if one.enrolment_id:
            one.enrolment = entries[one.enrolment_id]
    for teaching in Teaching.objects.filter(classroom__in=keys):
        stored.teachings[teaching.classroom_id, teaching.teacher_id] = teaching


def _meant(
    rows: Collection[Id], homes: Mapping[str, set[int]], board: Board | None
) -> dict[str, Id]:
    """Return the row of each identifier that the roster means.

    It is one of a school in which the roster names the identifier (`homes`). If there is none, it
    is one that the operator or the board has imported for another school, and of those the one that
    is still named. A row that another school has imported by itself is never meant.
    """
    meant: dict[str, Id] = {}
    for row in sorted(rows, key=lambda each: each.left_at is not None):
        key = row.sourced_id
        named = homes.get(key) or None
        is_home = named is None or row.source.school_id in named
        is_boards = board is not None and row.by_board_id == board.pk
        if not (is_home or row.by_operator or is_boards):
            continue
        before = meant.get(key)
        if before is None or (
            named is not None and is_home and before.source.school_id not in named
        ):
            meant[key] = row
    return meant


def _others(rows: Iterable[Id], meant: Mapping[str, Id]) -> list[Id]:
    return [row for row in rows if meant.get(row.sourced_id) is not row]
