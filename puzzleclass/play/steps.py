"""What a step makes of an attempt, by the rules of its kind. Nothing is read or stored here."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from puzzleclass.assignments.due import is_over_for
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.refusals import StepRefused
from solvers.kind import LONGEST_TEXT, BadText, IllegalMove, Verdict, split_moves
from solvers.message import Message

LONGEST_PAUSE = 60
"""The longest time that a pause between two steps counts for, in seconds."""

MAX_STEPS = 5_000
"""The most steps of one attempt: ten times what the longest puzzle needs. The replay has them
all."""

FINISHED = Message("This attempt is finished. No more moves are possible.")
TOO_LATE = Message("The due date has passed. Moves no longer count.")
TOO_MANY_STEPS = Message("This attempt has too many moves. Please start again from the beginning.")


class TimedStep(NamedTuple):
    """A step that is asked for."""

    action: str
    move: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """An attempt as a step leaves it."""

    step: TimedStep
    number: int
    """The number of the step."""
    line: str
    undone: str
    seconds: int
    before: Any
    """The position before the step."""
    position: Any
    verdict: Verdict
    is_jammed: bool

    @property
    def valid_score(self) -> int | None:
        """The score of the board, if it counts."""
        return self.verdict.score if self.verdict.is_score_valid else None


def canonical(attempt: Attempt, step: TimedStep) -> TimedStep:
    """Return the step with its move as canonical text, which is empty for an undo.

    Raise StepRefused for a bad text.
    """
    if step.action == Step.Action.UNDO:
        return step._replace(move="")
    kind = attempt.puzzle.kind
    try:
        return step._replace(move=kind.write_move(kind.read_move(step.move)))
    except BadText as error:
        raise StepRefused(error.message, 400) from None


def outcome_of(attempt: Attempt, step: TimedStep) -> StepOutcome:
    """Return what the step makes of the attempt, which stays as it is.

    Raise StepRefused if the attempt takes no step any more, or the rules forbid the move.
    """
    puzzle = attempt.puzzle
    if attempt.state != Attempt.State.OPEN:
        raise StepRefused(FINISHED, 409)
    if is_over_for(puzzle.assignment, attempt.student_id, step.at):
        raise StepRefused(TOO_LATE, 409)
    if attempt.next_step >= MAX_STEPS:
        raise StepRefused(TOO_MANY_STEPS, 409)
    line, position = _after(attempt, step)
    if len(attempt.position_text_after(line)) > LONGEST_TEXT:
        raise StepRefused(TOO_MANY_STEPS, 409)
    verdict = puzzle.kind.judge(position)
    # Take the difference of whole seconds. If each pause were rounded down by itself, quick steps
    # would all count as 0.
    pause = int(step.at.timestamp()) - int(attempt.last_at.timestamp())
    return StepOutcome(
        step=step,
        number=attempt.next_step,
        line=line,
        undone=_undone_after(attempt, step),
        seconds=attempt.seconds + max(0, min(pause, LONGEST_PAUSE)),
        before=attempt.position,
        position=position,
        verdict=verdict,
        # A full board is a dead end only in a sequence. In a placement, moves can still change what
        # stands on the board.
        is_jammed=verdict.over and not verdict.solved and puzzle.kind.family == "sequence",
    )


def _after(attempt: Attempt, step: TimedStep) -> tuple[str, Any]:
    """Return the line and the position after the step. Raise StepRefused if the rules forbid it.

    The line is extended or cut rather than written anew from the position, which would take longer
    with every move.
    """
    kind = attempt.puzzle.kind
    if step.action == Step.Action.UNDO:
        moves = split_moves(attempt.line)
        if not moves:
            raise StepRefused(Message("There is no move to take back."), 422)
        line = " ".join(moves[:-1])
        return line, attempt.puzzle.after(line)
    try:
        position = kind.play(attempt.position, kind.read_move(step.move))
    except IllegalMove as error:
        raise StepRefused(error.message, 422, error.place) from None
    return f"{attempt.line} {step.move}".lstrip(), position


def _undone_after(attempt: Attempt, step: TimedStep) -> str:
    """Return the moves that can be made again after the step."""
    if step.action == Step.Action.UNDO:
        return f"{split_moves(attempt.line)[-1]} {attempt.undone}".strip()
    first, *rest = split_moves(attempt.undone) or [""]
    # After a different move, the undone moves no longer fit the board.
    return " ".join(rest) if first == step.move else ""
