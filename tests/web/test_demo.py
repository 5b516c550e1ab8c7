"""The demo's boards: legal, and solved by what is said to solve them."""

import pytest

from puzzleclass.demo.boards import BOARDS
from solvers.kind import split_moves
from solvers.registry import get_kind, kinds

EVERY = [(slug, board) for slug, boards in BOARDS.items() for board in boards]


def test_every_kind_has_several_boards():
    assert BOARDS.keys() == kinds().keys()
    assert min(map(len, BOARDS.values())) >= 6
    titles = [board.title for _, board in EVERY]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("slug", "board"), EVERY, ids=[board.title for _, board in EVERY])
def test_a_board_can_be_given(slug, board):
    kind = get_kind(slug)
    start = kind.read(board.position)
    assert kind.read(kind.write(start)) == start
    assert kind.obstacle(start) is None
    if board.way:
        assert kind.judge(kind.play_line(start, board.way)).solved
        # Its moves in any order: so it is set up by simulated students.
        backwards = " ".join(reversed(split_moves(board.way)))
        assert kind.judge(kind.play_line(start, backwards)).solved
