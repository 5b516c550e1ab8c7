"""The question `sample`, from the tables of the count: they are made once for all drawings."""

import random
from functools import cache

import numpy as np

from solvers.answers import Exact
from solvers.kind import Kind
from solvers.maxstrings import checkerboard
from solvers.maxstrings.best import has_no_board, upper_bound
from solvers.maxstrings.checkerboard import WORDS, Codes
from solvers.maxstrings.forms import FormTables, count_forms, memory_needed
from solvers.maxstrings.maximum import NO_GOAL, are_forms, goal_of
from solvers.maxstrings.mixed import mixed_solutions
from solvers.maxstrings.rules import Move, Position, merged, moves_to_board, moves_to_form
from solvers.memory import MEMORY, memory_exceeded
from solvers.message import Message
from solvers.question import Run
from solvers.samples import SampleAnswer, answer_of, draw_lines, drawn


def sample(
    kind: Kind[Position, Move], position: Position, *, many: int, seed: int, memory: int = MEMORY
) -> Run[SampleAnswer]:
    """Draw `many` of the solutions that `count` counts. The same seed draws the same solutions.

    The answer is not proven if `memory` bytes do not suffice, if there are too many boards with
    stones that may be joined, or if the wanted number of strings is not known.
    """
    wanted, board = goal_of(position), merged(position)
    if wanted is None:
        is_none = yield from has_no_board(position)
        if is_none:
            return SampleAnswer(Exact(0))
        return SampleAnswer(None, proven=False, note=NO_GOAL)
    rng = random.Random(seed)
    if not are_forms(board):
        return (yield from _mixed(kind, position, wanted, many, rng))
    codes = checkerboard.codes_of(board)
    best = yield from checkerboard.best_form(codes)
    if best is None or best.stones < wanted:
        return SampleAnswer(Exact(0))
    slack = best.stones - wanted
    if memory_needed(codes, slack) + _memory_of_tables(codes, slack) > memory:
        return SampleAnswer(None, proven=False, note=memory_exceeded(memory))
    tables = FormTables()
    counts = yield from count_forms(codes, slack, tables=tables)
    drawing = _FormDrawing(codes, tables, wanted, rng)
    lines = yield from draw_lines(many, lambda: " ".join(moves_to_form(position, drawing.draw())))
    return (yield from answer_of(kind, position, sum(counts.forms), lines))


def _memory_of_tables(codes: Codes, slack: int) -> int:
    """Return how many bytes the tables at the ends of all rows take at most."""
    rows = checkerboard.snake(codes)
    passes = checkerboard.stone_capacity(rows) // 61 + 1
    return passes * len(rows) * WORDS[len(rows[0])] * (1 + 8 * (slack + 1))


class _FormDrawing:
    """The drawing of forms with at least `wanted` stones, row by row."""

    def __init__(self, codes: Codes, tables: FormTables, wanted: int, rng: random.Random) -> None:
        self._codes = codes
        self._rows = checkerboard.snake(codes)
        self._tables = tables
        self._spare = checkerboard.stone_capacity(self._rows) - wanted
        self._rng = rng
        self._choices = cache(self._find_choices)

    def draw(self) -> tuple[tuple[bool, ...], ...]:
        """Return a form, each with the same chance."""
        word, spare = np.ones(len(self._rows[0]), np.uint8), self._spare
        stands = []
        for number, row in enumerate(self._rows):
            choices, numbers = self._choices(number, word.tobytes(), spare)
            bits, cost = drawn(self._rng, choices, numbers)
            stands.append(checkerboard.stones_of(bits, len(row)))
            word, spare = checkerboard.next_word(word, row, stands[-1]), spare - cost
        return checkerboard.as_board(stands, self._codes)

    def _find_choices(
        self, number: int, word: bytes, spare: int
    ) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the rows that may follow a word, as bits with their costs, and the number of ways
        behind each."""
        laid = checkerboard.next_rows(np.frombuffer(word, np.uint8), self._rows[number])
        assert laid is not None  # only words with ways are drawn
        costs, ranks, bits = laid
        numbers = self._tables.numbers(number, ranks, spare - costs.astype(np.int64))
        return list(zip(bits.tolist(), costs.tolist())), numbers


def _mixed(
    kind: Kind[Position, Move], position: Position, wanted: int, many: int, rng: random.Random
) -> Run[SampleAnswer]:
    """Draw solutions on a board on which not all of them are forms."""
    board = merged(position)
    if (yield from upper_bound(board)) < wanted:
        return SampleAnswer(Exact(0))
    solutions = yield from mixed_solutions(board, wanted)
    if solutions is None:
        note = Message("There are too many boards with these stones to count the solutions.")
        return SampleAnswer(None, proven=False, note=note)
    if not solutions.number:
        return SampleAnswer(Exact(0))
    lines = yield from draw_lines(
        many, lambda: " ".join(moves_to_board(position, solutions.draw(rng)))
    )
    return (yield from answer_of(kind, position, solutions.number, lines))
