"""The introductions: each tiny board can be solved, and its slip goes against a rule."""

import pytest

from solvers.kind import IllegalMove, split_moves
from solvers.registry import kinds, load
from tests import brute

KINDS = [*kinds().values(), load("solvers._template_sequence")]
BOARDS = [(kind, number) for kind in KINDS for number in range(len(kind.introduction))]

MOST_MOVES = 6
"""That are left to be made: all five boards together take a minute."""

every_board = pytest.mark.parametrize(
    ("kind", "number"), BOARDS, ids=lambda value: getattr(value, "slug", value)
)


def solutions(kind, position) -> int:
    return brute.twin(kind, "count")(kind, position)


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.slug)
def test_a_kind_of_ours_has_five_boards_and_a_line_with_its_aim(kind):
    assert len({board.position for board in kind.introduction}) == 5
    assert 0 < len(kind.aim) <= 80


@every_board
def test_a_board_is_unsolved_and_is_solved_in_a_few_moves(kind, number):
    board = kind.introduction[number]
    position = kind.read(board.position)
    assert kind.write(position) == board.position
    assert not kind.judge(position).solved
    assert solutions(kind, position)
    assert _fewest(kind, position) <= MOST_MOVES


def _fewest(kind, position) -> int:
    """Return the number of moves of a shortest solution, walking through all boards in turn."""
    boards = [position]
    for moves in range(MOST_MOVES + 1):
        if any(kind.judge(board).solved for board in boards):
            return moves
        after = [kind.play(board, move) for board in boards for move in kind.moves(board)]
        boards = list(
            {kind.draw(board).text + str(_turn(kind, board)): board for board in after}.values()
        )
    return MOST_MOVES + 1


def _turn(kind, position) -> object:
    """What counts besides the picture: where a way goes on from, and from where it came."""
    return kind.line(position)[-2:] if kind.family == "sequence" else None


@every_board
def test_the_slip_goes_against_the_rule_with_its_last_move(kind, number):
    board = kind.introduction[number]
    position = kind.read(board.position)
    *first, last = split_moves(board.slip) or [""]
    if not last:
        return
    position = kind.play_line(position, " ".join(first))
    assert not kind.judge(position).faults
    try:
        slipped = kind.play(position, kind.read_move(last))
    except IllegalMove:
        return
    assert kind.judge(slipped).faults or not solutions(kind, slipped)


def test_most_boards_have_a_slip():
    for kind in kinds().values():
        assert sum(bool(board.slip) for board in kind.introduction) >= 4
