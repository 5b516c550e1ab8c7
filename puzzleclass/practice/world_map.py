"""The map of a kind's worlds: where each stands on the path, and how far a reader has come."""

from dataclasses import dataclass

from puzzleclass.play.path import Path
from puzzleclass.puzzles.worlds import PracticeBoard
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
    left: int
    """The number of boards that are not solved."""
    x: int
    y: int
    is_here: bool
    """Whether the pin stands here."""

    @property
    def all(self) -> int:
        return len(self.boards)

    @property
    def solved(self) -> int:
        return self.all - self.left

    @property
    def is_complete(self) -> bool:
        return not self.left

    @property
    def look(self) -> str:
        """The name of the world's scene in `static/worlds.svg`."""
        return f"w{(self.level - 1) % LOOKS + 1}"

    @property
    def band(self) -> Message:
        """The difficulty of the world's boards, from the easiest to the hardest."""
        bands = sorted({board.band for board in self.boards}, key=BANDS.index)
        if len(bands) == 1:
            return Message(bands[0])
        return Message("{easy} to {hard}", {"easy": Message(bands[0]), "hard": Message(bands[-1])})

    @property
    def difficulty(self) -> int:
        """The difficulty as a number, from 1: that of the board in the middle."""
        return BANDS.index(self.boards[len(self.boards) // 2].band) + 1

    @property
    def dots(self) -> list[tuple[int, bool]]:
        """One dot for each difficulty: its place beside the middle, and whether it is filled."""
        return [(6 * (2 * n - len(BANDS) + 1), n < self.difficulty) for n in range(len(BANDS))]


@dataclass(frozen=True, slots=True)
class WorldMap:
    """The map of a kind, in units of `WIDTH` to its width."""

    way: Path
    worlds: list[World]
    path: str
    """The path through all worlds, as the data of an SVG path."""
    walked: str
    """The part of the path up to the pin; empty in the first world."""
    height: int
    is_free_right: bool
    """Whether the free places at the end are on the right, where the picture then stands."""

    @property
    def kind(self) -> AnyKind:
        return self.way.kind


def world_map(way: Path) -> WorldMap:
    """Return the map of a kind for somebody who is here on the path."""
    places = [_place(number) for number in range(len(way.worlds))]
    worlds = [
        World(level, world.boards, world.left, *place, is_here=level == way.pin)
        for (level, world), place in zip(way.worlds.items(), places, strict=True)
    ]
    reached = list(way.worlds).index(way.pin) + 1
    rows = (len(places) + FREE - 1) // A_ROW + 1
    return WorldMap(
        way=way,
        worlds=worlds,
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
