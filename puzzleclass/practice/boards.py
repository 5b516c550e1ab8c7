"""What there is to practise: the ready collection by kind and level, what the worker has made in
addition, and the puzzle of the day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from django.urls import reverse

from puzzleclass.practice.models import MadeBoard
from solvers.registry import AnyKind, collection, get_kind, kinds


@dataclass(frozen=True, slots=True)
class PracticeBoard:
    """A board to be practised, of the collection or of the worker's making."""

    kind_slug: str
    position: str
    level: int
    number: int
    """In its level; of one that the worker has made its key."""
    solutions: int | None
    """Exactly how many, where that is known."""
    band: str
    is_made: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """By which tries at it are found."""
        return self.kind_slug, self.position

    @property
    def kind(self) -> AnyKind:
        return get_kind(self.kind_slug)

    @property
    def title(self) -> str:
        """Level and number; + for one of the worker's making."""
        return f"{self.level}-{'+' if self.is_made else ''}{self.number}"

    @property
    def url(self) -> str:
        """Where it is played, or by a student begun."""
        if self.is_made:
            return reverse("practice_made", args=[self.number])
        return reverse("practice_board", args=[self.kind_slug, self.level, self.number])

    @property
    def most_stars(self) -> int:
        """A board with one solution has no star for a second one."""
        return 2 if self.solutions == 1 else 3


@cache
def worlds(kind: AnyKind) -> dict[int, tuple[PracticeBoard, ...]]:
    """Return level -> its boards of the kind's collection, from easy to hard."""
    levels: dict[int, list[PracticeBoard]] = {}
    for each in collection(kind):
        boards = levels.setdefault(each.level, [])
        number = len(boards) + 1
        boards.append(
            PracticeBoard(kind.slug, each.position, each.level, number, each.solutions, each.band)
        )
    return {level: tuple(boards) for level, boards in levels.items()}


def kinds_with_worlds() -> list[AnyKind]:
    """Return the kinds that can be practised."""
    return [kind for kind in kinds().values() if worlds(kind)]


def made_boards(kind: AnyKind, level: int) -> list[PracticeBoard]:
    """Return what the worker has made for the level, the oldest first. One query."""
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level=level).order_by("pk")
    return [of_made(board) for board in made]


def of_made(made: MadeBoard) -> PracticeBoard:
    """Return the board of a row."""
    solutions = int(made.solutions) if made.solutions else None
    return PracticeBoard(
        made.kind_slug, made.position, made.level, made.pk, solutions, made.band, is_made=True
    )


def board_of_the_day(kind: AnyKind, day: date) -> PracticeBoard:
    """Return the same board for everybody: easy on Mondays, from day to day harder."""
    levels = list(worlds(kind).values())
    boards = levels[day.weekday() * (len(levels) - 1) // 6]
    return boards[day.toordinal() // 7 % len(boards)]


def following(board: PracticeBoard, solved: Iterable[tuple[str, str]]) -> PracticeBoard | None:
    """Return what comes next: the first board after this one that isn't solved, in this level or
    the next ones, then in all; None when everything is solved. One query at most."""
    kind, done = board.kind, {*solved, board.key}
    ready = [each for boards in worlds(kind).values() for each in boards]
    after = [each for each in ready if (each.level, each.number) > (board.level, board.number)]
    if board.is_made:
        after = [each for each in ready if each.level >= board.level]
    for each in (*after, *ready):
        if each.key not in done:
            return each
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level__gt=0).order_by("level", "pk")
    return next((each for each in map(of_made, made) if each.key not in done), None)
