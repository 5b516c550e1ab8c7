"""The questions `count` and `positions`: how many solutions there are.

`count` counts checkerboard forms, the boards at heart. Beside the costs to go of `checkerboard`
runs, for each slack k, a table of the number of ways that cost k more than the least; with d = 0
or more for the dearer of the two choices at a point,

    ways_k(before) = ways_(k)(cheaper choice) + ways_(k - d)(dearer choice).

Numbers stay exact: float64 holds integers to 2^53, and what a total is made of is never larger
than the total, so a total below that is right whatever was rounded elsewhere. Larger totals are
put together from remainders: in uint64, with moduli below 2^62, sums never overflow.

For `positions` every legal board counts for itself, in all colours and with long strings: the
states of `search`, with the number of ways to each of them. An empty board's legal positions
are those of the game of Go: 1, 57, 12675, 24318165, 414295148741, 62567386502084877 for n = 1 to 6
(OEIS A094777, Tromp and Farnebäck, "Combinatorics of Go").
"""

import time
from collections.abc import Generator
from dataclasses import dataclass
from math import gcd, log2
from typing import NamedTuple

import numpy as np

from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings import search
from solvers.maxstrings.best import find
from solvers.maxstrings.checkerboard import (
    ANY,
    FIRST,
    IMPOSSIBLE,
    NONE,
    STONE,
    VOID,
    WORDS,
    Codes,
    Costs,
    Table,
    best_form,
    codes_of,
    last_costs,
    rank_of_ones,
    rows_done,
    snake,
)
from solvers.maxstrings.maximum import goal_of, phases, without_goal
from solvers.maxstrings.rules import EMPTY, HOLE, Move, Position, merged, moves_to
from solvers.memory import MEMORY
from solvers.message import Message

_BY_MOVE_WORK = 100_000_000
"""Words times points squared: a few seconds."""


