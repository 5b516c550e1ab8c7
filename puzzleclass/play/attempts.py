"""Attempts and their steps: find the current attempt, make or take back moves, begin again.

Every window may make a step of an attempt that it has read. If two do at the same moment, the
condition on `next_step` in the one UPDATE decides which comes first.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.clock import stop_clock
from puzzleclass.play.models import Attempt, Step, Trial
from puzzleclass.play.refusals import (
    StepRefused,
    count_refused_move,
    refuse_too_many_attempts,
    refuse_too_many_steps,
    refuse_while_held,
)
from puzzleclass.play.result_models import FoundSolution, Scores
from puzzleclass.play.reviews import request_review
from puzzleclass.play.scores import can_be_beaten, store_best_score
from puzzleclass.puzzles.positions import remember
from solvers.kind import LONGEST_TEXT, BadText, IllegalMove, split_moves
from solvers.message import Message
from solvers.missing import NOT_INSTALLED, MissingKind

LONGEST_PAUSE = 60
"""The longest time that a pause between two steps counts for, in seconds."""

MAX_STEPS = 5_000
"""The most steps of one attempt: ten times what the longest puzzle needs. The replay has them
all."""

MAX_ATTEMPTS = 1_000
"""The most attempts that a student may begin at one puzzle."""

QUOTA_STEPS = 100
"""The number of steps of an attempt between two checks of the student's quota of the day."""


_FINISHED = Message("This attempt is finished. No more moves are possible.")
_TOO_LATE = Message("The due date has passed. Moves no longer count.")
_TOO_MANY_STEPS = Message("This attempt has too many moves. Please start again from the beginning.")
_TOO_MANY_ATTEMPTS = Message("You have started this puzzle again too many times.")
_RESTARTED_ELSEWHERE = Message(
    "You started again in another window. This is the new board. Your last move did not count."
)
_CHANGED_ELSEWHERE = Message("This board was changed in another window. It is shown as it is now.")

TimedStep = tuple[str, str, datetime]
"""The action, the move and the time of a step."""


def current_attempt(
    student: User, puzzle: AssignedPuzzle, at: datetime | None = None
) -> Attempt | None:
    """Return the student's latest attempt. The first attempt has no row before its first step.

    The attempt is open or solved, because the next one follows at once when one is given up. Return
    None if the student never began the puzzle and the due date has passed.
    """
    at = at or timezone.now()
    latest = _latest(student.pk, puzzle)
    if latest is not None or puzzle.assignment.due_at <= at:
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


def _latest(student: int, puzzle: AssignedPuzzle) -> Attempt | None:
    """Return the latest attempt of a student, given by primary key, at the puzzle."""
    attempts = Attempt.objects.filter(student=student, puzzle=puzzle).order_by("-number")
    if attempt := attempts.first():
        attempt.puzzle = puzzle
    return attempt


def take_step(
    attempt: Attempt, number: int, action: str, move: str = "", at: datetime | None = None
) -> Attempt:
    """Make a move or take one back, as step `number` of the attempt, and store it.

    Return the attempt as it stands now; the argument stays as it was read. A step that is stored
    already changes nothing: the browser sends it again if the answer was lost. `at` is the time of
    the step, by default now. Raise StepRefused if the step can't be taken.
    """
    at = at or timezone.now()
    is_next = attempt.state == Attempt.State.OPEN and attempt.next_step == number
    attempt = copy(attempt) if is_next else _reload(attempt)
    attempt.before = None
    move = _canonical_move(attempt, action, move)
    if attempt.state == Attempt.State.OPEN and number == attempt.next_step:
        try:
            if _store(attempt, [(action, move, at)]):
                return attempt
        except StepRefused as refused:
            if refused.status == 422 and move and attempt.trial is None:
                count_refused_move(attempt, move, refused.message, at)
            raise
        attempt = _reload(attempt)
    if attempt.pk and attempt.steps.filter(number=number, action=action, move=move).exists():
        return attempt
    raise StepRefused(_refusal_of_late_step(attempt), 409)


def _refusal_of_late_step(attempt: Attempt) -> Message:
    if attempt.state == Attempt.State.OPEN:
        return _CHANGED_ELSEWHERE
    where = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    has_later = Attempt.objects.filter(**where, number__gt=attempt.number).exists()
    return _RESTARTED_ELSEWHERE if has_later else _FINISHED


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
        yield (Step.Action.UNDO, "", at) if now > moves else (Step.Action.MOVE, attempt.redo, at)


def take_steps(attempt: Attempt, steps: Iterable[TimedStep]) -> None:
    """Make several steps in a row, and store all of them or none.

    The attempt changes in memory while `steps` is read, so the steps may depend on it. Raise
    StepRefused if a step can't be taken.
    """
    timed = ((action, _canonical_move(attempt, action, move), at) for action, move, at in steps)
    if not _store(attempt, timed):
        raise StepRefused(_CHANGED_ELSEWHERE, 409)


