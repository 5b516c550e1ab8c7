"""The path through the worlds of a kind: the stars, the pin, the board that comes next, and a world
that may be tried.

The map, the page of a world, the button after a solved board and what a solution has earned follow
it, so that they agree. The next board never leaves its world before the world is complete. Another
world that fits the student better is an invitation.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from puzzleclass.puzzles.worlds import BoardKey, PracticeBoard, worlds
from solvers.registry import AnyKind

LEAST_SOLVED = 5
"""The fewest boards of a kind that are solved before the next world is suggested."""

RECENT = 3
"""The number of boards that decide whether another world is suggested."""


class Result(NamedTuple):
    """What somebody has reached at a board of practice."""

    found: int = 0
    """The number of different solutions."""
    without_hint: bool = False
    """Whether the board was solved in an attempt without a hint."""
    at: datetime | None = None
    """The time of the last step; None if it is not known."""

    @property
    def is_success(self) -> bool:
        return self.found > 0 and self.without_hint


Results = Mapping[BoardKey, Result]
"""The boards of practice that somebody has played."""


def is_solved(board: PracticeBoard, results: Results) -> bool:
    """Return whether the board is solved."""
    return results.get(board.key, Result()).found > 0


@dataclass(frozen=True, slots=True)
class Stars:
    """The stars of a board: one for a solution, one for solving it without a hint, and one for a
    second solution where there is one."""

    won: int
    most: int

    @property
    def drawn(self) -> str:
        return "★" * self.won

    @property
    def open_drawn(self) -> str:
        return "☆" * (self.most - self.won)


def stars_of(board: PracticeBoard, results: Results) -> Stars:
    """Return the stars that the board has won."""
    result = results.get(board.key, Result())
    has_second = result.found > 1 and board.most_stars > 2
    return Stars((result.found > 0) + result.is_success + has_second, board.most_stars)


@dataclass(frozen=True, slots=True)
class World:
    """A world on somebody's path."""

    level: int
    boards: tuple[PracticeBoard, ...]
    stars: Mapping[PracticeBoard, Stars]

    @property
    def unsolved(self) -> Iterator[PracticeBoard]:
        return (board for board in self.boards if not self.stars[board].won)

    @property
    def left(self) -> int:
        """The number of boards that are not solved."""
        return sum(1 for _ in self.unsolved)

    @property
    def is_complete(self) -> bool:
        return not self.left


@dataclass(frozen=True, slots=True)
class Path:
    """Where somebody is in the worlds of a kind."""

    kind: AnyKind
    worlds: Mapping[int, World]
    pin: int
    """The level of the world in which the student is: that of the next board."""
    here: PracticeBoard | None
    """The board that was opened last from a world."""
    next: PracticeBoard | None
    """The next board; None if every star is won."""
    invitation: int | None
    """A neighbouring world that fits the student better; None if there is none, or if too little is
    known, or if the student was asked before."""

    @property
    def current(self) -> PracticeBoard | None:
        """The board to go on with: the one that was opened last, unless it is solved."""
        here = self.here
        return here if here and not self.worlds[here.level].stars[here].won else self.next

    def start_of(self, level: int) -> PracticeBoard | None:
        """Return the board with which to begin in a world; None in a complete one."""
        if self.current and self.pin == level:
            return self.current
        return next(self.worlds[level].unsolved, None)


def path_of(
    kind: AnyKind,
    results: Results,
    here: PracticeBoard | None = None,
    fitting: Collection[int] = (),
    asked: Collection[int] = (),
) -> Path:
    """Return the path of somebody with these results.

    `here` is the board that was opened last from a world. The next board is the first unsolved one
    after it in its world, else the first unsolved one of this world, of the later worlds and of the
    earlier ones; if all are solved, the first one in this order with an open star. `fitting` are
    the levels whose boards the student is expected to solve, and `asked` those to which the student
    was invited before.
    """
    levels = {
        level: World(level, boards, {board: stars_of(board, results) for board in boards})
        for level, boards in worlds(kind).items()
    }
    start = here.level if here else next(iter(levels))
    if here and here.is_made:
        here = None
    after = levels[start].boards[here.number :] if here else ()
    later = (board for level, world in levels.items() if level > start for board in world.boards)
    earlier = (board for level, world in levels.items() if level < start for board in world.boards)
    order = [*after, *levels[start].boards, *later, *earlier]
    stars = {board: levels[board.level].stars[board] for board in order}
    unsolved = (board for board in order if not stars[board].won)
    starry = (board for board in order if stars[board].won < stars[board].most)
    following = next(unsolved, None) or next(starry, None)
    pin = following.level if following else start
    return Path(
        kind, levels, pin, here, following, _invitation(levels, pin, results, here, fitting, asked)
    )


def _invitation(
    levels: Mapping[int, World],
    pin: int,
    results: Results,
    here: PracticeBoard | None,
    fitting: Collection[int],
    asked: Collection[int],
) -> int | None:
    # The board that is being played has no result yet.
    played = [
        (result.at, result.is_success)
        for board in levels[pin].boards
        if (result := results.get(board.key)) and result.at and (result.found or board != here)
    ]
    recent = [is_success for _, is_success in sorted(played)[-RECENT:]]
    if len(recent) < RECENT or len(set(recent)) > 1:
        return None
    if recent[0]:
        solved = sum(len(world.boards) - world.left for world in levels.values())
        other = next((level for level in levels if level > pin), None)
        if solved < LEAST_SOLVED or other not in fitting:
            return None
    else:
        other = max((level for level in levels if level < pin), default=None)
    is_open = other is not None and other not in asked and not levels[other].is_complete
    return other if is_open else None