def count(kind: Kind[Position, Move], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of checkerboard forms with enough stones, from the position on, and one.

    Forms are stone patterns: exchanging the colours makes no new one. Stones that stand already
    stay. details: `most`, the stones of the best form; `by_move`, for each move the number of
    forms with a stone on that point (up to 10 x 10). Not proven, with a `note`, when
    `memory` bytes do not suffice, or the stones don't fit one checkerboard.
    No value, and a `note`, when the number of strings asked for is not known.
    """
    wanted = goal_of(position)
    board = merged(position)
    codes = codes_of(board)
    if wanted is None:
        start = codes_of(position.points)
        if not phases(position.points) or (yield from best_form(start)) is None:
            return Answer(0, details={"by_move": {}})
        return without_goal()
    nothing = Answer(0, details={"by_move": {}})
    if not phases(board):
        # A solution may exist, but not as one checkerboard; `best` knows.
        reach = yield from find(position)
        if reach.bound < wanted:
            return nothing
        is_reached = reach.strings is not None and reach.strings >= wanted
        note = Message(
            "The stones that stand don't fit one checkerboard: the solutions with them can't be "
            "counted."
        )
        moves = reach.moves if is_reached else ()
        return Answer(int(is_reached), moves, proven=False, details={"note": note.to_json()})
    best = yield from best_form(codes)
    if best is None or best.stones < wanted:
        return nothing
    moves = moves_to(position, best.board)
    slack = best.stones - wanted
    if memory_needed(codes, slack) > memory:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        short = {"most": best.stones, "note": note.to_json()}
        return Answer(1, moves, proven=False, details=short)
    found = yield from count_forms(codes, slack)
    details: dict[str, object] = {"most": best.stones}
    if WORDS[min(len(board), len(board[0]))] * sum(map(len, board)) ** 2 <= _BY_MOVE_WORK:
        by_move: dict[str, str] = {}
        for move in kind.moves(position):
            text = kind.write_move(move)
            twin = kind.write_move(Move("x", move.cell))
            if twin in by_move:
                by_move[text] = by_move[twin]
                continue
            row, column = move.cell
            if codes[row][column] == STONE:
                by_move[text] = str(sum(found.forms))
                continue
            tried = yield from count_forms(_with_stone(codes, row, column), slack)
            extra = tried.empty - found.empty
            by_move[text] = str(sum(tried.forms[: max(slack + 1 - extra, 0)]))
        details["by_move"] = by_move
    return Answer(sum(found.forms), moves, details=details)


def _with_stone(codes: Codes, row: int, column: int) -> Codes:
    changed = (*codes[row][:column], STONE, *codes[row][column + 1 :])
    return (*codes[:row], changed, *codes[row + 1 :])


_EXACT = 2.0**53
_LARGEST_MODULUS = 2**62
_PIECE = 1 << 15
"""Numbers that are added at a time."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Costs to go, and for each slack the number of ways; all arrays [suffix, prefix]."""

    costs: Costs
    numbers: tuple[Table, ...]

    def __getitem__(self, where: tuple[slice, slice]) -> "Counts":
        return Counts(self.costs[where], tuple(number[where] for number in self.numbers))


class Tally(NamedTuple):
    """How many empty points a form has at least (given ones not counted), and for each k how
    many forms have k more."""

    empty: int
    forms: list[int]


def count_forms(board: Codes, slack: int) -> Generator[Progress, None, Tally]:
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


def memory_needed(board: Codes, slack: int) -> int:
    """Return about how many bytes `count_forms` takes, as measured: five times a table with its
    numbers (1.1 GB at 19 x 19, 2.6 GB at 20 x 20)."""
    # Within a row the words behind and ahead are independent: a fifth more than whole words.
    return 5 * WORDS[min(len(board), len(board[0]))] * 6 // 5 * (1 + 8 * (slack + 1))


def _total(
    board: Codes, slack: int, modulus: int | None, done: int, passes: int
) -> Generator[Progress, None, tuple[int, list[float]]]:
    """Return the least cost, and the numbers for each slack: floats, or remainders by a modulus."""
    rows = snake(board)
    width = len(rows[0])
    costs = last_costs(width)
    kind = np.float64 if modulus is None else np.uint64
    first = (costs == 0).astype(kind)
    counts = Counts(costs, (first, *(np.zeros_like(first) for _ in range(slack))))
    steps = len(rows) * width
    for number, row in enumerate(reversed(rows)):
        counts = Counts(
            counts.costs.reshape(1, -1), tuple(n.reshape(1, -1) for n in counts.numbers)
        )
        for decided in range(width - 1, -1, -1):
            if decided + 1 == (width + 1) // 2:
                numbers = tuple(map(np.asfortranarray, counts.numbers))
                counts = Counts(np.asfortranarray(counts.costs), numbers)
            counts = _step(counts, decided, width - decided, row[decided], modulus)
            step = done * steps + number * width + width - decided
            yield Progress(step, passes * steps, rows_done(number, len(rows)))
        counts = Counts(
            np.minimum(counts.costs.reshape(-1), IMPOSSIBLE),
            tuple(n.reshape(-1) for n in counts.numbers),
        )
    start = rank_of_ones(width)
    return int(counts.costs[start]), [number[start].item() for number in counts.numbers]


def _step(after: Counts, decided: int, left: int, code: int, modulus: int | None) -> Counts:
    """Return costs and numbers before a point; see `checkerboard.step`, whose layout it shares."""
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
    before = Counts(
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


def _put(target: Counts, source: Counts, price: int) -> None:
    """Copy the numbers of a choice that costs a point or nothing."""
    np.add(source.costs, price, out=target.costs)
    for there, number in zip(target.numbers, source.numbers):
        there[:] = number


def _add(target: Counts, source: Counts, modulus: int | None) -> None:
    """Add the numbers of another choice, which costs nothing at this point.

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


def _add_piece(target: Counts, source: Counts, modulus: int | None) -> None:
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


WIDEST_FOR_ALL = 7
"""The shorter side up to which all legal boards are counted too: half a minute at 7 x 7."""

MOST_STATES = 1_000_000
"""In one layer, about 500 bytes each."""

_SHOW_EVERY = 0.3
"""Seconds between two signs of life."""


def positions(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the number of boards that keep the stones standing now and reach the goal.

    details: `legal`, the number of all legal boards, up to `WIDEST_FOR_ALL` points wide; `table`,
    both in words. Not proven, with a `note`, on boards that are too wide or have too many states;
    no value, and a `note`, when the number of strings asked for is not known.
    """
    wanted = goal_of(position)
    if wanted is None:
        return without_goal()
    board = merged(position)
    if min(len(board), len(board[0])) > search.WIDEST:
        return _cut_off()
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    order = yield from search.decision_order(board)
    points = sum(letter not in (HOLE, EMPTY) for row in board for letter in row)
    reaching = yield from count_boards(order, len(board[0]), points - wanted)
    if reaching is None:
        return _cut_off()
    values: dict[str, object] = {"goal": wanted}
    rows: list[list[object]] = [
        [Message("Boards with {goal} strings or more", values).to_json(), str(reaching)]
    ]
    details: dict[str, object] = {}
    legal = None
    if len(board[0]) <= WIDEST_FOR_ALL:
        legal = yield from count_boards(order, len(board[0]), None)
    if legal is not None:
        details["legal"] = str(legal)
        rows.append([Message("Legal boards, with any number of strings").to_json(), str(legal)])
    head = [Message("All boards, colours counted apart").to_json(), Message("Number").to_json()]
    return Answer(reaching, details=details | {"table": {"head": head, "rows": rows}})


def _cut_off() -> Answer:
    note = Message("This board is too large for counting every single position.")
    return Answer(None, proven=False, details={"note": note.to_json()})


def count_boards(
    order: list[search.Point], width: int, limit: int | None
) -> Generator[Progress, None, int | None]:
    """Return how many boards lose no more than the limit; None when there are too many states.

    boards(after, lost + loss) += boards(state, lost). Without a limit losses are left aside, so
    that states with different ones are counted together.
    """
    most = IMPOSSIBLE - 1 if limit is None else limit
    layer: dict[search.State, dict[int, int]] = {(0,) * width: {0: 1}}
    shown_at = time.monotonic()
    for number, point in enumerate(order):
        following = order[number + 1] if number + 1 < len(order) else None
        after_point: dict[search.State, dict[int, int]] = {}
        bounds: dict[search.State, int] = {}
        for state, known in layer.items():
            if time.monotonic() > shown_at + _SHOW_EVERY:
                shown_at = time.monotonic()
                yield Progress(number, len(order))
            for after, loss, _ in search.successors(state, point):
                if after not in bounds:
                    bounds[after] = search.to_go(after, following)
                for lost, boards in known.items():
                    total = 0 if limit is None else lost + loss
                    if total + bounds[after] <= most:
                        reached = after_point.setdefault(after, {})
                        reached[total] = reached.get(total, 0) + boards
        if len(after_point) > MOST_STATES:
            return None
        layer = after_point
    return sum(boards for known in layer.values() for boards in known.values())
