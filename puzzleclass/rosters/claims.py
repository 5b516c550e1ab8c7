"""Rows that a narrower authority has written than the one that imports.

A school writes the identifiers of its own roster. An import of the operator, or of a board, gives
rights in other schools, so such a row is no evidence for it: whoever administers the school decides
whose account carries which identifier. The import takes a row over only if an administrator of its
own has said that it is right, and otherwise sets it aside: the identifier goes, the account and the
class stay as they are. Rows of its own, and of a wider authority, are found as they are.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from django.db.models import Model
from django.db.models.functions import Coalesce

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import Board
from puzzleclass.database.batches import in_batches
from puzzleclass.http import read_key
from puzzleclass.rosters.models import ClassId, EnrolmentId, ExternalId, UserId

TAKE, ASIDE = "take", "aside"
IDENTIFIERS = "identifiers"
"""The field of the page that says whether other identifiers mean the same."""
MAX_TEACHERS = 500
"""The most teachers about whom a page asks at once."""
MAX_NAMES = 200
"""The most people of a school whom a page names."""

_NOBODY: Mapping[str, int] = {}

Id = TypeVar("Id", ClassId, UserId, EnrolmentId)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What an administrator of the importing authority has said about rows of narrower ones."""

    schools: Mapping[int, str] = field(default_factory=dict)
    """The key of a school -> `TAKE` or `ASIDE`, for its students and classes."""
    teachers: Mapping[int, str] = field(default_factory=dict)
    """The key of a teacher's identifier -> `TAKE` or `ASIDE`."""
    usernames: Collection[str] = ()
    """The teachers for whom the operator answers."""
    takes_all: bool = False
    """Whether the students and classes of all schools are taken over."""
    seen: Mapping[int, str] = field(default_factory=dict)
    """The key of a school -> the digest of the rows about which was decided."""
    identifiers: str = ""
    """Whether what has got other identifiers is the same, as `likeness.Likeness.said`."""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Decisions":
        """Read the fields of the page, such as `school-3: take`."""
        said: dict[str, dict[int, str]] = {"school": {}, "teacher": {}, "seen": {}}
        for name, value in given.items():
            about, _sign, key = name.partition("-")
            if about in said and (value in (TAKE, ASIDE) or about == "seen"):
                said[about][read_key(key)] = value
        about_identifiers = given.get(IDENTIFIERS, "")
        return cls(
            said["school"], said["teacher"], seen=said["seen"], identifiers=about_identifiers
        )

    def of_school(self, key: int) -> str:
        return TAKE if self.takes_all else self.schools.get(key, "")

    def of_teacher(self, row: UserId, teacher: User) -> str:
        return TAKE if teacher.username in self.usernames else self.teachers.get(row.pk, "")


