"""Hints and the look-ahead: what they say of a board, and the way back to a solvable board.

A hint is the answer to the kind's question "hint" about the position. It is asked in the teacher's
name and computed exactly. The worker's answer always has everything. The student sees only the
levels taken, and only while the board is the one that the hint is about. The look-ahead is the
mildest level of a hint, asked automatically after every step if the teacher allows it.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.attempts import begin, take_steps
from puzzleclass.play.hint_card import HintCard
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.refusals import StepRefused, refuse_while_held
from puzzleclass.play.steps import TimedStep
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.lookahead import OPTIONS, QUESTION, LookAhead, ask_lookahead, has_lookahead
from solvers.answers import HintAnswer
from solvers.message import Message

Level = HintUse.Level

_PROGRESS_FIELDS = ("state", "next_step", "awaited_hint", "hints_taken")
"""The fields that tell whether an attempt has gone on in another window."""

_CHANGED = Message("The board has changed in the meantime. Ask for a hint again if you need one.")


def help_for(attempt: Attempt) -> tuple[LookAhead | None, HintCard | None]:
    """Return the look-ahead and the hints of an open board.

    Each is None if the teacher does not allow it or the kind does not know it. Three queries.
    """
    puzzle = attempt.puzzle
    has_hints = _has_hints(puzzle)
    taken = _hints_taken(attempt) if has_hints else []
    slug, text_after = puzzle.kind_slug, attempt.position_text_after
    keys = {line: job_key(slug, QUESTION, text_after(line)) for line, _ in taken}
    ahead_key = None
    if _looks_ahead(attempt):
        ahead_key = job_key(slug, QUESTION, attempt.position_text, OPTIONS)
    if has_hints and attempt.awaited_hint:
        keys[attempt.line] = job_key(slug, QUESTION, attempt.position_text)
    needed = {*keys.values(), *([ahead_key] if ahead_key else [])}
    results = jobs.find_all(needed) if needed else {}
    lookahead = LookAhead(ahead_key, results.get(ahead_key)) if ahead_key else None
    if not has_hints:
        return lookahead, None
    counted = sum(_hint_counts(attempt, line, results.get(keys[line])) for line, _ in taken)
    level = max((level for line, level in taken if line == attempt.line), default=0)
    job = results.get(keys[attempt.line]) if level or attempt.awaited_hint else None
    left = max(0, puzzle.assignment.hints - counted)
    failures = 0 if taken else _failures(attempt)
    return lookahead, HintCard(attempt, left, level, job, lookahead, failures)


def _failures(attempt: Attempt) -> int:
    """Return in how many attempts the student has failed."""
    return 0 if attempt.trial else attempt.failures + attempt.is_jammed


def _hint_counts(attempt: Attempt, line: str, job: Job | None) -> bool:
    """Return whether a hint that was taken counts.

    It does not if the worker could not decide, or if no move was left, which everybody could see.
    """
    kind, answer = attempt.puzzle.kind, answer_in(job, HintAnswer)
    if answer is not None and answer.value is None:
        return False
    position = attempt.puzzle.after(line)
    return kind.family != "sequence" or not kind.judge(position).over


def _hints_taken(attempt: Attempt) -> list[tuple[str, int]]:
    """Return the line and level of each hint that the student has taken at the puzzle.

    Hints of all attempts count. One query, and none if the student has taken none.
    """
    if attempt.trial:
        return attempt.trial.taken
    if not attempt.hints_taken:
        return []
    uses = HintUse.objects.filter(
        attempt__student=attempt.student_id, attempt__puzzle=attempt.puzzle_id
    )
    return list(uses.order_by().values_list("line", "level"))


def hints_used(where: Q) -> dict[tuple[int, int], int]:
    """Return the number of hints used, by the keys of the student and the assigned puzzle.

    Each use counts once, whatever its level, and so do uses in all attempts. `where` is a condition
    on `HintUse`. One query.
    """
    uses = HintUse.objects.filter(where).order_by()
    by_place = uses.values_list("attempt__student", "attempt__puzzle").annotate(n=Count("pk"))
    return {(student, puzzle): n for student, puzzle, n in by_place}


def _has_hints(puzzle: AssignedPuzzle) -> bool:
    return bool(puzzle.assignment.hints) and QUESTION in puzzle.kind.questions


def _looks_ahead(attempt: Attempt) -> bool:
    assignment = attempt.puzzle.assignment
    is_open = attempt.state == Attempt.State.OPEN and not is_over_for(
        assignment, attempt.student_id
    )
    return assignment.warns and is_open and has_lookahead(attempt.puzzle.kind_slug)


def look_ahead(attempt: Attempt, step: int) -> LookAhead | None:
    """Return the look-ahead for the board before step `step`. Ask the worker if needed.

    Return None if the look-ahead is not allowed or the board has gone on since.
    """
    if not _looks_ahead(attempt) or attempt.next_step != step:
        return None
    return ask_lookahead(attempt.student, attempt.puzzle.kind_slug, attempt.position_text)


@transaction.atomic
def ask_hint(
    attempt: Attempt, step: int, level: Level, at: datetime | None = None
) -> HintUse | None:
    """Ask the worker for a hint for the board before step `step`.

    The hint is taken, and counts, when its answer reaches the student. That is at once if somebody
    has asked about the same board before, and else when the page fetches the answer
    (`take_answer`). Return the record of a hint taken at once, else None. A level costs nothing if
    it or a plainer one was taken for the same board before. Raise StepRefused if no hint is left or
    allowed, the due date has passed, the board has gone on, or it is known to be lost.
    """
    at = at or timezone.now()
    _lock(attempt)
    puzzle, assignment = attempt.puzzle, attempt.puzzle.assignment
    if not _has_hints(puzzle):
        raise StepRefused(Message("There are no hints for this puzzle."), 409)
    refuse_while_held(attempt)
    if is_over_for(assignment, attempt.student_id, at):
        raise StepRefused(Message("The due date has passed. There are no more hints."), 409)
    if attempt.state != Attempt.State.OPEN or attempt.next_step != step:
        raise StepRefused(_CHANGED, 409)
    lookahead, card = help_for(attempt)
    if lookahead and lookahead.is_lost:
        raise StepRefused(
            Message("This can't be solved any more: no move helps. Go back some moves."), 409
        )
    if attempt.is_jammed:
        level = Level.ALIVE
    if card is None or card.level < level:
        if card is None or not (card.left or attempt.is_jammed):
            raise StepRefused(Message("You have no hint left for this puzzle."), 409)
        _set_awaited_hint(attempt, level)
    jobs.ask(
        assignment.teacher,
        puzzle.kind_slug,
        QUESTION,
        attempt.position_text,
        served=attempt.student_id,
    )
    return _take_answer(attempt, at)


@transaction.atomic
def take_answer(attempt: Attempt, step: int) -> HintUse | None:
    """Take the hint that the student waits for at the board before step `step`.

    Return its record, or None if there is no answer yet or the board has gone on since.
    """
    if attempt.next_step != step or not attempt.awaited_hint:
        return None
    _lock(attempt)
    is_here = attempt.state == Attempt.State.OPEN and attempt.next_step == step
    return _take_answer(attempt, timezone.now()) if is_here else None


def _take_answer(attempt: Attempt, at: datetime) -> HintUse | None:
    card = help_for(attempt)[1]
    return record_hint(attempt, Level(card.awaited), at) if card and card.is_ready else None


def record_hint(attempt: Attempt, level: Level, at: datetime) -> HintUse:
    """Record that the student has been told a hint for the board as it stands."""
    use = HintUse(attempt=attempt, step=attempt.next_step, line=attempt.line, level=level, at=at)
    if attempt.trial:
        attempt.trial.taken.append((use.line, int(level)))
    else:
        use.save()
        Attempt.objects.filter(pk=attempt.pk).update(hints_taken=F("hints_taken") + 1)
        attempt.hints_taken += 1
    _set_awaited_hint(attempt, 0)
    return use


def _set_awaited_hint(attempt: Attempt, level: int) -> None:
    """Record which level of hint the student waits for at the board as it stands; 0 for none."""
    attempt.awaited_hint = level
    if attempt.trial is None:
        attempt.save(update_fields=["awaited_hint"])


def _lock(attempt: Attempt) -> None:
    """Lock the attempt's row and read its state again.

    Two windows then count one after the other how many hints are left. This row is all there is to
    lock: a later attempt can't begin meanwhile, because that would have to close this one.
    """
    if attempt.trial is None:
        begin(attempt)
        row = (
            Attempt.objects.select_for_update()
            .filter(pk=attempt.pk)
            .values(*_PROGRESS_FIELDS)
            .get()
        )
        for field, value in row.items():
            setattr(attempt, field, value)


@transaction.atomic
def back_to_live(attempt: Attempt, step: int) -> Attempt:
    """Take back, as steps, the moves from the one that made the puzzle unsolvable.

    Return the attempt as it stands then. Raise StepRefused if the board has gone on since, or if
    neither the look-ahead nor a hint has told which moves may stay.
    """
    lookahead, card = help_for(attempt)
    keep = lookahead.answer.keep if lookahead else None
    if keep is None and card:
        keep = card.keep
    if keep is None or attempt.next_step != step:
        raise StepRefused(_CHANGED, 409)
    moves, at = attempt.puzzle.kind.line(attempt.position), timezone.now()
    take_steps(attempt, [TimedStep(Step.Action.UNDO, "", at)] * (len(moves) - keep))
    return attempt
