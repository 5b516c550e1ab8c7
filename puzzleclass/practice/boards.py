"""The boards for practice: those of the worlds, and those that the worker has made in addition."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from puzzleclass.play.practised import PracticeProgress
from puzzleclass.practice.models import MadeBoard
from puzzleclass.practice.path import path_of
from puzzleclass.puzzles.worlds import (
    BoardKey,
    PracticeBoard,
    boards_of_the_day,
    kinds_with_worlds,
    worlds,
)
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


HARD_BANDS = ("hard", "very hard")
"""The difficulties of hard boards, as the exact rating tells them."""

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


@cache
def _hard_boards_of(kind: AnyKind) -> list[PracticeBoard]:
    ready = (board for boards in worlds(kind).values() for board in boards)
    return sorted(
        (board for board in ready if board.band in HARD_BANDS),
        key=lambda board: (HARD_BANDS.index(board.band), board.level, board.number),
    )


def hard_boards(progress: PracticeProgress) -> list[HardBoards]:
    """Return the hard boards of each kind."""
    found = []
    for kind in kinds_with_worlds():
        boards = _hard_boards_of(kind)
        left = [each for each in boards if each.key not in progress.solved]
        found.append(HardBoards(kind, len(boards) - len(left), len(boards), left[:MAX_HARD]))
    return found


def boards_of_the_week(monday: date) -> list[PracticeBoard]:
    """Return the board of the week of each kind that has hard boards, the same for everybody."""
    week = monday.toordinal() // 7
    hard = map(_hard_boards_of, kinds_with_worlds())
    return [boards[week % len(boards)] for boards in hard if boards]


def next_of_the_day(
    board: PracticeBoard, solved: Collection[BoardKey], day: date
) -> PracticeBoard | None:
    """Return the unsolved board of the day after this one; None if this is no board of the day."""
    daily = boards_of_the_day(day)
    if board not in daily:
        return None
    place = daily.index(board)
    following = daily[place + 1 :] + daily[:place]
    return next((each for each in following if each.key not in solved), None)


def next_for_guest(
    board: PracticeBoard, progress: PracticeProgress, day: date
) -> PracticeBoard | None:
    """Return the board to which a guest goes on from this solved one; None if all are solved.

    After a board of the day, that is the next unsolved board of the day. Otherwise it is the next
    one on the path, or a board that the worker made. One query at most.
    """
    # The browser remembers the board only with the answer that is being made.
    now = replace(progress, solved=progress.solved | {board.key: 1})
    following = next_of_the_day(board, now.solved, day) or path_of(board.kind, now, board).next
    if following:
        return following
    made = MadeBoard.objects.filter(kind_slug=board.kind_slug, level__gt=0).order_by("level", "pk")
    return next((each for each in map(from_made_board, made) if each.key not in now.solved), None)
