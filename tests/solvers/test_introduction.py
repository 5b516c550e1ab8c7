"""The introductions of this project's kinds. `solvers.contract` tests each of their boards."""

import pytest

from solvers.picture import Spot
from solvers.registry import get_kind, kinds


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.slug)
def test_a_kind_of_ours_has_five_boards_and_a_line_with_its_aim(kind):
    assert len({board.position for board in kind.introduction}) == 5
    assert kind.aim


def test_most_boards_have_a_slip():
    for kind in kinds().values():
        assert sum(bool(board.slip) for board in kind.introduction) >= 4


def test_a_stone_is_pressed_until_it_is_gone_with_every_tool():
    kind = get_kind("maxstrings")
    assert "press it until it is gone" in kind.introduction[-1].before
    for tool in kind.tools.names(kind.read("...")):
        for set_before in ("x 1,2", "o 1,2"):
            position, presses = kind.play_line(kind.read(".../..."), set_before), 0
            while position.now[0][1] != ".":
                pressed = next(
                    shape.move
                    for shape in kind.tools.draw(position, tool).shapes
                    if isinstance(shape, Spot) and (shape.row, shape.column) == (0, 1)
                )
                position, presses = kind.play_line(position, pressed), presses + 1
                assert presses <= 2


def test_a_finger_shows_the_way_on_each_board():
    for kind in kinds().values():
        assert all(board.solution for board in kind.introduction)
