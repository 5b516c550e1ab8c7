"""What students have done at their assignments.

A teacher sees the work in the teacher's own classes and the work that a student brings along from
classes that are archived or that the student has left. Work in a colleague's current class is for
the colleague to show.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from django.db.models import Q

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import AssignedClass, assigned_classes, assigned_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.access import in_class_of
from puzzleclass.classes.models import Classroom
from puzzleclass.play.hints import hints_used
from puzzleclass.play.models import Attempt
from puzzleclass.play.progress import progress_of_classes
from puzzleclass.play.status import PuzzleState, PuzzleStatus
from puzzleclass.puzzles.models import levels_of
from puzzleclass.templating.templatetags.words import clock
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


def works_of(teacher: User, student: User, *, gallery: bool = False) -> list[AssignmentWork]:
    """Return the student's work, the latest assignment first, as the class's pages count it.

    With `gallery`, the work in the galleries is returned, too. Seventeen queries at most.
    """
    mine = Classroom.objects.filter(in_class_of(teacher))
    mine_keys = set(mine.values_list("pk", flat=True))
    current_classes = student.enrolments.order_by().values("classroom")
    left = Q(classroom__archived_at__isnull=False) | ~Q(classroom__in=current_classes)
    begun = Attempt.objects.filter(student=student).order_by().values("puzzle__assignment")
    assigned = assigned_to(student) & Q(
        classroom__in=mine.values("pk"), classroom__students=student
    )
    brought_along = Q(pk__in=begun, classroom__deleted_at=None) & left
    assignments = (
        Assignment.objects.counted(gallery=gallery)
        .filter(assigned | brought_along)
        .distinct()
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("-due_at", "-pk")
    )
    classes = [AssignedClass(each, list(each.puzzles.all()), [student.pk]) for each in assignments]
    works = _works(classes, mine_keys).get(student.pk, [])
    return [work for work in works if work.puzzles or not work.assignment.is_gallery]


def works_of_class(assignments: Sequence[Assignment]) -> dict[int, list[AssignmentWork]]:
    """Return the work of each student (pk) at assignments of a class, in their order.

    The assignments' puzzles should be prefetched. Uses fifteen queries at most, however many
    students and assignments there are.
    """
    return _works(assigned_classes(assignments), {each.classroom_id for each in assignments})


def _works(
    classes: Sequence[AssignedClass], mine: Collection[int]
) -> dict[int, list[AssignmentWork]]:
    """Return the work of each student (pk) at the assignments, in their order.

    In a gallery, only boards that were begun are work, because nobody is to solve all of them.
    `mine` are the classes (pks) of the teacher who looks.
    """
    levels = levels_of(puzzle for each in classes for puzzle in each.puzzles)
    hints = hints_used(Q(attempt__puzzle__assignment__in=[each.assignment.pk for each in classes]))
    works: dict[int, list[AssignmentWork]] = defaultdict(list)
    for each, progress in zip(classes, progress_of_classes(classes)):
        is_mine = each.assignment.classroom_id in mine
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
            works[student].append(AssignmentWork(each.assignment, is_mine, puzzles))
    return works


def strengths_of(works: Iterable[AssignmentWork]) -> list[Strength]:
    """Return the work grouped by kind and difficulty, without boards that have not been begun."""
    found: dict[tuple[str, int], Strength] = {}
    for work in (work for each in works for work in each.puzzles if work.status.is_begun):
        key = (work.puzzle.kind_slug, level_of(work.band))
        strength = found.setdefault(key, Strength(work.puzzle.kind, work.band))
        strength.works.append(work)
    return [found[key] for key in sorted(found)]
