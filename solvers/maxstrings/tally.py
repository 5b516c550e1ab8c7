"""How many checkerboard forms there are with the most stones, or a few fewer.

Beside the costs to go of `frontier` runs, for each slack k, a table of the number of ways that
cost k more than the least; with d = 0 or more for the dearer of the two choices at a point,

    ways_k(before) = ways_(k)(cheaper choice) + ways_(k - d)(dearer choice).

Numbers stay exact: float64 holds integers to 2^53, and what a total is made of is never larger
than the total, so a total below that is right whatever was rounded elsewhere. Larger totals are
put together from remainders: in uint64, with moduli below 2^62, sums never overflow.
"""

from collections.abc import Generator
from dataclasses import dataclass
from math import gcd, log2
from typing import NamedTuple

import numpy as np

from solvers.kind import Progress
from solvers.maxstrings import frontier
from solvers.maxstrings.form import Codes, note, snake
from solvers.maxstrings.frontier import ANY, FIRST, IMPOSSIBLE, NONE, VOID, WORDS, Costs, Table

_EXACT = 2.0**53
_LARGEST_MODULUS = 2**62
_PIECE = 1 << 15
"""Numbers that are added at a time."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Costs to go, and for each slack the number of ways; all arrays [suffix, prefix]."""

    costs: Costs
    numbers: tuple[Table, ...]

    def __getitem__(self, where: tuple[slice, slice]) -> "Ways":
        return Ways(self.costs[where], tuple(number[where] for number in self.numbers))


class Tally(NamedTuple):
    """How many empty points a form has at least (given ones not counted), and for each k how
    many forms have k more."""

    empty: int
    forms: list[int]


def forms(board: Codes, slack: int) -> Generator[Progress, None, Tally]:
    """Return the tally for k = 0 to the slack; all numbers are 0 when there is no form."""
    passes = 1
    empty, floats = yield from _total(board, slack, None, 0, passes)
    largest = max(floats)
    if largest < _EXACT:
        return Tally(empty, [int(number) for number in floats])
    passes += int(log2(largest)) // 61 + 1
    moduli: list[int] = []
    candidate = _LARGEST_MODULUS
    while len(moduli) < passes - 1:
        if all(gcd(candidate, modulus) == 1 for modulus in moduli):
            moduli.append(candidate)
        candidate -= 1
    remainders = []
    for number, modulus in enumerate(moduli, 1):
        _, total = yield from _total(board, slack, modulus, number, passes)
        remainders.append([int(remainder) for remainder in total])
    return Tally(empty, [_joined(list(column), moduli) for column in zip(*remainders)])


def size(board: Codes, slack: int) -> int:
    """Return about how many bytes `forms` takes, as measured: five times a table with its numbers
    (1.1 GB at 19 x 19, 2.6 GB at 20 x 20)."""
    # Within a row the words behind and ahead are independent: a fifth more than whole words.
    return 5 * WORDS[min(len(board), len(board[0]))] * 6 // 5 * (1 + 8 * (slack + 1))


def _total(
    board: Codes, slack: int, modulus: int | None, done: int, passes: int
) -> Generator[Progress, None, tuple[int, list[float]]]:
    """Return the least cost, and the numbers for each slack: floats, or remainders by a modulus."""
    rows = snake(board)
    width = len(rows[0])
    costs = frontier.last_costs(width)
    kind = np.float64 if modulus is None else np.uint64
    first = (costs == 0).astype(kind)
    ways = Ways(costs, (first, *(np.zeros_like(first) for _ in range(slack))))
    steps = len(rows) * width
    for number, row in enumerate(reversed(rows)):
        ways = Ways(ways.costs.reshape(1, -1), tuple(n.reshape(1, -1) for n in ways.numbers))
        for decided in range(width - 1, -1, -1):
            if decided + 1 == (width + 1) // 2:
                numbers = tuple(map(np.asfortranarray, ways.numbers))
                ways = Ways(np.asfortranarray(ways.costs), numbers)
            ways = _step(ways, decided, width - decided, row[decided], modulus)
            step = done * steps + number * width + width - decided
            yield Progress(step, passes * steps, note(number, len(rows)))
        ways = Ways(
            np.minimum(ways.costs.reshape(-1), IMPOSSIBLE),
            tuple(n.reshape(-1) for n in ways.numbers),
        )
    start = frontier.rank_of_ones(width)
    return int(ways.costs[start]), [number[start].item() for number in ways.numbers]


