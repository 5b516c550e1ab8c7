"""Count the results of attempts: each moves the estimate of the student's skill once.

A student's step counts nothing, so that it costs a move nothing. The results are counted when the
student asks for the next board, and by the worker for everybody else. A lock on the student and the
mark on the attempt make sure that each result counts once.

The figures of a board count later (`play.first_attempts`).
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.first_attempts import old_enough
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.practice.experience import Experience
from puzzleclass.practice.fitting import experience_of, skills_of
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
from puzzleclass.puzzles.models import BoardFigures, fingerprint
from puzzleclass.puzzles.worlds import BoardKey, worlds
from solvers.answers import RateAnswer
from solvers.registry import kind_or_missing

LEFT_AFTER = timedelta(days=1)
"""The time without a step after which an attempt that is not solved counts as left."""

MAX_ATTEMPTS = 200
"""The most attempts of a student that are counted at once. The rest follow."""

MAX_STUDENTS = 50
"""The most students of a round. The rest follow in the next round."""


class CountedResult(NamedTuple):
    """What an attempt says about the student and about the board."""

    attempt: Attempt
    difficulty: float
    """The difficulty of the board as it is computed, in log-odds."""
    is_success: bool
    """Whether the board was solved without a hint."""


@shared_task
def count_ended_attempts() -> int:
    """Count what has ended and is not counted yet. Return the number of students it was for."""
    unknown = ReturningPosition.objects.filter(kept=None).order_by()
    waiting = {
        key
        for rows in (ended_attempts(), attempts_to_measure(), unknown)
        for key in rows.values_list("student", flat=True).distinct()[:MAX_STUDENTS]
    }
    for student in User.objects.filter(pk__in=waiting):
        count_results(student)
        measure_boards(student)
    return len(waiting)


@transaction.atomic
def count_results(student: User) -> None:
    """Count the student's attempts that have ended. The lost ones return as positions.

    An attempt is a success if it was solved without a hint. Attempts at a board that was solved
    before, or whose difficulty is not known, change nothing, and neither do those at which every
    move was commented on.
    """
    _take_turns(student)
    ended = list(with_facts(ended_attempts().filter(student=student))[:MAX_ATTEMPTS])
    if ended:
        Attempt.objects.filter(pk__in=[each.pk for each in ended]).update(is_counted=True)
        _update_skills(student, results_of(ended))
        for attempt in ended:
            if not attempt.has_solved:
                keep_lost(attempt)
    find_positions(student)


@transaction.atomic
def measure_boards(student: User) -> None:
    """Count the student's first attempts in the figures of their boards, when it is time."""
    _take_turns(student)
    due = list(with_facts(attempts_to_measure().filter(student=student))[:MAX_ATTEMPTS])
    if due:
        Attempt.objects.filter(pk__in=[each.pk for each in due]).update(is_measured=True)
        _update_figures(results_of(due))


def _take_turns(student: User) -> None:
    """Let two windows of the student, or a window and the worker, wait for each other."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=student.pk)


def attempts_to_measure() -> QuerySet[Attempt]:
    """Return the attempts that have waited long enough to count in the figures of their boards."""
    return old_enough(Attempt.objects.filter(is_measured=False)).order_by()


def ended_attempts() -> QuerySet[Attempt]:
    """Return the attempts that have ended and are not counted: solved, given up, or left."""
    left = Q(last_at__lt=timezone.now() - LEFT_AFTER)
    has_ended = Q(has_solved=True) | Q(state=Attempt.State.GIVEN_UP) | left
    return Attempt.objects.filter(has_ended, is_counted=False, next_step__gt=0).order_by()


def with_facts(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Return the attempts, in the order of their last steps, with what `results_of` needs."""
    same = {"student": OuterRef("student"), "puzzle": OuterRef("puzzle")}
    earlier = Attempt.objects.filter(**same, number__lt=OuterRef("number"), has_solved=True)
    # The same board may have been played in practice, or in another assignment.
    before = Attempt.objects.filter(
        student=OuterRef("student"),
        puzzle__kind_slug=OuterRef("puzzle__kind_slug"),
        puzzle__position=OuterRef("puzzle__position"),
        pk__lt=OuterRef("pk"),
        next_step__gt=0,
    )
    return (
        attempts.select_related("puzzle__assignment__classroom")
        .annotate(
            has_hint=Exists(HintUse.objects.filter(attempt=OuterRef("pk"))),
            was_solved_before=Exists(earlier),
            was_played_before=Exists(before),
        )
        .order_by("last_at", "pk")
    )


