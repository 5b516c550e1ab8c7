"""The map of a kind's worlds: where each stands on the path, and how far a reader has come."""

from dataclasses import dataclass

from puzzleclass.play.practised import PracticeProgress
from puzzleclass.practice.path import Path
from puzzleclass.puzzles.worlds import PracticeBoard, worlds
from solvers.answers import BANDS
from solvers.message import Message
from solvers.registry import AnyKind

WIDTH = 400
A_ROW = 4
"""The worlds in a row of the path, which winds to and fro."""

LEFT, TOP, COLUMN, ROW = 62, 62, 92, 112
"""The place of the first world, and the distances between columns and rows."""

WOBBLE = 10
"""How far every second world stands lower, so that the path is no straight line."""

BEND = 62
"""How far the path swings out where it turns to the next row."""

FREE = 2
"""The places at the end of the path that stay free for the picture of the next board."""

LOOKS = 10
"""The number of drawn scenes in `static/worlds.svg`. Further worlds begin again with the first."""


@dataclass(frozen=True, slots=True)
class World:
    """A world on the map."""

    level: int
    boards: tuple[PracticeBoard, ...]
    solved: int
    x: int
    y: int
    is_next: bool
    """Whether the next board to play is in this world."""

    @property
    def all(self) -> int:
        return len(self.boards)

    @property
    def is_complete(self) -> bool:
        return self.solved == self.all

    @property
    def look(self) -> str:
        """The name of the world's scene in `static/worlds.svg`."""
        return f"w{(self.level - 1) % LOOKS + 1}"

    @property
    def band(self) -> Message:
        """The difficulty of the world: that of the board in its middle."""
        return Message(self._band)

    @property
    def difficulty(self) -> int:
        """The difficulty as a number, from 1."""
        return BANDS.index(self._band) + 1

    @property
    def dots(self) -> list[tuple[int, bool]]:
        """One dot for each difficulty: its place beside the middle, and whether it is filled."""
        return [(6 * (2 * n - len(BANDS) + 1), n < self.difficulty) for n in range(len(BANDS))]

    @property
    def _band(self) -> str:
        return self.boards[len(self.boards) // 2].band


@dataclass(frozen=True, slots=True)
class WorldMap:
    """The map of a kind, in units of `WIDTH` to its width."""

    kind: AnyKind
    worlds: list[World]
    next: PracticeBoard | None
    """The next board to play; None if everything is solved."""
    invitation: int | None
    """A later world that may be tried; None if none is suggested."""
    path: str
    """The path through all worlds, as the data of an SVG path."""
    walked: str
    """The part of the path through the complete worlds; empty at the beginning."""
    height: int
    is_free_right: bool
    """Whether the free places at the end are on the right, where the picture then stands."""


def world_map(kind: AnyKind, progress: PracticeProgress, path: Path) -> WorldMap:
    """Return the map of the kind for somebody with this progress, who is here on the path."""
    levels, following = worlds(kind), path.next
    places = [_place(number) for number in range(len(levels))]
    shown = [
        World(
            level,
            boards,
            progress.in_level(boards),
            *place,
            is_next=following is not None and following.level == level,
        )
        for (level, boards), place in zip(levels.items(), places, strict=True)
    ]
    reached = next((n for n, world in enumerate(shown, 1) if not world.is_complete), len(shown))
    rows = (len(places) + FREE - 1) // A_ROW + 1
    return WorldMap(
        kind=kind,
        worlds=shown,
        next=following,
        invitation=path.invitation,
        path=_path(places),
        walked=_path(places[:reached]) if reached > 1 else "",
        height=rows * ROW + 14,
        is_free_right=rows % 2 == 1,
    )


def _place(number: int) -> tuple[int, int]:
    row, column = divmod(number, A_ROW)
    if row % 2:
        column = A_ROW - 1 - column
    return LEFT + column * COLUMN, TOP + row * ROW + WOBBLE * (number % 2)


def _path(places: list[tuple[int, int]]) -> str:
    (x, y), *rest = places
    drawn = f"M{x} {y}"
    for number, (to_x, to_y) in enumerate(rest, 1):
        if number % A_ROW:
            middle = (x + to_x) // 2
            drawn += f"C{middle} {y} {middle} {to_y} {to_x} {to_y}"
        else:
            out = x + (BEND if number // A_ROW % 2 else -BEND)
            drawn += f"C{out} {y} {out} {to_y} {to_x} {to_y}"
        x, y = to_x, to_y
    return drawn
