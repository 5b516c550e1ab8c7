"""Attempts and their steps: find the current attempt, make or take back moves.

Every window may make a step of an attempt that it has read. If two do at the same moment, the
condition on `next_step` in the one UPDATE decides which comes first.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.clock import stop_clock
from puzzleclass.play.models import Attempt, Step, Trial
from puzzleclass.play.refusals import (
    StepRefused,
    count_refused_move,
    refuse_too_many_steps,
    refuse_while_held,
)
from puzzleclass.play.result_models import ClassFind, FoundSolution, Scores
from puzzleclass.play.scores import can_be_beaten, store_best_score
from puzzleclass.play.steps import FINISHED, StepOutcome, TimedStep, canonical, outcome_of
from puzzleclass.puzzles.positions import remember
from solvers.kind import BadText, split_moves
from solvers.message import Message, gettext_noop
from solvers.missing import NOT_INSTALLED, MissingKind

QUOTA_STEPS = 100
"""The number of steps of an attempt between two checks of the student's quota of the day."""

MAX_STROKE = 200
"""The most moves of one stroke (MAX_STROKE in static/step-queue.js)."""

_LONG_STROKE = gettext_noop(
    "This stroke has {number} moves. At most {most} moves can be made at once. Make them in parts."
)
_RESTARTED_ELSEWHERE = Message(
    "You started again in another window. This is the new board. Your last move did not count."
)
_CHANGED_ELSEWHERE = Message("This board was changed in another window. It is shown as it is now.")


def current_attempt(
    student: User, puzzle: AssignedPuzzle, at: datetime | None = None
) -> Attempt | None:
    """Return the student's latest attempt. The first attempt has no row before its first step.

    The attempt is open or solved, because the next one follows at once when one is given up. Return
    None if the student never began the puzzle and the due date has passed.
    """
    at = at or timezone.now()
    latest = latest_attempt(student.pk, puzzle)
    if latest is not None or is_over_for(puzzle.assignment, student.pk, at):
        return latest
    return Attempt.first(student, puzzle, at)


def begin(attempt: Attempt) -> None:
    """Give a first attempt its row, unless it has one. Two queries.

    Two windows may do so at the same moment. The number is unique, so both then have the same row.
    """
    if attempt.pk is None:
        untouched = Attempt.first(attempt.student, attempt.puzzle, attempt.started_at)
        Attempt.objects.bulk_create([untouched], ignore_conflicts=True)
        attempt.pk = _row_of(attempt).values_list("pk", flat=True).get()
        attempt._state.adding = False


def latest_attempt(student: int, puzzle: AssignedPuzzle) -> Attempt | None:
    """Return the latest attempt of a student, given by primary key, at the puzzle."""
    attempts = Attempt.objects.filter(student=student, puzzle=puzzle).order_by("-number")
    if attempt := attempts.first():
        attempt.puzzle = puzzle
    return attempt


def take_step(
    attempt: Attempt,
    number: int,
    action: str,
    move: str = "",
    at: datetime | None = None,
    arrived_at: datetime | None = None,
) -> Attempt:
    """Make a move or take one back, as step `number` of the attempt, and store it.

    Return the attempt as it stands now; the argument stays as it was read. A step that is stored
    already changes nothing: the browser sends it again if the answer was lost. `at` is the time of
    the step, by default now, and `arrived_at` that of its arrival if it was made before. Raise
    StepRefused if the step can't be taken.
    """
    steps = [TimedStep(action, move, at or timezone.now())]
    return _take_in_turn(attempt, number, steps, arrived_at)


def take_stroke(
    attempt: Attempt,
    number: int,
    line: str,
    at: datetime | None = None,
    arrived_at: datetime | None = None,
) -> Attempt:
    """Make all moves of a stroke, as the steps from `number` on, and store them together.

    Either all moves are stored or none. Only what follows the move that solves the board is left
    out. The arguments and the errors are those of `take_step`, but for the `line` of moves.
    """
    try:
        moves = split_moves(line) or [""]
    except BadText as error:
        raise StepRefused(error.message, 400) from None
    if len(moves) > MAX_STROKE:
        raise StepRefused(Message(_LONG_STROKE, {"number": len(moves), "most": MAX_STROKE}), 400)
    at = at or timezone.now()
    steps = [TimedStep(Step.Action.MOVE, move, at) for move in moves]
    return _take_in_turn(attempt, number, steps, arrived_at)


