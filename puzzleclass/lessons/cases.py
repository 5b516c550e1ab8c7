"""Counting cases: a tree diagram of a small board, and which of its cases were found.

Where all sequences of moves fit into a tree, it has a leaf for each, and marks those that end in
a dead end. In a placement, where the order of the moves does not matter, equal boards are one
case, and the tree sets the pieces or stones in a fixed order (`Kind.branching`). If it would be too
large, it has a leaf for each solution. A case that nobody found is missing, and one that a student
found in two attempts was counted twice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import Any, Literal, NamedTuple

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.positions import position_after
from puzzleclass.stats.class_results import NamedStudent
from solvers.answers import SolutionsAnswer
from solvers.capabilities import Branching
from solvers.grid import centre
from solvers.kind import Cell, split_moves
from solvers.picture import Picture, Text
from solvers.registry import AnyKind, kind_or_missing

MAX_CASES = 60
"""The most leaves of a tree. More do not fit on a sheet of paper."""

MAX_POSITIONS = 600
"""The most positions in a whole tree, so that it is made within a request."""

MAX_STEPS = 20_000
"""The most steps that are read for the dead ends of a class, those of the latest attempts."""

ENDS = "–"
"""The label of a solution from which other branches go on."""

ROW, COLUMN = 26, 58
"""The distance of two leaves and of two moves in the tree, in units of its picture."""


class Case(NamedTuple):
    """A leaf of the tree."""

    moves: list[str]
    is_dead_end: bool = False


Cases = dict[str, Case]
"""The text of each case, in the order of the tree: for a solution `Kind.solution`, for a dead end
its moves."""


@dataclass(frozen=True, slots=True)
class CaseNode:
    """A move in the tree, or the start."""

    x: float
    y: float
    label: str
    """The cell of the move; empty for the start, and where the case is not to be seen."""
    signs: Mapping[str, str]
    """Style -> the sign of what is set there, for kinds that set different things."""
    from_x: float
    from_y: float
    """The place of the move before."""
    state: str
    """`found`, `twice` or `missing` for a leaf; empty for other nodes."""
    times: int
    """How often the case of a leaf was found."""
    is_dead_end: bool
    """Whether the leaf is marked as a dead end."""


@dataclass(frozen=True, slots=True)
class CaseTree:
    """A tree diagram as a picture."""

    nodes: list[CaseNode]
    width: int
    height: int

    @property
    def has_ends(self) -> bool:
        """Whether other branches go on from a solution that can be read."""
        return any(node.label == ENDS for node in self.nodes)


@dataclass(frozen=True, slots=True)
class StudentCases:
    """The cases that a student has found."""

    student: NamedStudent
    times: Counter[str]
    """The text of a solution -> the number of attempts with it."""
    dead_ends: Counter[str]
    """The text of a dead end -> the number of attempts that came to it."""
    total: int | None
    """The number of all solutions, if it is known."""

    @property
    def found(self) -> int:
        return len(self.times)

    @property
    def missing(self) -> int | None:
        """The number of solutions that the student has not found, if it is known."""
        return None if self.total is None else self.total - self.found

    @property
    def twice(self) -> int:
        """The number of solutions that the student has found more than once."""
        return sum(times > 1 for times in self.times.values())


def all_cases(puzzle: AssignedPuzzle, job: Job | None) -> Cases | None:
    """Return all cases; None as long as they are not listed, or if there are too many.

    They are all sequences of moves, or all placements, where these fit into a tree. Otherwise they
    are all solutions, the answer of the job that lists them.
    """
    cases = whole_tree(puzzle.kind_slug, puzzle.position) or _all_solutions(puzzle, job)
    return None if cases is None else _in_order(puzzle, cases)


def has_too_many_cases(job: Job | None) -> bool:
    """Return whether the job has listed more solutions than a tree has leaves."""
    listed = answer_in(job, SolutionsAnswer)
    return listed is not None and len(listed.solutions) > MAX_CASES


def solutions_among(cases: Cases) -> Cases:
    """Return the cases that are no dead ends."""
    return {text: case for text, case in cases.items() if not case.is_dead_end}


def _branching(kind_slug: str, start: str) -> Branching[Any, Any] | None:
    """Return how the tree of a placement branches; None if it does not."""
    kind = kind_or_missing(kind_slug)
    suits = kind.branching and kind.branching.suits(position_after(kind, start, ""))
    return kind.branching if suits else None


@lru_cache(maxsize=1024)
def whole_tree(kind_slug: str, start: str) -> Cases | None:
    """Return all cases, solutions and dead ends, that playing by the rules or by `Kind.branching`
    comes to.

    None if they do not fit into a tree, and for a placement that does not branch.
    """
    kind = kind_or_missing(kind_slug)
    branching = _branching(kind_slug, start)
    if branching is None and kind.family != "sequence":
        return None
    cases: Cases = {}
    waiting = [kind.read(start)]
    for _position in range(MAX_POSITIONS):
        position = waiting.pop()
        is_solved = kind.judge(position).solved
        if branching:
            following = list(branching.moves(position))
            is_dead_end = not is_solved and branching.is_dead_end(position)
        else:
            following = [] if is_solved else list(kind.moves(position))
            is_dead_end = not is_solved and not following
        waiting += (kind.play(position, move) for move in following)
        if is_solved or is_dead_end:
            line = kind.write_line(position)
            text = kind.solution(position) if is_solved else line
            cases[text] = Case(split_moves(line), is_dead_end)
        if not waiting:
            return cases
        if len(cases) == MAX_CASES:
            break
    return None


def _in_order(puzzle: AssignedPuzzle, cases: Cases) -> Cases:
    """Return the cases as a class lists them: by the letters of their moves (`letters`)."""
    kind = puzzle.kind

    def places(case: tuple[str, Case]) -> list[tuple[Cell, str]]:
        return [(kind.cell_of(kind.read_move(move)), move) for move in case[1].moves]

    return dict(sorted(cases.items(), key=places))


def _all_solutions(puzzle: AssignedPuzzle, job: Job | None) -> Cases | None:
    listed = answer_in(job, SolutionsAnswer)
    if listed is None or not listed.proven or has_too_many_cases(job):
        return None
    return {
        _solution(puzzle.kind_slug, puzzle.position, line): Case(split_moves(line))
        for line in listed.solutions
    }


def found_cases(
    puzzle: AssignedPuzzle, listed: Cases | None, student: User | None = None
) -> list[StudentCases]:
    """Return what each student of the class, or the one student, has found. Three queries, and one
    more if dead ends are `listed`."""
    total = None if listed is None else len(solutions_among(listed))
    enrolments = puzzle.assignment.classroom.enrolments.select_related("student")
    if student:
        enrolments = enrolments.filter(student=student)
    people = [each.student for each in enrolments.order_by("number", "pk")]
    tries = Attempt.objects.filter(puzzle=puzzle, student__in=people, has_solved=True)
    times: dict[int, Counter[str]] = {person.pk: Counter() for person in people}
    for owner, line in tries.values_list("student", "line"):
        if text := _solution(puzzle.kind_slug, puzzle.position, line):
            times[owner][text] += 1
    # Where a board may be changed after it is solved, one attempt can come to several solutions.
    solutions = FoundSolution.objects.filter(puzzle=puzzle, student__in=people).order_by()
    for owner, text in solutions.values_list("student", "text"):
        times[owner][text] = max(times[owner][text], 1)
    ends = _dead_ends_of(puzzle, people, listed or {})
    return [
        StudentCases(NamedStudent(each.pk, each.name), times[each.pk], ends[each.pk], total)
        for each in people
    ]


def _dead_ends_of(
    puzzle: AssignedPuzzle, people: Sequence[User], listed: Cases
) -> Mapping[int, Counter[str]]:
    """Return student -> dead end -> the number of attempts that came to it.

    A student leaves most dead ends by taking a move back, so they are found in the steps.
    """
    ends: dict[int, Counter[str]] = {person.pk: Counter() for person in people}
    if not any(case.is_dead_end for case in listed.values()):
        return ends
    steps = Step.objects.filter(attempt__puzzle=puzzle, attempt__student__in=people)
    latest = steps.order_by("-attempt", "number")
    rows = latest.values_list("attempt", "attempt__student", "action", "move")[:MAX_STEPS]
    line: list[str] = []
    seen: set[tuple[int, str]] = set()
    before = None
    for attempt, owner, action, move in rows:
        if attempt != before:
            line, before = [], attempt
        if action == Step.Action.UNDO:
            del line[-1:]
            continue
        line.append(move)
        for text in _dead_ends_at(puzzle.kind_slug, puzzle.position, " ".join(line)):
            if (attempt, text) not in seen:
                seen.add((attempt, text))
                ends[owner][text] += 1
    return ends


@lru_cache(maxsize=8192)
def _dead_ends_at(kind_slug: str, start: str, line: str) -> frozenset[str]:
    """Return the dead ends of the whole tree to which a board that was played has come."""
    kind = kind_or_missing(kind_slug)
    if kind.branching is None:
        case = (whole_tree(kind_slug, start) or {}).get(line)
        return frozenset([line] if case and case.is_dead_end else [])
    played = position_after(kind, start, line)
    ends = _dead_ends(kind_slug, start)
    return frozenset(text for text, end in ends if kind.branching.contains(played, end))


@lru_cache(maxsize=64)
def _dead_ends(kind_slug: str, start: str) -> list[tuple[str, Any]]:
    """Return the dead ends of the whole tree and their positions."""
    kind, cases = kind_or_missing(kind_slug), whole_tree(kind_slug, start) or {}
    ends = (text for text, case in cases.items() if case.is_dead_end)
    return [(text, kind.play_line(kind.read(start), text)) for text in ends]


def own_cases_of(puzzle: AssignedPuzzle, listed: Cases | None, own: StudentCases) -> Cases:
    """Return the cases that a student has found. One query."""
    known = listed or {}
    cases = {text: known[text] for text in (*own.times, *own.dead_ends) if text in known}
    solutions = FoundSolution.objects.filter(puzzle=puzzle, student=own.student.pk).order_by()
    for text, line in solutions.values_list("text", "line"):
        if text not in cases:
            cases[text] = _case_of(puzzle, line)
    return _in_order(puzzle, cases)


def _case_of(puzzle: AssignedPuzzle, line: str) -> Case:
    """Return the solution at the end of a line: the way to it through the tree.

    Where placements do not branch, it is the line.
    """
    kind, branching = puzzle.kind, _branching(puzzle.kind_slug, puzzle.position)
    if branching is None:
        return Case(split_moves(line))
    end, here = puzzle.after(line), puzzle.start
    position: Any = here
    while here is not None:
        position = here
        after = (kind.play(position, move) for move in branching.moves(position))
        here = next((each for each in after if branching.contains(end, each)), None)
    return Case(split_moves(kind.write_line(position)))


@lru_cache(maxsize=8192)
def _solution(kind_slug: str, start: str, line: str) -> str:
    """Return the text of the solution in which a line ends; empty if it ends in none."""
    kind = kind_or_missing(kind_slug)
    end = position_after(kind, start, line)
    return kind.solution(end) if kind.judge(end).solved else ""


# The picture

_Case = tuple[str, Case]
"""The text of a case, and the case."""


def letters(puzzle: AssignedPuzzle, cases: Cases) -> dict[Cell, str]:
    """Return a letter for each cell of the moves, row by row, or `row,column` if there are many."""
    kind = puzzle.kind
    moves = {move for case in cases.values() for move in case.moves}
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
    deepest = max((len(case.moves) for case in cases.values()), default=0)

    def add(group: Sequence[_Case], depth: int, top: float) -> float:
        """Add the nodes below the first `depth` moves of a group; return the height of its node."""
        heights: list[tuple[float, str, list[_Case]]] = []
        at = top
        branches: dict[str, list[_Case]] = {}
        if len(group) > 1 or len(group[0][1].moves) > depth:
            for text, case in group:
                move = case.moves[depth] if depth < len(case.moves) else ""
                branches.setdefault(move, []).append((text, case))
        for move, inside in branches.items():
            heights.append((add(inside, depth + 1, at), move, inside))
            at += len(inside) * ROW
        here = (heights[0][0] + heights[-1][0]) / 2 if heights else top + ROW / 2
        for height, move, inside in heights:
            is_leaf = len(inside) == 1 and len(inside[0][1].moves) <= depth + 1
            number = times.get(inside[0][0], 0) if is_leaf else 0
            is_read = shows == "all" or (
                shows == "found" and any(times.get(text) for text, _case in inside)
            )
            nodes.append(
                CaseNode(
                    _x(depth + 1),
                    height,
                    (names[kind.cell_of(kind.read_move(move))] if move else ENDS)
                    if is_read
                    else "",
                    _signs(kind, move) if is_read else {},
                    _x(depth),
                    here,
                    _state(number) if is_leaf and shows != "none" else "",
                    number if shows != "none" else 0,
                    is_read and is_leaf and inside[0][1].is_dead_end,
                )
            )
        return here

    root = add(list(cases.items()), 0, 0) if cases else ROW / 2
    nodes.append(CaseNode(_x(0), root, "", {}, _x(0), root, "", 0, False))
    return CaseTree(nodes, round(_x(deepest)) + COLUMN, max(len(cases), 1) * ROW)


def _signs(kind: AnyKind, move: str) -> Mapping[str, str]:
    """Return the signs of what a move sets, by style."""
    if kind.branching:
        return kind.branching.signs(kind.read_move(move)) if move else {}
    tool = move.rpartition(" ")[0]
    return {"tool": tool} if tool else {}


def _state(times: int) -> str:
    """Return the state of a case that was found this many times."""
    if times > 1:
        return "twice"
    return "found" if times else "missing"


def _x(depth: int) -> float:
    return depth * COLUMN + 12
