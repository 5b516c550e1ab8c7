"""Charts and tables of numbers for templates/_chart.html and templates/_numbers.html."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
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
        tuple(map(str, head)), tuple(tuple(written(value) for value in row) for row in rows)
    )


def written(value: Value) -> str:
    """Return a value as people write it, in the reader's language."""
    if value is None:
        return "–"
    if isinstance(value, Message):
        return say(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def round_half_up(number: int, divisor: int) -> int:
    """Return the quotient, rounded to a whole number.

    >>> round_half_up(5, 2)
    3
    """
    return (2 * number + divisor) // (2 * divisor)


class Curve(NamedTuple):
    """A line of a chart. Points without a value are left out."""

    label: Words
    points: Iterable[tuple[int, float | None]]
    notes: Mapping[int, str] = {}
    """Value on the horizontal axis -> an additional text about the point."""


def chart(
    name: str, title: Words, across: Words, lines: Iterable[Curve], *, is_logarithmic: bool = False
) -> dict[str, object]:
    """Return a chart in the form that charts.js draws."""
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


class Bar(NamedTuple):
    """A bar of a chart, and the part of it that is filled."""

    label: str
    value: int
    part: int


class DrawnBar(NamedTuple):
    """A bar with its place in the picture. Texts are empty where there is no room for them."""

    label: str
    number: str
    value: int
    middle: int
    left: int
    width: int
    top: int
    height: int
    part_top: int
    part_height: int


class BarChart(NamedTuple):
    """A chart of bars for templates/_bars.html, drawn without a script, also on paper."""

    title: str
    bars: tuple[DrawnBar, ...]
    width: int
    height: int = 140
    floor: int = 118
    """The height at which the bars stand. Numbers have room above them, labels below."""


def bar_chart(title: Words, bars: Iterable[Bar], width: int = 480) -> BarChart:
    """Return a chart of the bars. The highest one takes the whole height."""
    bars, chart = list(bars), BarChart(str(title), (), width)
    most = max((bar.value for bar in bars), default=0) or 1
    place = chart.width / max(len(bars), 1)
    each_label, each_number = ceil(44 / place), ceil(10 * len(str(most)) / place)
    drawn = []
    for at, bar in enumerate(bars):
        width = min(96, round(0.7 * place))
        middle = round((at + 0.5) * place)
        height, part = (ceil(95 * value / most) for value in (bar.value, bar.part))
        drawn.append(
            DrawnBar(
                label="" if at % each_label else bar.label,
                number="" if at % each_number else str(bar.value),
                value=bar.value,
                middle=middle,
                left=middle - width // 2,
                width=width,
                top=chart.floor - height,
                height=height,
                part_top=chart.floor - part,
                part_height=part,
            )
        )
    return chart._replace(bars=tuple(drawn))
