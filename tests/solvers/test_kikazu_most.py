"""The non-attacking pieces: how many pieces fit on a board, and sets that are too large for it."""

from collections import Counter

import pytest

from solvers.contract.boards import make_ask
from solvers.kikazu import KIND
from solvers.kikazu.count import symmetric
from solvers.kikazu.search import Search, problem_of
from solvers.kind import PuzzleError
from tests.solvers.kikazu_boards import FULL_SET, board, middling, reference, run

ask = make_ask(KIND)


def test_forty_pieces_are_the_most():
    answer = ask("most", FULL_SET, piece="P")
    assert (answer.value, answer.proven, answer.pieces) == (18, True, 40)
    assert KIND.judge(KIND.read(answer.boards[0].position)).solved
    too_many = ask("count", FULL_SET.replace("18P", "19P"))
    assert too_many.value == 0
    assert too_many.note.values == {"pieces": 41, "most": 40}
    # No lemma proves this, but a search does.
    by_search = ask("count", board(4, 4, "RBG2N5P"))
    assert by_search.value == 0
    assert by_search.note.values == {"pieces": 10, "letter": "P", "most": 9}
    assert ask("most", board(9, 9, "2R2B4N"), piece="P").value == 32
    assert ask("most", board(9, 9, "2R2B6N"), piece="P").value == 31
    with pytest.raises(PuzzleError):
        ask("most", FULL_SET, piece="Q")


def test_what_the_lemmas_refuse_has_no_solution():
    refused = 0
    for seed in range(800):
        start = middling(seed)
        if KIND.obstacles.obstacle(start):
            refused += 1
            assert run(Search(problem_of(start), fill=False)).total == 0, KIND.write(start)
    assert refused > 20


@pytest.mark.parametrize(
    ("position", "most"),
    [
        (board(9, 9, "2R2B4N33P"), 40),
        (board(9, 9, "2R2B6N32P"), 41),
        (FULL_SET.replace("18P", "19P"), 40),
        (FULL_SET.replace("4N", "5N"), 40),
        ("K8/9/9/9/9/9/9/9/9 2R2BK4G4S4N4L19P", 40),
        (board(4, 4, "5R"), 4),
        (board(3, 4, "7B"), 6),
        (board(5, 5, "10K"), 9),
        (board(5, 5, "R5L"), 4),
    ],
)
def test_sets_that_are_proven_too_large(position, most):
    never = KIND.obstacles.obstacle(KIND.read(position))
    assert never.values["most"] == most
    for name in ("count", "solve"):
        answer = ask(name, position)
        assert (answer.value, answer.proven) == (0, True)
        assert answer.note == never


def test_the_largest_sets_are_not_refused():
    for position in (FULL_SET, board(9, 9, "2R2B6N31P"), board(5, 5, "9K"), board(4, 4, "4R")):
        assert KIND.obstacles.obstacle(KIND.read(position)) is None


@pytest.mark.parametrize("piece", "RBKGSNLP")
def test_most_against_counting_up(piece):
    start = KIND.read(board(4, 3, "G"))
    number = 0
    while number < 12:
        hand = Counter({piece: number + 1}) + Counter("G" if piece != "G" else "")
        text = board(4, 3, "".join(f"{letter}{n}" for letter, n in hand.items()))
        if sum(hand.values()) > 12 or not reference(KIND.read(text)):
            break
        number += 1
    answer = ask("most", start, piece=piece)
    assert (answer.value, answer.proven) == (number, True)
    held = answer.value + (piece != "G")
    assert answer.pieces == held


def test_what_is_not_decided_in_time_is_a_bound():
    answer = ask("most", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L1P", piece="P", seconds=0)
    assert not answer.proven
    assert answer.note.text == "It was not decided in time whether more fit."
    assert symmetric(problem_of(KIND.read(FULL_SET)), nodes=1) is None
