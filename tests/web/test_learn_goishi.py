"""The page on Goishi Hiroi: the census of all boards up to 5x5, and what the poster asked."""

from copy import copy

import pytest

from bench.learn.goishi_census import WAYS, Census, census
from puzzleclass.learn.figures import GoishiCensus, stored
from solvers.question import finish
from solvers.registry import get_kind

KIND = get_kind("goishi")


def ask(question: str, board: str):
    return finish(KIND.questions[question].ask(KIND, KIND.read(board)))


# The census


@pytest.fixture(scope="module")
def small() -> Census:
    return Census(4)


@pytest.fixture(scope="module")
def kept() -> GoishiCensus:
    return stored(GoishiCensus).figures


def test_totals_that_other_programs_found():
    for rows, columns, solvable, unique, solutions in (
        (3, 3, 352, 9, 2121),
        (3, 4, 2718, 24, 30834),
        (4, 3, 2718, 24, 30834),
        (4, 4, 44571, 416, 1314696),
    ):
        ways = census(rows, columns, WAYS)
        assert ((ways > 0).sum(), (ways == 1).sum(), ways.sum()) == (solvable, unique, solutions)


def test_each_board_as_the_kind_counts_and_rates_it(small):
    small.check(300)
    wrong = copy(small)
    wrong.ways = small.ways + 1
    with pytest.raises(AssertionError):
        wrong.check(300)


def test_boards_up_to_symmetry_and_without_empty_lines(small):
    """Burnside's numbers, against the images of every board."""
    for stones in list(small.stones())[:8]:
        masks = [mask for mask in range(1, 1 << 16) if mask.bit_count() == stones.stones]
        kinds: dict[int, int] = {small.simplest(mask): int(small.ways[mask]) for mask in masks}
        assert stones.different.boards == len(kinds)
        assert stones.different.solvable == sum(ways > 0 for ways in kinds.values())
        assert stones.different.unique == sum(ways == 1 for ways in kinds.values())
    whole = [stones.up_to_symmetry.boards for stones in small.stones()]
    assert whole == [3, 21, 77, 252, 567, 1051, 1465, 1674, 1465, 1051, 567, 252, 77, 21, 3, 1]


def test_the_stored_census_is_what_the_bench_computes(small, kept):
    sizes = [each for each in kept.sizes if each.columns <= 4]
    assert sizes == list(small.sizes())
    assert kept.smallest_unique == small.smallest_unique()


def test_the_stored_census_adds_up(kept):
    largest = kept.sizes[-1]
    assert (largest.rows, largest.columns, largest.all.boards) == (5, 5, 2**25 - 1)
    for name in ("boards", "solvable", "unique"):
        assert sum(getattr(row.all, name) for row in kept.stones) == getattr(largest.all, name)
    assert sum(row.solutions for row in kept.stones) == largest.solutions
    for row in kept.stones:
        assert sum(row.bands) == row.all.solvable
        assert row.all.solvable <= row.solutions
        assert 8 * row.up_to_symmetry.boards >= row.all.boards >= row.up_to_symmetry.boards
        assert row.different.boards <= row.up_to_symmetry.boards


def test_no_board_of_two_to_six_or_of_more_than_fifteen_stones_is_unique(kept):
    assert [row.stones for row in kept.stones if row.all.unique] == [1, *range(7, 16)]


def test_the_boards_it_names_are_what_it_says(kept):
    for row in kept.stones:
        assert int(ask("count", row.richest).value) == row.most
        for hard in (row.hardest, *row.hardest_unique):
            found = ask("rate", hard.board)
            assert hard.board.count("o") == row.stones
            assert found.solutions == hard.solutions
            assert found.careful_level == pytest.approx(hard.careful_level, abs=1e-3)
            assert found.random_level == pytest.approx(hard.random_level, abs=1e-3)
        assert all(hard.solutions == 1 for hard in row.hardest_unique)
    assert [int(ask("count", board).value) for board in kept.smallest_unique] == [1, 1, 1]
