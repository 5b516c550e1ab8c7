"""The worlds: the boards of the ready collection by kind and level."""

from dataclasses import dataclass
from functools import cache

from django.urls import reverse

from puzzleclass.seen_kinds import seen_kinds
from solvers.message import Message
from solvers.registry import AnyKind, collection, kind_or_missing, kinds

BoardKey = tuple[str, str]
"""A kind and a position, by which attempts at a board are found."""


@dataclass(frozen=True, slots=True)
class PracticeBoard:
    """A board for practice, from the collection or made by the worker."""

    kind_slug: str
    position: str
    level: int
    number: int
    """The number of the board in its level, or the primary key of a board that the worker made."""
    solutions: int | None
    """The exact number of solutions; None if it is not known."""
    band: str
    is_made: bool = False

    @property
    def key(self) -> BoardKey:
        """The kind and the position, by which attempts at the board are found."""
        return self.kind_slug, self.position

    @property
    def kind(self) -> AnyKind:
        return kind_or_missing(self.kind_slug)

    @property
    def title(self) -> str:
        """The level and the number, with a + before the number if the worker made the board."""
        return f"{self.level}-{'+' if self.is_made else ''}{self.number}"

    @property
    def name(self) -> Message:
        """The world and the number in words."""
        if self.is_made:
            return Message("World {world}, one more", {"world": self.level})
        return Message("World {world}, number {n}", {"world": self.level, "n": self.number})

    @property
    def difficulty(self) -> Message:
        """The exact difficulty in words, for a board of the collection."""
        return Message(self.band)

    @property
    def url(self) -> str:
        """The address at which a guest or a teacher plays the board and a student begins it."""
        if self.is_made:
            return reverse("practice_made", args=[self.number])
        return reverse("practice_board", args=[self.kind_slug, self.level, self.number])

    @property
    def most_stars(self) -> int:
        """The most stars to win: a board with one solution has no star for a second solution."""
        return 2 if self.solutions == 1 else 3


@cache
def worlds(kind: AnyKind) -> dict[int, tuple[PracticeBoard, ...]]:
    """Return the boards of the kind's collection by level, from easy to hard."""
    levels: dict[int, list[PracticeBoard]] = {}
    for each in collection(kind):
        boards = levels.setdefault(each.level, [])
        number = len(boards) + 1
        boards.append(
            PracticeBoard(kind.slug, each.position, each.level, number, each.solutions, each.band)
        )
    return {level: tuple(boards) for level, boards in levels.items()}


@cache
def _boards_by_position(kind: AnyKind) -> dict[str, PracticeBoard]:
    return {board.position: board for boards in worlds(kind).values() for board in boards}


def find_board(kind: AnyKind, position: str) -> PracticeBoard | None:
    """Return the board of the kind's collection with this position, if there is one."""
    return _boards_by_position(kind).get(position)


def kinds_with_worlds() -> list[AnyKind]:
    """Return the kinds with a collection to practise that the reader of the page sees."""
    return [kind for kind in seen_kinds().values() if worlds(kind)]


def kinds_of_site() -> list[AnyKind]:
    """Return the kinds with a collection that the site shows where no class chooses others."""
    return [kind for kind in kinds().values() if worlds(kind)]


HARD_BANDS = ("hard", "very hard")
"""The difficulties of hard boards, as the exact rating tells them."""


@cache
def hard_boards(kind: AnyKind) -> tuple[PracticeBoard, ...]:
    """Return the hard boards of the kind's collection, from hard to very hard."""
    hard = (each for boards in worlds(kind).values() for each in boards if each.band in HARD_BANDS)
    return tuple(
        sorted(hard, key=lambda each: (HARD_BANDS.index(each.band), each.level, each.number))
    )
