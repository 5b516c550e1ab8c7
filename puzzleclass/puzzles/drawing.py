"""A board while it is being drawn or pasted, with the steps that lead to it.

The server stores no drawing. It travels whole in the form's fields, so it can't expire, two windows
can't get into each other's way, and undo works without JavaScript.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.http import QueryDict

from puzzleclass.puzzles.goals import with_typed_goal
from puzzleclass.puzzles.models import obstacle_of
from solvers.boards import read_boards
from solvers.grid import read_cell
from solvers.kind import BadText, Place, PuzzleError, plain
from solvers.message import Message, gettext_noop
from solvers.picture import Picture
from solvers.registry import AnyKind

NEW_SIDE = 6
"""The number of rows and columns of a new board, if the kind allows them."""

MAX_UNDO_STEPS = 40
"""The number of steps that can be taken back."""

CONTEXT_LINES = 2
"""The number of lines of a pasted text that are shown before and after a faulty one."""

LONGEST_LINE = 60
"""The most characters of such a line that are shown."""


SEVERAL = gettext_noop("This text has {number} boards, but only one can be drawn here.")


SQUARES = range(3, 7)
"""The sides of the square boards that students choose by a picture."""


class Square(NamedTuple):
    """A size that is offered for a board, as a picture of the empty board."""

    side: int
    picture: Picture
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board being drawn, with the chosen brush and the texts for undo and redo. Immutable."""

    kind: AnyKind
    text: str
    """The board as the kind's editor writes it. It need not be a puzzle yet."""
    brush: str
    past: tuple[str, ...] = ()
    future: tuple[str, ...] = ()
    is_by_student: bool = False

    @property
    def largest(self) -> tuple[int, int]:
        """The most rows and the most columns that the drawing may have."""
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
        """Whether nothing is drawn yet."""
        return self.text == self.clear().text

    @property
    def goal(self) -> str | None:
        """The score to reach, as it was typed; None for a kind without a score."""
        return self.kind.score.goal(self.text) if self.kind.score else None

    @property
    def fault(self) -> PuzzleError | None:
        """The reason why the drawing is not a puzzle yet; None if it is one."""
        try:
            self.kind.read(self.text)
        except PuzzleError as error:
            return error
        return None

    @property
    def facts(self) -> tuple[Message, ...]:
        """The facts about the drawing. PuzzleError is raised while it is not a puzzle."""
        return self.kind.facts(self.kind.read(self.text))

    @property
    def obstacle(self) -> Message | None:
        """The reason why the drawing can't be solved, if one is seen without a search.

        PuzzleError is raised while it is not a puzzle.
        """
        return obstacle_of(self.kind, self.kind.read(self.text))

    @property
    def start_text(self) -> str | None:
        """The drawing as canonical text, if only the worker can say whether it can be solved.

        None while the drawing is not a puzzle, or if an obstacle is seen without a search.
        """
        if self.fault or self.obstacle:
            return None
        return self.kind.write_start(self.kind.read(self.text))

    @property
    def picture(self) -> Picture:
        """The board to draw on, with a mark on the faulty cell."""
        fault = self.fault
        return self.kind.editor.draw(self.text, fault.place.cell if fault else None)

    @property
    def squares(self) -> list[Square]:
        """The sizes that students choose by a picture."""
        editor, size = self.kind.editor, (self.rows, self.columns)
        return [
            Square(side, editor.draw(editor.blank(side, side), None), size == (side, side))
            for side in SQUARES
        ]

    def paint(self, cell: str) -> "Drawing":
        """Apply the brush to the cell, given as `row,column`. Without a cell change nothing."""
        if not cell:
            return self
        return self._with_text(self.kind.editor.paint(self.text, read_cell(cell), self.brush))

    def with_goal(self, typed: str) -> "Drawing":
        """Set the score to reach. An empty text stands for the best possible score."""
        return self._with_text(with_typed_goal(self.kind, self.text, typed))

    def resize(self, rows: str, columns: str) -> "Drawing":
        """Cut or extend the board at its right and lower edges."""
        if not (rows.isdecimal() and columns.isdecimal() and len(rows + columns) < 9):
            raise BadText("Rows and columns are whole numbers.")
        return self._with_text(self.kind.editor.resize(self.text, int(rows), int(columns)))

    def clear(self) -> "Drawing":
        """Take everything off the board."""
        most_rows, most_columns = self.largest
        # A pasted board may be larger than the boards that the editor offers.
        rows, columns = min(self.rows, most_rows), min(self.columns, most_columns)
        return self._with_text(self.kind.editor.blank(rows, columns))

    def take(self, text: str) -> "Drawing":
        """Replace the board with a pasted one. Raise PuzzleError if there is not one board."""
        if number := boards_in(self.kind, text):
            raise BadText(SEVERAL, number=number)
        return self._with_text(self.kind.write_start(self.kind.read(text)))

    def undo(self) -> "Drawing":
        if not self.past:
            return self
        *past, text = self.past
        self.check(text)
        return replace(self, text=text, past=tuple(past), future=(self.text, *self.future))

    def redo(self) -> "Drawing":
        if not self.future:
            return self
        text, *future = self.future
        self.check(text)
        return replace(self, text=text, past=(*self.past, self.text), future=tuple(future))

    def after(self, step: str, fields: QueryDict) -> "Drawing":
        """Return the drawing after a step of the form. Raise PuzzleError if it can't be done."""
        step, _space, side = step.partition(" ")
        match step:
            case "paint":
                return self.paint(fields.get("move", ""))
            case "square":
                return self.resize(side, side)
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
                raise BadText("The editor can't do this.")

    def _with_text(self, text: str) -> "Drawing":
        if text == self.text:
            return self
        self.check(text)
        return replace(self, text=text, past=(*self.past, self.text)[-MAX_UNDO_STEPS:], future=())

    def check(self, text: str) -> None:
        """Raise PuzzleError if the text fails `check_drawing`, or is too large for a student."""
        check_drawing(self.kind, text)
        most_rows, most_columns = self.largest
        rows, columns = self.kind.editor.size(text)
        if self.is_by_student and (rows > most_rows or columns > most_columns):
            raise BadText(
                "A board can have 1 to {rows} rows and 1 to {columns} columns.",
                rows=most_rows,
                columns=most_columns,
            )


