"""The solutions a class has found together."""

from dataclasses import dataclass
from datetime import datetime

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import FoundSolution
from solvers.picture import Picture


@dataclass(frozen=True, slots=True)
class ClassSolution:
    """One of the different solutions, with those who found it, the first one first."""

    number: int
    """In the order in which the class came upon them, from 1."""
    puzzle: AssignedPuzzle
    line: str
    found_at: datetime
    finders: list[str]

    @property
    def picture(self) -> Picture:
        """The board at its end."""
        kind = self.puzzle.kind
        return kind.draw(kind.play_line(self.puzzle.start, self.line))


def class_solutions(puzzle: AssignedPuzzle) -> list[ClassSolution]:
    """Return the different solutions found by students who are in the class. One query."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    found = FoundSolution.objects.filter(puzzle=puzzle, student__in=in_class)
    by_text: dict[str, ClassSolution] = {}
    rows = found.values_list("text", "line", "found_at", "student__name")
    for text, line, found_at, name in rows:
        if text not in by_text:
            number = len(by_text) + 1
            by_text[text] = ClassSolution(number, puzzle, line, found_at, [])
        by_text[text].finders.append(name)
    return list(by_text.values())
