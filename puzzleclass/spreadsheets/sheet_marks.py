"""What the text of a workbook says about its sheets, rows and cells beside their texts.

A workbook becomes a text, which teachers see, correct and send. What the text would lose is written
into it: a line before each sheet of several, a word at the end of a row that is hidden, and a
word in the place of a formula's value that is not stored.
"""

from enum import Enum

from django.utils.translation import gettext as _

from puzzleclass.language import languages

SHEET = "◇"
"""The sign before the name of a sheet, in a line of its own."""


class SheetState(Enum):
    """Why the rows of a sheet are not in the text."""

    SHOWN = ""
    HIDDEN = "hidden"
    CHART = "chart"


def sheet_mark(name: str, state: SheetState = SheetState.SHOWN) -> str:
    """Return the line that stands before the rows of a sheet, or in place of them."""
    words = {
        SheetState.SHOWN: "",
        SheetState.HIDDEN: _("(hidden sheet)"),
        SheetState.CHART: _("(chart)"),
    }
    return "\t".join(filter(None, (f"{SHEET} {name}", words[state])))


def read_sheet_mark(cells: list[str]) -> tuple[str, SheetState] | None:
    """Return the sheet's name and state if the row is the mark of a sheet, else None."""
    if not cells or not cells[0].startswith(f"{SHEET} "):
        return None
    word = next((cell for cell in cells[1:] if cell), "")
    name = cells[0].removeprefix(SHEET).strip()
    if not word:
        return name, SheetState.SHOWN
    if word in languages.in_every("(hidden sheet)"):
        return name, SheetState.HIDDEN
    return (name, SheetState.CHART) if word in languages.in_every("(chart)") else None


def hidden_row_mark() -> str:
    """Return the word at the end of a row that is hidden, by a filter or otherwise."""
    return _("(hidden row)")


def is_hidden_row_mark(cell: str) -> bool:
    """Return whether the cell says that its row is hidden."""
    return cell in languages.in_every("(hidden row)")


def missing_value_mark() -> str:
    """Return the word in the place of a formula's value that is not stored."""
    return _("(formula without a value)")


def is_missing_value_mark(cell: str) -> bool:
    """Return whether the cell says that the value of a formula is not stored."""
    return cell in languages.in_every("(formula without a value)")
