"""The replay of one attempt, with its hints, the moves taken back and the fatal move."""

from dataclasses import dataclass

from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.reviews import Review
from puzzleclass.puzzles.player import Player, player_at
from solvers.kind import split_moves
from solvers.message import Message


@dataclass(slots=True)
class ReplayedStep:
    """A step of an attempt, or a hint that the student took."""

    text: str
    """The move; empty for an undo and for a hint."""
    is_undone: bool = False
    """Whether the move was taken back later."""
    is_fatal: bool = False
    hint: HintUse | None = None


def replayed_steps(attempt: Attempt, review: Review | None) -> list[ReplayedStep]:
    """Return everything that was done in the attempt, including hints and moves taken back, with
    the fatal move marked."""
    steps: list[ReplayedStep] = []
    standing: list[ReplayedStep] = []
    hints = list(attempt.hints.all())
    for number, action, move in attempt.steps.values_list("number", "action", "move"):
        steps += [ReplayedStep("", hint=hint) for hint in hints if hint.step == number]
        steps.append(ReplayedStep(move))
        if action == Step.Action.MOVE:
            standing.append(steps[-1])
        else:
            standing.pop().is_undone = True
    steps += [ReplayedStep("", hint=hint) for hint in hints if hint.step == attempt.next_step]
    if review and review.fatal:
        standing[review.fatal - 1].is_fatal = True
    return steps


def replay_player(attempt: Attempt, review: Review | None, step: str | None) -> Player:
    """Return the player for the attempt's line. Without a step, it opens at the fatal move."""
    moves = split_moves(attempt.line)
    notes = {}
    if review and review.never:
        notes = dict.fromkeys(range(len(moves) + 1), Message("This puzzle cannot be solved."))
    elif review and review.fatal:
        later = Message("After move {number}, no solution was left.", {"number": review.fatal})
        notes = dict.fromkeys(range(review.fatal, len(moves) + 1), later)
        notes[review.fatal] = Message("After this move, the board could no longer be solved.")
    puzzle = attempt.puzzle
    return player_at(
        puzzle.kind,
        puzzle.position,
        moves,
        step if step is not None else (review.fatal if review else None),
        notes=notes,
        left=review.left if review else (),
        decisive=review.fatal if review else 0,
        why={review.fatal: review.why} if review and review.why else None,
    )
