"""The non-attacking pieces: the list of solutions, what they have in common, and their clues."""

from collections import Counter
from itertools import combinations

import pytest

from solvers.answers import Answer
from solvers.contract.boards import make_ask
from solvers.kikazu import KIND
from solvers.kikazu.clues import SmallestSets
from solvers.kikazu.rules import PIECES
from solvers.kikazu.solutions import all_solutions
from solvers.kind import split_moves
from solvers.question import finish
from solvers.solutions import MAX_SOLUTIONS
from tests.solvers.kikazu_boards import FULL_SET, board

ask = make_ask(KIND)


def every_solution(position: str) -> list[dict[tuple[int, int], str]]:
    """Return all solutions as dictionaries from cell (from 0) to piece."""
    lines = ask("solutions", position, limit=MAX_SOLUTIONS).solutions
    read = [[KIND.read_move(text) for text in split_moves(line)] for line in lines]
    return [{move.cell: move.piece for move in line} for line in read]


@pytest.fixture(scope="module")
def full_set():
    return every_solution(FULL_SET)


FIXED = {
    "R": "11 37",
    "B": "83 85",
    "G": "00 28",
    "N": "53 55",
    "P": "20 22 26 42 44 46 48 62 64 66 73 75 82 84 86",
}
"""The pieces that the study finds fixed: row and column from 0, mirror images left out."""


def test_what_the_solutions_have_in_common(full_set):
    # One of a board and its mirror image has the rook at 2,2.
    answer = ask("common", f"{FULL_SET} | R 2,2")
    assert (answer.value, answer.occupied) == (1860, 39)
    ways = [way for way in full_set if way.get((1, 1)) == "R"]
    assert (len(full_set), len(ways)) == (3720, 1860)
    fixed = {(move.cell, move.piece) for move in map(KIND.read_move, answer.fixed)}
    fixed.add(((1, 1), "R"))
    assert fixed == set.intersection(*(set(way.items()) for way in ways))
    assert fixed == {
        ((int(cell[0]), int(cell[1])), piece)
        for piece, listed in FIXED.items()
        for cell in listed.split()
    }
    assert len(set.intersection(*(set(way) for way in ways))) == 39
    assert sorted(Counter(map(frozenset, ways)).values()) == skeletons_of(answer) == [930, 930]
    # A lance is the topmost piece of its column, so it replaces a pawn with nothing ahead.
    without_lances = ask("common", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N22P | R 2,2")
    assert without_lances.value == 2520
    assert without_lances.tables[0].rows == ((1, 12), (2, 288), (3, 1080), (4, 960), (5, 180))
    assert answer.value == 960 + 5 * 180
    assert set(without_lances.fixed) - set(answer.fixed) == {"P 1,3"}
    skeletons = ask("common", "9/9/9/9/9/9/9/9/9 2R2B4N32P")
    assert skeletons.skeletons == len(skeletons_of(skeletons)) == 2 * 13
    for shown in skeletons.boards[-26:]:
        assert KIND.judge(KIND.read(shown.position)).solved
    assert ask("common", FULL_SET.replace("18P", "17P")).value is None


def skeletons_of(answer: Answer) -> list[int]:
    """Return the number of solutions of each skeleton that the answer shows."""
    captions = [board.caption.values for board in answer.boards]
    return [values["solutions"] for values in captions if "solutions" in values]


@pytest.mark.parametrize("position", ["1-1/3/3 3GS", "4/4/4/4 2R2B", "5/5/5 2K", FULL_SET])
def test_mirror_images_are_solutions_of_their_own(position):
    """What the solutions have in common does not depend on which of two mirror images is taken."""
    answer, ways = ask("common", position), every_solution(position)
    assert answer.value == len(ways)
    fixed = {(move.cell, move.piece) for move in map(KIND.read_move, answer.fixed)}
    assert fixed == set.intersection(*(set(way.items()) for way in ways))
    assert answer.occupied == len(set.intersection(*(set(way) for way in ways)))


def test_solutions_come_in_pages(full_set):
    page = ask("solutions", FULL_SET, first=3719, limit=50)
    assert (page.value, page.proven, page.more) == (3720, True, False)
    assert len(page.solutions) == 2
    for line in page.solutions:
        assert KIND.judge(KIND.play_line(KIND.read(FULL_SET), line)).solved
    assert ask("solutions", FULL_SET, first=1, limit=2).more
    too_many = ask("solutions", FULL_SET.replace("18P", "17P"))
    assert (too_many.value, too_many.proven) == (MAX_SOLUTIONS + 1, False)
    assert too_many.note
    none = ask("solutions", board(4, 4, "9R"))
    assert (none.value, none.solutions) == (0, ())
    one = ask("solutions", KIND.play_line(KIND.read("3/3/3 P"), "P 1,1"))
    assert (one.value, one.solutions) == (1, ("",))


def test_the_fewest_clues():
    answer = ask("clues", FULL_SET)
    assert answer.value == 5
    assert answer.tables[0].rows == ((5, 2 * 700), (6, 2 * 1160))
    for shown in answer.boards:
        start = KIND.read(shown.position)
        assert sum(sign in PIECES for sign in start.given) == shown.caption.values["number"]
        assert ask("count", start).value == 1
    for position in (FULL_SET.replace("18P", "17P"), board(4, 4, "9R")):
        assert (ask("clues", position).value, ask("clues", position).proven) == (None, False)


def test_the_fewest_clues_against_exhaustive_search():
    for position in (board(5, 5, "RBNKG2S2L5P"), board(3, 3, "KP"), board(4, 3, "2GN")):
        ways = [set(way.items()) for way in every_solution(position)]
        least = Counter(
            next(
                size
                for size in range(10)
                for clues in combinations(sorted(way), size)
                if sum(way_too.issuperset(clues) for way_too in ways) == 1
            )
            for way in ways
        )
        assert dict(ask("clues", position).tables[0].rows) == least


def test_the_only_solution_needs_no_clue():
    problem = KIND.read(board(6, 6, "2R2B4N10P"))
    first = finish(all_solutions(problem))[:1]
    assert finish(SmallestSets(first).smallest(0)) == ()
