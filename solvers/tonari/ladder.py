"""The question `ladder`: how the study reduced its number of solutions, step by step.

The source is the study となりオセロ (2010). Each of its steps leaves out more orders: those that
miss the target; mirror images in the main diagonal; mirror images in the other diagonal; stones
that close a gap; different orders that lead to the same stones. The study takes its last figure for
the number of solutions up to the mirror. It is not that number: a mirror image is left out only
while the board itself is symmetric, and where two mirror images are reached in different ways, both
are counted. The answer shows the true figures beside the study's.

Legend of the kernel, besides that of `bitboard`
    boards, ways   uint64[b], uint32[b, words]: the boards after k stones, in the order of their
              least lines, and how many orders lead to each, 32 bits a word, lowest first
    over      bool[b]: set for the boards on which an order ends
    closed    whether closed points are left empty
    mirrors, upper   uint64[f, 8, 256], uint64[f]: the filters. On a board that is its own image
              under `mirrors[f]`, only points of `upper[f]` are played
    keys, sums, parents, cells   the next layer: its boards, their ways, and for each the first
              board and the point that it comes from
    slots     the hash table that finds the keys

The boards are taken in order and their points in reading order, so a new board is found by its
least line first, and the next layer is in order without being sorted. Two thirds of the moves lead
to a known board, so a move's board is looked up before it is tested for being lost.
"""

from collections.abc import Iterator, Sequence
from math import factorial
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numba import njit
from numpy.typing import NDArray

from solvers.answers import AnswerTable, Exact, ShownBoard
from solvers.bits import lowest
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY as ALLOWED
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.tonari import bitboard, rules
from solvers.tonari.bitboard import FULL, NONE, ONE, STEPS, WHITE, Words
from solvers.tonari.questions import LadderAnswer, LadderStep, figures
from solvers.tonari.rules import Position
from solvers.tonari.study import STEPS as LADDER

LISTED = 300
"""The most orders of the last step that are listed."""

PAIRS = 6
"""The most pairs of mirrored solutions that are drawn."""

