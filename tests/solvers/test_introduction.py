"""The introductions of this project's kinds. `solvers.contract` tests each of their boards."""

import pytest

from solvers.registry import kinds


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.slug)
def test_a_kind_of_ours_has_five_boards_and_a_line_with_its_aim(kind):
    assert len({board.position for board in kind.introduction}) == 5
    assert kind.aim


def test_most_boards_have_a_slip():
    for kind in kinds().values():
        assert sum(bool(board.slip) for board in kind.introduction) >= 4


def test_a_finger_shows_the_way_on_each_board():
    for kind in kinds().values():
        assert all(board.solution for board in kind.introduction)