def check_drawing(kind: AnyKind, text: str) -> None:
    """Raise PuzzleError unless the editor can go on from the drawing.

    A puzzle may have any size that the kind reads, because it may have been pasted. A drawing that
    is not a puzzle yet may be as large as the editor offers.
    """
    rows, columns = kind.editor.size(text)
    try:
        kind.read(text)
    except PuzzleError:
        kind.editor.blank(rows, columns)


def new_drawing(kind: AnyKind, text: str = "", *, is_by_student: bool = False) -> Drawing:
    """Return the drawing that an editor opens with. It is blank unless there is a text."""
    most_rows, most_columns = kind.editor.largest
    blank = kind.editor.blank(min(NEW_SIDE, most_rows), min(NEW_SIDE, most_columns))
    brush = next(iter(kind.editor.brushes))
    return Drawing(kind, text or blank, brush, is_by_student=is_by_student)


def read_drawing(kind: AnyKind, text: str) -> Drawing:
    """Return the drawing of its own text, or of a board in any format.

    Raise PuzzleError if the text is neither.
    """
    if text:
        try:
            text = kind.write_start(kind.read(text))
        except PuzzleError:
            check_drawing(kind, text)
    return new_drawing(kind, text)


def posted_drawing(
    kind: AnyKind, text: str, fields: QueryDict, *, is_by_student: bool = False
) -> Drawing:
    """Return the drawing of a text, with the brush and the steps in the fields of the form.

    Raise PuzzleError if the text is not a drawing.
    """
    drawing = Drawing(
        kind,
        text,
        fields.get("brush", next(iter(kind.editor.brushes))),
        tuple(fields.getlist("past")[-MAX_UNDO_STEPS:]),
        tuple(fields.getlist("future")[:MAX_UNDO_STEPS]),
        is_by_student,
    )
    drawing.check(text)
    return drawing


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the text, cut in three so that the faulty character can be marked."""

    number: int
    is_faulty: bool
    before: str
    sign: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A pasted text: a puzzle with `picture` and `facts`, or else with `fault` and `lines`."""

    is_drawn: bool = False
    """Whether the drawing is already the same board."""
    picture: Picture | None = None
    facts: tuple[Message, ...] = ()
    obstacle: Message | None = None
    """The reason why the puzzle can't be solved, if one is seen without a search."""
    moves: int = 0
    """The number of moves played in the text. The puzzle is the board before them."""
    boards: int = 0
    """The number of boards in the text, if there are several."""
    fault: Message | None = None
    lines: tuple[ShownLine, ...] = ()


def boards_in(kind: AnyKind, text: str) -> int:
    """Return the number of boards in a text, if there are several and one of them can be read; 0
    for all other texts."""
    try:
        kind.read(text)
    except PuzzleError:
        try:
            boards = read_boards(kind, text)
        except PuzzleError:
            return 0
        can_be_read = any(board.position is not None for board in boards)
        return len(boards) if can_be_read and len(boards) > 1 else 0
    return 0


def check_pasted(kind: AnyKind, text: str, drawn: str) -> Pasted | None:
    """Return what a text pasted beside the drawing `drawn` is; None for an empty text."""
    if not text.strip():
        return None
    try:
        position = kind.read(text)
    except PuzzleError as error:
        if number := boards_in(kind, text):
            return Pasted(boards=number, fault=Message(SEVERAL, {"number": number}))
        # Kinds count rows, and a slash ends a row just as a line break does.
        rows = re.split("[/\n]", plain(text).strip())
        return Pasted(fault=error.message, lines=lines_around(rows, error.place))
    start, moves = kind.start(position), len(kind.line(position))
    is_drawn = kind.write_start(start) == drawn
    return Pasted(is_drawn, kind.draw(start), kind.facts(start), obstacle_of(kind, start), moves)


def lines_around(rows: Sequence[str], place: Place | None) -> tuple[ShownLine, ...]:
    """Return the faulty line and its neighbours; empty if the fault is in no line."""
    if place is None or place.line is None:
        return ()
    first = max(place.line - CONTEXT_LINES, 1)
    return tuple(
        _shown_line(
            number, row, place.column if number == place.line else None, number == place.line
        )
        for number, row in enumerate(rows[first - 1 : place.line + CONTEXT_LINES], first)
    )


def _shown_line(number: int, row: str, column: int | None, is_faulty: bool) -> ShownLine:
    if len(row) > LONGEST_LINE:
        row = row[:LONGEST_LINE] + "…"
    if column is None or column > len(row):
        return ShownLine(number, is_faulty, row)
    return ShownLine(number, is_faulty, row[: column - 1], row[column - 1], row[column:])
