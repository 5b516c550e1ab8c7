"""The most strings when stones are given in colours: the whole game, not only checkerboard forms.

Points are decided in the order of `frontier`. A state is what stands last in each column: 0 where
there is no stone, else a string's number * 4 + 2 if white + 1 if it has a liberty; strings are
numbered from 1 in the order in which the columns meet them. The score is points - losses, where

    an empty point loses 1 (0 if it had to be empty),   a stone that joins n strings loses n,

and a stone between two stones of one and the same string joins one. Losses to come are bounded
from below by `colours`, with a stone needy that is the only one left, in the frontier, of a string
without a liberty.

States whose losses, past and to come, exceed a limit are dropped; the limit starts at the bound
and rises by 1 until a board is found, which is a best one then. The number of states grows with
the distance from the bound to the truth: 0 or 1 as a rule.
"""

import time
from collections.abc import Generator, Iterator
from typing import NamedTuple

from solvers.kind import Progress
from solvers.maxstrings import colours
from solvers.maxstrings.frontier import IMPOSSIBLE, Costs
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Board
from solvers.message import Message

WIDEST = colours.LONGEST
"""The shorter side of the boards that are searched: costs to go of every point are kept."""

MOST_STATES = 2_000_000
"""States kept in one search, about 300 bytes each."""

State = tuple[int, ...]
"""Column -> string number * 4 + white * 2 + liberty, or 0."""

_CHUNK = 1000
"""States between two looks at the clock."""

_SHOW_EVERY = 0.3
"""Seconds between two signs of life."""


class Outcome(NamedTuple):
    """What a search has found out."""

    bound: int
    """No board has more strings."""
    board: Board | None
    """A board with `bound` strings; None when there is none, or none was found in time."""
    is_over: bool
    """False when a limit was reached."""


class Point(NamedTuple):
    """A point on the way of the search, and the frontier before it."""

    letter: str
    column: int
    beside: int | None
    """The column of the neighbour in the row that is decided already."""
    ahead: tuple[int, ...]
    """The columns from this one on that the row has yet to decide."""
    behind: tuple[int, ...]
    """The columns it has decided, the last one first."""
    is_open: tuple[bool, ...]
    """Column -> whether its last point exists: where no stone stands, there is a liberty then."""
    to_go: Costs
    """Costs to go, [word ahead, word behind]; in the first row [0, word behind]."""


def search(board: Board, least: int) -> Generator[Progress, None, Outcome]:
    """Look for the best board with `least` strings or more; least is at least 0."""
    turned = len(board[0]) > len(board)
    rows = tuple(map("".join, zip(*board))) if turned else board
    way = yield from way_over(rows)
    points = sum(letter not in (HOLE, EMPTY) for row in rows for letter in row)
    begin: State = (0,) * len(rows[0])
    limit = to_go(begin, way[0])
    # Who asks for `least` strings has a board with one fewer already, or none at all.
    known_least = least - 1 if least else None
    while limit < IMPOSSIBLE and points - limit >= least:
        layers = yield from _within(way, begin, limit, points, known_least)
        if layers is None:
            return Outcome(points - limit, None, False)
        if layers:
            found = _board(rows, way, layers)
            return Outcome(
                points - limit, tuple(map("".join, zip(*found))) if turned else found, True
            )
        limit += 1
    return Outcome(least - 1, None, True)


def way_over(rows: Board) -> Generator[Progress, None, list[Point]]:
    """Return the points in the order of decision, with their costs to go."""
    width = len(rows[0])
    points: list[Point] = []
    costs = colours.last_costs(width)
    for row in range(len(rows) - 1, -1, -1):
        order = tuple(range(width))[:: -1 if row % 2 else 1]
        costs = costs.reshape(1, -1)
        for decided in range(width - 1, -1, -1):
            column, behind = order[decided], order[:decided][::-1]
            letter = rows[row][column]
            costs = colours.step(costs, decided, width - decided, letter, row == 0)
            is_open = tuple(
                (row > 0 or place in behind) and rows[row - (place not in behind)][place] != HOLE
                for place in range(width)
            )
            beside = behind[0] if behind else None
            points.append(Point(letter, column, beside, order[decided:], behind, is_open, costs))
        yield Progress(len(rows) - row, len(rows))
    return points[::-1]


def to_go(state: State, point: Point | None) -> int:
    """Return a lower bound of the losses from a point on; IMPOSSIBLE or more for a dead end."""
    if point is None:
        return IMPOSSIBLE if any(cell and not cell & 1 for cell in state) else 0
    ahead = 0 if len(point.to_go) == 1 else _rank(state, point, point.ahead)
    return int(point.to_go[ahead, _rank(state, point, point.behind)])


