"""Counts, bounds and maxima by the transfer from column to column (`column_kernels`).

Bishops attack further than the next column. They are placed by search. So are rooks, unless it is
quicker to choose only their rows and to leave their columns to the transfer. Each choice is a board
of its own for the transfer. Mirror images are done once.

A bound needs only the number of pieces as a tally. Let P(x) be the sum over all placements of as
many pieces as the hand has, each weighted by x_k for each piece of kind k. There are at most
P(x) / prod(x_k^n_k) boards with n_k pieces of each kind, for any positive x. Left in the transfer,
bishops attack only what they attack in their own column and the next ones, which can only add
boards. If b of n bishops are placed by search, each board is met (n choose b) times.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import ceil, comb, exp, factorial, inf, log, perm, prod
from time import thread_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kikazu import column_kernels
from solvers.kikazu.kernels import COLUMNS_IN_A_WORD
from solvers.kikazu.rules import FORWARD, PIECES, attacks
from solvers.kikazu.search import PIECE_ORDER, Problem, tables_of
from solvers.question import PROGRESS_SECONDS, Progress, Run
from solvers.threads import THREADS

NEAR = "NKGSLP"
"""The pieces that attack no further than the next column."""

MAX_PLACEMENTS = 50_000
"""The most placements of rooks and bishops that are gone through, mirror images once."""

ROUNDING = 1e-9
"""More than the share by which rounding can change a result. It is the end of less than 10^6 sums
and products of positive numbers."""

Boards = NDArray[np.uint64]
"""The occupied and the barred squares of some boards, as words."""


class Transfer:
    """The transfer for the pieces of a hand. A call goes through a batch of boards."""

    def __init__(
        self,
        problem: Problem,
        kinds: str = NEAR,
        *,
        lines: int = 0,
        counted: str = NEAR,
        together: bool = False,
        weights: dict[str, float] | None = None,
        maximise: bool = False,
        dtype: type[np.uint64] | type[np.float64] = np.float64,
    ) -> None:
        """Prepare the transfer for those pieces of the hand that are in `kinds`, and for a rook in
        each of `lines` rows.

        The boards have the hand's number of each kind in `counted`, and in each column up to that
        number of each other kind. With `together`, they have in all as many of the other kinds as
        the hand. `weights` are 1 by default, or 0 if the transfer maximises.
        """
        rows, columns = problem.rows, problem.columns
        weights = weights or {}
        hand = dict(zip(PIECES, problem.hand))
        hand["R"] = 1
        counted += "R"
        kinds = "".join(kind for kind in kinds if hand[kind])
        # What a word has a field for, how many of it there may be, and the bits of the field. The
        # highest is set where there are too many.
        fields = [
            (kind, hand[kind], 8) if kind in counted else (kind, min(hand[kind], 15), 5)
            for kind in kinds
        ]
        fields += lines * [("R", 1, 2)]
        kinds += lines * "R"
        if together:
            fields.append(("", sum(hand[kind] for kind in kinds if kind not in counted), 8))
        places = [sum(width for _, _, width in fields[:at]) for at in range(len(fields))]
        strides, packs, numbers = [], np.zeros(1, np.uint64), np.zeros((1, 2), np.int64)
        for (kind, most, _), place in zip(fields, places):
            is_counted = not kind or kind in counted
            strides.append(len(packs) if is_counted else 0)
            digits = np.repeat(np.arange(most * is_counted + 1), len(packs))
            times = most * is_counted + 1
            packs = np.tile(packs, times) + (digits << place).astype(np.uint64)
            numbers = np.tile(numbers, (times, 1)) + np.outer(digits, [1, kind in [*FORWARD]])
        units = [1 << place for place in places]
        if together:
            strides = [stride or strides[-1] for stride in strides]
            units = [
                unit + units[-1] * (kind not in counted)
                for unit, (kind, _, _) in zip(units, fields)
            ]
        tops = [1 << place + width - 1 for place, (_, _, width) in zip(places, fields)]
        offset = sum(
            top - (most + 1 << place) for top, place, (_, most, _) in zip(tops, places, fields)
        )
        # A word has no room for very many rooks.
        self.stop = np.array([max([0, *tops]) >> 64 > 0], np.int64)
        self._arguments = (
            rows,
            columns,
            tables_of(rows, columns).reach[[PIECE_ORDER.index(kind) for kind in kinds]],
            _attacked_rows(kinds, rows, 0),
            _attacked_rows(kinds, rows, 1),
            lines,
            _word(units[: len(kinds)]),
            _word([offset])[0],
            _word([sum(tops)])[0],
            np.array(strides[: len(kinds)], np.int64),
            packs,
            numbers,
            np.array([weights.get(kind, 0 if maximise else 1) for kind in kinds], dtype),
            dtype(0 if maximise else 1),
            dtype(-inf if maximise else 0),
            maximise,
        )

    def __call__(self, boards: Boards) -> list[float]:
        """Return the sum, or the maximum, over each of these boards. Integers are modulo 2^64."""
        values: list[float] = column_kernels.transfer(*self._arguments, boards, self.stop).tolist()
        return values


def _attacked_rows(kinds: str, rows: int, aside: int) -> NDArray[np.int64]:
    """Return kind, row -> the rows that the kind attacks from there `aside` columns away."""
    return np.array(
        [
            sum(1 << at for at, column in attacks(kind, (row, 0), rows, 2) if column == aside)
            for kind in kinds
            for row in range(rows)
        ],
        np.int64,
    ).reshape(len(kinds), rows)


def boards_of(problem: Problem, placed: str, most: int) -> tuple[Boards, Boards] | None:
    """Return the board with each placement of some rooks and bishops of the hand, "RB" for one of
    each, and each choice of rows for its other rooks, or None if there are more than `most`.

    The first boards stand for themselves and their mirror images, the others for themselves alone.
    """
    rooks = problem.hand[PIECES.index("R")] - placed.count("R")
    is_own_mirror = all(
        _mirrored(problem, squares) == squares for squares in (problem.occupied, problem.barred)
    )
    mirrored_squares = [
        square + (problem.columns - 1 - 2 * (square // problem.rows)) * problem.rows
        for square in range(problem.rows * problem.columns)
    ]
    twice, once = [], []
    for lines in combinations(range(problem.rows), rooks):
        rows = sum(1 << row for row in lines)
        across = _across(problem, rows)
        for occupied, barred, squares in _placements(
            problem, placed, problem.occupied, problem.barred, across, (0,) * len(placed)
        ):
            board = (*problem.words(occupied), *problem.words(barred), rows)
            mirror = sorted(zip(placed, (mirrored_squares[square] for square in squares)))
            here = sorted(zip(placed, squares))
            if not is_own_mirror or here == mirror:
                once.append(board)
            elif here < mirror:
                twice.append(board)
            if len(twice) + len(once) > most:
                return None
    return _as_words(twice), _as_words(once)


def _as_words(boards: Sequence[tuple[int, ...]]) -> Boards:
    return np.array(boards, np.uint64).reshape(-1, 5)


def _placements(
    problem: Problem, order: str, occupied: int, barred: int, across: int, squares: tuple[int, ...],
    at: int = 0,
) -> Iterator[tuple[int, int, tuple[int, ...]]]:  # fmt: skip
    """Yield the occupied and barred squares, and the pieces' squares, of each placement outside the
    rows `across`."""
    if at == len(order):
        yield occupied, barred, squares
        return
    reach = problem.reach[PIECES.index(order[at])]
    is_alike = at > 0 and order[at] == order[at - 1]
    for square in range(squares[at - 1] + 1 if is_alike else 0, problem.rows * problem.columns):
        if not (barred | across) >> square & 1 and not reach[square] & occupied:
            yield from _placements(
                problem,
                order,
                occupied | 1 << square,
                barred | 1 << square | reach[square],
                across,
                (*squares[:at], square, *squares[at + 1 :]),
                at + 1,
            )


def _across(problem: Problem, rows: int) -> int:
    """Return the squares of some rows."""
    return sum(rows << column * problem.rows for column in range(problem.columns))


def _word(values: Sequence[int]) -> NDArray[np.uint64]:
    return np.array([value & (1 << 64) - 1 for value in values], np.uint64)


def _mirrored(problem: Problem, squares: int) -> int:
    """Return the squares with left and right exchanged."""
    column = (1 << problem.rows) - 1
    return sum(
        (squares >> at * problem.rows & column) << (problem.columns - 1 - at) * problem.rows
        for at in range(problem.columns)
    )


_BATCHES = 100
"""The batches of boards that a run has for each thread, at most."""


def results(transfer: Transfer, boards: Boards) -> Run[list[float] | None]:
    """Return the transfer's result for each of the boards, or None if there are too many
    values."""
    size = max(1, len(boards) // (THREADS * _BATCHES))
    with ThreadPoolExecutor(THREADS) as pool:
        every = [
            pool.submit(transfer, boards[first : first + size])
            for first in range(0, len(boards), size)
        ]
        waiting = set(every)
        try:
            while waiting:
                waiting = wait(waiting, PROGRESS_SECONDS).not_done
                yield Progress(len(every) - len(waiting), len(every))
        finally:
            transfer.stop[0] |= bool(waiting)
            pool.shutdown(cancel_futures=True)
    return None if transfer.stop[0] else [each for batch in every for each in batch.result()]


def _sum(transfer: Transfer, boards: tuple[Boards, Boards]) -> Run[float | None]:
    """Return the sum over all boards."""
    every = yield from results(transfer, np.concatenate(boards))
    return None if every is None else sum(every) + sum(every[: len(boards[0])])


MOST_SECONDS = 60.0
"""The forecast above which a count is not begun, in seconds of one processor."""
_SAMPLE = 20
_SAMPLE_SECONDS = 0.2


def forecast(transfer: Transfer, boards: tuple[Boards, Boards]) -> float:
    """Return about how many seconds of one processor the transfer will take for the boards."""
    every = np.concatenate(boards)
    if len(every) <= _SAMPLE:
        return 0.0
    start = thread_time()
    done, seconds = 0, 0.0
    for board in every[:: len(every) // _SAMPLE][:_SAMPLE]:
        transfer(board.reshape(1, -1))
        done, seconds = done + 1, thread_time() - start
        if seconds > _SAMPLE_SECONDS:
            break
    return seconds * len(every) / done


class Ready(NamedTuple):
    """A count that has been prepared."""

    problem: Problem
    lines: int
    transfer: Transfer
    boards: tuple[Boards, Boards]
    seconds: float
    """About how many seconds of one processor it will take."""


def prepare(problem: Problem) -> Run[Ready | None]:
    """Prepare the count of all ways to place the hand. Return None if it would take too long."""
    rooks, bishops = (piece * problem.hand[PIECES.index(piece)] for piece in "RB")
    best, number = None, 0
    for lines in sorted({len(rooks), 0}, reverse=True):
        # Each choice of rows stands for about as many placements of rooks, half of them mirrored.
        if number * perm(problem.columns, len(rooks) - lines) > 2 * MAX_PLACEMENTS:
            break
        boards = boards_of(problem, rooks[lines:] + bishops, MAX_PLACEMENTS)
        if boards is None:
            break
        number = sum(map(len, boards))
        transfer = Transfer(problem, lines=lines, dtype=np.uint64)
        # Where no compiled code is stored, the first board compiles it.
        yield from results(transfer, np.concatenate(boards)[:1])
        seconds = inf if transfer.stop[0] else forecast(transfer, boards)
        if seconds <= (best.seconds if best else MOST_SECONDS):
            best = Ready(problem, lines, transfer, boards, seconds)
    return best


def count(ready: Ready, at_most: int) -> Run[int | None]:
    """Return the exact number of ways to place the hand, or None if there are too many values.

    `at_most` is a proven bound of it.
    """
    low = yield from _sum(ready.transfer, ready.boards)
    if low is None or min(at_most, largest(ready.problem, np.concatenate(ready.boards))) < 1 << 64:
        return None if low is None else int(low)
    # The number modulo 2^64 and one of the multiples of 2^64 within the rounding.
    about = yield from _sum(Transfer(ready.problem, lines=ready.lines), ready.boards)
    return None if about is None else whole(int(low) % (1 << 64), about)


def largest(problem: Problem, boards: Boards) -> int:
    """Return a number that the ways to place the rest of the hand on any of the boards do not
    exceed: those in which no square holds two pieces, nor a rook's row or column two."""
    hand = dict(zip(PIECES, problem.hand))
    lines = int(np.bitwise_count(boards[:, 4]).max(initial=0))
    across = [problem.words(_across(problem, rows)) for rows in range(1 << problem.rows)]
    free = ~(boards[:, 2:4] | np.array(across, np.uint64)[boards[:, 4].astype(np.int64)])
    column = np.uint64((1 << problem.rows) - 1)
    room = np.empty((len(boards), problem.columns), np.int64)
    for at in range(problem.columns):
        word, place = divmod(at, COLUMNS_IN_A_WORD)
        room[:, at] = np.bitwise_count(free[:, word] >> np.uint64(place * problem.rows) & column)
    room.sort(axis=1)
    squares = int(room[:, lines:].sum(axis=1).max(initial=0))
    ways = perm(problem.columns, lines) * perm(squares, sum(hand[kind] for kind in NEAR))
    return ways // prod(factorial(hand[kind]) for kind in NEAR)