def _reload(attempt: Attempt) -> Attempt:
    return _row_of(attempt).select_related("puzzle__assignment__pace").first() or copy(attempt)


def _row_of(attempt: Attempt) -> QuerySet[Attempt]:
    """Return the query for the attempt's row, whichever window has made the row."""
    where = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    return Attempt.objects.filter(**where, number=attempt.number).order_by()


def _canonical_move(attempt: Attempt, action: str, move: str) -> str:
    """Return the move's canonical text; empty for an undo. Raise StepRefused for a bad text."""
    if action == Step.Action.UNDO:
        return ""
    kind = attempt.puzzle.kind
    try:
        return kind.write_move(kind.read_move(move))
    except BadText as error:
        raise StepRefused(error.message, 400) from None


def _after_step(attempt: Attempt, action: str, move: str) -> tuple[str, Any]:
    """Return the line and the position after the step. Raise StepRefused if the rules forbid it.

    The line is extended or cut rather than written anew from the position, which would take longer
    with every move.
    """
    kind = attempt.puzzle.kind
    if action == Step.Action.UNDO:
        moves = split_moves(attempt.line)
        if not moves:
            raise StepRefused(Message("There is no move to take back."), 422)
        line = " ".join(moves[:-1])
        return line, attempt.puzzle.after(line)
    try:
        position = kind.play(attempt.position, kind.read_move(move))
    except IllegalMove as error:
        raise StepRefused(error.message, 422, error.place) from None
    return f"{attempt.line} {move}".lstrip(), position


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
)
"""The fields of an attempt that a step changes."""


def _store(attempt: Attempt, steps: Iterable[TimedStep]) -> bool:
    """Make the steps; write them, the board, the solutions and the best score together.

    Return False and write nothing if another step came first. The condition on `next_step` decides
    between two windows that move at the same moment.
    """
    kind, puzzle, student = attempt.puzzle.kind, attempt.puzzle, attempt.student_id
    if isinstance(kind, MissingKind):
        raise StepRefused(NOT_INSTALLED, 409)
    refuse_while_held(attempt)
    first_number, new_steps, solutions, best = attempt.next_step, [], [], None
    fields: set[str] = set(_STEP_FIELDS)
    attempt.taken_back, attempt.was_solved = 0, attempt.has_solved
    for action, move, at in steps:
        if attempt.state != Attempt.State.OPEN:
            raise StepRefused(_FINISHED, 409)
        if puzzle.assignment.due_at <= at:
            raise StepRefused(_TOO_LATE, 409)
        if attempt.next_step >= MAX_STEPS:
            raise StepRefused(_TOO_MANY_STEPS, 409)
        if attempt.next_step % QUOTA_STEPS == QUOTA_STEPS - 1:
            refuse_too_many_steps(student, at)
        line, position = _after_step(attempt, action, move)
        attempt.before = attempt.position
        verdict = kind.judge(position)
        new_steps.append(
            Step(attempt=attempt, number=attempt.next_step, action=action, move=move, at=at)
        )
        # Take the difference of whole seconds. If each pause were rounded down by itself, quick
        # steps would all count as 0.
        pause = int(at.timestamp()) - int(attempt.last_at.timestamp())
        is_ended = verdict.solved and not can_be_beaten(puzzle, verdict)
        attempt.state = Attempt.State.SOLVED if is_ended else Attempt.State.OPEN
        attempt.undone = _undone_after(attempt, action, move)
        attempt.line = line
        if len(attempt.position_text) > LONGEST_TEXT:
            raise StepRefused(_TOO_MANY_STEPS, 409)
        remember(kind, puzzle.position, attempt.line, position)
        attempt.next_step += 1
        attempt.awaited_hint = 0
        # A full board is a dead end only in a sequence. In a placement, moves can still change what
        # stands on the board.
        attempt.is_jammed = verdict.over and not verdict.solved and kind.family == "sequence"
        if attempt.is_jammed:
            # Otherwise the column is left alone, because a worker may just have written it.
            attempt.was_stuck = True
            fields.add("was_stuck")
        attempt.has_solved = attempt.has_solved or verdict.solved
        attempt.seconds += max(0, min(pause, LONGEST_PAUSE))
        attempt.last_at = at
        attempt.position, attempt.verdict, attempt.last_action = position, verdict, action
        attempt.taken_back += action == Step.Action.UNDO
        if verdict.solved:
            text, line = kind.solution(position), attempt.line
            solutions.append(
                FoundSolution(student_id=student, puzzle=puzzle, text=text, line=line, found_at=at)
            )
        if (
            verdict.is_score_valid
            and verdict.score is not None
            and (not best or verdict.score > best[0])
        ):
            best = verdict.score, position, at
    if not new_steps:
        return True
    if attempt.trial:
        _store_in_trial(attempt, attempt.trial, solutions, best[0] if best else None)
        return True
    with transaction.atomic():
        begin(attempt)
        changed = Attempt.objects.filter(
            pk=attempt.pk, state=Attempt.State.OPEN, next_step=first_number
        ).update(**{field: getattr(attempt, field) for field in fields})
        if not changed:
            return False
        # Until the commit, no other window can write for this student and puzzle.
        Step.objects.bulk_create(new_steps)
        if solutions:
            # A solution counts once, so the row of one that was found before stays as it is.
            FoundSolution.objects.bulk_create(solutions, ignore_conflicts=True)
            stop_clock(attempt, solutions[0].found_at)
        if best:
            store_best_score(attempt, *best)
    return True


