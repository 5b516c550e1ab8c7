"""Counting cases: a tree diagram of all solutions of a small board, and which of them were found.

A tree has a leaf for each solution. A solution that nobody found is a missing case, and one that a
student found in two attempts was counted twice. In a placement, where the order of the moves does
not matter, equal boards are one case.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import Literal

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.answers import SOLUTIONS, answer_in
from puzzleclass.puzzles.player import ALL_SOLUTIONS
from puzzleclass.puzzles.positions import position_after
from puzzleclass.stats.results import NamedStudent
from solvers.answers import SolutionsAnswer
from solvers.grid import centre
from solvers.kind import Cell, split_moves
from solvers.picture import Picture, Text
from solvers.registry import kind_or_missing

MOST_CASES = 60
"""The most solutions of a board with a tree. More do not fit on a sheet of paper."""

ROW, COLUMN = 26, 58
"""The distance of two leaves and of two moves in the tree, in units of its picture."""

Cases = dict[str, list[str]]
"""The text of each solution (`Kind.solution`) -> its moves, in the order of the tree."""


@dataclass(frozen=True, slots=True)
class CaseNode:
    """A move in the tree, or the start."""

    x: float
    y: float
    label: str
    """The move; empty for the start, and where the case is not to be seen."""
    from_x: float
    from_y: float
    """The place of the move before."""
    state: str
    """`found`, `twice` or `missing` for a leaf; empty for other nodes."""
    times: int
    """How often the case of a leaf was found."""


@dataclass(frozen=True, slots=True)
class CaseTree:
    """A tree diagram as a picture."""

    nodes: list[CaseNode]
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StudentCases:
    """The cases that a student has found."""

    student: NamedStudent
    times: Counter[str]
    """The text of a solution -> the number of attempts with it."""
    total: int | None
    """The number of all cases, if it is known."""

    @property
    def found(self) -> int:
        return len(self.times)

    @property
    def missing(self) -> int | None:
        """The number of cases that the student has not found, if it is known."""
        return None if self.total is None else self.total - self.found

    @property
    def twice(self) -> int:
        """The number of cases that the student has found more than once."""
        return sum(times > 1 for times in self.times.values())


def all_cases(puzzle: AssignedPuzzle) -> Cases | None:
    """Return all cases; None as long as they are not listed, or if there are too many. One query.

    The list is the answer to the question `solutions`, whoever asked it.
    """
    key = job_key(puzzle.kind_slug, SOLUTIONS, puzzle.position, ALL_SOLUTIONS)
    listed = answer_in(jobs.find_all([key]).get(key), SolutionsAnswer)
    if listed is None or not listed.proven or len(listed.solutions) > MOST_CASES:
        return None
    return {
        _solution(puzzle.kind_slug, puzzle.position, line): split_moves(line)
        for line in listed.solutions
    }


def found_cases(puzzle: AssignedPuzzle, student: User | None = None) -> list[StudentCases]:
    """Return what each student of the class, or the one student, has found. Two queries, and one
    for the list of all cases."""
    listed = all_cases(puzzle)
    total = None if listed is None else len(listed)
    enrolments = puzzle.assignment.classroom.enrolments.select_related("student")
    if student:
        enrolments = enrolments.filter(student=student)
    people = [each.student for each in enrolments.order_by("number", "pk")]
    tries = Attempt.objects.filter(puzzle=puzzle, student__in=people, has_solved=True)
    times: dict[int, Counter[str]] = {person.pk: Counter() for person in people}
    for owner, line in tries.values_list("student", "line"):
        if text := _solution(puzzle.kind_slug, puzzle.position, line):
            times[owner][text] += 1
    return [
        StudentCases(NamedStudent(each.pk, each.name), times[each.pk], total) for each in people
    ]


def own_cases_of(puzzle: AssignedPuzzle, student: User) -> Cases:
    """Return the cases that the student has found, as the student made them. One query."""
    tries = Attempt.objects.filter(puzzle=puzzle, student=student, has_solved=True)
    cases: Cases = {}
    for line in tries.values_list("line", flat=True):
        if text := _solution(puzzle.kind_slug, puzzle.position, line):
            cases.setdefault(text, split_moves(line))
    return dict(sorted(cases.items(), key=lambda case: case[1]))


@lru_cache(maxsize=8192)
def _solution(kind_slug: str, start: str, line: str) -> str:
    """Return the text of the solution in which a line ends; empty if it ends in none."""
    kind = kind_or_missing(kind_slug)
    end = position_after(kind, start, line)
    return kind.solution(end) if kind.judge(end).solved else ""


# The picture

_Case = tuple[str, list[str]]
"""The text of a solution and its moves."""


def letters(puzzle: AssignedPuzzle, cases: Cases) -> dict[Cell, str]:
    """Return a letter for each cell of the moves, row by row, or `row,column` if there are many."""
    kind = puzzle.kind
    moves = {move for line in cases.values() for move in line}
    cells = sorted({kind.cell_of(kind.read_move(move)) for move in moves})
    if len(cells) <= len(ascii_uppercase):
        return dict(zip(cells, ascii_uppercase))
    return {cell: f"{cell[0] + 1},{cell[1] + 1}" for cell in cells}


def lettered(puzzle: AssignedPuzzle, names: Mapping[Cell, str]) -> Picture:
    """Return the board with the letters of its cells."""
    labels = (Text(*centre(cell), letter, "label") for cell, letter in names.items())
    return puzzle.picture.with_shapes(labels)


def tree_of(
    puzzle: AssignedPuzzle,
    cases: Cases,
    names: Mapping[Cell, str],
    times: Mapping[str, int],
    *,
    shows: Literal["all", "found", "none"],
) -> CaseTree:
    """Return the tree of the cases.

    `times` says how often each was found. `shows` says which moves can be read: `all`, `found` or
    `none`, the empty tree for paper.
    """
    kind = puzzle.kind
    nodes: list[CaseNode] = []
    deepest = max(map(len, cases.values()), default=0)

    def label(move: str) -> str:
        before, _blank, _cell = move.rpartition(" ")
        return f"{before} {names[kind.cell_of(kind.read_move(move))]}".strip()

    def add(group: Sequence[_Case], depth: int, top: float) -> float:
        """Add the nodes below the first `depth` moves of a group; return the height of its node."""
        heights: list[tuple[float, str, list[_Case]]] = []
        at = top
        branches: dict[str, list[_Case]] = {}
        for text, line in group:
            if depth < len(line):
                branches.setdefault(line[depth], []).append((text, line))
        for move, inside in branches.items():
            heights.append((add(inside, depth + 1, at), move, inside))
            at += len(inside) * ROW
        here = (heights[0][0] + heights[-1][0]) / 2 if heights else top + ROW / 2
        for height, move, inside in heights:
            is_leaf = all(len(line) == depth + 1 for _text, line in inside)
            number = times.get(inside[0][0], 0) if is_leaf else 0
            is_read = shows == "all" or (
                shows == "found" and any(times.get(text) for text, _line in inside)
            )
            nodes.append(
                CaseNode(
                    _x(depth + 1),
                    height,
                    label(move) if is_read else "",
                    _x(depth),
                    here,
                    _state(number) if is_leaf and shows != "none" else "",
                    number if shows != "none" else 0,
                )
            )
        return here

    root = add(list(cases.items()), 0, 0)
    nodes.append(CaseNode(_x(0), root, "", _x(0), root, "", 0))
    return CaseTree(nodes, round(_x(deepest)) + COLUMN, max(len(cases), 1) * ROW)


def _state(times: int) -> str:
    """Return the state of a case that was found this many times."""
    if times > 1:
        return "twice"
    return "found" if times else "missing"


def _x(depth: int) -> float:
    return depth * COLUMN + 12
