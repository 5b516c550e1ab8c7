"""Charts and tables of numbers for templates/_chart.html and templates/_numbers.html."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise

from puzzleclass.language.reader import say
from solvers.message import Message

Words = str | Promise
"""A text, or a text that is translated when it is shown."""
Value = int | float | Message | Words | None


class NumberTable(NamedTuple):
    """A table of numbers in which each row begins with its heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table(head: Sequence[Words], rows: Iterable[Sequence[Value]]) -> NumberTable:
    """Return a table with its values formatted for people."""
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


class Curve(NamedTuple):
    """A line of a chart. Points without a value are left out."""

    label: Words
    points: Iterable[tuple[int, float | None]]
    notes: Mapping[int, str] = {}
    """Value on the horizontal axis -> an additional text about the point."""


def chart(
    name: str, title: Words, across: Words, lines: Iterable[Curve], *, is_logarithmic: bool = False
) -> dict[str, object]:
    """Return a chart in the form that explore.js draws."""
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
