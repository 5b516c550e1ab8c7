"""Titles that the site fills in, for puzzles and for assignments.

They are numbered in the same way wherever a title has to be new: in the generator, in the editor,
in the ready collection and in copies.
"""

import re
from collections.abc import Collection, Iterable
from itertools import count, islice

from puzzleclass.accounts.models import User
from puzzleclass.language.reader import say
from puzzleclass.puzzles.models import TITLE_LENGTH, Puzzle
from solvers.registry import AnyKind

NUMBER_SIGN = "#"
"""The character that a pattern of titles has in place of the number."""

# In "1-3" the number is that of a board of the ready collection, and no other board may get it.
_NUMBER = re.compile(r"(?<![0-9])(?<![0-9]-)[0-9]{1,9}$")
_NUMBERING = re.compile(r"[\s\-–・.:#]*(?:[0-9]+-)?[0-9]*$")


def numbered_titles(pattern: str, number: int, taken: Collection[str]) -> list[str]:
    """Return this many titles that are not taken, with the lowest numbers in place of `#`."""
    titles = (pattern.replace(NUMBER_SIGN, str(place)) for place in count(1))
    return list(islice((title for title in titles if title not in taken), number))


def free_title(title: str, taken: Collection[str]) -> str:
    """Return the title if it is not taken, else the title with the next free number.

    >>> free_title("Row", ["Row", "Row 2"])
    'Row 3'
    >>> free_title("Row 1-3", ["Row 1-3"])
    'Row 1-3 2'
    """
    if title not in taken:
        return title
    match = _NUMBER.search(title)
    beginning = title[: match.start()] if match else f"{title} "
    first = int(match[0]) + 1 if match else 2
    numbered = (_with_number(beginning, number) for number in count(first))
    return next(each for each in numbered if each not in taken)


def _with_number(beginning: str, number: int) -> str:
    room = TITLE_LENGTH - len(str(number))
    cut = beginning if len(beginning) <= room else f"{beginning[: room - 1]} "
    return f"{cut}{number}"


def common_title(titles: Iterable[str]) -> str:
    """Return the title that differs only in its number; empty if there is none.

    >>> common_title(["Row 1", "Row 12"])
    'Row'
    """
    stems = {_NUMBERING.sub("", title) for title in titles}
    return stems.pop() if len(stems) == 1 else ""


def titles_of(owner: User) -> set[str]:
    """Return the titles in a library. One query."""
    return set(Puzzle.objects.filter(owner=owner).values_list("title", flat=True))


def kind_pattern(kind: AnyKind) -> str:
    """Return the pattern of the titles that boards of the kind get."""
    return f"{say(kind.name)} {NUMBER_SIGN}"
