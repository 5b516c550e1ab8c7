"""Fast counts against slow twins from the rules alone, on random boards."""

import os
import random

from solvers.contract.boards import make_ask
from solvers.kind import PuzzleError
from solvers.maxstrings import KIND as MAXSTRINGS
from solvers.maxstrings import reference, transfer
from solvers.maxstrings.rules import merged, score
from solvers.question import finish
from solvers.tonari import KIND as TONARI
from solvers.tonari import rules
from solvers.tonari.rules import Position

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
