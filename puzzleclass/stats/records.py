"""The best scores of a class at a puzzle, and the boards with the best of them."""

from dataclasses import dataclass

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import BestScore
from puzzleclass.puzzles.marks import Mark, mark_of
from solvers.picture import Picture


@dataclass(slots=True)
class RecordBoard:
    """A board with the best score of the class."""

    puzzle: AssignedPuzzle
    line: str
    holders: list[str]
    """Who reached it, the first one first."""

    @property
    def picture(self) -> Picture:
        kind = self.puzzle.kind
        return kind.draw(kind.play_line(self.puzzle.start, self.line))


@dataclass(frozen=True, slots=True)
class Records:
    """What a class has reached at a puzzle with a score."""

    mark: Mark
    scores: list[tuple[int, list[str]]]
    """Each score that is somebody's best, with their names; the best first."""
    boards: list[RecordBoard]

    @property
    def best(self) -> int | None:
        return self.scores[0][0] if self.scores else None


def class_records(puzzle: AssignedPuzzle) -> Records | None:
    """Return the records; None for a kind without a score. Two queries."""
    mark = mark_of(puzzle)
    if mark is None:
        return None
    names: dict[int, list[str]] = {}
    boards: dict[str, RecordBoard] = {}
    rows = BestScore.objects.of_class(puzzle).values_list("score", "text", "line", "student__name")
    for score, text, line, name in rows:
        names.setdefault(score, []).append(name)
        if score == max(names):
            boards.setdefault(text, RecordBoard(puzzle, line, [])).holders.append(name)
    return Records(mark, list(names.items()), list(boards.values()))
