"""Count the results of attempts: each moves the estimate of the student's skill once.

A student's step counts nothing, so that it costs a move nothing. The results are counted when the
student asks for the next board, and by the worker for everybody else. A lock on the student and the
mark on the attempt make sure that each result counts once.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.practice.choice import skills_of
from puzzleclass.practice.models import MadeBoard, ReturningPosition, StoredSkill
from puzzleclass.practice.returning import find_positions, keep_lost
from puzzleclass.practice.skill import (
    collected_difficulty,
    difficulty_of_level,
    measured_difficulty,
    scaled,
    skill_after,
    skill_at,
)
from puzzleclass.puzzles.answers import RATE, answer_in
from puzzleclass.puzzles.worlds import BoardKey, kinds_with_worlds
from solvers.answers import RateAnswer

LEFT_AFTER = timedelta(days=1)
"""The time without a step after which an attempt that is not solved counts as left."""

MOST_ATTEMPTS = 200
"""The most attempts of a student that are counted at once. The rest follow."""

MOST_STUDENTS = 50
"""The most students of a round. The rest follow in the next round."""


@shared_task
def count_ended_attempts() -> int:
    """Count what has ended and is not counted yet. Return the number of students it was for."""
    students = set(ended_attempts().values_list("student", flat=True).distinct()[:MOST_STUDENTS])
    unknown = ReturningPosition.objects.filter(kept=None).order_by()
    students |= set(unknown.values_list("student", flat=True).distinct()[:MOST_STUDENTS])
    for student in User.objects.filter(pk__in=students):
        count_results(student)
    return len(students)


@transaction.atomic
def count_results(student: User) -> None:
    """Count the student's attempts that have ended. The lost ones return as positions.

    An attempt is a success if it was solved without a hint. Attempts at a board that was solved
    before, or whose difficulty is not known, change nothing, and neither do those at which every
    move was commented on.
    """
    # Two windows of the student, or a window and the worker, take turns.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=student.pk)
    ended = list(with_facts(ended_attempts().filter(student=student))[:MOST_ATTEMPTS])
    if ended:
        Attempt.objects.filter(pk__in=[each.pk for each in ended]).update(is_counted=True)
        _update_skills(student, ended)
        for attempt in ended:
            if not attempt.has_solved:
                keep_lost(attempt)
    find_positions(student)


def ended_attempts() -> QuerySet[Attempt]:
    """Return the attempts that have ended and are not counted: solved, given up, or left."""
    left = Q(last_at__lt=timezone.now() - LEFT_AFTER)
    has_ended = Q(has_solved=True) | Q(state=Attempt.State.GIVEN_UP) | left
    return Attempt.objects.filter(has_ended, is_counted=False, next_step__gt=0).order_by()


def with_facts(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Return the attempts, in the order of their last steps, with what `results_of` needs."""
    same = {"student": OuterRef("student"), "puzzle": OuterRef("puzzle")}
    earlier = Attempt.objects.filter(**same, number__lt=OuterRef("number"), has_solved=True)
    return (
        attempts.select_related("puzzle__assignment")
        .annotate(
            has_hint=Exists(HintUse.objects.filter(attempt=OuterRef("pk"))),
            was_solved_before=Exists(earlier),
        )
        .order_by("last_at", "pk")
    )


def _update_skills(student: User, ended: Iterable[Attempt]) -> None:
    skills = skills_of(student)
    before = dict(skills)
    for slug, difficulty, is_success in results_of(ended):
        skills[slug] = skill_after(skill_at(slug, skills), difficulty, is_success=is_success)
    changed = [
        StoredSkill(student=student, kind_slug=slug, value=skill.value, results=skill.results)
        for slug, skill in skills.items()
        if skill != before.get(slug)
    ]
    if changed:
        StoredSkill.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["student", "kind_slug"],
            update_fields=["value", "results"],
        )


def results_of(ended: Iterable[Attempt]) -> Iterator[tuple[str, float, bool]]:
    """Yield the kind, the difficulty and the success of each attempt that counts.

    The attempts need the annotations of `with_facts`. Two queries.
    """
    counted = [
        each
        for each in ended
        if not (each.was_solved_before or each.puzzle.assignment.warns)  # type: ignore[attr-defined]
    ]
    difficulties = _difficulties((each.puzzle.kind_slug, each.puzzle.position) for each in counted)
    for each in counted:
        difficulty = difficulties.get((each.puzzle.kind_slug, each.puzzle.position))
        if difficulty is not None:
            is_success = each.has_solved and not each.has_hint  # type: ignore[attr-defined]
            yield each.puzzle.kind_slug, difficulty, is_success


def _difficulties(boards: Iterable[BoardKey]) -> dict[BoardKey, float]:
    """Return the difficulty of the boards of which it is known. Two queries at most."""
    kinds = {kind.slug: kind for kind in kinds_with_worlds()}
    found: dict[BoardKey, float] = {}
    others: dict[str, BoardKey] = {}
    for slug, position in {key for key in boards if key[0] in kinds}:
        difficulty = collected_difficulty(kinds[slug], position)
        if difficulty is None:
            others[job_key(slug, RATE, position)] = slug, position
        else:
            found[slug, position] = difficulty
    if not others:
        return found
    made = MadeBoard.objects.filter(
        level__gt=0, position__in=[position for _slug, position in others.values()]
    )
    for slug, position, level in made.values_list("kind_slug", "position", "level"):
        found[slug, position] = difficulty_of_level(kinds[slug], level)
    for key, job in jobs.find_all(others).items():
        rating = answer_in(job, RateAnswer)
        kind = kinds[others[key][0]]
        measured = measured_difficulty(kind, rating) if rating else None
        if measured is not None:
            found[others[key]] = scaled(kind, measured)
    return found
