"""Tries and steps: a student's try under way, a move made or taken back, a new beginning.

Whoever has read a try may make a step of it; the condition on `next_step` in the one UPDATE
decides which of two windows comes first.
"""

from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import (
    Attempt,
    BestScore,
    FoundSolution,
    RefusedMove,
    Scores,
    Step,
    Trial,
)
from puzzleclass.puzzles.goals import known_optimum
from solvers.kind import BadText, IllegalMove, Place, Verdict, split_moves
from solvers.message import Message

MOST_FORGOTTEN = 20
"""Earlier tries, and moves, whose waiting reviews a new one replaces. As each does, one waits."""

LONGEST_PAUSE = 60
"""Seconds: a pause between two steps counts for no more than this."""

MOST_STEPS = 5_000
"""In one try: ten times what the longest puzzle needs. All of them stand in the replay."""

MOST_TRIES = 1_000
"""Of a student at one puzzle."""

QUOTA_STEPS = 100
"""So many steps of a try pass between two looks at the student's quota of the day."""

MOST_REFUSED = 500
"""Different moves against the rules that are kept of a student at one puzzle."""

PRACTICE_IS_OFF = Message(
    "Your teacher has switched practice off. The puzzles that you were given are on the front page."
)


class StepRefused(Exception):
    """The step was not taken and nothing was stored; `message` says why to the student.

    `status` is the HTTP status: 400 unreadable, 409 the board takes no such step (it went
    on elsewhere, is finished, or the due date has passed), 422 against the rules.
    """

    def __init__(self, message: Message, status: int, place: Place | None = None) -> None:
        super().__init__(str(message))
        self.message = message
        self.status = status
        self.place = place or Place()
        """Where on the board the move failed, and on which way."""


_FINISHED = Message("This try is finished. It takes no more moves.")
_TOO_LATE = Message("The due date has passed. Moves no longer count.")
_TOO_MANY_STEPS = Message("This try has too many steps. Please start again from the beginning.")
_TOO_MANY_TRIES = Message("You have started this puzzle again too many times.")
_BEGAN_AGAIN = Message(
    "You started again in another window. This is the new board; your last step did not count."
)
_ENOUGH_STEPS = Message("You have made very many moves today. Please go on tomorrow.")
_ENOUGH_TRIES = Message("You have started again very many times today. Please go on tomorrow.")
_WENT_ON = Message("This board went on in another window. You see it as it is now.")

TimedStep = tuple[str, str, datetime]
"""Action, move and when it happened."""

# Tries


def current_attempt(
    student: User, puzzle: AssignedPuzzle, at: datetime | None = None
) -> Attempt | None:
    """Return the student's latest try; the first one has no row before its first step.

    It is open or solved: a try that was given up is followed by the next one at once.
    None when the puzzle was never begun and the due date has passed.
    """
    at = at or timezone.now()
    latest = _latest(student, puzzle)
    if latest is not None or puzzle.assignment.due_at <= at:
        return latest
    return Attempt.first(student, puzzle, at)


def begin(attempt: Attempt) -> None:
    """Give a first try its row, unless it has one. Two queries.

    Two windows may do so at the same moment: the number is unique, and both have that row then.
    """
    if attempt.pk is None:
        untouched = Attempt.first(attempt.student, attempt.puzzle, attempt.started_at)
        Attempt.objects.bulk_create([untouched], ignore_conflicts=True)
        attempt.pk = _same(attempt).values_list("pk", flat=True).get()
        attempt._state.adding = False


def _latest(student: User, puzzle: AssignedPuzzle) -> Attempt | None:
    attempts = Attempt.objects.filter(student=student, puzzle=puzzle)
    return attempts.select_related("puzzle__assignment").order_by("number").last()


def take_step(
    attempt: Attempt, number: int, action: str, move: str = "", at: datetime | None = None
) -> Attempt:
    """Make a move or take one back, as step `number` of the try, and store it.

    Returns the try as it stands now; the object that was given stays as it was read. A step
    that is stored already, sent again because its answer was lost, changes nothing. Raises
    StepRefused. `at` is when it happened, now unless told otherwise.
    """
    at = at or timezone.now()
    is_next = attempt.state == Attempt.State.OPEN and attempt.next_step == number
    attempt = copy(attempt) if is_next else _read_anew(attempt)
    attempt.before = None
    move = _canonical(attempt, action, move)
    if attempt.state == Attempt.State.OPEN and number == attempt.next_step:
        try:
            if _store(attempt, [(action, move, at)]):
                return attempt
        except StepRefused as refused:
            if refused.status == 422 and move and attempt.trial is None:
                _keep_refused(attempt, move, refused.message, at)
            raise
        attempt = _read_anew(attempt)
    if attempt.pk and attempt.steps.filter(number=number, action=action, move=move).exists():
        return attempt
    raise StepRefused(_why_late(attempt), 409)


