"""Counts, bounds and maxima by the transfer from column to column (`column_kernels`).

Rooks and bishops attack further than the next column. They are placed by search, and each of their
placements is a board of its own for the transfer, of which mirror images are done once.

A bound needs no tallies. Let P(x) be the sum over all placements of any numbers of pieces, each
weighted by x_k for each piece of kind k. There are at most P(x) / prod(x_k^n_k) boards with n_k
pieces of each kind, for any positive x. Left in the transfer, rooks and bishops attack only what
they attack in their own column and the next ones, which can only add boards.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from math import ceil, exp, inf, log, prod
from time import thread_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kikazu import column_kernels
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
        kinds: str,
        *,
        counted: str = NEAR,
        weights: dict[str, float] | None = None,
        maximise: bool = False,
        dtype: type[np.uint64] | type[np.float64] = np.float64,
    ) -> None:
        """Prepare the transfer for those pieces of the hand that are in `kinds`.

        The boards have the hand's number of each kind in `counted`, and in each column up to that
        number of each other kind. `weights` are 1 by default, or 0 if the transfer maximises.
        """
        rows, columns = problem.rows, problem.columns
        weights = weights or {}
        hand = dict(zip(PIECES, problem.hand))
        kinds = "".join(kind for kind in kinds if hand[kind])
        strides, packs, numbers = [], np.zeros(1, np.uint64), np.zeros((1, 2), np.int64)
        for at, kind in enumerate(kinds):
            is_counted = kind in counted
            strides.append(len(packs) if is_counted else 0)
            digits = np.repeat(np.arange(hand[kind] * is_counted + 1), len(packs))
            times = hand[kind] * is_counted + 1
            packs = np.tile(packs, times) + (digits << 8 * at).astype(np.uint64)
            numbers = np.tile(numbers, (times, 1)) + np.outer(digits, [1, kind in FORWARD])
        limits = [127 - hand[kind] for kind in kinds]
        self.stop = np.zeros(1, np.int64)
        self._arguments = (
            rows,
            columns,
            tables_of(rows, columns).reach[[PIECE_ORDER.index(kind) for kind in kinds]],
            _attacked_rows(kinds, rows, 0),
            _attacked_rows(kinds, rows, 1),
            np.array([1 << 8 * at for at in range(len(kinds))], np.uint64),
            np.uint64(sum(limit << 8 * at for at, limit in enumerate(limits))),
            np.array(strides, np.int64),
            packs,
            numbers,
            np.array([weights.get(kind, 0 if maximise else 1) for kind in kinds], dtype),
            dtype(0 if maximise else 1),
            dtype(-inf if maximise else 0),
            maximise,
        )

    def __call__(self, boards: Boards) -> float:
        """Return the sum, or the maximum, over these boards. Integers are modulo 2^64."""
        result: float = column_kernels.transfer(*self._arguments, boards, self.stop)
        return result


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


def boards_of(problem: Problem, placed: str) -> tuple[Boards, Boards] | None:
    """Return the board with each placement of the hand's pieces of the kinds in `placed`, or None
    if there are more than `MAX_PLACEMENTS`.

    The first boards stand for themselves and their mirror images, the others for themselves alone.
    """
    hand = dict(zip(PIECES, problem.hand))
    order = "".join(piece * hand[piece] for piece in placed)
    is_own_mirror = all(
        _mirrored(problem, squares) == squares for squares in (problem.occupied, problem.barred)
    )
    twice, once = [], []
    for occupied, barred, squares in _placements(
        problem, order, problem.occupied, problem.barred, (0,) * len(order)
    ):
        board = (*problem.words(occupied), *problem.words(barred))
        mirror = tuple(
            sorted(
                (piece, _mirrored(problem, 1 << square).bit_length() - 1)
                for piece, square in zip(order, squares)
            )
        )
        here = tuple(sorted(zip(order, squares)))
        if is_own_mirror and here != mirror:
            if here < mirror:
                twice.append(board)
        else:
            once.append(board)
        if len(twice) + len(once) > MAX_PLACEMENTS:
            return None
    return _as_words(twice), _as_words(once)


def _as_words(boards: Sequence[tuple[int, ...]]) -> Boards:
    return np.array(boards, np.uint64).reshape(-1, 4)


def _placements(
    problem: Problem, order: str, occupied: int, barred: int, squares: tuple[int, ...], at: int = 0
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the occupied and barred squares, and the pieces' squares, of each placement."""
    if at == len(order):
        yield occupied, barred, squares
        return
    reach = problem.reach[PIECES.index(order[at])]
    is_alike = at > 0 and order[at] == order[at - 1]
    for square in range(squares[at - 1] + 1 if is_alike else 0, problem.rows * problem.columns):
        if not barred >> square & 1 and not reach[square] & occupied:
            yield from _placements(
                problem,
                order,
                occupied | 1 << square,
                barred | 1 << square | reach[square],
                (*squares[:at], square, *squares[at + 1 :]),
                at + 1,
            )


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
    """Return the transfer's results for batches of the boards, or None if there are too many
    values."""
    size = max(1, len(boards) // (THREADS * _BATCHES))
    with ThreadPoolExecutor(THREADS) as pool:
        waiting = {
            pool.submit(transfer, boards[first : first + size])
            for first in range(0, len(boards), size)
        }
        every = list(waiting)
        try:
            while waiting:
                waiting = wait(waiting, PROGRESS_SECONDS).not_done
                yield Progress(len(every) - len(waiting), len(every))
        finally:
            transfer.stop[0] |= bool(waiting)
            pool.shutdown(cancel_futures=True)
    return None if transfer.stop[0] else [batch.result() for batch in every]


def _sum(transfer: Transfer, boards: tuple[Boards, Boards]) -> Run[float | None]:
    """Return the sum over all boards."""
    twice = yield from results(transfer, boards[0])
    once = yield from results(transfer, boards[1])
    if twice is None or once is None:
        return None
    return 2 * sum(twice) + sum(once)


MOST_SECONDS = 60.0
"""The forecast above which a count is not begun, in seconds of one processor."""
_SAMPLE = 20


def forecast(transfer: Transfer, boards: tuple[Boards, Boards]) -> float:
    """Return about how many seconds of one processor the transfer will take for the boards."""
    every = np.concatenate(boards)
    if len(every) <= _SAMPLE:
        return 0.0
    start = thread_time()
    transfer(np.ascontiguousarray(every[:: len(every) // _SAMPLE][:_SAMPLE]))
    return (thread_time() - start) * len(every) / _SAMPLE


class Ready(NamedTuple):
    """A count that has been prepared."""

    problem: Problem
    transfer: Transfer
    boards: tuple[Boards, Boards]
    seconds: float
    """About how many seconds of one processor it will take."""


def prepare(problem: Problem) -> Run[Ready | None]:
    """Prepare the count of all ways to place the hand. Return None if it would take too long."""
    boards = boards_of(problem, "RB")
    if boards is None:
        return None
    transfer = Transfer(problem, NEAR, dtype=np.uint64)
    # Where no compiled code is stored, the first board compiles it.
    yield from results(transfer, np.concatenate(boards)[:1])
    seconds = inf if transfer.stop[0] else forecast(transfer, boards)
    return Ready(problem, transfer, boards, seconds) if seconds <= MOST_SECONDS else None


def count(ready: Ready, at_most: int) -> Run[int | None]:
    """Return the exact number of ways to place the hand, or None if there are too many values.

    `at_most` is a proven bound of it.
    """
    low = yield from _sum(ready.transfer, ready.boards)
    if low is None or at_most < 1 << 64:
        return None if low is None else int(low)
    # The number modulo 2^64 and one of the multiples of 2^64 within the rounding.
    about = yield from _sum(Transfer(ready.problem, NEAR), ready.boards)
    return None if about is None else whole(int(low) % (1 << 64), about)


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
    boards = boards_of(problem, "RB")
    if boards is None:
        return None
    others = NEAR.replace(piece, "")
    transfer = Transfer(problem, NEAR, counted=others, weights={piece: 1}, maximise=True)
    if transfer.stop[0] or forecast(transfer, boards) > MOST_SECONDS:
        return None
    largest = yield from results(transfer, np.concatenate(boards))
    return None if largest is None else int(max([-1, *largest]))


BOUND_PLACEMENTS = 300
"""The most placements of bishops that are gone through for a bound."""

_ROUNDS = 5


@cache
def _weights(rows: int, columns: int, hand: tuple[int, ...]) -> dict[str, float]:
    """Return weights with which three empty columns hold about their share of the hand on average.

    Any weights give a bound; with these it is close to the best.
    """
    logarithms = {kind: 0.0 for kind, number in zip(PIECES, hand) if number}
    wanted = {kind: 3 * number / columns for kind, number in zip(PIECES, hand)}
    three = Problem(rows, 3, 0, 0, hand)
    boards = np.zeros((1, 4), np.uint64)

    def size(changed: str = "") -> float:
        weights = {kind: exp(at + 0.01 * (kind == changed)) for kind, at in logarithms.items()}
        return log(Transfer(three, "".join(weights), counted="", weights=weights)(boards))

    for _ in range(_ROUNDS):
        here = size()
        mean = {kind: 100 * (size(kind) - here) for kind in logarithms}
        for kind in logarithms:
            logarithms[kind] += log(wanted[kind] / mean[kind])
    return {kind: exp(at) for kind, at in logarithms.items()}


def bound(problem: Problem) -> int:
    """Return a number that the number of ways to place the hand does not exceed."""
    hand = dict(zip(PIECES, problem.hand))
    kinds = "".join(kind for kind in PIECES if hand[kind])
    weights = _weights(problem.rows, problem.columns, problem.hand)
    best = inf
    for placed in ("", "B"):
        boards = boards_of(problem, placed)
        left = kinds.replace(placed, "")
        transfer = Transfer(problem, left, counted="", weights=weights)
        if boards is None or sum(map(len, boards)) > BOUND_PLACEMENTS:
            continue
        total = 2 * transfer(boards[0]) + transfer(boards[1])
        best = min(best, total / prod(weights[kind] ** hand[kind] for kind in left))
    return ceil(best * (1 + ROUNDING))
