"""A board while it is being drawn or pasted, with the steps that lead to it.

The server keeps nothing of it: all of it travels in the form's fields, so a draft can't
expire, two windows can't get into each other's way, and undo works without JavaScript.
"""

import re
from dataclasses import dataclass, replace

from django.http import QueryDict

from puzzleclass.puzzles.goals import with_typed_goal
from puzzleclass.puzzles.models import obstacle_of
from solvers.grid import read_cell
from solvers.kind import BadText, PuzzleError, clean
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

NEW_SIDE = 6
"""Rows and columns of a new board, where the kind allows it."""

STEPS = 40
"""How many steps can be taken back."""

AROUND = 2
"""Lines of a pasted text shown before and after a faulty one."""

LONGEST_LINE = 60
"""Signs of such a line that are shown."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A board being drawn, the chosen brush, and the texts to undo and redo. Never changed."""

    kind: AnyKind
    text: str
    """The board as the kind's editor writes it; it need not be a puzzle yet."""
    brush: str
    past: tuple[str, ...] = ()
    future: tuple[str, ...] = ()
    is_by_student: bool = False

    @property
    def largest(self) -> tuple[int, int]:
        """Rows and columns that it may have at most."""
        editor = self.kind.editor
        return (self.is_by_student and editor.largest_for_students) or editor.largest

    @property
    def rows(self) -> int:
        return self.kind.editor.size(self.text)[0]

    @property
    def columns(self) -> int:
        return self.kind.editor.size(self.text)[1]

    @property
    def is_blank(self) -> bool:
        """Nothing is drawn yet."""
        return self.text == self.clear().text

    @property
    def goal(self) -> str | None:
        """The score to reach as it was typed; None for kinds without a score."""
        return self.kind.score.goal(self.text) if self.kind.score else None

    @property
    def fault(self) -> PuzzleError | None:
        """Why the draft is no puzzle yet; None when it is one."""
        try:
            self.kind.read(self.text)
        except PuzzleError as error:
            return error
        return None

    @property
    def facts(self) -> tuple[Message, ...]:
        """What there is to say of the draft. Raises PuzzleError while it is no puzzle."""
        return self.kind.facts(self.kind.read(self.text))

    @property
    def obstacle(self) -> Message | None:
        """Why the draft can't be solved, as far as that is seen without a search.

        Raises PuzzleError while it is no puzzle.
        """
        return obstacle_of(self.kind, self.kind.read(self.text))

    @property
    def start_text(self) -> str | None:
        """The draft as a puzzle's canonical text, where the worker has to say whether it can be
        solved; None while it is no puzzle, or where that is seen without a search."""
        if self.fault or self.obstacle:
            return None
        return self.kind.write_start(self.kind.read(self.text))

    @property
    def picture(self) -> Picture:
        """The board to draw on, the faulty cell marked."""
        fault = self.fault
        return self.kind.editor.draw(self.text, fault.place.cell if fault else None)

    def paint(self, cell: str) -> "Draft":
        """Set the brush down on `row,column`; on nothing, when no cell is named."""
        if not cell:
            return self
        return self._drawn(self.kind.editor.paint(self.text, read_cell(cell), self.brush))

    def with_goal(self, typed: str) -> "Draft":
        """Set the score to reach; nothing stands for the best there can be."""
        return self._drawn(with_typed_goal(self.kind, self.text, typed))

    def resize(self, rows: str, columns: str) -> "Draft":
        """Cut or extend the board at its right and lower edges."""
        if not (rows.isdecimal() and columns.isdecimal() and len(rows + columns) < 9):
            raise BadText("Rows and columns are whole numbers.")
        return self._drawn(self.kind.editor.resize(self.text, int(rows), int(columns)))

    def clear(self) -> "Draft":
        """Take everything off the board."""
        most_rows, most_columns = self.largest
        # A pasted board may be larger than those the editor offers.
        rows, columns = min(self.rows, most_rows), min(self.columns, most_columns)
        return self._drawn(self.kind.editor.blank(rows, columns))

    def take(self, text: str) -> "Draft":
        """Put a pasted board in the place of this one."""
        return self._drawn(self.kind.write_start(self.kind.read(text)))

    def undo(self) -> "Draft":
        if not self.past:
            return self
        *past, text = self.past
        self.check(text)
        return replace(self, text=text, past=tuple(past), future=(self.text, *self.future))

    def redo(self) -> "Draft":
        if not self.future:
            return self
        text, *future = self.future
        self.check(text)
        return replace(self, text=text, past=(*self.past, self.text), future=tuple(future))

    def after(self, step: str, fields: QueryDict) -> "Draft":
        """Return the draft after a step of a form. Raises PuzzleError when it can't be done."""
        match step:
            case "paint":
                return self.paint(fields.get("move", ""))
            case "resize":
                return self.resize(fields.get("rows", ""), fields.get("columns", ""))
            case "clear":
                return self.clear()
            case "undo":
                return self.undo()
            case "redo":
                return self.redo()
            case "take":
                return self.take(fields.get("text", ""))
            case _:
                raise BadText("The editor does not know this step.")

    def _drawn(self, text: str) -> "Draft":
        if text == self.text:
            return self
        self.check(text)
        return replace(self, text=text, past=(*self.past, self.text)[-STEPS:], future=())

    def check(self, text: str) -> None:
        """Raise PuzzleError unless the text can be this draft's: `check_draft`, and its size."""
        check_draft(self.kind, text)
        most_rows, most_columns = self.largest
        rows, columns = self.kind.editor.size(text)
        if self.is_by_student and (rows > most_rows or columns > most_columns):
            raise BadText(
                "A board can have 1 to {rows} rows and 1 to {columns} columns.",
                rows=most_rows,
                columns=most_columns,
            )