def _why_late(attempt: Attempt) -> Message:
    if attempt.state == Attempt.State.OPEN:
        return _WENT_ON
    same = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    is_left = Attempt.objects.filter(**same, number__gt=attempt.number).exists()
    return _BEGAN_AGAIN if is_left else _FINISHED


def go_to(attempt: Attempt, number: int, moves: int) -> None:
    """Take moves back, or make those that were taken back again, until `moves` are on the board.

    Each is a step; `number` is that of the first. All or none. Raises StepRefused.
    """
    if attempt.next_step != number:
        raise StepRefused(_WENT_ON, 409)
    if moves > attempt.most_moves:
        raise StepRefused(Message("There is no such move."), 422)
    take_steps(attempt, _way_to(attempt, moves))


def _way_to(attempt: Attempt, moves: int) -> Iterator[TimedStep]:
    at = timezone.now()
    while (now := attempt.number_of_moves) != moves:
        yield (Step.Action.UNDO, "", at) if now > moves else (Step.Action.MOVE, attempt.redo, at)


def take_steps(attempt: Attempt, steps: Iterable[TimedStep]) -> None:
    """Make several steps in a row, all or none, as `take_step` makes one.

    The try is changed in memory while `steps` is read, so these may depend on it. Raises
    StepRefused.
    """
    timed = ((action, _canonical(attempt, action, move), at) for action, move, at in steps)
    if not _store(attempt, timed):
        raise StepRefused(_WENT_ON, 409)


def _read_anew(attempt: Attempt) -> Attempt:
    return _same(attempt).select_related("puzzle__assignment").first() or copy(attempt)


def _same(attempt: Attempt) -> QuerySet[Attempt]:
    """Return the row of the try, whichever window has made it."""
    who = {"student": attempt.student_id, "puzzle": attempt.puzzle_id}
    return Attempt.objects.filter(**who, number=attempt.number).order_by()


def _canonical(attempt: Attempt, action: str, move: str) -> str:
    """Return the move as it is stored: canonical, and empty unless the action is a move."""
    if action == Step.Action.UNDO:
        return ""
    kind = attempt.puzzle.kind
    try:
        return kind.write_move(kind.read_move(move))
    except BadText as error:
        raise StepRefused(error.message, 400) from None


def _after(attempt: Attempt, action: str, move: str) -> Any:
    """Return the position after the step."""
    kind = attempt.puzzle.kind
    if action == Step.Action.UNDO:
        moves = split_moves(attempt.line)
        if not moves:
            raise StepRefused(Message("There is no move to take back."), 422)
        return kind.play_line(attempt.puzzle.start, " ".join(moves[:-1]))
    try:
        return kind.play(attempt.position, kind.read_move(move))
    except IllegalMove as error:
        raise StepRefused(error.message, 422, error.place) from None


def _keep_refused(attempt: Attempt, move: str, reason: Message, at: datetime) -> None:
    """Count a move that the rules forbid: what a class tries in vain shows what it has not
    understood. Three queries at most."""
    of = {"student_id": attempt.student_id, "puzzle_id": attempt.puzzle_id}
    same = RefusedMove.objects.filter(**of, line=attempt.line, move=move)
    if same.update(times=F("times") + 1, at=at):
        return
    if RefusedMove.objects.filter(**of).count() < MOST_REFUSED:
        first = RefusedMove(**of, line=attempt.line, move=move, reason=reason.to_json(), at=at)
        RefusedMove.objects.bulk_create([first], ignore_conflicts=True)


_OF_STEPS = (
    "state",
    "line",
    "undone",
    "next_step",
    "is_jammed",
    "has_solved",
    "seconds",
    "last_at",
)
"""The fields of a try that a step changes."""


