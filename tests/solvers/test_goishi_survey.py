"""The survey of random boards, compared with what is known of all boards of a size."""

import math
from itertools import combinations

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.goishi import difficulty
from solvers.kind import PuzzleError
from solvers.registry import get_kind
from tests.questions import board_of

KIND = get_kind("goishi")
ASKED = KIND.questions["survey"]
START = KIND.read(ASKED.position)
ask = make_ask(KIND)


def rows(**options):
    told = {"size": [5, 5], "stones": [4, 14], "boards": 200, "seed": 1} | options
    answer = ask("survey", START, **told)
    assert answer.value == sum(row.boards for row in answer.survey)
    return answer.survey


def test_all_boards_of_three_by_three():
    found = rows(size=[3, 3], stones=[1, 9], boards=126)
    assert all(row.is_all for row in found)
    assert sum(row.boards for row in found) == 511
    assert sum(row.solvable for row in found) == 352
    assert sum(row.unique for row in found) == 9
    assert found[-1].median == 64


def test_more_stones_than_points_are_left_out():
    assert [row.stones for row in rows(size=[2, 2], stones=[3, 9])] == [3, 4]


def test_random_boards_of_five_by_five_are_as_often_solvable_as_known():
    known = {6: 0.159, 8: 0.256, 10: 0.486, 12: 0.796, 14: 0.988}
    for row in rows(stones=[6, 14], boards=400):
        if row.stones in known:
            chance = known[row.stones]
            error = math.sqrt(chance * (1 - chance) / 400)
            assert abs(row.solvable / 400 - chance) < 4 * error
            assert not row.undecided and not row.is_bound and not row.is_all


def test_medians_and_levels_stand_for_solvable_boards_alone():
    (row,) = rows(size=[2, 3], stones=[3, 3])
    boards = [KIND.read(board_of(stones, 2, 3)) for stones in combinations(range(6), 3)]
    counts = sorted(filter(None, (brute.count(KIND, board) for board in boards)))
    assert (row.boards, row.solvable) == (20, len(counts))
    assert row.median == counts[(len(counts) - 1) // 2]
    rated = [ask("rate", board).careful_level for board in boards]
    levels = [level for level in rated if level is not None]
    assert row.careful_level == pytest.approx(sum(levels) / len(levels), abs=0.001)


def test_none_solvable():
    (row,) = rows(size=[19, 19], stones=[5, 5], boards=10, seed=3)
    assert (row.solvable, row.median, row.careful_level) == (0, None, None)


def test_the_same_seed_looks_at_the_same_boards():
    one, other = rows(stones=[8, 9], boards=50), rows(stones=[9, 10], boards=50)
    assert one[1] == other[0]
    assert rows(stones=[8, 9], boards=50, seed=2) != one


def test_a_survey_that_takes_too_long_is_a_bound(monkeypatch):
    monkeypatch.setattr(difficulty, "_SURVEY_NODES", 40)
    (row,) = rows(stones=[14, 14], boards=20)
    assert row.is_bound
    assert row.solvable + row.undecided <= 20


def test_results_appear_as_they_are_found():
    run = ASKED.ask(KIND, START, stones=[3, 5], boards=10)
    seen = [len(progress.found.survey) for progress in run]
    assert sorted(set(seen)) == [0, 1, 2]


def test_more_stones_than_the_board_holds():
    with pytest.raises(PuzzleError, match="than the board has points \\(4\\)"):
        ask("survey", START, size=[2, 2], stones=[5, 6])
