"""The ready-made collections of the kinds: readable, graded, counted correctly, without
duplicates."""

import pytest

from solvers.answers import BANDS
from solvers.contract.boards import make_ask
from solvers.registry import collection, get_kind

FAMILIAR = 1000
"""The most solutions with which every count is repeated here. Of the other puzzles, every fifth is
counted again."""

with_collection = pytest.mark.parametrize("slug", ["goishi", "kikazu", "maxstrings", "tonari"])


@with_collection
def test_a_hundred_puzzles_and_more_in_levels_from_easy_to_hard(slug):
    puzzles = collection(get_kind(slug))
    assert len(puzzles) >= 100
    levels = [puzzle.level for puzzle in puzzles]
    assert levels == sorted(levels) and set(levels) == set(range(1, levels[-1] + 1))
    assert len(set(map(levels.count, levels))) == 1
    assert [p.difficulty for p in puzzles] == sorted(p.difficulty for p in puzzles)
    bands = [BANDS.index(puzzle.band) for puzzle in puzzles]
    assert bands == sorted(bands) and set(bands) == set(range(len(BANDS)))


@with_collection
def test_one_solution_where_the_kind_allows_it(slug):
    unique = sum(puzzle.solutions == 1 for puzzle in collection(get_kind(slug)))
    assert unique == len(collection(get_kind(slug))) if slug != "tonari" else unique >= 50


@pytest.mark.thorough
@with_collection
def test_the_counts_are_right(slug):
    kind = get_kind(slug)
    for number, puzzle in enumerate(collection(kind)):
        if puzzle.solutions <= FAMILIAR or number % 5 == 0:
            answer = make_ask(kind)("count", puzzle.position)
            assert answer.proven and answer.value == puzzle.solutions, puzzle.position
            end = kind.play_line(kind.read(puzzle.position), " ".join(answer.moves))
            assert kind.judge(end).solved, puzzle.position


@with_collection
def test_the_difficulties_are_those_of_the_question(slug):
    kind = get_kind(slug)
    for puzzle in collection(kind)[:40:8]:
        rated = make_ask(kind)("rate", puzzle.position)
        assert rated.band == puzzle.band
        level = rated.missing if kind.score else rated.careful_level
        assert level == pytest.approx(puzzle.difficulty, abs=0.006)