def _take_in_turn(
    attempt: Attempt, number: int, steps: Sequence[TimedStep], arrived_at: datetime | None
) -> Attempt:
    """Take the steps if `number` is the number of the next one, or if they are stored already."""
    at = steps[0].at
    is_next = attempt.state == Attempt.State.OPEN and attempt.next_step == number
    attempt = copy(attempt) if is_next else reloaded(attempt)
    attempt.before = None
    if arrived_at and at < arrived_at:
        attempt.arrived_at = arrived_at
        if attempt.pk is None:
            attempt.started_at = attempt.last_at = at
    steps = [canonical(attempt, step) for step in steps]
    if attempt.state == Attempt.State.OPEN and number == attempt.next_step:
        try:
            if _take(attempt, _until_solved(attempt, steps)):
                return attempt
        except StepRefused as refused:
            is_tried = len(steps) == 1 and bool(steps[0].move) and attempt.trial is None
            if refused.status == 422 and is_tried:
                count_refused_move(attempt, steps[0].move, refused.message, at)
            raise
        attempt = reloaded(attempt)
    if _are_stored(attempt, number, steps):
        return attempt
    raise StepRefused(_refusal_of_late_step(attempt), 409)


def _until_solved(attempt: Attempt, steps: Sequence[TimedStep]) -> Iterator[TimedStep]:
    """Yield the steps up to the one that ends the attempt, which changes while they are made."""
    for step in steps:
        yield step
        if attempt.state != Attempt.State.OPEN:
            return


def _are_stored(attempt: Attempt, number: int, steps: Sequence[TimedStep]) -> bool:
    """Return whether the steps are those of the attempt from `number` on, as far as it goes."""
    if not attempt.pk:
        return False
    numbers = range(number, number + len(steps))
    stored = attempt.steps.filter(number__in=numbers).order_by("number")
    asked = [(step.action, step.move) for step in steps]
    found = list(stored.values_list("action", "move"))
    is_all = len(found) == len(asked) or attempt.state == Attempt.State.SOLVED
    return bool(found) and is_all and found == asked[: len(found)]


def _refusal_of_late_step(attempt: Attempt) -> Message:
    if attempt.state == Attempt.State.OPEN:
        return _CHANGED_ELSEWHERE
    where = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    has_later = Attempt.objects.filter(**where, number__gt=attempt.number).exists()
    return _RESTARTED_ELSEWHERE if has_later else FINISHED


def go_to(attempt: Attempt, number: int, moves: int) -> None:
    """Take moves back, or make undone moves again, until `moves` moves are on the board.

    Each move is a step, and `number` is the number of the first. Either all steps are stored or
    none. Raise StepRefused if they can't be taken.
    """
    if attempt.next_step != number:
        raise StepRefused(_CHANGED_ELSEWHERE, 409)
    if moves > attempt.most_moves:
        raise StepRefused(Message("There is no such move."), 422)
    take_steps(attempt, _steps_to(attempt, moves))


def _steps_to(attempt: Attempt, moves: int) -> Iterator[TimedStep]:
    at = timezone.now()
    while (now := attempt.number_of_moves) != moves:
        if now > moves:
            yield TimedStep(Step.Action.UNDO, "", at)
        else:
            yield TimedStep(Step.Action.MOVE, attempt.redo, at)


def take_steps(attempt: Attempt, steps: Iterable[TimedStep]) -> None:
    """Make several steps in a row, and store all of them or none.

    The attempt changes in memory while `steps` is read, so the steps may depend on it. Raise
    StepRefused if a step can't be taken.
    """
    if not _take(attempt, (canonical(attempt, step) for step in steps)):
        raise StepRefused(_CHANGED_ELSEWHERE, 409)


def reloaded(attempt: Attempt) -> Attempt:
    """Return the attempt as it is stored, or a copy of one that has no row yet."""
    return _row_of(attempt).select_related("puzzle__assignment__pace").first() or copy(attempt)


def _row_of(attempt: Attempt) -> QuerySet[Attempt]:
    """Return the query for the attempt's row, whichever window has made the row."""
    where = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    return Attempt.objects.filter(**where, number=attempt.number).order_by()


_STEP_FIELDS = (
    "state",
    "line",
    "undone",
    "next_step",
    "is_jammed",
    "has_solved",
    "awaited_hint",
    "seconds",
    "last_at",
    "arrived_at",
)
"""The fields of an attempt that a step changes."""


