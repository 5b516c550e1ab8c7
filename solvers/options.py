"""The usual options of questions. An option is named, is checked, and has a default.

`solvers.question.Option` describes its fields.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from solvers.answers import BANDS
from solvers.kind import BadText
from solvers.message import gettext_noop
from solvers.question import Option, Pair

ANY = "any"
"""The choice that allows every difficulty."""


def whole(title: str, default: int, least: int, most: int) -> Option:
    """Return an option whose value is a whole number from `least` to `most`."""
    return Option(title, str(default), lambda text: _number(text, least, most))


def many() -> Option:
    """Return the option for the number of puzzles that a generator makes."""
    return whole(gettext_noop("Number of puzzles"), 10, 1, 100)


def solutions(most: int) -> Option:
    """Return the option for the number of solutions of a puzzle. Its value is [least, most], and
    the default is exactly one."""
    option = span(gettext_noop("Number of solutions"), "1", 1, most)
    return replace(
        option,
        choices={
            "1": gettext_noop("exactly one"),
            "2..5": gettext_noop("2 to 5"),
            "1..20": gettext_noop("1 to 20"),
            f"1..{most}": gettext_noop("any number"),
        },
        hint="",
    )


def seed() -> Option:
    """Return the option for the seed of a generator's random numbers."""
    option = whole(gettext_noop("Seed"), 1, 0, 10**9)
    hint = gettext_noop("The same seed gives the same boards again.")
    return replace(option, hint=hint, is_folded=True)


def span(title: str, default: str, least: int, most: int) -> Option:
    """Return an option for a range like `3..5` or a single number. Its value is [first, last]."""

    def read(text: str) -> list[int]:
        first, dots, last = text.strip().partition("..")
        low = _number(first, least, most)
        high = _number(last, least, most) if dots else low
        if low > high:
            raise BadText(
                "From {low} to {high} is in the wrong order. Enter the smaller number first.",
                low=low,
                high=high,
            )
        return [low, high]

    def write(value: list[int]) -> str:
        first, last = value
        return str(first) if first == last else f"{first}..{last}"

    return Option(title, default, read, write=write, pair=Pair("..", least, most))


def choice(title: str, choices: Mapping[str, str], hint: str = "") -> Option:
    """Return an option whose value is one of a few names. The first one is the default."""

    def read(text: str) -> str:
        name = text.strip()
        if name not in choices:
            raise BadText(
                "“{text}” is not possible here. Possible: {names}.",
                text=name[:20],
                names=", ".join(choices),
            )
        return name

    return Option(title, next(iter(choices)), read, choices, hint=hint)


def difficulty(hint: str) -> Option:
    """Return the option for the difficulty of a puzzle: one of `BANDS`, or by default `ANY`."""
    bands = {ANY: gettext_noop("any")} | {name: name for name in BANDS}
    return choice(gettext_noop("Difficulty"), bands, hint)


def size(title: str, default: str, largest: int) -> Option:
    """Return an option for the size of a board, `rows x columns`. Its value is [rows, columns]."""

    def read(text: str) -> list[int]:
        match = re.fullmatch(r"([0-9]{1,4})\s*[xX×]\s*([0-9]{1,4})", text.strip())
        if not match:
            raise BadText(
                "“{text}” is not a size. Write rows x columns, like 8x8.", text=text.strip()[:20]
            )
        return [_number(side, 1, largest) for side in match.groups()]

    def write(value: list[int]) -> str:
        return "x".join(map(str, value))

    return Option(title, default, read, write=write, pair=Pair("x", 1, largest))


def _number(text: str, least: int, most: int) -> int:
    word = text.strip()
    if not re.fullmatch("[0-9]{1,15}", word) or not least <= int(word) <= most:
        raise BadText(
            "“{text}” is not a whole number from {least} to {most}.",
            text=word[:20],
            least=least,
            most=most,
        )
    return int(word)
