"""A board while it is being drawn, with the steps that lead to it.

The server keeps nothing of it: all of it travels in the form's fields, so a draft can't
expire, two windows can't get into each other's way, and undo works without JavaScript.
"""

from dataclasses import dataclass, replace

from django.http import QueryDict

from puzzleclass.puzzles.marks import with_typed_mark
from solvers.grid import read_cell
from solvers.kind import BadText, PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

NEW_SIDE = 6
"""Rows and columns of a new board, where the kind allows it."""

STEPS = 40
"""How many steps can be taken back."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A draft, the brush in the hand, and the drafts to undo and redo. Never changed itself."""

    kind: AnyKind
    draft: str
    brush: str
    past: tuple[str, ...] = ()
    future: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return self.kind.editor.size(self.draft)[0]

    @property
    def columns(self) -> int:
        return self.kind.editor.size(self.draft)[1]

    @property
    def is_blank(self) -> bool:
        """Nothing is drawn yet."""
        return self.draft == self.clear().draft

    @property
    def mark(self) -> str | None:
        """The score to reach as it was typed; None for kinds without a score."""
        return self.kind.editor.mark(self.draft)

    @property
    def fault(self) -> PuzzleError | None:
        """Why the draft is no puzzle yet; None when it is one."""
        try:
            self.kind.read(self.draft)
        except PuzzleError as error:
            return error
        return None

    @property
    def facts(self) -> tuple[Message, ...]:
        """What there is to say of the draft. Raises PuzzleError while it is no puzzle."""
        return self.kind.facts(self.kind.read(self.draft))

    @property
    def obstacle(self) -> Message | None:
        """Why the draft can't be solved, as far as that is seen without a search.

        Raises PuzzleError while it is no puzzle.
        """
        return self.kind.obstacle(self.kind.read(self.draft))

    @property
    def start_text(self) -> str | None:
        """The draft as a puzzle's canonical text, where the worker has to say whether it can be
        solved; None while it is no puzzle, or where that is seen without a search."""
        if self.fault or self.obstacle:
            return None
        return self.kind.write_start(self.kind.read(self.draft))

    @property
    def picture(self) -> Picture:
        """The board to draw on, the faulty cell marked."""
        fault = self.fault
        return self.kind.editor.draw(self.draft, fault.place.cell if fault else None)

    def paint(self, cell: str) -> "Sketch":
        """Set the brush down on `row,column`; on nothing, when no cell is named."""
        if not cell:
            return self
        return self._drawn(self.kind.editor.paint(self.draft, read_cell(cell), self.brush))

    def ask_for(self, mark: str) -> "Sketch":
        """Set the score to reach; nothing stands for the best there can be."""
        return self._drawn(with_typed_mark(self.kind, self.draft, mark))

    def resize(self, rows: str, columns: str) -> "Sketch":
        """Cut or extend the board at its right and lower edges."""
        if not (rows.isdecimal() and columns.isdecimal() and len(rows + columns) < 9):
            raise BadText("Rows and columns are whole numbers.")
        return self._drawn(self.kind.editor.resize(self.draft, int(rows), int(columns)))

    def clear(self) -> "Sketch":
        """Take everything off the board."""
        most_rows, most_columns = self.kind.editor.largest
        # A pasted board may be larger than those the editor offers.
        rows, columns = min(self.rows, most_rows), min(self.columns, most_columns)
        return self._drawn(self.kind.editor.blank(rows, columns))

    def take(self, text: str) -> "Sketch":
        """Put a pasted board in the place of this one."""
        return self._drawn(self.kind.write_start(self.kind.read(text)))

    def undo(self) -> "Sketch":
        if not self.past:
            return self
        *past, draft = self.past
        check(self.kind, draft)
        return replace(self, draft=draft, past=tuple(past), future=(self.draft, *self.future))

    def redo(self) -> "Sketch":
        if not self.future:
            return self
        draft, *future = self.future
        check(self.kind, draft)
        return replace(self, draft=draft, past=(*self.past, self.draft), future=tuple(future))

    def _drawn(self, draft: str) -> "Sketch":
        if draft == self.draft:
            return self
        check(self.kind, draft)
        return replace(self, draft=draft, past=(*self.past, self.draft)[-STEPS:], future=())


def check(kind: AnyKind, draft: str) -> None:
    """Raise PuzzleError unless the editor can go on from the draft.

    A board that is drawn up is as large as the editor offers; one that was pasted may be
    as large as the kind reads.
    """
    rows, columns = kind.editor.size(draft)
    try:
        kind.read(draft)
    except PuzzleError:
        kind.editor.blank(rows, columns)


def new_sketch(kind: AnyKind, draft: str = "") -> Sketch:
    """Return the sketch an editor opens with."""
    most_rows, most_columns = kind.editor.largest
    blank = kind.editor.blank(min(NEW_SIDE, most_rows), min(NEW_SIDE, most_columns))
    return Sketch(kind, draft or blank, next(iter(kind.editor.brushes)))


def posted_sketch(kind: AnyKind, fields: QueryDict) -> Sketch:
    """Return the sketch that a form carries. Raises PuzzleError when its draft is none."""
    draft = fields.get("draft", "")
    check(kind, draft)
    return Sketch(
        kind,
        draft,
        fields.get("brush", next(iter(kind.editor.brushes))),
        tuple(fields.getlist("past")[-STEPS:]),
        tuple(fields.getlist("future")[:STEPS]),
    )
