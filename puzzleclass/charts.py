"""Charts and tables of numbers, as templates/_chart.html and _numbers.html show them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise

from puzzleclass.language import say
from solvers.message import Message

Words = str | Promise
"""A text, or one that is translated when it is shown."""
Value = int | float | Message | Words | None


class NumberTable(NamedTuple):
    """A table whose rows begin with what they are about."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table(head: Sequence[Words], rows: Iterable[Sequence[Value]]) -> NumberTable:
    """Return a table with its values as people read them."""
    return NumberTable(
        tuple(map(str, head)), tuple(tuple(_written(value) for value in row) for row in rows)
    )


def _written(value: Value) -> str:
    if value is None:
        return "–"
    if isinstance(value, Message):
        return say(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


class Line(NamedTuple):
    """A line of a chart; points without a value are left out."""

    label: Words
    points: Iterable[tuple[int, float | None]]
    notes: Mapping[int, str] = {}
    """Place across -> what else is told of the point."""


def chart(
    name: str, title: Words, across: Words, lines: Iterable[Line], *, is_logarithmic: bool = False
) -> dict[str, object]:
    """Return a chart as explore.js draws it."""
    return {
        "name": name,
        "title": str(title),
        "across": str(across),
        "isLogarithmic": is_logarithmic,
        "lines": [
            {
                "label": str(label),
                "points": [
                    {"x": x, "y": y} | ({"note": notes[x]} if x in notes else {})
                    for x, y in points
                    if y is not None
                ],
            }
            for label, points, notes in lines
        ],
    }
