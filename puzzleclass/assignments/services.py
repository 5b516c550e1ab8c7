"""Assigning puzzles to a class, and changing assignments."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Template, TemplatePuzzle
from puzzleclass.assignments.pace import change_pace, running_pace
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.language.reader import say
from puzzleclass.puzzles.goals import ask_for_optimum, goal_of
from puzzleclass.puzzles.measured import LEAST_STUDENTS
from puzzleclass.puzzles.models import TITLE_LENGTH, Board, Puzzle
from puzzleclass.puzzles.titles import common_title, free_title
from solvers.message import Message


@transaction.atomic
def assign_puzzles(
    classroom: Classroom,
    teacher: User,
    title: str,
    due_at: datetime,
    puzzles: Sequence[Puzzle | AssignedPuzzle],
    **terms: object,
) -> Assignment:
    """Assign copies of the puzzles to the class, in this order.

    Jobs count their solutions and find their best scores. `terms` are other fields of the
    assignment.
    """
    assignment = classroom.assignments.create(teacher=teacher, title=title, due_at=due_at, **terms)
    set_puzzles(assignment, puzzles)
    return assignment


def propose_title(classroom: Classroom, boards: Sequence[Board]) -> str:
    """Return a title for an assignment of the boards that the class does not have yet.

    It is what the boards' titles have in common, or else their kinds. Empty if there are no boards.
    """
    if not boards:
        return ""
    kinds = list(dict.fromkeys(say(board.kind.name) for board in boards))
    if len(boards) == 1:
        title = boards[0].title
    elif common := common_title(board.title for board in boards):
        title = common
    elif len(kinds) == 1:
        title = kinds[0]
    elif len(kinds) == 2:
        title = _("{first} and {second}").format(first=kinds[0], second=kinds[1])
    else:
        title = _("Mixed puzzles")
    return unused_title(classroom, title)


def unused_title(classroom: Classroom, title: str) -> str:
    """Return the title, with a number if the class has an assignment of that title."""
    return free_title(title[:TITLE_LENGTH], _titles_in(classroom))


def _titles_in(classroom: Classroom) -> set[str]:
    return set(classroom.assignments.values_list("title", flat=True))


def last_assignment(teacher: User, classroom: Classroom) -> Assignment | None:
    """Return the teacher's last assignment in this class, or else in any class.

    A new assignment begins with its settings. One query.
    """
    made = teacher.assignments.filter(is_gallery=False, is_practice=False)
    here = made.annotate(is_here=Q(classroom=classroom))
    return here.order_by("-is_here", "-pk").first()


@transaction.atomic
def set_puzzles(assignment: Assignment, wanted: Sequence[Puzzle | AssignedPuzzle]) -> None:
    """Make the assignment hold just these puzzles, in this order.

    Puzzles of a library are copied. Assigned puzzles that are not among `wanted` are deleted with
    their attempts.
    """
    remaining = [board for board in wanted if isinstance(board, AssignedPuzzle)]
    deleted, _rows = assignment.puzzles.exclude(pk__in=[board.pk for board in remaining]).delete()
    if deleted and running_pace(assignment):
        # A question about such a board is gone, too. The students' pages look again.
        change_pace(assignment, is_asked=False)
    # Two rows can't hold one number even for a moment, so all rows are moved up first.
    offset = max([len(wanted), *(board.number for board in remaining)])
    assignment.puzzles.update(number=F("number") + offset)
    for number, board in enumerate(wanted, 1):
        if isinstance(board, AssignedPuzzle):
            assignment.puzzles.filter(pk=board.pk).update(number=number)
            continue
        assigned = assignment.puzzles.create(number=number, puzzle_id=board.pk, **board.copied)
        # A teacher who has asked for too much already can have the rest counted later.
        with suppress(QuotaReached):
            ask_about_assigned(assignment.teacher, assigned)
    made = [board.pk for board in wanted if isinstance(board, Puzzle) and board.pk]
    Puzzle.every.filter(pk__in=made, is_in_library=False).update(is_in_library=True)


def ask_about_assigned(teacher: User, assigned: AssignedPuzzle) -> None:
    """Ask for the number of solutions and for the best score. Raises QuotaReached."""
    jobs.ask(teacher, assigned.kind_slug, "count", assigned.position)
    goal = goal_of(assigned)
    if goal and goal.optimum is None:
        # The best score is needed to recognise a board that has it.
        ask_for_optimum(teacher, assigned)


def close(assignment: Assignment) -> None:
    """Make the assignment due now, if students see it and it is not over."""
    if assignment.is_shown and not assignment.is_over:
        assignment.due_at = min(assignment.due_at, timezone.now())
        assignment.late_until = None
        assignment.save(update_fields=["due_at", "late_until"])


def copy(
    source: Assignment | Template, classroom: Classroom, teacher: User, due_at: datetime
) -> Assignment:
    """Return a draft of an assignment for a class, with the same puzzles and terms.

    The source is an assignment of any class or year, or a template. The title gets a number if the
    class has it already. Students see nothing of the draft before it is published.
    """
    puzzles = [Puzzle(pk=board.puzzle_id, **board.copied) for board in source.puzzles.all()]
    terms = source.terms | {"title": unused_title(classroom, source.title)}
    copied = assign_puzzles(
        classroom,
        teacher,
        due_at=due_at,
        puzzles=puzzles,
        is_draft=True,
        **terms,  # type: ignore[arg-type]
    )
    if isinstance(source, Assignment):
        copied.wanted, copied.dealing = source.wanted, source.dealing
        copied.save(update_fields=["wanted", "dealing"])
        deal(copied)
    return copied


@transaction.atomic
def make_template(source: Assignment, owner: User) -> Template:
    """Store the assignment's puzzles and terms as a template. Raises QuotaReached."""
    if owner.templates.count() >= Template.MAX_COUNT:
        raise QuotaReached(
            Message(
                "You have {most} templates, which is the maximum. Delete some first.",
                {"most": Template.MAX_COUNT},
            )
        )
    template = Template.objects.create(owner=owner, **source.terms)
    TemplatePuzzle.objects.bulk_create(
        TemplatePuzzle(
            template=template, number=board.number, puzzle_id=board.puzzle_id, **board.copied
        )
        for board in source.puzzles.all()
    )
    return template


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """The time that puzzles take a student, estimated from earlier attempts."""

    minutes: int
    measured: int
    """The number of puzzles that were measured. Their mean stands for the others."""


