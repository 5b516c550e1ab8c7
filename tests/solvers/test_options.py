"""Options: the texts that are read, and the messages about other texts."""

import pytest

from solvers import options
from solvers.kind import BadText

WHOLE = options.whole("", 3, 1, 20)
SPAN = options.span("", "2..4", 1, 99)
CHOICE = options.choice("", {"none": "None", "all": "All"})
SIZE = options.size("", "8x8", 19)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (WHOLE, " 7 ", 7),
        (SPAN, "3..5", [3, 5]),
        (SPAN, "6", [6, 6]),
        (SPAN, "1 .. 99", [1, 99]),
        (CHOICE, "all", "all"),
        (SIZE, "5x6", [5, 6]),
        (SIZE, "19 × 1", [19, 1]),
    ],
)
def test_texts_that_are_read(option, text, value):
    assert option.read(text) == value
    assert option.read(option.write(value)) == value


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        (WHOLE, "0", "“0” is not a whole number from 1 to 20."),
        (WHOLE, "21", "“21” is not a whole number from 1 to 20."),
        (WHOLE, "", "“” is not a whole number"),
        (WHOLE, "9" * 9999, "is not a whole number"),
        (SPAN, "5..3", "From 5 to 3 is in the wrong order."),
        (SPAN, "3..", "“” is not a whole number from 1 to 99."),
        (SPAN, "3..100", "“100” is not"),
        (CHOICE, "some", "“some” is not possible here. Possible: none, all."),
        (SIZE, "8", "“8” is not a size. Write rows x columns, like 8x8."),
        (SIZE, "8x20", "“20” is not a whole number from 1 to 19."),
    ],
)
def test_texts_that_are_refused(option, text, says):
    with pytest.raises(BadText) as fault:
        option.read(text)
    assert says in str(fault.value)


def test_defaults():
    assert (WHOLE.default, CHOICE.default) == ("3", "none")
    assert CHOICE.choices == {"none": "None", "all": "All"}