MEMORY = min(800 << 20, ALLOWED // 2)
"""Bytes for two layers of boards. A layer that needs more is not examined."""

_SLICE = 1 << 16
"""Boards of one kernel call, which takes well under a second."""


class Filter(NamedTuple):
    """A mirror of the board that halves the moves while the stones are their own mirror image."""

    table: Words
    """The mirror as one of the kernels' `images`, uint64[8, 256]."""
    upper: int
    """The cells that may be played: of two mirror images the one that comes first in reading
    order."""
    least: int
    """The number of stones from which on the filter applies."""


class BoardLayers:
    """The orders that reach the target, as the boards that they pass, by number of stones.

    If `closed` is set, closed points are never played, and an order ends on a board on which only
    closed points are empty. The boards of a layer are in the order of their least lines, in which a
    depth-first search in reading order would meet them.
    """

    def __init__(self, position: Position, filters: Sequence[Filter], closed: bool) -> None:
        self._position = position
        self._filters = filters
        self._closed = closed
        self._layout = bitboard.layout(position)
        self.total = 0
        self.endings: list[Words] = []
        """For each number of stones, the boards on which an order ends."""
        self._ended: list[NDArray[np.intp]] = []
        self._origins: list[tuple[NDArray[np.int32], NDArray[np.int8]]] = []
        """For each layer but the first, the parent and the cell that each of its boards comes
        from."""

    def run(self) -> Run[bool]:
        """Compute all layers. Return False when one of them needs too much memory."""
        left = int(self._layout[FULL]).bit_count() - self._position.occupied.bit_count()
        boards = np.array([self._position.occupied], np.uint64)
        ways = np.zeros((1, factorial(left).bit_length() // 32 + 1), np.uint32)
        ways[0, 0] = 1
        if rules.doomed(self._position):
            boards, ways = boards[:0], ways[:0]
        for stones in range(left + 1):
            layer = _Layer(len(boards), ways.shape[1])
            if layer.nbytes + boards.nbytes + ways.nbytes > MEMORY:
                return False
            over = np.zeros(len(boards), np.bool_)
            filters = self._active(boards)
            first = 0
            while first < len(boards):
                note = Message("Situations found: {states}.", {"states": layer.count})
                yield Progress(stones, left, note)
                last = min(first + _SLICE, len(boards))
                done, layer.count = follow(
                    self._layout, self._closed, *filters, boards, ways, over, first, last,
                    *layer.arrays, layer.slots, layer.count,
                )  # fmt: skip
                if done < last and not layer.grow(boards.nbytes + ways.nbytes):
                    return False
                first = done
            for word, many in enumerate(ways[over].sum(axis=0, dtype=np.uint64).tolist()):
                self.total += many << (32 * word)
            self.endings.append(boards[over])
            boards, ways, parents, cells = layer.found()
            if self._closed:
                self._ended.append(np.flatnonzero(over))
                self._origins.append((parents, cells))
        return True

    def _active(self, boards: Words) -> tuple[Words, Words]:
        """Return the filters that apply to the boards of a layer as `mirrors` and `upper` of
        `follow`."""
        stones = int(boards[0]).bit_count() if len(boards) else 0
        active = [keep for keep in self._filters if stones >= keep.least]
        mirrors = np.array([keep.table for keep in active], np.uint64).reshape(-1, 8, 256)
        return mirrors, np.array([keep.upper for keep in active], np.uint64)

    def lines(self) -> Iterator[tuple[Cell, ...]]:
        """Yield the least line that leads to each ending. The layers must have been made with
        `closed`."""
        for stones, ended in enumerate(self._ended):
            for index in ended.tolist():
                line: list[Cell] = []
                for parents, played in reversed(self._origins[:stones]):
                    line.append(divmod(int(played[index]), self._position.columns))
                    index = int(parents[index])
                yield tuple(reversed(line))


class _Layer:
    """The layer whose boards are being found, in arrays that grow."""

    def __init__(self, before: int, words: int) -> None:
        room = 1 << max(8, (2 * before).bit_length())
        self.count = 0
        self.slots = np.full(2 * room, -1, np.int32)
        self.arrays = (
            np.empty(room, np.uint64),
            np.zeros((room, words), np.uint32),
            np.empty(room, np.int32),
            np.empty(room, np.int8),
        )
        """The kernel's keys, sums, parents and cells."""

    @property
    def nbytes(self) -> int:
        return self.slots.nbytes + sum(array.nbytes for array in self.arrays)

    def grow(self, beside: int) -> bool:
        """Double the arrays and return True, or return False if they would exceed the memory.

        `beside` is the number of bytes that other arrays use at the same time.
        """
        # The old and the new arrays exist at the same time while they are copied.
        if 3 * self.nbytes + beside > MEMORY:
            return False
        self.arrays = tuple(  # type: ignore[assignment]
            np.concatenate((array, np.zeros_like(array))) for array in self.arrays
        )
        self.slots = np.full(2 * len(self.slots), -1, np.int32)
        bitboard.refill(self.arrays[0], self.slots, 0, self.count)
        return True

    def found(self) -> tuple[Words, NDArray[np.uint32], NDArray[np.int32], NDArray[np.int8]]:
        """Return the filled parts of the arrays."""
        keys, sums, parents, cells = (array[: self.count].copy() for array in self.arrays)
        return keys, sums, parents, cells  # type: ignore[return-value]


def ladder(kind: Kind[Position, Cell], position: Position) -> Run[LadderAnswer]:
    """Count what each step of the study's ladder leaves, from the position on.

    Returns a `LadderAnswer`; progress carries the steps so far. At most `LISTED` orders of the last
    step are listed, in the study's order, and at most `PAIRS` pairs of mirror images are drawn. A
    step has no value where the boards of one layer need more than `MEMORY` bytes, and `note` says
    so. The answer is not proven if the last step has no value. Where there is no solution, `note`
    is the reason, if one is seen without a search.
    """
    counted = yield from kind.questions["count"].ask(kind, position)
    values: list[int | None] = [counted.value if counted.proven else None]
    yield Progress(1, len(LADDER), found=_steps(values))
    filters: list[Filter] = []
    for number in range(2):
        filters += _filters(position, number)
        layers = BoardLayers(position, filters, closed=False)
        values.append(layers.total if (yield from layers.run()) else None)
        yield Progress(len(values), len(LADDER), found=_steps(values))
    last, free = last_step(position), BoardLayers(position, [], closed=True)
    if not ((yield from last.run()) and (yield from free.run())):
        return replace(_steps([*values, None, None]), proven=False, note=_TOO_LARGE)
    lines = sorted(last.lines())
    steps = _steps([*values, last.total, len(lines)])
    images = bitboard.images(position)
    pairs = _mirrored([position.occupied | sum(map(position.bit, line)) for line in lines], images)
    endings = {board for layer in free.endings for board in layer.tolist()}
    different = len({bitboard.least_image(images, np.uint64(board)) for board in endings})
    return replace(
        steps,
        value=Exact(len(lines)),
        moves=tuple(map(kind.write_move, lines[0])) if lines else (),
        note=_TOO_LARGE if None in values else None if lines else rules.obstacle(position),
        tables=(*steps.tables, _true_figures(len(lines), len(pairs), len(endings), different)),
        boards=tuple(_drawn(kind, position, lines, pairs)),
        endings=Exact(len(endings)),
        endings_up_to_symmetry=Exact(different),
        solutions=tuple(" ".join(map(kind.write_move, line)) for line in lines[:LISTED]),
        mirrored=tuple(pair for pair in pairs if max(pair) <= LISTED),
    )


_TOO_LARGE = Message(
    "Steps without a number have too many situations at once for the {megabytes} MB that they may "
    "take.",
    {"megabytes": MEMORY >> 20},
)


def _steps(values: Sequence[int | None]) -> LadderAnswer:
    """Return an answer with the steps that have these values, also as a table."""
    steps = tuple(
        LadderStep(Message(name), Message(text), None if value is None else Exact(value))
        for (name, text), value in zip(LADDER, values)
    )
    head = (Message("Step"), Message("What it leaves out"), Message("Left"))
    missing = Message("not counted")
    rows = tuple((s.name, s.text, missing if s.value is None else s.value) for s in steps)
    return LadderAnswer(
        steps=steps, tables=(AnswerTable(head, rows, Message("The study's ladder")),)
    )


def _true_figures(lines: int, pairs: int, endings: int, different: int) -> AnswerTable:
    """Return the table that compares the study's last figure with the true numbers."""
    return replace(
        figures(
            Message("What is counted"),
            (
                Message("The study's last figure, which it takes for the number up to the mirror"),
                lines,
            ),
            (Message("Pairs of mirror images among them"), pairs),
            (Message("All boards on which only closed points are left"), endings),
            (Message("The same, mirror images counted once: the true number"), different),
        ),
        title=Message("The last figure and the true ones"),
    )


def _mirrored(boards: list[int], images: Words) -> list[tuple[int, int]]:
    """Return the pairs of boards that are mirror images of each other, as numbers from 1."""
    number = {board: i for i, board in enumerate(boards, 1)}
    pairs = {
        (i, j)
        for board, i in number.items()
        for image in images
        if (j := number.get(int(bitboard.image_of(image, np.uint64(board))), i)) > i
    }
    return sorted(pairs)


def _drawn(
    kind: Kind[Position, Cell],
    position: Position,
    lines: list[tuple[Cell, ...]],
    pairs: list[tuple[int, int]],
) -> Iterator[ShownBoard]:
    """Yield the boards of the first mirrored pairs, the two of a pair one after the other."""
    for pair in pairs[:PAIRS]:
        for number, other in (pair, reversed(pair)):
            stage = position
            for move in lines[number - 1]:
                stage = rules.play(stage, move)
            caption = Message(
                "Solution {number} of the study's list: the mirror image of number {other}",
                {"number": number, "other": other},
            )
            yield ShownBoard(kind.write(stage), caption)


def last_step(position: Position) -> BoardLayers:
    """Return the layers of the ladder's last two steps.

    Their `total` is the fourth figure of the ladder, and the number of their `lines` is the fifth.
    """
    filters = [*_filters(position, 0), *_filters(position, 1)]
    return BoardLayers(position, filters, closed=True)


def _filters(position: Position, number: int) -> Iterator[Filter]:
    """Yield the filter of the first or the second diagonal if the target is symmetric to it."""
    last = position.rows - 1

    def image(cell: Cell) -> Cell:
        return (last - cell[1], last - cell[0]) if number else (cell[1], cell[0])

    if position.rows == position.columns and all(
        rules.wants_white(position, cell) == rules.wants_white(position, image(cell))
        for cell in position.cells
    ):
        upper = sum(position.bit(cell) for cell in position.cells if cell <= image(cell))
        # The study tests the second diagonal once there are as many stones as rows.
        yield Filter(bitboard.table_of(position, image), upper, position.rows if number else 0)


# Numba infers the kernel's types: arrays as in the legend, and int64.
@njit(cache=True)
def follow(  # type: ignore[no-untyped-def]
    layout, closed, mirrors, upper, boards, ways, over, first, last,
    keys, sums, parents, cells, slots, count,
):  # fmt: skip
    """Add the boards that follow from the boards `first` to `last`.

    Returns (board, count): the board to continue with, and the number of keys. The call ends early
    when `keys` might not have room for the next board's followers.
    """
    words = ways.shape[1]
    for i in range(first, last):
        if count + 64 > keys.size:
            return i, count
        board = boards[i]
        empty = layout[FULL] & ~board
        moves = bitboard.keeping(layout, board) & bitboard.around(layout, board)
        if closed:
            still_open = empty & bitboard.beside(layout, empty)
            moves &= still_open
            # A closed point becomes black, so an order must not end while a white one is left.
            over[i] = still_open == NONE and empty & layout[WHITE] == NONE
        else:
            over[i] = empty == NONE
        for f in range(upper.size):
            if bitboard.image_of(mirrors[f], board) == board:
                moves &= upper[f]
        while moves != NONE:
            cell = lowest(moves)  # type: ignore[call-arg, var-annotated]
            moves &= moves - ONE
            after = board | (ONE << np.uint64(cell))
            slot = bitboard.find(keys, slots, after)
            j = slots[slot]
            if j < 0:
                if bitboard.lost(layout, STEPS, after, NONE):
                    continue
                j = count
                keys[j] = after
                slots[slot] = j
                parents[j] = i
                cells[j] = cell
                count += 1
            carry = NONE
            for word in range(words):
                carry += np.uint64(sums[j, word]) + np.uint64(ways[i, word])
                sums[j, word] = np.uint32(carry & np.uint64(0xFFFFFFFF))
                carry >>= np.uint64(32)
    return last, count
