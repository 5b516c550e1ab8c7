"""The states and bounds with which boards in all colours are counted (`count`, `mixed`).

Points are decided in the order of `checkerboard`. A state describes the last point of each column.
It is 0 if there is no stone, else a string's number * 4 + 2 if white + 1 if it has a liberty.
Strings are numbered from 1 in the order in which the columns meet them. The score is points -
losses, where

    an empty point loses 1 (0 if it had to be empty),   a stone that joins n strings loses n,

and a stone between two stones of the same string joins one. States whose losses, past and to come,
exceed a limit can be dropped.

Losses to come are bounded from below by costs to go with colours but without connectivity. A stone
needs an empty neighbour or one of its own colour, whether or not their string has a liberty. An
empty point costs 1, and so does a stone that has a neighbour of its colour among the points decided
before it. On any legal board every stone has what it needs, and the losses are at least these
costs. In a state, a stone is needy if it is the only one left, in the frontier, of a string without
a liberty. The letters of a word, in this order, are

    0   a black needy stone                          4   a white needy stone
    1   a black content stone                        3   a white content stone
    2   an empty point, or no point (a hole counts as a liberty here, which keeps the bound valid)

The rules about neighbours in a row make, for each letter, one run of letters that may follow it. So
words can be ranked and tables cut in slices as in `checkerboard`. There are about 3.3^n words.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from solvers.maxstrings.checkerboard import IMPOSSIBLE, Costs
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Board
from solvers.memory import MEMORY
from solvers.question import Progress, Run

NEEDY = {BLACK: 0, WHITE: 4}
CONTENT = {BLACK: 1, WHITE: 3}
NOTHING = 2

_RUN = ((3, 5), (1, 5), (1, 4), (0, 4), (0, 2))
"""The letter -> the first letter that may follow it, and the one after the last."""

WIDEST = 11
"""The largest shorter side of the boards that are counted. The costs to go of all points are
kept."""

_STARTS = [[0, 0, 0, 0, 0, 1]]
for _ in range(WIDEST + 1):
    _last = _STARTS[-1]
    _starts = [0]
    for _first, _end in _RUN:
        # The only word of length 0 may follow any letter.
        _starts.append(_starts[-1] + (_last[_end] - _last[_first] if len(_STARTS) > 1 else 1))
    _STARTS.append(_starts)


def _words(length: int) -> int:
    """Return the number of words of a length."""
    return _STARTS[length][5]


def _block(length: int, letter: int) -> slice:
    """Return the slice of the words that begin with a letter."""
    return slice(_STARTS[length][letter], _STARTS[length][letter + 1])


def _rest(length: int, letter: int) -> slice:
    """Return the slice, among the words one shorter, of those that may follow a first letter."""
    if length == 1:
        return slice(0, 1)
    first, end = _RUN[letter]
    return slice(_STARTS[length - 1][first], _STARTS[length - 1][end])


def _word_rank(letters: list[int]) -> int:
    """Return the rank of a word."""
    number, length = 0, len(letters)
    for letter in letters:
        number += _STARTS[length][letter] - _rest(length, letter).start
        length -= 1
    return number


def _last_costs(width: int) -> Costs:
    """Return the costs when no point is left."""
    costs = np.zeros(1, np.uint8)
    for length in range(1, width + 1):
        parts = [costs[_rest(length, letter)].copy() for letter in range(5)]
        for letter in NEEDY.values():
            parts[letter][:] = IMPOSSIBLE
        costs = np.concatenate(parts)
    return costs


_FED = {NEEDY[colour]: CONTENT[colour] for colour in STONES}


def _costs_before(after: Costs, decided: int, left: int, letter: str, is_first_row: bool) -> Costs:
    """Return the costs before a point from those after it, [word ahead, word behind].

    `letter` is the point's letter in the start. In the first row there is no word ahead, and the
    first axis has length 1.
    """
    height = 1 if is_first_row else _words(left)
    before = np.full((height, _words(decided)), IMPOSSIBLE, np.uint8)
    for above in (None,) if is_first_row else range(5):
        if above is None:
            rows, columns_above = slice(0, 1), slice(0, 1)
        else:
            rows, columns_above = _block(left, above), _rest(left, above)
        for beside in range(5) if decided else (None,):
            columns = slice(0, 1) if beside is None else _block(decided, beside)
            target = before[rows, columns]
            for set_here, price in _OPTIONS[letter]:
                result = _set(set_here, above, beside)
                if result is None:
                    continue
                new, neighbour, joined = result
                source = after[columns_above, _found(decided, new, beside, neighbour)]
                np.minimum(target, source + np.uint8(price + joined), out=target)
    return before


_OPTIONS: dict[str, tuple[tuple[str, int], ...]] = {
    FREE: ((FREE, 1), (BLACK, 0), (WHITE, 0)),
    EITHER: ((BLACK, 0), (WHITE, 0)),
    BLACK: ((BLACK, 0),),
    WHITE: ((WHITE, 0),),
    EMPTY: ((FREE, 0),),
    HOLE: ((FREE, 0),),
}
"""The letter in the start -> what may be set on the point, with its price."""


def _set(what: str, above: int | None, beside: int | None) -> tuple[int, int | None, bool] | None:
    """Return the point's letter, its neighbour's letter afterwards, and whether it joined a stone.

    Return None if the point above would remain without what it needs.
    """
    if what == FREE:
        return NOTHING, _FED.get(beside, beside) if beside is not None else None, False
    own = NEEDY[what], CONTENT[what]
    if above in NEEDY.values() and above != own[0]:
        return None
    joined = above in own or beside in own
    new = own[1] if joined or NOTHING in (above, beside) else own[0]
    return new, own[1] if beside in own else beside, joined


def _found(decided: int, new: int, beside: int | None, neighbour: int | None) -> slice:
    """Return the slice of the words behind after the point: new·neighbour·u for beside·u."""
    if beside is None or neighbour is None:
        return _block(1, new)
    shorter = _rest(decided, beside)
    offset = (
        _STARTS[decided][neighbour]
        - _rest(decided, neighbour).start
        + _STARTS[decided + 1][new]
        - _rest(decided + 1, new).start
    )
    return slice(shorter.start + offset, shorter.stop + offset)


State = tuple[int, ...]
"""The column -> string number * 4 + white * 2 + liberty, or 0."""


class Point(NamedTuple):
    """A point in the order of the search, with the frontier before it."""

    letter: str
    column: int
    beside: int | None
    """The column of the neighbour in the row that is already decided."""
    ahead: tuple[int, ...]
    """The columns that the row has yet to decide, from this one on."""
    behind: tuple[int, ...]
    """The columns that the row has decided, the last one first."""
    is_open: tuple[bool, ...]
    """The column -> whether its last point exists. If it has no stone, it is then a liberty."""
    to_go: Costs
    """The costs to go, [word ahead, word behind], or in the first row [0, word behind]."""


def is_narrow(board: Board) -> bool:
    """Return whether a board can be searched, because its tables fit into half the memory."""
    width = min(len(board), len(board[0]))
    if width > WIDEST:
        return False
    longer = max(len(board), len(board[0]))
    of_a_row = sum(_words(decided) * _words(width - decided) for decided in range(width))
    return longer * of_a_row <= MEMORY // 2


def decision_order(rows: Board) -> Run[list[Point]]:
    """Return the points in the order of decision, with their costs to go."""
    width = len(rows[0])
    points: list[Point] = []
    costs = _last_costs(width)
    for row in range(len(rows) - 1, -1, -1):
        columns = tuple(range(width))[:: -1 if row % 2 else 1]
        costs = costs.reshape(1, -1)
        for decided in range(width - 1, -1, -1):
            column, behind = columns[decided], columns[:decided][::-1]
            letter = rows[row][column]
            costs = _costs_before(costs, decided, width - decided, letter, row == 0)
            is_open = tuple(
                (row > 0 or place in behind) and rows[row - (place not in behind)][place] != HOLE
                for place in range(width)
            )
            beside = behind[0] if behind else None
            points.append(Point(letter, column, beside, columns[decided:], behind, is_open, costs))
        yield Progress(len(rows) - row, len(rows))
    return points[::-1]


def to_go(state: State, point: Point | None) -> int:
    """Return a lower bound of the losses from a point on. A dead end has at least IMPOSSIBLE."""
    if point is None:
        return IMPOSSIBLE if any(cell and not cell & 1 for cell in state) else 0
    ahead = 0 if len(point.to_go) == 1 else _columns_rank(state, point, point.ahead)
    return int(point.to_go[ahead, _columns_rank(state, point, point.behind)])


def _columns_rank(state: State, point: Point, columns: tuple[int, ...]) -> int:
    """Return the rank of the word that some columns make."""
    letters = []
    for place, column in enumerate(columns):
        cell = state[column]
        if not cell:
            letters.append(NOTHING)
            continue
        colour = WHITE if cell & 2 else BLACK
        # A hole counts as a liberty in the bound.
        by_hole = any(
            not state[near] and not point.is_open[near]
            for near in columns[max(place - 1, 0) : place + 2]
        )
        content = cell & 1 or by_hole or state.count(cell) > 1
        letters.append(CONTENT[colour] if content else NEEDY[colour])
    return _word_rank(letters)


def successors(state: State, point: Point) -> Iterator[tuple[State, int, str]]:
    """Yield the states after a point, with their losses there and what was set."""
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
"""A string number that no other string has."""


def _numbered(cells: list[int]) -> State:
    """Return the state with its strings numbered in the order of the columns."""
    numbers: dict[int, int] = {0: 0}
    for cell in cells:
        if cell not in numbers:
            numbers[cell] = len(numbers) * 4 | cell & 3
    return tuple(numbers[cell] for cell in cells)