def _store_in_trial(
    attempt: Attempt, trial: Trial, solutions: Iterable[FoundSolution], score: int | None
) -> None:
    known = {solution.text for solution in trial.found}
    trial.found += [solution for solution in solutions if solution.text not in known]
    trial.best = max(filter(None, (trial.best, score)), default=trial.best)
    attempt.scores = Scores(trial.best, trial.best)


def _undone_after(attempt: Attempt, action: str, move: str) -> str:
    """Return the moves that can be made again after this step.

    `attempt.line` must still be the line before the step.
    """
    if action == Step.Action.UNDO:
        return f"{split_moves(attempt.line)[-1]} {attempt.undone}".strip()
    first, *rest = split_moves(attempt.undone) or [""]
    # After a different move, the undone moves no longer fit the board.
    return " ".join(rest) if first == move else ""


@transaction.atomic
def restart(attempt: Attempt, at: datetime | None = None) -> Attempt:
    """Close the attempt, as given up unless it is solved, and return the next one, open.

    An attempt without a step goes on as it is. If the student is already further, because the
    button was pressed twice, return the latest attempt. Raise StepRefused after the due date, or if
    the student has begun too many attempts.
    """
    at = at or timezone.now()
    if attempt.trial:
        return _restart_trial(attempt, at)
    latest = _latest(attempt.student_id, attempt.puzzle) or attempt
    if latest.pk != attempt.pk or not latest.next_step:
        return latest
    refuse_while_held(latest)
    if latest.puzzle.assignment.due_at <= at:
        raise StepRefused(_TOO_LATE, 409)
    if latest.number >= MAX_ATTEMPTS:
        raise StepRefused(_TOO_MANY_ATTEMPTS, 409)
    refuse_too_many_attempts(latest.student_id, at)
    closed = Attempt.objects.filter(pk=latest.pk, state=Attempt.State.OPEN).update(
        state=Attempt.State.SOLVED if latest.has_solved else Attempt.State.GIVEN_UP
    )
    if closed and not latest.has_solved:
        request_review(_reload(latest))
    elif not closed and latest.state == Attempt.State.OPEN:
        # Another window has just solved or closed the attempt.
        return _latest(attempt.student_id, attempt.puzzle) or attempt
    return Attempt.objects.get_or_create(
        student=attempt.student,
        puzzle=attempt.puzzle,
        number=latest.number + 1,
        defaults={"started_at": at, "last_at": at},
    )[0]


@transaction.atomic
def begin_anew(puzzle: AssignedPuzzle, at: datetime) -> None:
    """Give all students who have begun the puzzle an untouched board, which is theirs from `at` on.

    Their attempts are closed as in `restart`, but without reviews, which would keep the worker busy
    while the class plays. Students who may begin no more attempts keep their board. Five queries.
    """
    rows = Attempt.objects.filter(puzzle=puzzle).order_by("number")
    latest = {each.student_id: each for each in rows.only(*_ANEW_FIELDS)}
    closed = [each for each in latest.values() if each.next_step and each.number < MAX_ATTEMPTS]
    untouched = [each.pk for each in latest.values() if not each.next_step]
    open_ones = rows.filter(pk__in=[each.pk for each in closed], state=Attempt.State.OPEN)
    open_ones.filter(has_solved=True).update(state=Attempt.State.SOLVED)
    open_ones.filter(has_solved=False).update(state=Attempt.State.GIVEN_UP)
    Attempt.objects.bulk_create(
        [
            Attempt(
                student_id=each.student_id,
                puzzle=puzzle,
                number=each.number + 1,
                started_at=at,
                last_at=at,
            )
            for each in closed
        ],
        ignore_conflicts=True,
    )
    Attempt.objects.filter(pk__in=untouched).update(started_at=at, last_at=at)


_ANEW_FIELDS = ("student_id", "puzzle_id", "number", "state", "next_step")


def _restart_trial(attempt: Attempt, at: datetime) -> Attempt:
    """Return a teacher's next attempt at the board, untouched."""
    if not attempt.next_step:
        return attempt
    new = Attempt(
        student=attempt.student,
        puzzle=attempt.puzzle,
        number=attempt.number + 1,
        started_at=at,
        last_at=at,
    )
    new.trial, new.scores, new.taken_back = attempt.trial, attempt.scores, 0
    return new