def check_draft(kind: AnyKind, text: str) -> None:
    """Raise PuzzleError unless the editor can go on from the draft.

    A board that is drawn up is as large as the editor offers; one that was pasted may be
    as large as the kind reads.
    """
    rows, columns = kind.editor.size(text)
    try:
        kind.read(text)
    except PuzzleError:
        kind.editor.blank(rows, columns)


def new_draft(kind: AnyKind, text: str = "", *, is_by_student: bool = False) -> Draft:
    """Return the draft an editor opens with: a blank one unless there is a text."""
    most_rows, most_columns = kind.editor.largest
    blank = kind.editor.blank(min(NEW_SIDE, most_rows), min(NEW_SIDE, most_columns))
    brush = next(iter(kind.editor.brushes))
    return Draft(kind, text or blank, brush, is_by_student=is_by_student)


def read_draft(kind: AnyKind, text: str) -> Draft:
    """Return the draft of its own text, or of a board in any format. Raises PuzzleError."""
    if text:
        try:
            text = kind.write_start(kind.read(text))
        except PuzzleError:
            check_draft(kind, text)
    return new_draft(kind, text)


def posted_draft(
    kind: AnyKind, text: str, fields: QueryDict, *, is_by_student: bool = False
) -> Draft:
    """Return the draft of a text with the brush and the steps that its form carries.

    Raises PuzzleError when the text is no draft.
    """
    draft = Draft(
        kind,
        text,
        fields.get("brush", next(iter(kind.editor.brushes))),
        tuple(fields.getlist("past")[-STEPS:]),
        tuple(fields.getlist("future")[:STEPS]),
        is_by_student,
    )
    draft.check(text)
    return draft


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
    """A text that is a puzzle (`picture` and `facts`), or why it is none (`fault` and `lines`)."""

    is_drawn: bool = False
    """It is what the board shows already."""
    picture: Picture | None = None
    facts: tuple[Message, ...] = ()
    obstacle: Message | None = None
    """Why it can't be solved, as far as that is seen without a search."""
    moves: int = 0
    """How many moves have been played on it: the puzzle is the board before them."""
    fault: Message | None = None
    lines: tuple[ShownLine, ...] = ()


def check_pasted(kind: AnyKind, text: str, drawn: str) -> Pasted | None:
    """Return what there is to say of a text pasted beside the draft `drawn`; None for no text."""
    if not text.strip():
        return None
    try:
        position = kind.read(text)
    except PuzzleError as error:
        return Pasted(fault=error.message, lines=_faulty_lines(text, error))
    start, moves = kind.start(position), len(kind.line(position))
    is_drawn = kind.write_start(start) == drawn
    return Pasted(is_drawn, kind.draw(start), kind.facts(start), obstacle_of(kind, start), moves)


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
