"""The questions `count` and `positions`: the number of solutions.

`count` counts checkerboard forms. In addition to the costs to go of `checkerboard` it computes, for
each slack k, a table of the number of ways that cost k more than the least. If the dearer of the
two choices at a point costs d >= 0 more than the cheaper one,

    ways_k(before) = ways_(k)(cheaper choice) + ways_(k - d)(dearer choice).

The numbers are exact. float64 holds integers up to 2^53, and the parts of a total never exceed the
total, so a total below 2^53 is correct whatever was rounded elsewhere. Larger totals are combined
from remainders. In uint64, with moduli below 2^62, sums never overflow.

`positions` counts every legal board, in all colours and with long strings. It uses the states of
`search` with the number of ways to each of them. The legal positions of an empty board are those of
the game of Go: 1, 57, 12675, 24318165, 414295148741, 62567386502084877 for n = 1 to 6
(OEIS A094777, Tromp and Farnebäck, "Combinatorics of Go").
"""

from math import gcd, log2
from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.answers import AnswerTable, Exact
from solvers.kind import Cell, Kind
from solvers.maxstrings import checkerboard, search
from solvers.maxstrings.best import find
from solvers.maxstrings.checkerboard import ANY, FIRST, IMPOSSIBLE, NONE, STONE, VOID, WORDS
from solvers.maxstrings.maximum import NO_GOAL, goal_of, phases
from solvers.maxstrings.questions import FormsAnswer, PositionsAnswer
from solvers.maxstrings.rules import (
    BLACK,
    EMPTY,
    HOLE,
    STONES,
    Move,
    Position,
    merged,
    moves_to_form,
)
from solvers.memory import MEMORY, memory_exceeded
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.threads import THREADS, Threads

_BY_MOVE_WORK = 100_000_000
"""The most work for counts by move, as words times points squared. It takes a few seconds."""


def count(
    kind: Kind[Position, Move], position: Position, *, memory: int = MEMORY
) -> Run[FormsAnswer]:
    """Count the checkerboard forms with enough stones that the position leads to, and find one.

    Forms are patterns of stones, so exchanging the colours makes no new form. Stones on the board
    stay. The forms with a stone on each point are counted on boards up to 10 x 10. The answer is
    not proven and has a note if `memory` bytes do not suffice or if the stones don't fit one
    checkerboard. It has no value but a note if the wanted number of strings is not known.
    """
    wanted = goal_of(position)
    board = merged(position)
    codes = checkerboard.codes_of(board)
    nothing = FormsAnswer(Exact(0))
    if wanted is None:
        start = checkerboard.codes_of(position.points)
        if not phases(position.points) or (yield from checkerboard.best_form(start)) is None:
            return nothing
        return FormsAnswer(None, proven=False, note=NO_GOAL)
    if not phases(board):
        # A solution may exist, but not as one checkerboard. `best` finds out.
        reach = yield from find(position)
        if reach.bound < wanted:
            return nothing
        is_reached = reach.strings is not None and reach.strings >= wanted
        note = Message(
            "The stones that stand don't fit one checkerboard: the solutions with them can't be "
            "counted."
        )
        moves = reach.moves if is_reached else ()
        return FormsAnswer(Exact(is_reached), moves, proven=False, note=note)
    best = yield from checkerboard.best_form(codes)
    if best is None or best.stones < wanted:
        return nothing
    moves = moves_to_form(position, best.board)
    slack = best.stones - wanted
    if memory_needed(codes, slack) > memory:
        note = memory_exceeded(memory)
        return FormsAnswer(Exact(1), moves, proven=False, note=note, most=best.stones)
    found = yield from count_forms(codes, slack)
    by_move: dict[str, Exact] = {}
    if WORDS[min(len(board), len(board[0]))] * sum(map(len, board)) ** 2 <= _BY_MOVE_WORK:
        for move in kind.moves(position):
            text, black = kind.write_move(move), kind.write_move(Move(BLACK, move.cell))
            if black not in by_move:
                by_move[black] = yield from _with_stone(codes, move.cell, found, slack)
            by_move[text] = by_move[black]
    return FormsAnswer(Exact(sum(found.forms)), moves, most=best.stones, by_move=by_move)


def _with_stone(
    codes: checkerboard.Codes, cell: Cell, found: "FormCounts", slack: int
) -> Run[Exact]:
    """Return the number of the forms found that have a stone on the cell."""
    row, column = cell
    if codes[row][column] == STONE:
        return Exact(sum(found.forms))
    changed = (*codes[row][:column], STONE, *codes[row][column + 1 :])
    tried = yield from count_forms((*codes[:row], changed, *codes[row + 1 :]), slack)
    return Exact(sum(tried.forms[: max(slack + 1 - (tried.empty - found.empty), 0)]))


