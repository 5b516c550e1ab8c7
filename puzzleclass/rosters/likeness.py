"""Schools, classes and people that a source names by other identifiers than before.

A vendor may give new identifiers to everything, for instance with a new version of its system. By
its identifiers alone, a city would then be there twice. So an import looks in what its own
authority has written for rows like the new ones whose identifiers have gone: schools by their code
or name; people by their `userMasterIdentifier`, or by school, class, number and name; classes by
their name and by most of their students. Whoever imports says whether they are the same. If so,
the stored rows get the new identifiers, before anything else is compared.

Only one row can be like another one: where two fit, neither is taken.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment
from puzzleclass.classes.roster_contents import plain
from puzzleclass.classes.school_models import Board, School
from puzzleclass.database.batches import BATCH_ROWS, in_batches
from puzzleclass.rosters.models import ClassId, EnrolmentId, ExternalId, SchoolId, UserId
from puzzleclass.rosters.oneroster import OneRoster, SchoolRow, UserRow
from puzzleclass.rosters.tables import Mode
from solvers.message import Message

SAME, OTHERS = "same", "others"
LEAST_PEOPLE = 10
"""The number of people from which on it is asked whether so many are new or changed."""
MOST_PERCENT = 40
"""The share of people that may leave, come or change at once without a question. One always may
leave.

