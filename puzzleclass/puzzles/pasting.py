"""What the paste box says of a text while it is being typed."""

import re
from dataclasses import dataclass

from solvers.kind import PuzzleError, clean
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

AROUND = 2
"""Lines shown before and after a faulty one."""

LONGEST_LINE = 60


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the text, cut in three so that the faulty sign can be marked."""

    number: int
    is_faulty: bool
    before: str
    sign: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text that is a puzzle (`draft` and `facts`), or why it is none (`fault` and `lines`)."""

    draft: str = ""
    picture: Picture | None = None
    facts: tuple[Message, ...] = ()
    obstacle: Message | None = None
    """Why it can't be solved, as far as that is seen without a search."""
    fault: Message | None = None
    lines: tuple[ShownLine, ...] = ()


def check_pasted(kind: AnyKind, text: str) -> Pasted | None:
    """Return what there is to say of a pasted text; None when nothing has been pasted."""
    if not text.strip():
        return None
    try:
        start = kind.start(kind.read(text))
    except PuzzleError as error:
        return Pasted(fault=error.message, lines=_faulty_lines(text, error))
    draft, obstacle = kind.write_start(start), kind.obstacle(start)
    return Pasted(draft, kind.draw(start), kind.facts(start), obstacle)


def _faulty_lines(text: str, error: PuzzleError) -> tuple[ShownLine, ...]:
    """Return the faulty line and its neighbours; none when the fault is in no line."""
    place = error.place
    if place.line is None:
        return ()
    # A slash ends a row as a new line does, and rows are what kinds count.
    rows = re.split("[/\n]", clean(text))
    first = max(place.line - AROUND, 1)
    return tuple(
        _shown(number, row, place.column if number == place.line else None, number == place.line)
        for number, row in enumerate(rows[first - 1 : place.line + AROUND], first)
    )


def _shown(number: int, row: str, column: int | None, is_faulty: bool) -> ShownLine:
    if len(row) > LONGEST_LINE:
        row = row[:LONGEST_LINE] + "…"
    if column is None or column > len(row):
        return ShownLine(number, is_faulty, row)
    return ShownLine(number, is_faulty, row[: column - 1], row[column - 1], row[column:])
