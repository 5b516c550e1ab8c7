"""The transfer from column to column, against the rules, the searches and known numbers."""

import random

import numpy as np
import pytest

from solvers.kikazu import KIND, columns
from solvers.kikazu.count import with_hand
from solvers.kikazu.rules import Position
from solvers.kikazu.search import Search, problem_of
from solvers.question import finish
from tests.solvers.kikazu_boards import board, middling, reference, run


def by_transfer(position: Position, at_most: int = 0) -> int | None:
    ready = finish(columns.prepare(problem_of(position)))
    return finish(columns.count(ready, at_most)) if ready else None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (board(4, 4, "2R2B"), 36),
        (board(5, 3, "KGSNLP"), 10346),
        (board(9, 9, "4K3G2S5N"), 584742929057666019),
    ],
)
def test_known_numbers(text, number):
    problem = problem_of(KIND.read(text))
    at_most = finish(columns.bound(problem))
    assert number <= at_most
    assert by_transfer(KIND.read(text), at_most) == number


@pytest.mark.parametrize(
    ("size", "hand", "highest"),
    [(9, "2R2B2K4G4S4N", 1.3e21), (8, "2K3B4N5P", 1.7e18), (7, "R2BK3G3S2N3L8P", 7.3e12)],
)
def test_bounds_of_boards_with_few_pieces(size, hand, highest):
    at_most = finish(columns.bound(problem_of(KIND.read(board(size, size, hand)))))
    assert at_most <= highest


def test_random_boards_agree_with_the_rules_and_the_search():
    rng = random.Random(3)
    solvable = 0
    for seed in range(150):
        start = middling(seed) if seed % 2 else KIND.sample(rng, 5)
        problem = problem_of(start)
        number = run(Search(problem, fill=False)).total
        if start.rows * start.columns <= 9:
            assert number == len(reference(start))
        assert by_transfer(start) == number, KIND.write(start)
        assert number <= finish(columns.bound(problem)), KIND.write(start)
        solvable += number > 0
    assert solvable > 50


def test_the_most_agrees_with_counting_up():
    for seed in range(30):
        start = middling(seed)
        piece = random.Random(seed).choice(columns.NEAR)
        most = finish(columns.most(problem_of(start), piece))
        for number in range(start.board.count(".") + 1):
            fits = run(Search(problem_of(with_hand(start, piece, number)), fill=False)).total > 0
            assert fits == (number <= most), KIND.write(start)


def test_pawns_and_the_rest_of_a_shogi_set():
    """27 pawns are the most beside two kings, four golds, silvers and knights."""
    assert finish(columns.most(problem_of(KIND.read(board(9, 9, "2K4G4S4N"))), "P")) == 27


def test_a_number_beyond_64_bits():
    text = board(9, 9, "12N6P")
    at_most = finish(columns.bound(problem_of(KIND.read(text))))
    number = by_transfer(KIND.read(text), at_most)
    assert 1 << 64 < number <= at_most
    games = finish(KIND.questions["estimate"].ask(KIND, KIND.read(text)))
    assert abs(games.estimate - number) < 5 * games.error
    rng = random.Random(2)
    for _ in range(1000):
        exact = rng.randrange(1 << rng.randrange(1, 90))
        assert columns.whole(exact % (1 << 64), float(exact) * (1 + 1e-10)) == exact
    assert columns.whole(1, 1e30) is None


def test_random_games_have_the_count_as_their_mean():
    """The deviations from exact counts, in standard errors, are those of a normal variable."""
    deviations = []
    hands = ["5x5 2NKGSP", "6x6 2K2G2S", "6x6 3NK2S", "7x7 B2KGS", "7x7 2K2G2S3N", "8x6 RKG2S2N"]
    for text in hands:
        size, hand = text.split()
        position = KIND.read(board(*map(int, size.split("x")), hand))
        found = finish(KIND.questions["estimate"].ask(KIND, position))
        deviations.append((found.estimate - by_transfer(position)) / found.error)
    assert max(map(abs, deviations)) < 3.5
    assert 0.2 < np.mean(np.square(deviations)) < 3


def test_rows_of_rooks_are_chosen_where_that_is_quicker():
    ready = finish(columns.prepare(problem_of(KIND.read(board(9, 9, "2R2K4G4S4N")))))
    assert ready.lines == 2
    assert ready.seconds < columns.MOST_SECONDS


def test_it_gives_up_before_it_takes_too_long():
    assert by_transfer(KIND.read(board(9, 9, "2R2B2K4G4S4N4L18P"))) is None
    assert by_transfer(KIND.read(board(9, 9, "3R4B"))) is None