def _update_skills(student: User, results: Iterable[CountedResult]) -> None:
    skills = skills_of(student)
    before = dict(skills)
    experiences: dict[int, Experience] = {}
    for attempt, difficulty, is_success in results:
        classroom, slug = attempt.puzzle.assignment.classroom, attempt.puzzle.kind_slug
        if classroom.pk not in experiences:
            experiences[classroom.pk] = experience_of(classroom)
        experience = experiences[classroom.pk]
        felt = experience.felt(slug, fingerprint(slug, attempt.puzzle.position), difficulty)
        skill = skill_at(slug, skills, experience.beginners)
        skills[slug] = skill_after(skill, felt, is_success=is_success)
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


def _update_figures(results: Iterable[CountedResult]) -> None:
    """Count the first attempts at boards that the class was assigned.

    Boards that a student has chosen, or was given because of earlier results, would say more about
    these students than about the boards.
    """
    counted = []
    for result in results:
        puzzle, assignment = result.attempt.puzzle, result.attempt.puzzle.assignment
        is_chosen = assignment.is_practice or assignment.is_gallery
        is_dealt = assignment.dealing == Assignment.Dealing.STAIRCASE
        if not (is_chosen or is_dealt or result.attempt.was_played_before):  # type: ignore[attr-defined]
            key = fingerprint(puzzle.kind_slug, puzzle.position)
            counted.append((assignment.classroom_id, key, puzzle.kind_slug, *result[1:]))
    # In this order two students can't wait for each other's rows.
    for classroom, key, slug, difficulty, is_success in sorted(counted):
        figures, _ = BoardFigures.objects.get_or_create(
            classroom_id=classroom,
            fingerprint=key,
            defaults={"kind_slug": slug, "difficulty": difficulty},
        )
        BoardFigures.objects.filter(pk=figures.pk).update(
            difficulty=difficulty, students=F("students") + 1, solved=F("solved") + is_success
        )


def results_of(ended: Iterable[Attempt]) -> Iterator[CountedResult]:
    """Yield the result of each attempt that counts.

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
            yield CountedResult(each, difficulty, is_success)


def _difficulties(boards: Iterable[BoardKey]) -> dict[BoardKey, float]:
    """Return the difficulty of the boards of which it is known. Two queries at most."""
    keys = set(boards)
    named = {slug: kind_or_missing(slug) for slug, _position in keys}
    kinds = {slug: kind for slug, kind in named.items() if worlds(kind)}
    difficulties: dict[BoardKey, float] = {}
    others: dict[str, BoardKey] = {}
    for slug, position in {key for key in keys if key[0] in kinds}:
        difficulty = collected_difficulty(kinds[slug], position)
        if difficulty is None:
            others[job_key(slug, RATE, position)] = slug, position
        else:
            difficulties[slug, position] = difficulty
    if not others:
        return difficulties
    made = MadeBoard.objects.filter(
        level__gt=0, position__in=[position for _slug, position in others.values()]
    )
    for slug, position, level in made.values_list("kind_slug", "position", "level"):
        difficulties[slug, position] = difficulty_of_level(kinds[slug], level)
    for key, job in jobs.find_all(others).items():
        rating = answer_in(job, RateAnswer)
        kind = kinds[others[key][0]]
        measured = measured_difficulty(kind, rating) if rating else None
        if measured is not None:
            difficulties[others[key]] = scaled(kind, measured)
    return difficulties
