"""Giving puzzles to a class, and changing what was given."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from django.db import transaction
from django.db.models import Count, F, Q

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Template, TemplatePuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.http import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.puzzles.goals import ask_for_optimum, goal_of
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.message import Message


@transaction.atomic
def give(
    classroom: Classroom,
    teacher: User,
    title: str,
    due_at: datetime,
    puzzles: Sequence[Puzzle | AssignedPuzzle],
    **terms: object,
) -> Assignment:
    """Give the class copies of the puzzles, in this order, and have their solutions counted
    and their best scores found. `terms` are other fields of the assignment."""
    assignment = classroom.assignments.create(teacher=teacher, title=title, due_at=due_at, **terms)
    set_puzzles(assignment, puzzles)
    return assignment


@transaction.atomic
def set_puzzles(assignment: Assignment, wanted: Sequence[Puzzle | AssignedPuzzle]) -> None:
    """Make the assignment hold just these, in this order.

    Puzzles of a library are copied in; assigned ones that are not among `wanted` are
    deleted, their tries with them.
    """
    kept = [board for board in wanted if isinstance(board, AssignedPuzzle)]
    assignment.puzzles.exclude(pk__in=[board.pk for board in kept]).delete()
    # Two rows can't hold one number even for a moment, so all make room first.
    room = max([len(wanted), *(board.number for board in kept)])
    assignment.puzzles.update(number=F("number") + room)
    for number, board in enumerate(wanted, 1):
        if isinstance(board, AssignedPuzzle):
            assignment.puzzles.filter(pk=board.pk).update(number=number)
            continue
        given = assignment.puzzles.create(number=number, puzzle_id=board.pk, **board.copied)
        # Who has asked for too much already can have the rest counted later.
        with suppress(QuotaReached):
            ask_about_given(assignment.teacher, given)


def ask_about_given(teacher: User, given: AssignedPuzzle) -> None:
    """Have the solutions counted, and the best score found. Raises QuotaReached."""
    jobs.ask(teacher, given.kind_slug, "count", given.position)
    goal = goal_of(given)
    if goal and goal.optimum is None:
        # So that a board with the best score is known to be one.
        ask_for_optimum(teacher, given)


def copy(
    source: Assignment | Template, classroom: Classroom, teacher: User, due_at: datetime
) -> Assignment:
    """Give a class what another one, or the same a year ago, was given, or what a template has,
    with the same terms."""
    puzzles = [Puzzle(pk=board.puzzle_id, **board.copied) for board in source.puzzles.all()]
    copied = give(classroom, teacher, due_at=due_at, puzzles=puzzles, **source.terms)  # type: ignore[arg-type]
    if isinstance(source, Assignment):
        copied.wanted, copied.dealing = source.wanted, source.dealing
        copied.save(update_fields=["wanted", "dealing"])
        deal(copied)
    return copied


@transaction.atomic
def make_template(source: Assignment, owner: User) -> Template:
    """Keep the assignment's puzzles and terms as a template. Raises QuotaReached."""
    if owner.templates.count() >= Template.MOST:
        raise QuotaReached(
            Message(
                "You have {most} templates, which is as many as there can be. Delete some first.",
                {"most": Template.MOST},
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
class Time:
    """How long puzzles take a student, from earlier tries."""

    minutes: int
    measured: int
    """Puzzles that were measured; the others count as much as these do in the mean."""


MOST_MEASURED = 2000
"""Tries that a time is taken from; the latest count."""


def time_for(boards: Sequence[Board]) -> Time | None:
    """Return how long the boards take: the medians of what solved tries took. One query.

    None where none of them has ever been solved.
    """
    wanted = {(board.kind_slug, board.position) for board in boards}
    rows = AssignedPuzzle.objects.filter(
        position__in={position for _, position in wanted},
        attempts__has_solved=True,
        attempts__seconds__gt=0,
    ).order_by("-pk")
    seconds: dict[tuple[str, str], list[int]] = {key: [] for key in wanted}
    for kind, position, taken in rows.values_list("kind_slug", "position", "attempts__seconds")[
        :MOST_MEASURED
    ]:
        seconds.get((kind, position), []).append(taken)
    medians = [
        median(measured)
        for board in boards
        if (measured := seconds[board.kind_slug, board.position])
    ]
    if not medians:
        return None
    return Time(max(1, round(mean(medians) * len(boards) / 60)), len(medians))


@dataclass(frozen=True, slots=True)
class Work:
    """What students have done."""

    tries: int
    students: int


def work_at(assignment: Assignment) -> Work:
    """Return what has been done at the assignment: it goes when the assignment goes."""
    done = assignment.puzzles.filter(attempts__next_step__gt=0).aggregate(
        tries=Count("attempts"), students=Count("attempts__student", distinct=True)
    )
    return Work(**done)


def with_tries(assignment: Assignment) -> list[AssignedPuzzle]:
    """Return the assignment's puzzles in order, each with `tries`, how many were begun."""
    begun = Count("attempts", filter=Q(attempts__next_step__gt=0))
    puzzles = assignment.puzzles.annotate(tries=begun)  # type: ignore[no-redef]
    return list(puzzles.order_by("number").prefetch_related("puzzle"))