def _rank(state: State, point: Point, columns: tuple[int, ...]) -> int:
    """Return the number of the word that some columns make."""
    letters = []
    for place, column in enumerate(columns):
        cell = state[column]
        if not cell:
            letters.append(colours.NOTHING)
            continue
        colour = WHITE if cell & 2 else BLACK
        # A hole counts as a liberty in the bound.
        by_hole = any(
            not state[near] and not point.is_open[near]
            for near in columns[max(place - 1, 0) : place + 2]
        )
        content = cell & 1 or by_hole or state.count(cell) > 1
        letters.append(colours.CONTENT[colour] if content else colours.NEEDY[colour])
    return colours.rank(letters)


def choices(state: State, point: Point) -> Iterator[tuple[State, int, str]]:
    """Yield the states after a point, their losses there, and what was set."""
    column, beside = point.column, point.beside
    above, left = state[column], state[beside] if beside is not None else 0
    if point.letter in (FREE, EMPTY):
        cells = list(state)
        for string in (above, left):
            if string and not string & 1:
                cells = [string | 1 if cell == string else cell for cell in cells]
        cells[column] = 0
        yield _numbered(cells), int(point.letter == FREE), FREE
    if point.letter == EMPTY:
        return
    above_goes = bool(above) and not above & 1 and state.count(above) == 1
    if point.letter == HOLE:
        if not above_goes:
            yield _numbered([*state[:column], 0, *state[column + 1 :]]), 0, HOLE
        return
    liberty = (not above and point.is_open[column]) or (
        beside is not None and not left and point.is_open[beside]
    )
    for colour in STONES if point.letter in (FREE, EITHER) else (point.letter,):
        white = 2 * (colour == WHITE)
        joined = {string for string in (above, left) if string and string & 2 == white}
        if above_goes and above not in joined:
            continue
        breathes = liberty or any(string & 1 for string in joined)
        new = _NEW | white | breathes
        cells = [new if cell in joined else cell for cell in state]
        cells[column] = new
        yield _numbered(cells), len(joined), colour


_NEW = 1 << 10
"""A string number no other string has."""


def _numbered(cells: list[int]) -> State:
    """Return the state with its strings numbered in the order of the columns."""
    numbers: dict[int, int] = {0: 0}
    for cell in cells:
        if cell not in numbers:
            numbers[cell] = len(numbers) * 4 | cell & 3
    return tuple(numbers[cell] for cell in cells)


_Layers = list[dict[State, tuple[int, State, str]]]
"""State -> losses so far, the state before, what was set."""


def _within(
    way: list[Point], begin: State, limit: int, points: int, known_least: int | None
) -> Generator[Progress, None, _Layers | None]:
    """Return the layers of states that lead to a board within the limit; [] if there is no such
    board, None if there are too many states."""
    layers: _Layers = [{begin: (0, begin, "")}]
    kept = looked_at = 0
    shown_at = time.monotonic()
    note = Message("Looking for boards with {number} strings", {"number": points - limit})
    for number, point in enumerate(way):
        following = way[number + 1] if number + 1 < len(way) else None
        layer: dict[State, tuple[int, State, str]] = {}
        bounds: dict[State, int] = {}
        for state, (lost, _, _) in layers[-1].items():
            looked_at += 1
            if looked_at % _CHUNK == 0 and time.monotonic() > shown_at + _SHOW_EVERY:
                shown_at = time.monotonic()
                yield Progress(number, len(way), note, known_least)
            for after, loss, what in choices(state, point):
                known = layer.get(after)
                if known is not None and known[0] <= lost + loss:
                    continue
                if after not in bounds:
                    bounds[after] = to_go(after, following)
                if lost + loss + bounds[after] <= limit:
                    layer[after] = lost + loss, state, what
        kept += len(layer)
        if kept > MOST_STATES:
            return None
        layers.append(layer)
        if not layer:
            return []
    return layers


def _board(rows: Board, way: list[Point], layers: _Layers) -> Board:
    """Return a board of the last layer's best state."""
    state = min(layers[-1], key=lambda state: layers[-1][state][0])
    letters = [list(row) for row in rows]
    for number in range(len(way), 0, -1):
        _, before, what = layers[number][state]
        letters[(number - 1) // len(rows[0])][way[number - 1].column] = what
        state = before
    return tuple(map("".join, letters))