def _store(attempt: Attempt, steps: Iterable[TimedStep]) -> bool:
    """Make the steps; write them, the board and what was solved together.

    Returns False, with nothing written, when another step came first: the condition on
    `next_step` decides between two windows that move at the same moment.
    """
    kind, puzzle, student = attempt.puzzle.kind, attempt.puzzle, attempt.student_id
    first, taken, found, best = attempt.next_step, [], [], None
    attempt.taken_back = 0
    for action, move, at in steps:
        if attempt.state != Attempt.State.OPEN:
            raise StepRefused(_FINISHED, 409)
        if puzzle.assignment.due_at <= at:
            raise StepRefused(_TOO_LATE, 409)
        if attempt.next_step >= MOST_STEPS:
            raise StepRefused(_TOO_MANY_STEPS, 409)
        if attempt.next_step % QUOTA_STEPS == QUOTA_STEPS - 1:
            _refuse_too_many_steps(student, at)
        attempt.before, position = attempt.position, _after(attempt, action, move)
        verdict = kind.judge(position)
        taken.append(
            Step(attempt=attempt, number=attempt.next_step, action=action, move=move, at=at)
        )
        # Ticks of the clock, not lengths rounded one by one: quick steps would all count as 0.
        pause = int(at.timestamp()) - int(attempt.last_at.timestamp())
        is_ended = verdict.solved and not leaves_room(puzzle, verdict)
        attempt.state = Attempt.State.SOLVED if is_ended else Attempt.State.OPEN
        attempt.undone = _still_undone(attempt, action, move)
        attempt.line = kind.write_line(position)
        attempt.next_step += 1
        # Where what stands can be changed by moves, a full board is no dead end.
        attempt.is_jammed = verdict.over and not verdict.solved and kind.family == "sequence"
        attempt.has_solved = attempt.has_solved or verdict.solved
        attempt.seconds += max(0, min(pause, LONGEST_PAUSE))
        attempt.last_at = at
        attempt.position, attempt.verdict, attempt.last_action = position, verdict, action
        attempt.taken_back += action == Step.Action.UNDO
        if verdict.solved:
            text, line = kind.solution(position), attempt.line
            found.append(
                FoundSolution(student_id=student, puzzle=puzzle, text=text, line=line, found_at=at)
            )
        if verdict.counts and verdict.score is not None and (not best or verdict.score > best[0]):
            best = verdict.score, position, at
    if not taken:
        return True
    if attempt.trial:
        _keep_in_trial(attempt, attempt.trial, found, best[0] if best else None)
        return True
    with transaction.atomic():
        begin(attempt)
        changed = Attempt.objects.filter(
            pk=attempt.pk, state=Attempt.State.OPEN, next_step=first
        ).update(**{field: getattr(attempt, field) for field in _OF_STEPS})
        if not changed:
            return False
        # From here on the row is ours: no other window writes for this student and puzzle.
        Step.objects.bulk_create(taken)
        if found:
            # A solution counts once: one that was found before stays as it is.
            FoundSolution.objects.bulk_create(found, ignore_conflicts=True)
        if best:
            keep_best(attempt, *best)
    return True


def _keep_in_trial(
    attempt: Attempt, trial: Trial, found: Iterable[FoundSolution], score: int | None
) -> None:
    known = {solution.text for solution in trial.found}
    trial.found += [solution for solution in found if solution.text not in known]
    trial.best = max(filter(None, (trial.best, score)), default=trial.best)
    attempt.scores = Scores(trial.best, trial.best)


def _still_undone(attempt: Attempt, action: str, move: str) -> str:
    """Return what can be made again after a step that the line does not have yet."""
    if action == Step.Action.UNDO:
        return f"{split_moves(attempt.line)[-1]} {attempt.undone}".strip()
    first, *rest = split_moves(attempt.undone) or [""]
    # Another move than the one taken back leads elsewhere.
    return " ".join(rest) if first == move else ""


def _refuse_too_many_steps(student: int, at: datetime) -> None:
    """Raise StepRefused when the student has made the steps of that day. One query."""
    morning = _morning(at)
    tries = Attempt.objects.filter(student=student, last_at__gte=morning).order_by()
    steps = Step.objects.filter(attempt__in=tries, at__gte=morning, at__lte=at)
    if steps.count() >= settings.MOST_STEPS_A_DAY:
        raise StepRefused(_ENOUGH_STEPS, 429)


def _refuse_too_many_tries(student: int, at: datetime) -> None:
    """Raise StepRefused when the student has begun the tries of that day, or made its steps. Two
    queries."""
    tries = Attempt.objects.filter(
        student=student, started_at__gte=_morning(at), started_at__lte=at
    )
    if tries.count() >= settings.MOST_TRIES_A_DAY:
        raise StepRefused(_ENOUGH_TRIES, 429)
    _refuse_too_many_steps(student, at)