_EXACT = 2.0**53
_LARGEST_MODULUS = 2**62
_FORBIDDEN_PRICE = 1000
"""The price of a choice that is not allowed. It exceeds any slack."""

_SINGLE_THREAD_WORDS = 1 << 17
"""The most words for which a step is faster than starting other threads."""


class FormCounts(NamedTuple):
    """The least number of empty points of a form, and for each k the number of forms that have k
    more. Points that must stay empty are not counted."""

    empty: int
    forms: list[int]


def count_forms(board: checkerboard.Codes, slack: int, threads: int = THREADS) -> Run[FormCounts]:
    """Return the counts for k = 0 up to the slack. All numbers are 0 if there is no form."""
    passes = 1
    empty, floats = yield from _total(board, slack, 0, 0, passes, threads)
    largest = max(floats)
    if largest < _EXACT:
        return FormCounts(empty, [int(number) for number in floats])
    passes += int(log2(largest)) // 61 + 1
    moduli: list[int] = []
    candidate = _LARGEST_MODULUS
    while len(moduli) < passes - 1:
        if all(gcd(candidate, modulus) == 1 for modulus in moduli):
            moduli.append(candidate)
        candidate -= 1
    remainders = []
    for number, modulus in enumerate(moduli, 1):
        _, total = yield from _total(board, slack, modulus, number, passes, threads)
        remainders.append([int(remainder) for remainder in total])
    return FormCounts(
        empty, [_from_remainders(list(column), moduli) for column in zip(*remainders)]
    )


def memory_needed(board: checkerboard.Codes, slack: int) -> int:
    """Return how many bytes the tables of `count_forms` take."""
    return 2 * _largest_table(min(len(board), len(board[0]))) * (1 + 8 * (slack + 1))


def _total(
    board: checkerboard.Codes, slack: int, modulus: int, done: int, passes: int, threads: int
) -> Run[tuple[int, list[float]]]:
    """Return the least cost, and the number of forms for each slack, as floats or, with a modulus
    other than 0, as remainders."""
    rows = checkerboard.snake(board)
    width = len(rows[0])
    costs = checkerboard.last_costs(width)
    steps = len(rows) * width
    dtype = np.uint64 if modulus else np.float64
    tables = [_FormTables(width, slack, dtype) for _ in range(2)]
    here, there = tables
    here.shape(1, len(costs))
    here.costs[0] = costs
    here.numbers[:] = 0
    here.numbers[0] = here.costs == 0
    with Threads(threads) as workers:
        for number, row in enumerate(reversed(rows)):
            here.shape(1, WORDS[width])
            for decided in range(width - 1, -1, -1):
                if decided + 1 == (width + 1) // 2:
                    # From here on the suffixes are the longer words, so keep them contiguous.
                    there.transpose(here, workers)
                    here, there = there, here
                _step(here, there, decided, width, row[decided], modulus, workers)
                here, there = there, here
                step = done * steps + number * width + width - decided
                yield Progress(step, passes * steps, checkerboard.progress_note(number, len(rows)))
            np.minimum(here.costs, IMPOSSIBLE, out=here.costs)
    here.shape(1, WORDS[width])
    costs, numbers = here.costs[0], here.numbers[:, 0]
    start = checkerboard.rank_of_ones(width)
    return int(costs[start]), numbers[:, start].tolist()


class _FormTables:
    """The costs [line, place] and numbers [slack, line, place] before a point.

    Places are the longer of the two words. The memory is taken once and used for all points. Fresh
    memory for each point would cost a third of the time, most of it in the system, where threads
    wait for each other.
    """

    def __init__(self, width: int, slack: int, dtype: type[np.generic]) -> None:
        size = _largest_table(width)
        self._costs = np.empty(size, np.uint8)
        self._numbers = np.empty((slack + 1) * size, dtype)
        self._slacks = slack + 1
        self.shape(1, 1)

    def shape(self, lines: int, places: int) -> None:
        """Use as many lines and places. The order of what is stored stays the same."""
        size = lines * places
        self.costs: checkerboard.Costs = self._costs[:size].reshape(lines, places)
        self.numbers: checkerboard.Table = self._numbers[: self._slacks * size].reshape(
            self._slacks, lines, places
        )

    def transpose(self, other: "_FormTables", workers: Threads) -> None:
        """Take over other tables with lines and places exchanged."""
        places, lines = other.costs.shape
        self.shape(lines, places)

        def copy(share: range) -> None:
            part = slice(share.start, share.stop)
            self.costs[part] = other.costs[:, part].T
            self.numbers[:, part] = other.numbers[:, :, part].transpose(0, 2, 1)

        workers.map(copy, _shares(self.costs, workers))


