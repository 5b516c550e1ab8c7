"""The text of pictures."""

import re

import pytest

from solvers.message import Message
from solvers.picture import Line, Picture, Rect, Text, to_svg


@pytest.mark.parametrize("zero", [-0.0, -0.001, 0.0, 0])
def test_zero_is_written_alike_whatever_its_sign_and_type(zero):
    line = Line(zero, 1.5, 7, 2.25, "grid")
    drawn = to_svg(Picture(40, 40, Message("A picture"), "", (line,)), str)
    assert "-0" not in drawn and "1.5" in drawn


def test_coordinates_are_smaller_than_elsewhere_beside_the_numbers_of_a_puzzle():
    def size(*numbers: Text) -> float:
        board = Rect(0, 0, 160, 160, "board")
        drawn = Picture(160, 160, Message("4 × 4"), "", (board, *numbers))
        return float(re.findall(r'class="axes" font-size="([\d.]+)"', to_svg(drawn, axes=True))[0])

    assert size(Text(20, 20, "3", "clue")) == size()
    assert size(Text(-10, 20, "3", "clue")) < 0.7 * size()
