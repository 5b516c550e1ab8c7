"""What students have done at their assignments.

A teacher sees the work in the teacher's own classes and the work that a student brings along from
classes that are archived or that the student has left. Work in a colleague's current class is for
the colleague to show.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from django.db.models import Count, Q

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_classes, assigned_to, boards_for
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.access import in_class_of
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.progress import (
    PuzzleState,
    PuzzleStatus,
    progress_of_classes,
    student_progress,
)
from puzzleclass.puzzles.models import levels_of
from puzzleclass.stats.class_table import clock
from solvers.answers import band_of, level_of
from solvers.registry import AnyKind


@dataclass(slots=True)
class PuzzleWork:
    """A student's work at a puzzle."""

    puzzle: AssignedPuzzle
    status: PuzzleStatus
    hints: int = 0
    band: str = ""
    """The difficulty of the board, one of `BANDS`; empty when it has not been rated."""

    @property
    def time(self) -> str:
        """The time at the board, as a stopwatch shows it."""
        return clock(self.status.seconds)


@dataclass(slots=True)
class AssignmentWork:
    """A student's work at an assignment."""

    assignment: Assignment
    is_mine: bool
    """Whether the teacher who looks at the page teaches the class, so that the attempts can be
    opened."""
    puzzles: list[PuzzleWork]

    @property
    def solved(self) -> int:
        return sum(work.status.is_solved for work in self.puzzles)


@dataclass(slots=True)
class Strength:
    """A student's results at boards of one kind and one difficulty."""

    kind: AnyKind
    band: str
    works: list[PuzzleWork] = field(default_factory=list)

    @property
    def begun(self) -> int:
        return sum(work.status.is_begun for work in self.works)

    @property
    def solved(self) -> int:
        return sum(work.status.is_solved for work in self.works)

    @property
    def time(self) -> str:
        """The median time at a solved board; empty when none is solved."""
        times = [work.status.seconds for work in self.works if work.status.is_solved]
        return clock(round(median(times))) if times else ""


def works_of(teacher: User, student: User) -> list[AssignmentWork]:
    """Return the student's work, the latest assignment first. Uses fourteen queries at most."""
    mine = Classroom.objects.filter(in_class_of(teacher))
    mine_keys = set(mine.values_list("pk", flat=True))
    current_classes = student.enrolments.order_by().values("classroom")
    brought_along = Q(classroom__archived_at__isnull=False) | ~Q(classroom__in=current_classes)
    begun = Attempt.objects.filter(student=student).order_by().values("puzzle__assignment")
    assigned = assigned_to(student) & Q(
        classroom__in=mine.values("pk"), classroom__students=student
    )
    done = Q(pk__in=begun) & (Q(classroom__in=mine.values("pk")) | brought_along)
    assignments = list(
        Assignment.objects.filter(assigned | done)
        .distinct()
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("-due_at", "-pk")
    )
    puzzles = [puzzle for assignment in assignments for puzzle in assignment.puzzles.all()]
    progress = student_progress(student.pk, puzzles)
    levels = levels_of(puzzles)
    works = {
        puzzle.pk: PuzzleWork(puzzle, progress[puzzle.pk], band=band_of(levels[puzzle.key]))
        for puzzle in puzzles
    }
    hints = HintUse.objects.filter(attempt__student=student, attempt__puzzle__in=works)
    for puzzle, number in hints.order_by().values_list("attempt__puzzle").annotate(n=Count("pk")):
        works[puzzle].hints = number
    boards = boards_for(student, assignments)
    found = [
        AssignmentWork(a, a.classroom_id in mine_keys, _shown(a, boards[a.pk], works))
        for a in assignments
    ]
    return [work for work in found if work.puzzles or not work.assignment.is_gallery]


def _shown(
    assignment: Assignment, boards: Iterable[AssignedPuzzle], works: Mapping[int, PuzzleWork]
) -> list[PuzzleWork]:
    """Return the student's work at the boards; in a gallery, at those that were begun, because
    nobody is to solve all boards of a gallery."""
    mine = [works[puzzle.pk] for puzzle in boards]
    return [work for work in mine if work.status.is_begun] if assignment.is_gallery else mine


def works_of_class(assignments: Sequence[Assignment]) -> dict[int, list[AssignmentWork]]:
    """Return the work of each student (pk) at assignments of a class, in their order.

    The assignments' puzzles should be prefetched. Uses fifteen queries at most, however many
    students and assignments there are.
    """
    classes = assigned_classes(assignments)
    levels = levels_of(puzzle for each in classes for puzzle in each.puzzles)
    uses = HintUse.objects.filter(attempt__puzzle__assignment__in=assignments).order_by()
    by_place = uses.values_list("attempt__student", "attempt__puzzle").annotate(n=Count("pk"))
    hints = {(student, puzzle): n for student, puzzle, n in by_place}
    works: dict[int, list[AssignmentWork]] = defaultdict(list)
    for each, progress in zip(classes, progress_of_classes(classes)):
        for student in each.students:
            statuses = ((puzzle, progress[student, puzzle.pk]) for puzzle in each.puzzles)
            puzzles = [
                PuzzleWork(
                    puzzle, status, hints.get((student, puzzle.pk), 0), band_of(levels[puzzle.key])
                )
                for puzzle, status in statuses
                if status.state != PuzzleState.NOT_ASSIGNED
                and (status.is_begun or not each.assignment.is_gallery)
            ]
            works[student].append(AssignmentWork(each.assignment, True, puzzles))
    return works


def strengths_of(works: Iterable[AssignmentWork]) -> list[Strength]:
    """Return the work grouped by kind and difficulty, without boards that have not been begun."""
    found: dict[tuple[str, int], Strength] = {}
    for work in (work for each in works for work in each.puzzles if work.status.is_begun):
        key = (work.puzzle.kind_slug, level_of(work.band))
        strength = found.setdefault(key, Strength(work.puzzle.kind, work.band))
        strength.works.append(work)
    return [found[key] for key in sorted(found)]
