"""Costs to go of boards with colours, connectivity left out: a lower bound of the losses.

Like `frontier`, with a colour on each stone. Here a stone needs an empty neighbour or one of its
own colour, whether or not the string they make breathes; an empty point costs 1, and so does a
stone that has a neighbour of its colour among the points decided before it. On any legal board
every stone has what it needs, and loses no less than this. Letters of a word, in this order:

    0   black, and still without what it needs       4   white, likewise
    1   black, content                               3   white, content
    2   empty, or no point (a hole serves as a liberty here, which keeps the bound a bound)

What stands beside what in a row makes, for each letter, one run of letters that may follow it, so
that words can be ranked and tables cut in slices as in `frontier`. There are about 3.3^n words.
"""

import numpy as np

from solvers.maxstrings.frontier import IMPOSSIBLE, Costs
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE

NEEDY = {BLACK: 0, WHITE: 4}
CONTENT = {BLACK: 1, WHITE: 3}
NOTHING = 2

_RUN = ((3, 5), (1, 5), (1, 4), (0, 4), (0, 2))
"""Letter -> the first letter that may follow it, and the one after the last."""

LONGEST = 11

_STARTS = [[0, 0, 0, 0, 0, 1]]
for _ in range(LONGEST + 1):
    _last = _STARTS[-1]
    _starts = [0]
    for _first, _end in _RUN:
        # The one word of length 0 may follow anything.
        _starts.append(_starts[-1] + (_last[_end] - _last[_first] if len(_STARTS) > 1 else 1))
    _STARTS.append(_starts)


def words(length: int) -> int:
    """Return the number of words."""
    return _STARTS[length][5]


def _block(length: int, letter: int) -> slice:
    """Return the words that begin with a letter."""
    return slice(_STARTS[length][letter], _STARTS[length][letter + 1])


def _rest(length: int, letter: int) -> slice:
    """Return, among the words one shorter, what may follow a letter at the front."""
    if length == 1:
        return slice(0, 1)
    first, end = _RUN[letter]
    return slice(_STARTS[length - 1][first], _STARTS[length - 1][end])


def rank(letters: list[int]) -> int:
    """Return the number of a word."""
    number, length = 0, len(letters)
    for letter in letters:
        number += _STARTS[length][letter] - _rest(length, letter).start
        length -= 1
    return number


def last_costs(width: int) -> Costs:
    """Return the costs when no point is left."""
    costs = np.zeros(1, np.uint8)
    for length in range(1, width + 1):
        parts = [costs[_rest(length, letter)].copy() for letter in range(5)]
        for letter in NEEDY.values():
            parts[letter][:] = IMPOSSIBLE
        costs = np.concatenate(parts)
    return costs


_FED = {NEEDY[colour]: CONTENT[colour] for colour in STONES}


def step(after: Costs, decided: int, left: int, letter: str, is_first_row: bool) -> Costs:
    """Return the costs before a point from those after it, [word ahead, word behind].

    `letter` is what the start says of the point. In the first row there is no word ahead: the
    first axis has length 1.
    """
    height = 1 if is_first_row else words(left)
    before = np.full((height, words(decided)), IMPOSSIBLE, np.uint8)
    for above in (None,) if is_first_row else range(5):
        if above is None:
            rows, kept = slice(0, 1), slice(0, 1)
        else:
            rows, kept = _block(left, above), _rest(left, above)
        for beside in range(5) if decided else (None,):
            columns = slice(0, 1) if beside is None else _block(decided, beside)
            target = before[rows, columns]
            for set_here, price in _OPTIONS[letter]:
                result = _set(set_here, above, beside)
                if result is None:
                    continue
                new, neighbour, joined = result
                source = after[kept, _found(decided, new, beside, neighbour)]
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
"""Letter of the start -> what may be set on the point, and its price."""


def _set(what: str, above: int | None, beside: int | None) -> tuple[int, int | None, bool] | None:
    """Return the point's letter, its neighbour's afterwards, and whether it joined a stone.

    None where the point above would be left without what it needs.
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
    """Return where the words behind stand after the point: new·neighbour·u for beside·u."""
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
