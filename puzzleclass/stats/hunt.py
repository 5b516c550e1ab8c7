"""The class hunt: all solutions of one board, looked for together.

Solutions that are turned or mirrored images of each other stand together. An image is made move by
move and played by the rules on the same board: only one that solves it counts.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.stats.results import ClassSolution, class_solutions
from solvers.kind import Cell, PuzzleError, split_moves
from solvers.registry import get_kind

MOST_GROUPED = 400
"""Solutions compared with each other; the later ones stand alone."""


@dataclass(slots=True)
class Group:
    """Solutions that are images of each other, in the order in which they were found."""

    solutions: list[ClassSolution]
    size: int
    """How many images there are, found or not."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """What the class has found so far."""

    found: int
    count: Count | None
    """How many there are, where that was counted."""
    groups: list[Group]
    """The one found last comes first."""

    @property
    def is_over(self) -> bool:
        """All are found."""
        return bool(self.count and self.count.proven and self.found == self.count.value)


def hunt_at(puzzle: AssignedPuzzle) -> Hunt:
    """Return the hunt at a puzzle. Two queries."""
    solutions = class_solutions(puzzle)
    groups: dict[str, Group] = {}
    for solution in solutions:
        images = frozenset({solution.line})
        if solution.number <= MOST_GROUPED:
            images = images_of(puzzle.kind_slug, puzzle.position, solution.line)
        group = groups.setdefault(min(images), Group([], len(images)))
        group.solutions.append(solution)
    latest_first = sorted(groups.values(), key=lambda group: -group.solutions[-1].number)
    return Hunt(len(solutions), known_counts([puzzle]).get(puzzle.pk), latest_first)


_CELL = re.compile(r"(\d+),(\d+)$")


@lru_cache(maxsize=4096)
def images_of(kind_slug: str, start: str, line: str) -> frozenset[str]:
    """Return the texts (`kind.solution`) of a solution and its images that solve the same board."""
    kind = get_kind(kind_slug)
    position = kind.read(start)
    rows, columns = kind.editor.size(kind.write_start(position))
    images = {kind.solution(kind.play_line(position, line))}
    for number in range(1, 8):
        if rows != columns and number & 4:
            continue
        moves = [_moved(move, number, rows, columns) for move in split_moves(line)]
        try:
            end = kind.play_line(position, " ".join(moves))
        except PuzzleError:
            continue
        if kind.judge(end).solved:
            images.add(kind.solution(end))
    return frozenset(images)


def _moved(move: str, number: int, rows: int, columns: int) -> str:
    """Return the move with its cell turned or mirrored in one of eight ways."""

    def image(row: int, column: int) -> Cell:
        if number & 1:
            row = rows + 1 - row
        if number & 2:
            column = columns + 1 - column
        return (column, row) if number & 4 else (row, column)

    return _CELL.sub(lambda m: "{},{}".format(*image(int(m[1]), int(m[2]))), move)
