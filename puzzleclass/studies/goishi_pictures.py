"""The drawings of the page on Goishi Hiroi."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from puzzleclass.studies.figures import SetState
from solvers.message import Message
from solvers.picture import Circle, Line, Picture, Rect, Shape, Text
from solvers.registry import get_kind

KIND = get_kind("goishi")

EXAMPLE = "o./oo/../oo"
"""The poster's five stones."""
PLACES = ((3, 0), (1, 0), (0, 0), (3, 1), (1, 1))
"""The row and column of each stone, in the poster's order."""
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}

_UNIT = 11
_ACROSS, _DOWN = 38, 84
_ROWS, _COLUMNS = 4, 2
_WIDE, _CELL = 56, 34


def board(text: str, line: str = "") -> Picture:
    """Return a picture of the board after the moves of `line`."""
    return KIND.draw(KIND.play_line(KIND.read(text), line))


def numbered() -> Picture:
    """Return the poster's board with the poster's numbers on its stones."""
    picture = board(EXAMPLE)
    numbers = {f"{row + 1},{column + 1}": str(at) for at, (row, column) in enumerate(PLACES, 1)}
    return picture.annotated(labels={"stone-number": numbers})


def table(states: Sequence[SetState], picked: int) -> Picture:
    """Return the poster's table up to sets of `picked` stones, with a row for each size of sets.

    Each entry is a small board of the stones that are left. The stone picked last is ringed and has
    a tail towards where the player came from. The number of orders stands below the board. A line
    leads from entry to entry for each step.
    """
    sizes = Counter(len(state.picked) for state in states)
    wide = max(sizes.values()) * _ACROSS
    seen = Counter[int]()
    places = []
    for state in states:
        depth = len(state.picked)
        left = (wide - sizes[depth] * _ACROSS) / 2
        places.append((left + (seen[depth] + 0.5) * _ACROSS, (depth - 1) * _DOWN + 24))
        seen[depth] += 1
    shapes: list[Shape] = [
        Line(x, y + 44, places[later][0], places[later][1] - 25, "way")
        for state, (x, y) in zip(states, places)
        for later in state.after
        if len(state.picked) < picked
    ]
    listed = [state for state in states if len(state.picked) <= picked]
    for state, (x, y) in zip(listed, places):
        shapes += _entry(state, x, y)
    text = "\n".join(
        " ".join(str(state.ways) for state in listed if len(state.picked) == depth)
        for depth in range(1, picked + 1)
    )
    title = Message("The table of sets, up to {n} picked stones", {"n": picked})
    return Picture(wide, len(sizes) * _DOWN, title, text, tuple(shapes))


def all_sets(states: Sequence[SetState]) -> Picture:
    """Return a small board for every set of picked stones, with the set as a binary number below.

    The sets that come up in a game are framed.
    """
    met = {sum(1 << stone - 1 for stone in state.picked) for state in states}
    count, across = 1 << len(PLACES), 8
    shapes: list[Shape] = []
    for number in range(count):
        x = (number % across + 0.5) * _WIDE
        y = number // across * _DOWN + 34
        picked = tuple(stone for stone in range(1, 6) if number >> stone - 1 & 1)
        if number in met:
            shapes.append(Rect(x - _WIDE / 2 + 3, y - 30, _WIDE - 6, 78, "met", corner=6))
        shapes += _stones(picked, 0, "", x, y)
        shapes.append(Text(x, y + 36, f"{number:0{len(PLACES)}b}", "ways"))
    title = Message("All {n} sets of picked stones, with those that come up framed", {"n": count})
    text = "\n".join(f"{number:05b}" + " *" * (number in met) for number in range(count))
    return Picture(across * _WIDE, count // across * _DOWN, title, text, tuple(shapes))


def sentinels(side: int) -> Picture:
    """Return a board with sentinels around it, and the place of each entry in the list."""
    wide = side + 2
    shapes: list[Shape] = []
    for at in range(wide * wide):
        row, column = divmod(at, wide)
        is_edge = not (0 < row <= side and 0 < column <= side)
        x, y = column * _CELL, row * _CELL
        shapes.append(Rect(x + 1, y + 1, _CELL - 2, _CELL - 2, "sentinel" if is_edge else "tiny"))
        shapes.append(Text(x + _CELL / 2, y + _CELL / 2 + 1, str(at), "ways"))
    title = Message("A board of {n} × {n} with sentinels around it", {"n": side})
    text = "\n".join(" ".join(str(row * wide + c) for c in range(wide)) for row in range(wide))
    return Picture(wide * _CELL, wide * _CELL, title, text, tuple(shapes))


def _entry(state: SetState, x: float, y: float) -> Iterator[Shape]:
    yield from _stones(state.picked, state.last, state.direction, x, y)
    yield Text(x, y + 34, str(state.ways), "ways")


def _stones(
    picked: Sequence[int], last: int, direction: str, x: float, y: float
) -> Iterator[Shape]:
    left, top = x - _UNIT * _COLUMNS / 2, y - _UNIT * _ROWS / 2
    yield Rect(left - 2, top - 2, _UNIT * _COLUMNS + 4, _UNIT * _ROWS + 4, "tiny", corner=3)
    for stone, (row, column) in enumerate(PLACES, 1):
        middle = left + (column + 0.5) * _UNIT, top + (row + 0.5) * _UNIT
        if stone == last:
            if direction:
                down, right = STEPS[direction]
                x, y = middle
                far, near = 1.5 * _UNIT, 5
                yield Line(
                    x - right * far, y - down * far, x - right * near, y - down * near, "tail"
                )
            yield Circle(*middle, 5, "tiny-last")
        elif stone in picked:
            yield Circle(*middle, 1.5, "tiny-gone")
        else:
            yield Circle(*middle, 4.5, "tiny-stone")


# Boards on two lines

ROUND = "oo.ooo/.oo.oo"
"""A board on two lines whose last column holds two stones."""
THERE = "1,1 1,2 1,4 1,5 1,6 2,6 2,5 2,3 2,2"
BACK = " ".join(reversed(THERE.split()))

CHAIN = "oo..oo/.oooo."
"""A board with a lone stone at both ends that has a solution."""
ALONG = "1,1 1,2 2,2 2,3 2,4 2,5 1,5 1,6"
STUCK = "oo.o../.ooo.o"
"""A board with a lone stone at both ends that has none."""
AS_FAR = "1,1 1,2 1,4 2,4 2,3 2,2"
"""A line that leaves two stones behind with its third move, and jams on the leftmost of them."""


@cache
def two_lines() -> dict[str, Picture]:
    """Return the pictures of the proof for boards on two lines."""
    return {
        "there": board(ROUND, THERE),
        "back": board(ROUND, BACK),
        "chain": board(CHAIN, ALONG),
        "stuck": board(STUCK, AS_FAR),
    }