At the end of a school year, a third of the students of a junior high school leave.
"""
MAX_NAMES = 200
"""The most schools that the page names."""

Id = TypeVar("Id", SchoolId, ClassId, UserId, EnrolmentId)
New = TypeVar("New")
Old = TypeVar("Old")
_Level = tuple[Callable[[New], Iterable[Hashable]], Callable[[Old], Iterable[Hashable]]]
"""By what new and stored rows are compared."""
Place = tuple[int, str, int | None]
"""The key of a school, the name of a class, and a number in it."""


@dataclass(slots=True)
class Likeness:
    """The stored rows that get the new identifiers of a roster. Without any, it is empty."""

    said: str = ""
    """What whoever imports has said: `SAME`, `OTHERS`, or nothing yet."""
    target: School | None = None
    """The only school that the import may change; None for the operator or a board."""
    board: Board | None = None
    schools: list[SchoolId] = field(default_factory=list)
    classes: list[ClassId] = field(default_factory=list)
    users: list[UserId] = field(default_factory=list)
    enrolments: list[EnrolmentId] = field(default_factory=list)
    _renamed: set[tuple[type[ExternalId], int]] = field(default_factory=set)

    @property
    def question(self) -> Message | None:
        """The question whether these are the same, unless it is answered or there are none."""
        people = len({each.user_id for each in self.users})
        if self.said or not (self.schools or people):
            return None
        return Message(
            "Some of the file looks like what is here already, with other identifiers (schools: "
            "{schools}, classes: {classes}, people: {people}). Say whether it is the same.",
            {"schools": len(self.schools), "classes": len(self.classes), "people": people},
        )

    def is_renamed(self, row: ExternalId | None) -> bool:
        """Return whether the row has got another identifier."""
        return row is not None and (type(row), row.pk) in self._renamed

    def _rename(self, row: Id, sourced_id: str, renamed: list[Id]) -> None:
        row.sourced_id = sourced_id
        renamed.append(row)
        self._renamed.add((type(row), row.pk))

    def _is_own(self, row: ExternalId) -> bool:
        """Return whether the importing authority has written the row, and no wider one."""
        if self.target:
            of_board = row.by_board_id is not None and row.by_board_id == self.target.board_id
            return not (row.by_operator or of_board)
        return row.by_operator if self.board is None else row.by_board_id == self.board.pk

    def settle(self) -> None:
        """Write the new identifiers."""
        tables: tuple[Sequence[ExternalId], ...] = (
            *(self.schools, self.classes, self.users, self.enrolments),
        )
        for rows in filter(None, tables):
            model = type(rows[0])._default_manager
            model.bulk_update(rows, ["sourced_id"], batch_size=BATCH_ROWS)

    def report(self) -> dict[str, object]:
        """Return what the page asks, as JSON."""
        return {
            "schools": [each.source.school.name for each in self.schools[:MAX_NAMES]],
            "said": self.said,
        }

    def find_schools(self, roster: OneRoster, known: dict[str, SchoolId], name: str) -> None:
        """Give the known schools that the roster names otherwise their new identifiers; with a
        name, only the schools of this name."""
        if self.said == OTHERS or roster.mode("orgs") is not Mode.BULK:
            return
        gone = [
            row for key, row in known.items() if key not in roster.schools and self._is_own(row)
        ]
        fresh = {
            key: row
            for key, row in roster.schools.items()
            if row.is_present and key not in known and name in ("", row.name)
        }
        by_code: _Level[SchoolRow, SchoolId] = (
            lambda row: [row.code] if row.code else [],
            lambda old: [old.code] if old.code else [],
        )
        by_name: _Level[SchoolRow, SchoolId] = (
            lambda row: [plain(row.name)],
            lambda old: [plain(old.source.school.name)],
        )
        for key, old in _pairs(fresh, gone, (by_code, by_name), _may_be_one_school):
            del known[old.sourced_id]
            self._rename(old, key, self.schools)
            known[key] = old

    def find_people(
        self,
        roster: OneRoster,
        schools: Mapping[str, int],
        classes: Collection[ClassId],
        users: Collection[UserId],
        enrolments: Collection[EnrolmentId],
    ) -> None:
        """Give people, classes and enrolments that the roster names otherwise their new
        identifiers.

        `schools` are the keys of the schools that the import is about, by identifier. The others
        are what is stored of the source.
        """
        if self.said == OTHERS or roster.mode("users") is not Mode.BULK:
            return
        gone = [each for each in users if each.left_at is None and self._is_own(each)]
        present = len({each.user_id for each in gone})
        gone = [each for each in gone if each.sourced_id not in roster.users]
        known = {each.sourced_id for each in users}
        fresh = {
            key: row for key, row in roster.users.items() if row.is_present and key not in known
        }
        if not (
            self.schools or are_many(min(len(fresh), len({each.user_id for each in gone})), present)
        ):
            return
        lists = _Lists(roster, schools, enrolments)
        people = _People(gone, fresh, lists)
        for key, person in people.pairs():
            for row in people.rows[person]:
                self._rename(row, key, self.users)
        account = {each.sourced_id: each.user_id for each in users}
        self._find_classes(roster, lists, classes, account)
        room = {each.sourced_id: each.classroom_id for each in classes}
        self._find_enrolments(roster, lists, enrolments, account, room)

    def _find_classes(
        self,
        roster: OneRoster,
        lists: "_Lists",
        classes: Collection[ClassId],
        account: Mapping[str, int],
    ) -> None:
        known = {each.sourced_id for each in classes}
        gone = [
            each
            for each in classes
            if each.left_at is None and each.sourced_id not in roster.classes and self._is_own(each)
        ]
        fresh = {
            key: (lists.schools[row.school], row.name)
            for key, row in roster.classes.items()
            if row.is_present and key not in known and row.school in lists.schools
        }
        level: _Level[tuple[int, str], ClassId] = (
            lambda row: [(row[0], plain(row[1]))],
            lambda old: [(old.source.school_id, plain(old.classroom.name))],
        )
        for key, old in _pairs(fresh, gone, (level,)):
            before = lists.students_of[old.classroom_id]
            now = {account.get(one, 0) for one in lists.named_in[key]}
            # A class of the same name in a new year has other students.
            if 2 * len(before & now) >= len(before):
                self._rename(old, key, self.classes)

    def _find_enrolments(
        self,
        roster: OneRoster,
        lists: "_Lists",
        enrolments: Collection[EnrolmentId],
        account: Mapping[str, int],
        room: Mapping[str, int],
    ) -> None:
        known = {each.sourced_id for each in enrolments}
        gone = [
            each
            for each in enrolments
            if each.left_at is None
            and each.sourced_id not in roster.enrolments
            and self._is_own(each)
        ]
        fresh = {
            key: (account.get(row.user, 0), room.get(row.classroom, 0))
            for key, row in roster.enrolments.items()
            if row.is_present and key not in known
        }
        level: _Level[tuple[int, int], EnrolmentId] = (
            lambda row: [row] if all(row) else [],
            lambda old: [lists.person_and_class(old)],
        )
        for key, old in _pairs(fresh, gone, (level,)):
            self._rename(old, key, self.enrolments)


class _Lists:
    """Who is in which class: in the roster, and as it is stored."""

    def __init__(
        self, roster: OneRoster, schools: Mapping[str, int], enrolments: Collection[EnrolmentId]
    ) -> None:
        self.schools = schools
        self.named_in: dict[str, set[str]] = defaultdict(set)
        """The identifiers of the students of each class of the roster."""
        self.named_places: dict[str, list[Place]] = defaultdict(list)
        """The places of each person of the roster."""
        for row in roster.enrolments.values():
            room = roster.classes.get(row.classroom)
            if not row.is_present or room is None or room.school not in schools:
                continue
            if row.role == "student":
                self.named_in[row.classroom].add(row.user)
            place = (schools[room.school], plain(room.name), row.number)
            self.named_places[row.user].append(place)
        self.students_of: dict[int, set[int]] = defaultdict(set)
        """The keys of the students of each class, as they are stored."""
        self.places: dict[int, list[Place]] = defaultdict(list)
        """The stored places of each student."""
        self.entries: dict[int, tuple[int, int]] = {}
        """The student and the class of each enrolment."""
        keys = [each.enrolment_id for each in enrolments if each.enrolment_id and not each.left_at]
        columns = ("pk", "student", "classroom", "number", "classroom__name", "classroom__school")
        for some in in_batches(keys):
            rows = Enrolment.objects.filter(pk__in=some).order_by().values_list(*columns)
            for pk, student, classroom, number, name, school in rows:
                self.entries[pk] = student, classroom
                self.students_of[classroom].add(student)
                self.places[student].append((school, plain(name), number))

    def person_and_class(self, old: EnrolmentId) -> tuple[int, int]:
        """Return the keys of the person and the class of a stored enrolment or role."""
        if old.teaching:
            return old.teaching.teacher_id, old.teaching.classroom_id
        return self.entries.get(old.enrolment_id or 0, (0, 0))


class _People:
    """Compares people of a roster with stored ones whose identifiers have gone."""

    def __init__(self, gone: Iterable[UserId], fresh: Mapping[str, UserRow], lists: _Lists) -> None:
        self.fresh, self.lists = fresh, lists
        self.rows: dict[int, list[UserId]] = defaultdict(list)
        """The identifiers of each stored person, one for each school."""
        for each in gone:
            self.rows[each.user_id].append(each)
        self.users: dict[int, User] = {}
        for some in in_batches(list(self.rows)):
            self.users |= User.objects.in_bulk(some)

    def pairs(self) -> Iterator[tuple[str, int]]:
        """Yield the new identifiers with the keys of the people."""
        keyed = {key: (key, row) for key, row in self.fresh.items()}
        by_master: _Level[tuple[str, UserRow], int] = (
            lambda new: [new[1].master_id] if new[1].master_id else [],
            lambda old: {each.master_id for each in self.rows[old] if each.master_id},
        )
        by_place: _Level[tuple[str, UserRow], int] = (
            lambda new: [(*place, plain(new[1].name)) for place in self.lists.named_places[new[0]]],
            lambda old: [(*place, self._name(old)) for place in self.lists.places[old]],
        )
        by_name: _Level[tuple[str, UserRow], int] = (
            lambda new: {(school, plain(new[1].name)) for school in self._schools(*new)},
            lambda old: {(row.source.school_id, self._name(old)) for row in self.rows[old]},
        )
        yield from _pairs(
            keyed, list(self.rows), (by_master, by_place, by_name), self._may_be_the_same
        )

    def _name(self, person: int) -> str:
        return plain(self.users[person].name)

    def _schools(self, key: str, row: UserRow) -> set[int]:
        schools = self.lists.schools
        named = {schools[school] for school in row.schools if school in schools}
        return named | {school for school, _room, _number in self.lists.named_places[key]}

    def _may_be_the_same(self, new: tuple[str, UserRow], old: int) -> bool:
        """Return whether nothing that both sides say differs."""
        row, user = new[1], self.users[old]
        masters = {each.master_id for each in self.rows[old]} - {""}
        if row.master_id and masters:
            return row.master_id in masters
        if row.reading and user.reading and plain(row.reading) != plain(user.reading):
            return False
        return not row.roles or ("student" in row.roles) == user.is_student


def _pairs(
    fresh: Mapping[str, New],
    gone: Iterable[Old],
    levels: Iterable[_Level[New, Old]],
    may_be_the_same: Callable[[New, Old], bool] = lambda new, old: True,
) -> Iterator[tuple[str, Old]]:
    """Yield the new identifiers with the stored rows that alone are like them.

    Each level compares the rows that the levels before it have left over.
    """
    new, old = dict(fresh), list(gone)
    for of_new, of_old in levels:
        there: dict[Hashable, list[Old]] = defaultdict(list)
        for each in old:
            for sign in of_old(each):
                there[sign].append(each)
        here = Counter(sign for row in new.values() for sign in {*of_new(row)})
        found: dict[str, Old] = {}
        taken: set[int] = set()
        for key, row in new.items():
            for sign in of_new(row):
                if here[sign] == 1 and len(there[sign]) == 1:
                    one = there[sign][0]
                    if id(one) not in taken and may_be_the_same(row, one):
                        found[key] = one
                        taken.add(id(one))
                        break
        yield from found.items()
        new = {key: row for key, row in new.items() if key not in found}
        old = [each for each in old if id(each) not in taken]


def _may_be_one_school(row: SchoolRow, old: SchoolId) -> bool:
    return not (row.code and old.code) or row.code == old.code


def are_many(number: int, people: int) -> bool:
    """Return whether so many of the people are too many to change without a question."""
    return people >= LEAST_PEOPLE and number * 100 > people * MOST_PERCENT
