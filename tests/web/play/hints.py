"""Take hints at a board, as a student and a worker do."""

import pytest

from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.hint_card import HintCard
from puzzleclass.play.hints import ask_hint, help_for, take_answer
from puzzleclass.play.models import Attempt, HintUse

ALIVE, REGION, NEXT = HintUse.Level


@pytest.fixture
def attempt(student, assigned) -> Attempt:
    """Return the student's first attempt, which has no row yet."""
    return current_attempt(student, assigned)


@pytest.fixture
def hinted(done):
    """Return a function that takes a hint, lets a worker answer it, and returns the card."""

    def hinted(attempt: Attempt, level: HintUse.Level):
        if ask_hint(attempt, attempt.next_step, level) is None:
            done(hint_card(attempt).job)
            take_answer(attempt, attempt.next_step)
        return hint_card(attempt)

    return hinted


def hint_card(attempt: Attempt) -> HintCard | None:
    """Return the card about hints that the student sees at the board."""
    return help_for(attempt)[1]


def allow(attempt: Attempt, hints: int) -> None:
    """Let the assignment allow this number of hints at each puzzle."""
    attempt.puzzle.assignment.hints = hints
    attempt.puzzle.assignment.save()


def step(attempt: Attempt, move: str) -> Attempt:
    """Make a move, and return the attempt after it."""
    return take_step(attempt, attempt.next_step, "move", move)