def _take(attempt: Attempt, steps: Iterable[TimedStep]) -> bool:
    """Make the steps, and store what comes of them. Return False if another step came first."""
    if isinstance(attempt.puzzle.kind, MissingKind):
        raise StepRefused(NOT_INSTALLED, 409)
    refuse_while_held(attempt)
    outcomes: list[StepOutcome] = []
    attempt.taken_back, attempt.was_solved = 0, attempt.has_solved
    for step in steps:
        outcome = outcome_of(attempt, step)
        if outcome.number % QUOTA_STEPS == QUOTA_STEPS - 1:
            refuse_too_many_steps(attempt.student_id, step.at)
        _advance(attempt, outcome)
        outcomes.append(outcome)
    if not outcomes:
        return True
    if attempt.trial:
        _keep_in_trial(attempt, attempt.trial, outcomes)
        return True
    return _store(attempt, outcomes)


def _advance(attempt: Attempt, outcome: StepOutcome) -> None:
    """Set the attempt to the outcome of a step, without storing it. One query at most."""
    puzzle, verdict = attempt.puzzle, outcome.verdict
    is_ended = verdict.solved and not can_be_beaten(puzzle, verdict)
    attempt.state = Attempt.State.SOLVED if is_ended else Attempt.State.OPEN
    attempt.line, attempt.undone = outcome.line, outcome.undone
    attempt.next_step = outcome.number + 1
    attempt.awaited_hint = 0
    attempt.is_jammed = outcome.is_jammed
    if outcome.is_jammed:
        attempt.was_stuck = True
    attempt.has_solved = attempt.has_solved or verdict.solved
    attempt.seconds, attempt.last_at = outcome.seconds, outcome.step.at
    attempt.before, attempt.position, attempt.verdict = outcome.before, outcome.position, verdict
    attempt.last_action = outcome.step.action
    attempt.taken_back += outcome.step.action == Step.Action.UNDO
    remember(puzzle.kind, puzzle.position, outcome.line, outcome.position)


def _store(attempt: Attempt, outcomes: Sequence[StepOutcome]) -> bool:
    """Write the steps, the board, the solutions and the best score together.

    Return False and write nothing if another step came first. The condition on `next_step` decides
    between two windows that move at the same moment.
    """
    fields = {field: getattr(attempt, field) for field in _STEP_FIELDS}
    if any(outcome.is_jammed for outcome in outcomes):
        # Otherwise the column is left alone, because a worker may just have written it.
        fields["was_stuck"] = True
    with transaction.atomic():
        begin(attempt)
        changed = Attempt.objects.filter(
            pk=attempt.pk, state=Attempt.State.OPEN, next_step=outcomes[0].number
        ).update(**fields)
        if not changed:
            return False
        # Until the commit, no other window can write for this student and puzzle.
        Step.objects.bulk_create(
            Step(attempt=attempt, number=each.number, **each.step._asdict()) for each in outcomes
        )
        if solutions := _solutions_in(attempt, outcomes):
            # A solution counts once, so the row of one that was found before stays as it is.
            FoundSolution.objects.bulk_create(solutions, ignore_conflicts=True)
            ClassFind.objects.bulk_create(map(_find_of, solutions), ignore_conflicts=True)
            stop_clock(attempt, max(solutions[0].found_at, attempt.arrived_at or attempt.last_at))
        best = _best_of(outcomes)
        if best and best.valid_score is not None:
            store_best_score(attempt, best.valid_score, best.position, best.step.at)
    return True


def _solutions_in(attempt: Attempt, outcomes: Iterable[StepOutcome]) -> list[FoundSolution]:
    return [
        FoundSolution(
            student_id=attempt.student_id,
            puzzle=attempt.puzzle,
            text=attempt.puzzle.kind.solution(each.position),
            line=each.line,
            found_at=each.step.at,
        )
        for each in outcomes
        if each.verdict.solved
    ]


def _find_of(solution: FoundSolution) -> ClassFind:
    puzzle = solution.puzzle
    return ClassFind(
        classroom_id=puzzle.assignment.classroom_id,
        kind_slug=puzzle.kind_slug,
        board=puzzle.fingerprint,
        solution=ClassFind.hash_of(solution.text),
        at=solution.found_at,
    )


def _best_of(outcomes: Iterable[StepOutcome]) -> StepOutcome | None:
    """Return the first outcome with the best score that counts; None if no score counts."""
    scored = [each for each in outcomes if each.valid_score is not None]
    return max(scored, key=lambda each: each.valid_score or 0, default=None)


def _keep_in_trial(attempt: Attempt, trial: Trial, outcomes: Sequence[StepOutcome]) -> None:
    """Note the solutions and the best score in a teacher's attempt, which has no row."""
    known = {solution.text for solution in trial.found}
    trial.found += [each for each in _solutions_in(attempt, outcomes) if each.text not in known]
    best = _best_of(outcomes)
    reached = best.valid_score if best else None
    trial.best = max(filter(None, (trial.best, reached)), default=trial.best)
    attempt.scores = Scores(trial.best, trial.best)