def whole(low: int, about: float) -> int | None:
    """Return the only integer within the rounding of `about` that is `low` modulo 2^64, or None if
    there may be several."""
    if about * ROUNDING > 1 << 62:
        return None
    return low + (round((int(about) - low) / (1 << 64)) << 64)


def most(problem: Problem, piece: str) -> Run[int | None]:
    """Return the most pieces of a kind of `NEAR` that fit beside the others of the hand, or None
    if that would take too long. It is -1 if the others don't fit."""
    hand = list(problem.hand)
    hand[PIECES.index(piece)] = 99
    problem = Problem(problem.rows, problem.columns, problem.occupied, problem.barred, tuple(hand))
    rooks, bishops = (kind * problem.hand[PIECES.index(kind)] for kind in "RB")
    boards = boards_of(problem, rooks + bishops, MAX_PLACEMENTS)
    if boards is None:
        return None
    others = NEAR.replace(piece, "")
    transfer = Transfer(problem, counted=others, weights={piece: 1}, maximise=True)
    if transfer.stop[0] or forecast(transfer, boards) > MOST_SECONDS:
        return None
    every = yield from results(transfer, np.concatenate(boards))
    return None if every is None else int(max([-1, *every]))


BOUND_PLACEMENTS = 300
"""The most boards that are gone through for a bound."""