@dataclass(slots=True)
class Claims:
    """The rows of narrower authorities that a roster names. Without any, it is empty."""

    board: Board | None = None
    decisions: Decisions = field(default_factory=Decisions)
    schools: dict[int, list[UserId | ClassId]] = field(default_factory=lambda: defaultdict(list))
    """The students and classes by the key of the school that has written them."""
    teachers: dict[str, UserId] = field(default_factory=dict)
    """The identifiers of teachers, by the source's identifier."""
    taken: dict[tuple[type[Model], int], ExternalId] = field(default_factory=dict)
    dropped: list[ExternalId] = field(default_factory=list)
    """The rows that go, so that the import can write its own ones in their places."""
    foreign: dict[type[Model], set[int]] = field(default_factory=lambda: defaultdict(set))
    """The keys of the rows that the import leaves to those who have written them."""

    def is_own(self, row: ExternalId) -> bool:
        """Return whether the importing authority, or a wider one, has written the row."""
        is_boards = self.board is not None and row.by_board_id == self.board.pk
        return row.by_operator or is_boards

    @property
    def undecided(self) -> list[int]:
        """The keys of the schools about whose rows nothing has been said, or which have written
        others since then."""
        seen = self.decisions.seen
        return [
            key
            for key, rows in self.schools.items()
            if not self.decisions.of_school(key) or seen.get(key, _digest(rows)) != _digest(rows)
        ]

    @property
    def open_teachers(self) -> dict[str, UserId]:
        """The teachers' identifiers that are neither taken over nor set aside."""
        gone = {each.pk for each in self.dropped if isinstance(each, UserId)}
        return {
            key: row
            for key, row in self.teachers.items()
            if row.pk not in gone and not self.takes(row)
        }

    def takes(self, row: ExternalId) -> bool:
        """Return whether the row is taken over."""
        return (type(row), row.pk) in self.taken

    def sift(
        self, rows: Iterable[Id], homes: Mapping[str, set[int]], people: Mapping[str, int] = _NOBODY
    ) -> list[Id]:
        """Return the rows without those of narrower authorities that are not taken over.

        `homes` are the keys of the schools in which the roster names each identifier. A row of
        another school stays, but gets no mark of the importing authority. `people` are the keys of
        those whom the roster means by the identifiers of enrolments.
        """
        rows = list(rows)
        own = {each.sourced_id for each in rows if self.is_own(each)}
        narrow = [each for each in rows if not self.is_own(each)]
        teachers = _teachers_of(narrow)
        sure = _enrolments_of(narrow, people)
        stays: dict[int, bool] = {}
        for row in narrow:
            is_named = row.source.school_id in homes.get(row.sourced_id, ())
            stays[row.pk] = not is_named or self._uses(row, own, teachers, sure)
            if not is_named:
                self.foreign[type(row)].add(row.pk)
        return [each for each in rows if stays.get(each.pk, True)]

    def _uses(
        self,
        row: ClassId | UserId | EnrolmentId,
        own: Collection[str],
        teachers: Mapping[int, User],
        sure: Collection[int],
    ) -> bool:
        """Return whether the row is used; if nothing has been said yet, as if it were right."""
        said = ""
        if isinstance(row, EnrolmentId):
            # It gives nothing that the class and the person do not give.
            said = TAKE if row.pk in sure else ASIDE
        elif row.sourced_id in own:
            said = ASIDE
        elif isinstance(row, UserId) and (teacher := teachers.get(row.user_id)):
            row.user = teacher
            self.teachers[row.sourced_id] = row
            said = self.decisions.of_teacher(row, teacher)
            if not said:
                self.foreign[UserId].add(row.pk)
                return False
        else:
            self.schools[row.source.school_id].append(row)
            said = self.decisions.of_school(row.source.school_id)
        if said == TAKE:
            self.taken[type(row), row.pk] = row
        elif said:
            self.dropped.append(row)
        return said != ASIDE

    def settle(self) -> None:
        """Write what has been decided: rows that are set aside go, the others get a new owner."""
        mark = {"by_board": self.board} if self.board else {"by_operator": True}
        for rows, is_taken in ((self.dropped, False), (self.taken.values(), True)):
            for model in (EnrolmentId, UserId, ClassId):
                keys = [each.pk for each in rows if isinstance(each, model)]
                for some in in_batches(keys):
                    found = model._default_manager.filter(pk__in=some)
                    if is_taken:
                        found.update(**mark)
                    else:
                        found.delete()

    def report(self) -> dict[str, object]:
        """Return what the page asks, as JSON."""
        keys = {each.user_id for each in chain(*self.schools.values()) if isinstance(each, UserId)}
        names: dict[int, str] = {}
        for some in in_batches(sorted(keys)):
            names |= dict(User.objects.filter(pk__in=some).values_list("pk", "name"))
        return {
            "schools": [
                {
                    "key": key,
                    "digest": _digest(rows),
                    "name": rows[0].source.school.name,
                    "people": sum(isinstance(each, UserId) for each in rows),
                    "classes": [each.classroom.name for each in rows if isinstance(each, ClassId)][
                        :MAX_NAMES
                    ],
                    "names": sorted(
                        f"{names[each.user_id]} ({each.sourced_id})"
                        for each in rows
                        if isinstance(each, UserId)
                    )[:MAX_NAMES],
                }
                for key, rows in self.schools.items()
            ],
            "teachers": [
                {
                    "key": row.pk,
                    "identifier": row.sourced_id,
                    "account": f"{row.user.name} ({row.user.username})",
                    "school": row.source.school.name,
                }
                for row in list(self.teachers.values())[:MAX_TEACHERS]
            ],
        }


def _digest(rows: Iterable[UserId | ClassId]) -> str:
    """Return a digest of what a school has said in these rows."""
    said = sorted(
        f"{type(each).__name__} {each.pk} {each.sourced_id} "
        f"{each.user_id if isinstance(each, UserId) else each.classroom_id}"
        for each in rows
    )
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]


def _enrolments_of(rows: Iterable[ExternalId], people: Mapping[str, int]) -> set[int]:
    """Return the keys of the enrolments of those whom the roster means by their identifiers."""
    meant = {each.pk: people.get(each.sourced_id) for each in rows if isinstance(each, EnrolmentId)}
    found: set[int] = set()
    person = Coalesce("enrolment__student", "teaching__teacher")
    for some in in_batches(sorted(meant)):
        stored = EnrolmentId.objects.filter(pk__in=some).values_list("pk", person)
        found |= {key for key, user in stored if user == meant[key]}
    return found


def _teachers_of(rows: Iterable[ExternalId]) -> dict[int, User]:
    """Return the teachers among the people of these rows, by their keys."""
    keys = sorted({each.user_id for each in rows if isinstance(each, UserId)})
    found: dict[int, User] = {}
    for some in in_batches(keys):
        teachers = User.objects.filter(pk__in=some, role=User.Role.TEACHER)
        found |= {each.pk: each for each in teachers}
    return found
