"""The non-attacking pieces: generated puzzles have the properties that were asked for."""

import re

import pytest

from solvers.contract.boards import make_ask
from solvers.kikazu import KIND
from solvers.kikazu.questions import BOARDS, OWN, STYLES
from solvers.kikazu.rules import PIECES, Position, mirrored
from solvers.kind import PuzzleError
from tests.solvers.kikazu_boards import FULL_SET, board

ask = make_ask(KIND)


def without_clue(start: Position, index: int) -> Position:
    hand = list(start.stock)
    hand[PIECES.index(start.given[index])] += 1
    given = start.given[:index] + "." + start.given[index + 1 :]
    return Position(start.rows, start.columns, given, tuple(hand))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("position", [board(5, 5, "RBNKG2S2L5P"), board(6, 4, "2K3GN2P")])
def test_new_puzzles_keep_their_promises(style, position):
    answer = ask("generate", position, many=4, seed=3, style=style, solutions=[1, 2])
    again = ask("generate", position, many=4, seed=3, style=style, solutions=[1, 2])
    assert answer == again
    assert answer.value == len(answer.boards) > 0
    starts = [KIND.read(puzzle.position) for puzzle in answer.boards]
    assert len({frozenset((start.given, mirrored(start))) for start in starts}) == len(starts)
    for start, puzzle in zip(starts, answer.boards):
        number = ask("count", start).value
        assert puzzle.solutions == number
        assert 1 <= number <= 2
        clues = [index for index, sign in enumerate(start.given) if sign in PIECES]
        assert puzzle.clues == len(clues)
        for index in clues:
            assert ask("count", without_clue(start, index)).value > 2
        if style == "silhouette":
            assert start.given.count(".") == sum(start.stock)


def test_new_puzzles_from_the_full_set():
    answer = ask("generate", FULL_SET, many=2, seed=5)
    assert answer.value == 2
    for puzzle in answer.boards:
        assert ask("count", puzzle.position).value == 1
    for clues in (6, 20):
        several = ask("generate", FULL_SET, many=1, seed=5, clues=clues)
        assert several.boards[0].clues == clues


def test_new_puzzles_of_a_difficulty():
    answer = ask("generate", board(4, 4, "RBKGSL2P"), many=2, band="easy", solutions=[1, 2])
    assert answer.value
    for puzzle in answer.boards:
        assert puzzle.band == "easy"
        assert ask("rate", puzzle.position).band == "easy"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"style": "upside down"}, "no style “upside down”"),
        ({"band": "impossible"}, "no difficulty “impossible”"),
        ({"solutions": [0, 1]}, "the smaller bound first"),
        ({"solutions": [3, 2]}, "the smaller bound first"),
        ({"clues": 40}, "Pieces to be given: 40. The hand has only 40"),
        ({"clues": -1}, "Pieces to be given: -1"),
        ({"style": "maximum", "piece": "?"}, "“?” is not a piece"),
    ],
)
def test_options_that_cannot_be_met(options, says):
    with pytest.raises(PuzzleError, match=re.escape(says)):
        ask("generate", FULL_SET, **options)


@pytest.mark.parametrize(
    ("position", "options"),
    [(board(4, 4, "RBG2N5P"), {}), (board(4, 4, "9R"), {"style": "maximum", "piece": "G"})],
)
def test_no_puzzles_where_the_pieces_do_not_fit(position, options):
    answer = ask("generate", position, **options)
    assert (answer.value, answer.proven) == (0, False)
    assert answer.note


@pytest.mark.parametrize("board", [name for name in BOARDS if name != OWN])
def test_new_puzzles_from_ready_boards(board):
    answer = ask("generate", "3/3/3 P", board=board, many=2)
    assert answer.value == 2
    for puzzle in answer.boards:
        start = KIND.read(puzzle.position)
        assert f"{start.rows}x{start.columns}" == board
        assert ask("count", start).value == 1


def test_options_that_cannot_be_met_are_refused_before_they_wait():
    question = KIND.questions["generate"]
    too_many = KIND.read(FULL_SET.replace("18P", "19P"))
    with pytest.raises(PuzzleError, match="The hand has only 40"):
        question.refuse_impossible(KIND.read(FULL_SET), clues=40)
    with pytest.raises(PuzzleError, match="40 pieces are the most"):
        question.refuse_impossible(too_many)
    question.refuse_impossible(too_many, board="9x9")
    question.refuse_impossible(too_many, style="maximum")