def _step(after: Ways, decided: int, left: int, code: int, modulus: int | None) -> Ways:
    """Return costs and numbers before a point; see `frontier.step`, whose layout it shares."""
    everywhere = slice(None)
    cut, shorter, zeros = FIRST[left - 1], WORDS[left - 1], FIRST[left]
    above = (
        slice(zeros),
        slice(zeros, zeros + shorter),
        slice(zeros + shorter, None),
    )
    a, total = FIRST[decided], WORDS[decided]
    two = total - a
    ones = a + FIRST[decided - 1] if decided else two
    empty = after[everywhere, slice(two)]
    fed = empty[everywhere, slice(ones, two)]
    stone = after[everywhere, slice(two, two + total)]
    needy = after[everywhere, slice(two + total, None)]
    order = "C" if after.costs.flags.c_contiguous else "F"
    shape = WORDS[left], total
    before = Ways(
        np.full(shape, IMPOSSIBLE, np.uint8, order=order),  # type: ignore[call-overload]
        tuple(np.zeros(shape, n.dtype, order=order) for n in after.numbers),  # type: ignore[call-overload]
    )
    if code in (ANY, NONE):
        price = int(code == ANY)
        for rows, taken in (
            (above[0], slice(zeros)),
            (above[1], everywhere),
            (above[2], slice(cut, None)),
        ):
            _put(before[rows, slice(two)], empty[taken, everywhere], price)
            _put(before[rows, slice(two, None)], fed[taken, everywhere], price)
    if code == VOID:
        _put(before[above[0], everywhere], stone[slice(zeros), everywhere], 0)
        _put(before[above[1], everywhere], stone, 0)
    elif code != NONE:
        _add(before[above[0], everywhere], stone[slice(zeros), everywhere], modulus)
        _add(before[above[1], slice(a)], stone[everywhere, slice(a)], modulus)
        _add(before[above[1], slice(a, None)], needy, modulus)
    return before


def _put(target: Ways, source: Ways, price: int) -> None:
    """Copy the ways of a choice that costs a point or nothing."""
    np.add(source.costs, price, out=target.costs)
    for there, number in zip(target.numbers, source.numbers):
        there[:] = number


def _add(target: Ways, source: Ways, modulus: int | None) -> None:
    """Add the ways of another choice, which costs nothing at this point.

    Piece by piece, so that what is made on the way stays in the processor's cache: half as
    long at 16 x 16.
    """
    rows, columns = target.costs.shape
    is_by_row = target.costs.strides[0] >= target.costs.strides[1]
    length, across = (rows, columns) if is_by_row else (columns, rows)
    step = max(_PIECE // max(across, 1), 1)
    everywhere = slice(None)
    for first in range(0, length, step):
        part = slice(first, first + step)
        piece = (part, everywhere) if is_by_row else (everywhere, part)
        _add_piece(target[piece], source[piece], modulus)


def _add_piece(target: Ways, source: Ways, modulus: int | None) -> None:
    gap = target.costs.astype(np.int16) - source.costs
    here = [number.copy() for number in target.numbers]
    np.minimum(target.costs, source.costs, out=target.costs)
    for slack, there in enumerate(target.numbers):
        there[:] = 0
        for more in range(slack + 1):
            # The cheaper of the two has this slack, the dearer one `more` less of it.
            kept = here[slack - more], source.numbers[slack - more]
            if more == 0:
                there += kept[0] * (gap <= 0) + kept[1] * (gap >= 0)
            else:
                there += kept[0] * (gap == more) + kept[1] * (gap == -more)
        if modulus is not None:
            np.remainder(there, np.uint64(modulus), out=there)


def _joined(remainders: list[int], moduli: list[int]) -> int:
    """Return the least number with these remainders (Chinese remainder theorem)."""
    number, product = 0, 1
    for remainder, modulus in zip(remainders, moduli):
        number += product * ((remainder - number) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return number
