"""The boards for practice: the ready collection by kind and level, the boards that the worker has
made in addition, and the puzzle of the day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from django.urls import reverse

from puzzleclass.practice.models import MadeBoard
from solvers.registry import AnyKind, collection, kind_or_missing, kinds


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
    def key(self) -> tuple[str, str]:
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


def kinds_with_worlds() -> list[AnyKind]:
    """Return the kinds that have a collection to practise."""
    return [kind for kind in kinds().values() if worlds(kind)]


def made_boards(kind: AnyKind, level: int) -> list[PracticeBoard]:
    """Return the boards that the worker has made for the level, the oldest first. One query."""
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level=level).order_by("pk")
    return [from_made_board(board) for board in made]


def from_made_board(made: MadeBoard) -> PracticeBoard:
    """Return the practice board of a row."""
    solutions = int(made.solutions) if made.solutions else None
    return PracticeBoard(
        made.kind_slug, made.position, made.level, made.pk, solutions, made.band, is_made=True
    )


def board_of_the_day(kind: AnyKind, day: date) -> PracticeBoard:
    """Return the board of the day, the same for everybody.

    It is easy on Mondays and gets harder from day to day.
    """
    levels = list(worlds(kind).values())
    boards = levels[day.weekday() * (len(levels) - 1) // 6]
    return boards[day.toordinal() // 7 % len(boards)]


def next_practice_board(
    board: PracticeBoard, solved: Iterable[tuple[str, str]]
) -> PracticeBoard | None:
    """Return the first unsolved board after this one in its level or the next ones.

    If there is none, return the first unsolved board of all; None if everything is solved. One
    query at most.
    """
    kind, solved_keys = board.kind, {*solved, board.key}
    ready = [each for boards in worlds(kind).values() for each in boards]
    after = [each for each in ready if (each.level, each.number) > (board.level, board.number)]
    if board.is_made:
        after = [each for each in ready if each.level >= board.level]
    for each in (*after, *ready):
        if each.key not in solved_keys:
            return each
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level__gt=0).order_by("level", "pk")
    return next((each for each in map(from_made_board, made) if each.key not in solved_keys), None)