MAX_MEASURED = 2000
"""The most attempts from which a time is estimated; the latest ones count."""


def estimate_time(boards: Sequence[Board], teacher: User) -> TimeEstimate | None:
    """Return the time that the boards take, from the median of solved attempts at each board.

    The attempts are those of the teacher's own classes. Those of other classes that share their
    figures count where at least `LEAST_STUDENTS` students have solved the board, so that nobody
    learns how long a single student took. None if too little is known. One query.
    """
    keys = {(board.kind_slug, board.position) for board in boards}
    is_own = Q(
        assignment__classroom__in=Teaching.objects.filter(teacher=teacher).values("classroom")
    )
    rows = AssignedPuzzle.objects.filter(
        is_own
        | Q(assignment__classroom__shares_figures=True, assignment__classroom__deleted_at=None),
        position__in={position for _, position in keys},
        attempts__has_solved=True,
        attempts__seconds__gt=0,
    )
    columns = ("kind_slug", "position", "attempts__student", "attempts__seconds", "is_own")
    own: dict[tuple[str, str], list[int]] = defaultdict(list)
    others: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for kind, position, student, duration, is_own_class in (
        rows.annotate(is_own=is_own).order_by("-pk").values_list(*columns)[:MAX_MEASURED]
    ):
        if is_own_class:
            own[kind, position].append(duration)
        else:
            others[kind, position][student] = duration
    medians = []
    for key in ((board.kind_slug, board.position) for board in boards):
        shared = others[key].values() if len(others[key]) >= LEAST_STUDENTS else ()
        if measured := [*own[key], *shared]:
            medians.append(median(measured))
    if not medians:
        return None
    return TimeEstimate(max(1, round(mean(medians) * len(boards) / 60)), len(medians))


def with_attempt_counts(assignment: Assignment) -> list[AssignedPuzzle]:
    """Return the assignment's puzzles in order.

    `attempt_count` is the number of attempts begun at each.
    """
    begun = Count("attempts", filter=Q(attempts__next_step__gt=0))
    puzzles = assignment.puzzles.annotate(attempt_count=begun)  # type: ignore[no-redef]
    return list(puzzles.order_by("number").prefetch_related("puzzle"))
