"""Fast counts against slow twins from the rules alone, on random boards."""

import os
import random

import numpy as np

from solvers.contract.boards import make_ask
from solvers.kikazu import KIND as KIKAZU
from solvers.kikazu import columns
from solvers.kikazu.rules import PIECES
from solvers.kikazu.rules import Position as Placement
from solvers.kikazu.search import problem_of
from solvers.kind import PuzzleError
from solvers.maxstrings import KIND as MAXSTRINGS
from solvers.maxstrings import reference, transfer
from solvers.maxstrings.rules import merged, score
from solvers.question import finish
from solvers.tonari import KIND as TONARI
from solvers.tonari import rules
from solvers.tonari.rules import Position
from tests.solvers import kikazu_boards

BOARDS = int(os.environ.get("FUZZ_COUNTS", 1000))
"""The boards of each test. `make fuzz` checks more."""
SEED = int(os.environ.get("FUZZ_SEED", 1))


def test_orders_agree_with_the_count_over_sets():
    rng, ask = random.Random(SEED), make_ask(TONARI)
    solvable = 0
    for _ in range(BOARDS):
        rows, columns = rng.choice([(2, 2), (2, 3), (3, 3), (2, 5), (4, 3), (3, 4), (2, 6)])
        starts = sum(1 << bit for bit in rng.sample(range(rows * columns), rng.randint(1, 3)))
        position = Position(rows, columns, 0, starts)
        while moves := list(rules.moves(position)):
            position = rules.play(position, rng.choice(moves))
        white = sum(position.bit(cell) for cell, is_w in rules.colours(position).items() if is_w)
        line = position.placed[: rng.randint(0, len(position.placed))]
        position = Position(rows, columns, white, starts, line)
        if rng.random() < 0.3:
            position = position.painted(white ^ position.bit(rng.choice(list(position.cells))))
        answer = ask("count", position)
        assert answer.value == ask("plain", position).value, TONARI.write(position)
        solvable += answer.value > 0
    assert solvable > BOARDS / 2


def test_the_most_strings_agree_with_all_boards():
    rng = random.Random(SEED)
    compared = 0
    while compared < BOARDS:
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        board = ["".join(rng.choices("..xxoo-#s", k=columns)) for _ in range(rows)]
        if sum(letter in ".s" for row in board for letter in row) > 6:
            continue
        try:
            position = MAXSTRINGS.read("/".join(board))
        except PuzzleError:
            continue
        found = finish(transfer.best_board(merged(position)))
        most = reference.best(MAXSTRINGS, position)
        assert found.bound == (-1 if most is None else most), board
        assert most is None or (found.board and score(found.board) == most), board
        compared += 1


def test_ways_to_place_pieces_agree_with_the_rules():
    """Rooks are placed beforehand, or only their rows are. The bounds hold."""
    rng = random.Random(SEED)
    solvable = 0
    for _ in range(BOARDS):
        rows, width = rng.choice([(3, 3), (3, 4), (4, 3)])
        signs = "".join(rng.choices(".-R" + rng.choice("BKGSNLP"), [40, 4, 1, 1], k=rows * width))
        drawn = rng.choices(PIECES, [3, 2, 1, 1, 1, 1, 1, 2], k=rng.randint(1, 3))
        start = Placement(rows, width, signs, tuple(map(drawn.count, PIECES)))
        number = len(kikazu_boards.reference(start))
        problem = problem_of(start)
        if problem is None:
            assert number == 0
            continue
        rooks, bishops = (piece * drawn.count(piece) for piece in "RB")
        for lines in {0, len(rooks)}:
            boards = columns.boards_of(problem, rooks[lines:] + bishops, columns.MAX_PLACEMENTS)
            by_columns = columns.Transfer(problem, lines=lines, dtype=np.uint64)
            ready = columns.Ready(problem, lines, by_columns, boards, 0)
            assert finish(columns.count(ready, 1 << 64)) == number, KIKAZU.write(start)
            each = finish(columns.results(by_columns, np.concatenate(boards)))
            assert max([0, *each]) <= columns.largest(problem, np.concatenate(boards))
        assert finish(columns.bound(problem)) >= number, KIKAZU.write(start)
        solvable += number > 0
    assert solvable > BOARDS / 2
