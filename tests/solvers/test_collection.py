"""The kinds' ready collections: readable, graded, counted right, no puzzle twice."""

import re

import pytest

from solvers.answers import BANDS
from solvers.registry import collection, get_kind
from tests.questions import asker

FAMILIAR = 1000
"""Solutions up to which every count is made again here; of the others one in five."""

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


@with_collection
def test_every_puzzle_is_read_as_it_is_written_and_is_to_be_solved(slug):
    kind = get_kind(slug)
    for puzzle in collection(kind):
        position = kind.read(puzzle.position)
        assert kind.write(position) == puzzle.position
        assert not kind.judge(position).solved and list(kind.moves(position))


@with_collection
def test_no_puzzle_is_another_one_turned_or_mirrored(slug):
    def least_image(start: str) -> str:
        board, _, below = start.partition(" ")
        rows = re.sub("[0-9]", lambda digit: " " * int(digit[0]), board).split("/")
        columns = list(map("".join, zip(*rows, strict=True)))
        sides = [[row[::step] for row in way] for way in (rows, columns) for step in (1, -1)]
        return min("/".join(side[::step]) for side in sides for step in (1, -1)) + below

    images = [least_image(puzzle.position) for puzzle in collection(get_kind(slug))]
    assert len(set(images)) == len(images)


@with_collection
def test_the_counts_are_right(slug):
    kind = get_kind(slug)
    for number, puzzle in enumerate(collection(kind)):
        if puzzle.solutions <= FAMILIAR or number % 5 == 0:
            answer = asker(kind)("count", puzzle.position)
            assert answer.proven and answer.value == puzzle.solutions, puzzle.position
            end = kind.play_line(kind.read(puzzle.position), " ".join(answer.moves))
            assert kind.judge(end).solved, puzzle.position


@with_collection
def test_the_difficulties_are_those_of_the_question(slug):
    kind = get_kind(slug)
    for puzzle in collection(kind)[:40:8]:
        rated = asker(kind)("rate", puzzle.position)
        assert rated.band == puzzle.band
        level = rated.missing if kind.score else rated.careful_level
        assert level == pytest.approx(puzzle.difficulty, abs=0.006)