def _morning(at: datetime) -> datetime:
    return timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0)


def leaves_room(puzzle: AssignedPuzzle, verdict: Verdict) -> bool:
    """Return whether a solved board can still be beaten: the goal is reached, the optimum not.

    A try goes on then, for the best of the class. One query at most.
    """
    if verdict.score is None:
        return False
    optimum = known_optimum(puzzle.kind, puzzle.position)
    return optimum is None or verdict.score < optimum


def keep_best(attempt: Attempt, score: int, position: Hashable, at: datetime) -> None:
    """Write the score down if it is the student's best at the puzzle. Two queries at most."""
    kind, puzzle = attempt.puzzle.kind, attempt.puzzle
    scores = BestScore.objects.best(puzzle, attempt.student_id)
    if scores.mine is None or scores.mine < score:
        reached = {
            "score": score,
            "text": kind.solution(position),
            "line": kind.write_line(position),
            "reached_at": at,
        }
        if scores.mine is None:
            # Who has just left the class may have one: that one stays.
            first = BestScore(student_id=attempt.student_id, puzzle=puzzle, **reached)
            BestScore.objects.bulk_create([first], ignore_conflicts=True)
        else:
            mine = BestScore.objects.filter(student=attempt.student_id, puzzle=puzzle)
            mine.filter(score__lt=score).update(**reached)
        best = score if scores.best is None else max(score, scores.best)
        scores = scores._replace(mine=score, best=best)
    attempt.scores = scores


@transaction.atomic
def restart(attempt: Attempt, at: datetime | None = None) -> Attempt:
    """Close the try, as given up unless it is solved, and return the next one, open.

    A try without a step goes on as it is. When the student is further already (the
    button was pressed twice), returns the latest try. Raises StepRefused after the due
    date.
    """
    at = at or timezone.now()
    if attempt.trial:
        return _begun_again(attempt, at)
    latest = _latest(attempt.student, attempt.puzzle) or attempt
    if latest.pk != attempt.pk or not latest.next_step:
        return latest
    if latest.puzzle.assignment.due_at <= at:
        raise StepRefused(_TOO_LATE, 409)
    if latest.number >= MOST_TRIES:
        raise StepRefused(_TOO_MANY_TRIES, 409)
    _refuse_too_many_tries(latest.student_id, at)
    closed = Attempt.objects.filter(pk=latest.pk, state=Attempt.State.OPEN).update(
        state=Attempt.State.SOLVED if latest.has_solved else Attempt.State.GIVEN_UP
    )
    if closed and not latest.has_solved:
        request_review(_read_anew(latest))
    elif not closed and latest.state == Attempt.State.OPEN:
        # Another window has solved or closed it this moment.
        return _latest(attempt.student, attempt.puzzle) or attempt
    return Attempt.objects.get_or_create(
        student=attempt.student,
        puzzle=attempt.puzzle,
        number=latest.number + 1,
        defaults={"started_at": at, "last_at": at},
    )[0]


def _begun_again(attempt: Attempt, at: datetime) -> Attempt:
    """Return a teacher's next try at the board, untouched."""
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


def request_review(attempt: Attempt) -> None:
    """Ask, in the teacher's name, where the try lost its last solution.

    The job's row is written with the try in one transaction, so none goes unreviewed;
    it is sent to a worker after the commit. A try without a move has nothing to review. What
    still waits of this try and the student's others at the puzzle is forgotten, so that nobody
    fills the queue by giving up; a line that another student has played, too, stays.
    """
    puzzle = attempt.puzzle
    if not attempt.line or "review" not in puzzle.kind.questions:
        return
    tries = Attempt.objects.filter(puzzle=puzzle).exclude(line__in=["", attempt.line]).order_by()
    mine = tries.filter(student=attempt.student_id)
    lines = set(mine.order_by("-number").values_list("line", flat=True)[:MOST_FORGOTTEN])
    moves = split_moves(attempt.line)
    lines |= {" ".join(moves[:n]) for n in range(len(moves))[-MOST_FORGOTTEN:] if n}
    others = tries.filter(line__in=lines).exclude(student=attempt.student_id)
    lines -= set(others.values_list("line", flat=True))
    texts = (f"{puzzle.position} | {line}" for line in lines)
    jobs.forget_waiting(job_key(puzzle.kind_slug, "review", text) for text in texts)
    jobs.ask(
        puzzle.assignment.teacher,
        puzzle.kind_slug,
        "review",
        attempt.position_text,
        served=attempt.student_id,
    )