_ROUNDS = 3


@cache
def _weights(rows: int, columns: int, hand: tuple[int, ...]) -> dict[str, float]:
    """Return weights with which three empty columns hold about their share of the hand on average.

    Any weights give a bound; with these it is close to the best.
    """
    rooks, *rest = hand
    logarithms = {kind: 0.0 for kind, number in zip(PIECES[1:], rest) if number}
    wanted = {kind: 3 * number / max(columns - rooks, 3) for kind, number in zip(PIECES[1:], rest)}
    three = Problem(rows, 3, 0, 0, (0, *rest))
    # The rows of the rooks, spread evenly, are barred.
    lines = min(rooks, rows - 1)
    barred = sum(1 << (2 * at + 1) * rows // (2 * lines) for at in range(lines))
    boards = np.array([[0, 0, *three.words(_across(three, barred)), 0]], np.uint64)

    def size(changed: str = "") -> float:
        weights = {kind: exp(at + 0.01 * (kind == changed)) for kind, at in logarithms.items()}
        return log(Transfer(three, "".join(weights), counted="", weights=weights)(boards)[0])

    for _ in range(_ROUNDS):
        here = size()
        mean = {kind: 100 * (size(kind) - here) for kind in logarithms}
        for kind in logarithms:
            logarithms[kind] += log(wanted[kind] / mean[kind])
    return {kind: exp(at) for kind, at in logarithms.items()}


def bound(problem: Problem) -> Run[int]:
    """Return a number that the number of ways to place the hand does not exceed."""
    hand = dict(zip(PIECES, problem.hand))
    weights = _weights(problem.rows, problem.columns, problem.hand)
    free = problem.rows * problem.columns - problem.barred.bit_count()
    best: float = perm(free, sum(problem.hand)) / prod(map(factorial, problem.hand))
    for placed in range(hand["B"] + 1):
        boards = boards_of(problem, "B" * placed, BOUND_PLACEMENTS)
        if boards is None:
            break
        left = {kind: hand[kind] - placed * (kind == "B") for kind in weights}
        rest = replace(problem, hand=tuple(left.get(kind, 0) for kind in PIECES))
        transfer = Transfer(
            rest, "".join(left), lines=hand["R"], counted="", together=True, weights=weights
        )
        total = yield from _sum(transfer, boards)
        if total is None:
            break
        share = prod(weights[kind] ** number for kind, number in left.items())
        best = min(best, total / share / comb(hand["B"], placed))
    return ceil(best * (1 + ROUNDING))