def _largest_table(width: int) -> int:
    return max(WORDS[decided] * WORDS[width - decided] for decided in range(width + 1))


def _shares(costs: checkerboard.Costs, workers: Threads) -> list[range]:
    """Return the lines of a table in a share for each thread, or in one if the table is small."""
    parts = workers.number if costs.size > _SINGLE_THREAD_WORDS else 1
    ends = [len(costs) * part // parts for part in range(parts + 1)]
    return list(map(range, ends, ends[1:]))


def _step(
    after: _FormTables,
    before: _FormTables,
    decided: int,
    width: int,
    code: int,
    modulus: int,
    workers: Threads,
) -> None:
    """Fill the tables before a point. `checkerboard.step` explains the recurrence."""
    left = width - decided
    by_suffix = decided + 1 <= (width + 1) // 2
    before.shape(*((WORDS[decided], WORDS[left]) if by_suffix else (WORDS[left], WORDS[decided])))
    zero, total = FIRST[decided], WORDS[decided]
    ones = zero + FIRST[decided - 1] if decided else total
    sizes = FIRST[left - 1], WORDS[left - 1], FIRST[left], zero, total, ones

    def fill(lines: range) -> None:
        _fill(after.costs, after.numbers, before.costs, before.numbers, sizes, code,
              np.uint64(modulus), by_suffix, lines.start, lines.stop)  # fmt: skip

    workers.map(fill, _shares(before.costs, workers))


# Numba infers the kernels' types: tables as in `checkerboard`, and int64.
@njit(cache=True, nogil=True)
def _fill(costs, numbers, before, counted, sizes, code, modulus, by_suffix, first, last):  # type: ignore[no-untyped-def]
    """Write the costs and numbers before a point, line by line, block by block."""
    cut, shorter, zeros, zero, total, ones = sizes
    two = total - zero
    end = before.shape[1]
    for line in range(first, last):
        for block in range(3):
            if by_suffix:
                above, prefix = block, line
                start = (0, zeros, zeros + shorter)[block]
                stop = (zeros, zeros + shorter, end)[block]
                at = (0, 0, cut)[block]
                empty_at = stone_at = at
            else:
                above = int(line >= zeros) + int(line >= zeros + shorter)
                prefix = start = (0, zero, two)[block]
                stop = (zero, two, total)[block]
            # The word behind the point if the point is empty, and if it is a stone.
            empty_word = prefix if prefix < two else prefix - two + ones
            stone_word = two + prefix
            if above == 1 and prefix >= zero and code != VOID:
                # The stone has no liberty yet.
                stone_word += total - zero
            if by_suffix:
                empty_line, stone_line = empty_word, stone_word
            else:
                empty_line = stone_line = line - (0, zeros, zeros + shorter - cut)[above]
                empty_at, stone_at = empty_word, stone_word
            if code in (STONE, VOID) and above == 2:
                before[line, start:stop] = IMPOSSIBLE
                counted[:, line, start:stop] = 0
                continue
            length = stop - start
            _choose(
                costs[empty_line, empty_at : empty_at + length],
                numbers[:, empty_line, empty_at : empty_at + length],
                int(code == ANY) if code in (ANY, NONE) else _FORBIDDEN_PRICE,
                costs[stone_line, stone_at : stone_at + length],
                numbers[:, stone_line, stone_at : stone_at + length],
                0 if code != NONE and above < 2 else _FORBIDDEN_PRICE,
                before[line, start:stop],
                counted[:, line, start:stop],
                modulus,
            )


@njit(cache=True, nogil=True)
def _choose(  # type: ignore[no-untyped-def]
    empty_costs, empty_numbers, empty_price, stone_costs, stone_numbers, stone_price, before,
    counted, modulus,
):  # fmt: skip
    """Write the least costs of two choices, and the sums of their numbers for each slack."""
    # This zero has the numbers' type, because numba converts mixed uint64 and int64 to floats.
    none = counted.dtype.type(0)
    for place in range(len(before)):
        empty = np.int32(empty_costs[place]) + np.int32(empty_price)
        stone = np.int32(stone_costs[place]) + np.int32(stone_price)
        before[place] = min(empty, stone, np.int32(IMPOSSIBLE))
        counted[0, place] = (empty_numbers[0, place] if empty <= stone else none) + (
            stone_numbers[0, place] if stone <= empty else none
        )
    for slack in range(1, len(counted)):
        for place in range(len(before)):
            gap = int(empty_costs[place]) + empty_price - int(stone_costs[place]) - stone_price
            number = none
            if gap <= slack:
                number += empty_numbers[slack - max(gap, 0), place]
            if -gap <= slack:
                number += stone_numbers[slack - max(-gap, 0), place]
            counted[slack, place] = number
    if modulus:
        for slack in range(len(counted)):
            for place in range(len(before)):
                counted[slack, place] = counted[slack, place] % modulus


def _from_remainders(remainders: list[int], moduli: list[int]) -> int:
    """Return the least number with these remainders (Chinese remainder theorem)."""
    number, product = 0, 1
    for remainder, modulus in zip(remainders, moduli):
        number += product * ((remainder - number) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return number


WIDEST_FOR_ALL = 7
"""The largest shorter side for which all legal boards are counted too. 7 x 7 takes some seconds."""

MOST_STATES = min(1_000_000, MEMORY // 1_000)
"""The most states of one layer. There are two layers, and a state needs about 500 bytes."""


def positions(kind: Kind[Position, Move], position: Position) -> Run[PositionsAnswer]:
    """Count the boards that keep the stones standing now and reach the goal.

    The answer is not proven and has a note if the board is too wide or has too many states. It has
    no value but a note if the wanted number of strings is not known.
    """
    wanted = goal_of(position)
    if wanted is None:
        return PositionsAnswer(None, proven=False, note=NO_GOAL)
    board = merged(position)
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    reaching = legal = None
    if len(board[0]) <= search.WIDEST:
        order = yield from search.decision_order(board)
        points = sum(letter not in (HOLE, EMPTY) for row in board for letter in row)
        reaching = yield from count_boards(order, len(board[0]), points - wanted)
    if reaching is None:
        note = Message("This board is too large for counting every single position.")
        return PositionsAnswer(None, proven=False, note=note)
    if len(board[0]) <= WIDEST_FOR_ALL:
        legal = yield from count_boards(order, len(board[0]), None)
    rows: list[tuple[Message, int]] = [
        (Message("Boards with {goal} strings or more", {"goal": wanted}), reaching)
    ]
    if legal is not None:
        rows.append((Message("Legal boards, with any number of strings"), legal))
    head = (Message("All boards, colours counted apart"), Message("Number"))
    return PositionsAnswer(
        Exact(reaching),
        legal=None if legal is None else Exact(legal),
        tables=(AnswerTable(head, tuple(rows)),),
    )


def count_boards(order: list[search.Point], width: int, limit: int | None) -> Run[int | None]:
    """Return the number of boards that lose at most `limit`, or None for too many states.

    boards(after, lost + loss) += boards(state, lost). Without a limit, losses are ignored, so that
    states with different losses are counted together. If no colour is prescribed, a state and the
    state with exchanged colours are also counted together, because they lead to as many boards.
    """
    is_fair = not any(point.letter in STONES for point in order)
    most = IMPOSSIBLE - 1 if limit is None else limit
    layer: dict[search.State, dict[int, int]] = {(0,) * width: {0: 1}}
    clock = Clock()
    for number, point in enumerate(order):
        following = order[number + 1] if number + 1 < len(order) else None
        after_point: dict[search.State, dict[int, int]] = {}
        bounds: dict[search.State, int] = {}
        for state, known in layer.items():
            if clock.is_due():
                yield Progress(number, len(order))
            for after, loss, _ in search.successors(state, point):
                if is_fair:
                    after = _black_first(after)
                if after not in bounds:
                    # Without a limit only the end is checked, as a dead end has no successor.
                    free = limit is None and following is not None
                    bounds[after] = 0 if free else search.to_go(after, following)
                for lost, boards in known.items():
                    total = 0 if limit is None else lost + loss
                    if total + bounds[after] <= most:
                        reached = after_point.setdefault(after, {})
                        reached[total] = reached.get(total, 0) + boards
            if len(after_point) > MOST_STATES:
                return None
        layer = after_point
    return sum(boards for known in layer.values() for boards in known.values())


def _black_first(state: search.State) -> search.State:
    """Return the state, with colours exchanged if its first stone is white."""
    for cell in state:
        if cell:
            return tuple([cell and cell ^ 2 for cell in state]) if cell & 2 else state
    return state
