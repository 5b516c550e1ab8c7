"""The marks on a board: faults, places that can't end well, and the place of a refused move."""

from collections.abc import Hashable
from dataclasses import dataclass

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.sentences import TEXTS
from puzzleclass.puzzles.player import way_through
from solvers.kind import Cell, Place, Verdict
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Spot

MAX_WARNINGS = 4
"""The most sentences about faults under the board. The board itself marks every place. The browser
shows as many (static/rules.js)."""

Faults = tuple[tuple[Cell, Message], ...]


@dataclass(frozen=True, slots=True)
class Warnings:
    """The faults of a position and, where the teacher allows it, what makes it unsolvable."""

    faults: Faults = ()
    doomed: Faults = ()
    obstacle: Message | None = None
    """The reason why no solution is left, if no single place is to blame."""

    @property
    def is_lost(self) -> bool:
        """Whether it is known without a search that no solution is left."""
        return bool(self.doomed or self.obstacle)

    @property
    def sentences(self) -> list[Message]:
        """The first sentences, at most `MAX_WARNINGS`, and one about the number of the others."""
        # Faults of one sort in different places may have the same text.
        every = {str(message): message for _, message in self.faults + self.doomed}
        first = list(every.values())[:MAX_WARNINGS]
        if number := len(every) - len(first):
            first.append(Message(TEXTS.more, {"number": number}))
        return first

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the picture with a ring on every cell at fault that has none yet."""
        rings = {}
        for style, faults in (("fault", self.faults), ("doomed", self.doomed)):
            if faults:
                ringed = _ringed_cells(picture, style)
                rings[style] = sorted({cell for cell, _ in faults} - ringed)
        return picture.annotated(rings=rings) if rings else picture


def refusal_drawn_on(picture: Picture, place: Place) -> Picture:
    """Return the picture with marks on the cell at which a move failed and on the way to it. A spot
    with the name of the cell may lie between cells."""
    marked = picture.with_shapes(way_through(place.path, "refused-way"))
    spots = (shape for shape in picture.shapes if isinstance(shape, Spot))
    if spot := next((each for each in spots if (each.row, each.column) == place.cell), None):
        return marked.with_shapes([Circle(spot.x, spot.y, CELL / 2 - 2, "refused")])
    rings = {"refused": [place.cell] if place.cell and _is_on(picture, place.cell) else []}
    return marked.annotated(rings=rings)


def _is_on(picture: Picture, cell: Cell) -> bool:
    return cell[1] * CELL < picture.width and cell[0] * CELL < picture.height


def _ringed_cells(picture: Picture, style: str) -> set[Cell]:
    """Return the cells of the picture that have a circle of this style."""
    return {
        (int(shape.y // CELL), int(shape.x // CELL))
        for shape in picture.all_shapes
        if isinstance(shape, Circle) and shape.style == style
    }


def warnings_of(puzzle: AssignedPuzzle, position: Hashable, verdict: Verdict) -> Warnings:
    """Return the warnings that the student may see about the position."""
    obstacles = puzzle.kind.obstacles
    if obstacles is None or verdict.over or not puzzle.assignment.warns:
        return Warnings(verdict.faults)
    doomed = obstacles.doomed(position)
    return Warnings(verdict.faults, doomed, None if doomed else obstacles.obstacle(position))
