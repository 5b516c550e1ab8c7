"""The text of pictures."""

import pytest

from solvers.message import Message
from solvers.picture import Line, Picture, to_svg


@pytest.mark.parametrize("zero", [-0.0, -0.001, 0.0, 0])
def test_zero_is_written_alike_whatever_its_sign_and_type(zero):
    line = Line(zero, 1.5, 7, 2.25, "grid")
    drawn = to_svg(Picture(40, 40, Message("A picture"), "", (line,)), str)
    assert "-0" not in drawn and "1.5" in drawn
