"""What is wrong on a student's board: told in words, and marked where it is."""

from collections.abc import Hashable
from dataclasses import dataclass

from puzzleclass.assignments.models import AssignedPuzzle
from solvers.grid import HALF, centre
from solvers.kind import Cell, Verdict
from solvers.message import Message
from solvers.picture import Circle, Picture

MOST_SAID = 4
"""Sentences under the board. All places are marked on it."""

Faults = tuple[tuple[Cell, Message], ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """What the rules find wrong, and what can't end well where the teacher has it told."""

    faults: Faults = ()
    doomed: Faults = ()
    obstacle: Message | None = None
    """Why there is no solution any more, when no single place is to blame."""

    @property
    def is_lost(self) -> bool:
        """It is seen already that there is no solution any more."""
        return bool(self.doomed or self.obstacle)

    @property
    def said(self) -> list[Message]:
        """The first sentences."""
        return self._sentences[:MOST_SAID]

    @property
    def unsaid(self) -> int:
        """How many sentences more there would be."""
        return len(self._sentences) - len(self.said)

    @property
    def _sentences(self) -> list[Message]:
        # Faults of one sort in different places may say the same.
        return list({str(message): message for _, message in self.faults + self.doomed}.values())

    def mark(self, picture: Picture) -> Picture:
        """Return the picture with every place marked that it does not mark itself."""
        for style, faults in (("fault", self.faults), ("doomed", self.doomed)):
            marked = {
                (mark.x, mark.y)
                for mark in picture.marks
                if isinstance(mark, Circle) and mark.style == style
            }
            places = {centre(cell) for cell, _ in faults} - marked
            picture = picture.with_marks(Circle(x, y, HALF - 2, style) for x, y in sorted(places))
        return picture


def warned(puzzle: AssignedPuzzle, position: Hashable, verdict: Verdict) -> Warned:
    """Return what there is to say of the position to the student."""
    if verdict.over or not puzzle.assignment.warns:
        return Warned(verdict.faults)
    doomed = puzzle.kind.doomed(position)
    return Warned(verdict.faults, doomed, None if doomed else puzzle.kind.obstacle(position))
