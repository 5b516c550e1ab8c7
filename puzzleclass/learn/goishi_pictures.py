"""The drawings of the page on Goishi Hiroi."""

from collections import Counter
from collections.abc import Iterator, Sequence

from puzzleclass.learn.figures import SetState
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
    shown = [state for state in states if len(state.picked) <= picked]
    for state, (x, y) in zip(shown, places):
        shapes += _entry(state, x, y)
    text = "\n".join(
        " ".join(str(state.ways) for state in shown if len(state.picked) == depth)
        for depth in range(1, picked + 1)
    )
    title = Message("The table of sets, up to {n} picked stones", {"n": picked})
    return Picture(wide, len(sizes) * _DOWN, title, text, tuple(shapes))


def _entry(state: SetState, x: float, y: float) -> Iterator[Shape]:
    left, top = x - _UNIT * _COLUMNS / 2, y - _UNIT * _ROWS / 2
    yield Rect(left - 2, top - 2, _UNIT * _COLUMNS + 4, _UNIT * _ROWS + 4, "tiny", corner=3)
    for stone, (row, column) in enumerate(PLACES, 1):
        middle = left + (column + 0.5) * _UNIT, top + (row + 0.5) * _UNIT
        if stone == state.last:
            if state.direction:
                down, right = STEPS[state.direction]
                x, y = middle
                far, near = 1.5 * _UNIT, 5
                yield Line(
                    x - right * far, y - down * far, x - right * near, y - down * near, "tail"
                )
            yield Circle(*middle, 5, "tiny-last")
        elif stone in state.picked:
            yield Circle(*middle, 1.5, "tiny-gone")
        else:
            yield Circle(*middle, 4.5, "tiny-stone")
    yield Text(x, y + 34, str(state.ways), "ways")
