"""A stand-in for a kind that is not installed. Its puzzles can be listed, opened and replayed.

A database may contain puzzles of kinds that are no longer installed. For these puzzles
`registry.kind_or_missing` returns a `MissingKind`. The stand-in does not know the rules. It shows
the text of a board beside the name of the kind and follows stored lines of moves without judging
them. It has no questions and nothing to press.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from solvers.editor import LONGEST_SIDE, Editor
from solvers.grid import read_cell
from solvers.kind import INTERFACE, BadText, Cell, Kind, Verdict, split_moves
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Picture, Rect, Text
from solvers.symmetry import Symmetry

MAX_ROWS = 14
"""The most lines of a board's text that its picture shows."""
MAX_COLUMNS = 24
"""The most characters of each line that the picture shows."""

NOT_INSTALLED = Message(
    gettext_noop(
        "This kind of puzzle is not installed here. It can be looked at, but not played or changed."
    )
)


@dataclass(frozen=True, slots=True)
class MissingPosition:
    """A board that no installed kind can read: its text and the moves since."""

    text: str
    line: tuple[str, ...] = ()


class MissingEditor(Editor):
    """An editor that reads the size of a board from its text and refuses everything else."""

    brushes = {}
    largest = (1, 1)

    def blank(self, rows: int, columns: int) -> str:
        raise BadText(NOT_INSTALLED)

    def size(self, drawing: str) -> tuple[int, int]:
        rows = drawing.split("/")
        return min(len(rows), LONGEST_SIDE), min(max(map(len, rows)), LONGEST_SIDE)

    def resize(self, drawing: str, rows: int, columns: int) -> str:
        raise BadText(NOT_INSTALLED)

    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        raise BadText(NOT_INSTALLED)

    def draw(self, drawing: str, fault: Cell | None = None) -> Picture:
        raise BadText(NOT_INSTALLED)


class MissingKind(Kind[MissingPosition, str]):
    """The stand-in for one slug. Its moves are the stored texts."""

    interface = INTERFACE
    rule = NOT_INSTALLED.text
    family = "sequence"
    version = 0
    questions = {}
    editor = MissingEditor()

    def __init__(self, slug: str) -> None:
        self.slug = self.title = slug  # type: ignore[misc]

    @property
    def name(self) -> Message:
        return Message("{name}", {"name": self.slug})

    def read_start(self, text: str) -> MissingPosition:
        return MissingPosition(text)

    def write_start(self, position: MissingPosition) -> str:
        return position.text

    def start(self, position: MissingPosition) -> MissingPosition:
        return replace(position, line=())

    def line(self, position: MissingPosition) -> tuple[str, ...]:
        return position.line

    def read_move(self, text: str) -> str:
        return text

    def write_move(self, move: str) -> str:
        return move

    def cells_of(self, move: str) -> tuple[Cell, ...]:
        """Return the cell at the end of the move's text, or the first cell if there is none."""
        try:
            return (read_cell(move.split(" ")[-1]),)
        except BadText:
            return ((0, 0),)

    def turned_move(self, move: str, symmetry: Symmetry) -> str:
        return move

    def turned(self, position: MissingPosition, symmetry: Symmetry) -> MissingPosition | None:
        """Return the start for the identity and None otherwise, because no other symmetry is
        known to be allowed."""
        is_turned = symmetry.upside_down or symmetry.left_right or symmetry.transposed
        return None if is_turned else self.start(position)

    def moves(self, position: MissingPosition) -> Iterable[str]:
        return ()

    def play(self, position: MissingPosition, move: str) -> MissingPosition:
        """Return the position with a stored move added. The move is not judged."""
        return replace(position, line=(*position.line, move))

    def play_line(self, position: MissingPosition, moves: str) -> MissingPosition:
        return replace(position, line=(*position.line, *split_moves(moves)))

    def judge(self, position: MissingPosition) -> Verdict:
        return Verdict(solved=False, over=False)

    def facts(self, position: MissingPosition) -> tuple[Message, ...]:
        return (Message("The kind “{name}” is not installed", {"name": self.slug}),)

    def draw(self, position: MissingPosition) -> Picture:
        """Return a picture of the kind's slug above the text of the start, cut if it is long."""
        rows = [row[:MAX_COLUMNS] for row in position.text.split("/")[:MAX_ROWS]]
        side = max(5, (max(map(len, rows)) + 2) // 2, (len(rows) + 3) // 2) * CELL
        top = (side - (len(rows) + 1) * 20) / 2 + 10
        written = (
            Text(side / 2, top + 20 * number, row, "missing")
            for number, row in enumerate([f"？ {self.slug}", *rows])
        )
        return Picture(
            width=side,
            height=side,
            title=Message(
                "A board of the kind “{name}”, which is not installed", {"name": self.slug}
            ),
            text=position.text.replace("/", "\n"),
            shapes=(Rect(1, 1, side - 2, side - 2, "missing-board", corner=6), *written),
        )

    def sample(self, rng: random.Random, size: int) -> MissingPosition:
        raise BadText(NOT_INSTALLED)
