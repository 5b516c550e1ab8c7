"""The path through the worlds of a kind: the board that comes next, and a world that may be tried.

The map, the page of a world and the button after a solved board follow it, so that they agree. The
next board never leaves its world before the world is complete. A jump to a world that fits the
student better is an invitation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Min
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.play.models import Attempt
from puzzleclass.play.practised import PracticeProgress
from puzzleclass.puzzles.worlds import PracticeBoard, board_of_the_day, find_board, worlds
from solvers.registry import AnyKind, kinds

LEAST_SOLVED = 5
"""The fewest boards of a kind that are solved before another world is suggested."""

LONGEST_JUMP = 3
"""The most worlds that an invitation goes ahead. The estimate of a skill is rough at first."""


@dataclass(frozen=True, slots=True)
class Path:
    """Where somebody is in the worlds of a kind."""

    next: PracticeBoard | None
    """The next board; None if everything is solved."""
    invitation: int | None
    """A later world that fits the student better than the one with the next board; None if there is
    none, or if too little is known."""


def path_of(
    kind: AnyKind,
    progress: PracticeProgress,
    here: PracticeBoard | None,
    fitting: PracticeBoard | None = None,
) -> Path:
    """Return the path of somebody with this progress.

    `here` is the board of a world that was played last. The next board is the first unsolved one
    after it in its world, else the first unsolved one of this world, of the later worlds and of the
    earlier ones. `fitting` is the board that fits the student's skill; it comes next when all
    worlds are complete.
    """
    levels = worlds(kind)
    pin = here.level if here else next(iter(levels))
    after = levels[pin][here.number :] if here and not here.is_made else ()
    later = (board for level, boards in levels.items() if level > pin for board in boards)
    earlier = (board for level, boards in levels.items() if level < pin for board in boards)
    following = next(
        (
            board
            for part in (after, levels[pin], later, earlier)
            for board in part
            if board.key not in progress.solved
        ),
        fitting,
    )
    solved = sum(progress.in_level(boards) for boards in levels.values())
    invitation = None
    if fitting and following and fitting.level > following.level and solved >= LEAST_SOLVED:
        invitation = min(fitting.level, following.level + LONGEST_JUMP)
    return Path(following, invitation)


def latest_boards(student: User) -> dict[str, PracticeBoard]:
    """Return the board of the worlds that the student has played last, by the slug of its kind.

    A board that the student began on its own day as the board of the day does not count, and
    neither does one that the worker made: they lead to no world. One query.
    """
    played = Attempt.objects.filter(
        student=student, puzzle__assignment__is_practice=True, next_step__gt=0
    )
    rows = (
        played.order_by()
        .values_list("puzzle__kind_slug", "puzzle__position")
        .annotate(Min("started_at"), latest=Max("last_at"))
        .order_by("latest")
    )
    return dict(_of_worlds(rows))


def _of_worlds(rows: Iterable[tuple[Any, ...]]) -> Iterable[tuple[str, PracticeBoard]]:
    known = kinds()
    for slug, position, started_at, _latest in rows:
        board = find_board(known[slug], position) if slug in known else None
        if board and board != board_of_the_day(board.kind, timezone.localdate(started_at)):
            yield slug, board
