"""The boards for practice: those of the worlds, and those that the worker has made in addition."""

from dataclasses import dataclass
from datetime import date

from puzzleclass.play.path import Results, is_solved
from puzzleclass.practice.models import MadeBoard
from puzzleclass.puzzles.worlds import PracticeBoard, hard_boards, kinds_with_worlds
from solvers.registry import AnyKind


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


MAX_HARD = 6
"""The most hard boards of each kind that are offered at a time."""


@dataclass(frozen=True, slots=True)
class HardBoards:
    """The hard boards of a kind for a student."""

    kind: AnyKind
    solved: int
    all: int
    left: list[PracticeBoard]
    """The first unsolved ones, from hard to very hard."""


def hard_boards_of_kinds(results: Results) -> list[HardBoards]:
    """Return the hard boards of each kind."""
    hard = []
    for kind in kinds_with_worlds():
        boards = hard_boards(kind)
        left = [each for each in boards if not is_solved(each, results)]
        hard.append(HardBoards(kind, len(boards) - len(left), len(boards), left[:MAX_HARD]))
    return hard


def boards_of_the_week(monday: date) -> list[PracticeBoard]:
    """Return the board of the week of each kind that has hard boards, the same for everybody."""
    week = monday.toordinal() // 7
    hard = map(hard_boards, kinds_with_worlds())
    return [boards[week % len(boards)] for boards in hard if boards]
