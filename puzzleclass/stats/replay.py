"""A student's try, looked at afterwards."""

from dataclasses import dataclass

from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.puzzles.player import Player, player_at
from puzzleclass.stats.reviews import Review
from solvers.kind import split_moves
from solvers.message import Message


@dataclass(slots=True)
class Done:
    """A step as the student made it."""

    text: str
    """The move; empty for an undo and for a hint."""
    is_undone: bool = False
    """A move that was taken back later."""
    is_fatal: bool = False
    hint: HintUse | None = None


def story(attempt: Attempt, review: Review | None) -> list[Done]:
    """Return all that was done in the try, hints and taken-back moves too, the fatal one marked."""
    told: list[Done] = []
    standing: list[Done] = []
    hints = list(attempt.hints.all())
    for number, action, move in attempt.steps.values_list("number", "action", "move"):
        told += [Done("", hint=hint) for hint in hints if hint.step == number]
        told.append(Done(move))
        if action == Step.Action.MOVE:
            standing.append(told[-1])
        else:
            standing.pop().is_undone = True
    told += [Done("", hint=hint) for hint in hints if hint.step == attempt.next_step]
    if review and review.fatal:
        standing[review.fatal - 1].is_fatal = True
    return told


def replay_player(attempt: Attempt, review: Review | None, step: str | None) -> Player:
    """Return the player over the try's line; without a step it opens where it was lost."""
    moves = split_moves(attempt.line)
    notes = {}
    if review and review.never:
        notes = dict.fromkeys(range(len(moves) + 1), Message("This puzzle cannot be solved."))
    elif review and review.fatal:
        later = Message("No solution is left since move {number}.", {"number": review.fatal})
        notes = dict.fromkeys(range(review.fatal, len(moves) + 1), later)
        notes[review.fatal] = Message("After this move no solution was left.")
    puzzle = attempt.puzzle
    return player_at(
        puzzle.kind,
        puzzle.position,
        moves,
        step if step is not None else review and review.fatal,
        notes=notes,
        left=review.left if review else (),
    )
