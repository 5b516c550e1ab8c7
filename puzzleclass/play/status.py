"""A student's status at a puzzle: the values, and the one rule by which they follow from facts.

A puzzle is solved when the student has found as many different solutions as the assignment asks
for. Before that, a student is stuck if no solution can be reached from the board of the open
attempt, whatever was found in earlier attempts. Two other facts follow from the statuses: who is
stuck *now* (`play.needs`), and who *was stuck* at some time (`was_stuck`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy


class PuzzleState(TextChoices):
    """How far a student is with a puzzle. The values are CSS classes."""

    NOT_ASSIGNED = "not-given", gettext_lazy("Another puzzle")
    NOT_STARTED = "not-started", gettext_lazy("Not started")
    IN_PROGRESS = "working", gettext_lazy("In progress")
    STUCK = "stuck", gettext_lazy("Stuck")
    SOLVED = "solved", gettext_lazy("Solved")

    @property
    def symbol(self) -> str:
        """A character that tells the states apart without colour."""
        return _SYMBOLS[self]


_SYMBOLS = {
    PuzzleState.NOT_ASSIGNED: "·",
    PuzzleState.NOT_STARTED: "–",
    PuzzleState.IN_PROGRESS: "…",
    PuzzleState.STUCK: "!",
    PuzzleState.SOLVED: "✓",
}


class PuzzleStatus(NamedTuple):
    """A student's status at a puzzle. It is a tuple because a class has hundreds of them."""

    state: PuzzleState
    found: int = 0
    """The number of different solutions that the student has found."""
    needed: int = 1
    """The number of different solutions that the assignment asks for."""
    attempts: int = 0
    """The number of attempts in which a move was made."""
    seconds: int = 0
    """The time at the board in all attempts, in seconds."""
    since: datetime | None = None
    """When the state began: when the last solution needed was found, when the stuck board was
    reached, or when the first attempt began. None before the first move."""
    lost_at: int | None = None
    """The number of the move (from 1) after which a stuck board had no solution; None if
    unknown."""
    last_at: datetime | None = None
    """When the student last made a step or began an untouched board; None before that."""
    was_stuck: bool | None = None
    """Whether the board of some attempt was stuck at some time, whether the puzzle was solved later
    or not. None if no board has been examined."""
    is_jammed: bool = False
    """Whether the board is stuck because no move is left."""
    arrived_at: datetime | None = None
    """When steps last arrived that had been made before, without a network."""
    started_at: datetime | None = None
    """When the first attempt began in which a move was made."""

    def at(self, moment: datetime) -> "PuzzleStatus":
        """Return the status as far as it goes back to an earlier moment.

        What was reached later is left out. A board that was stuck at the moment and was then solved
        counts as being in progress, because only the latest stuck board is known.
        """
        if self.since is None or self.since <= moment:
            return self
        began = self.started_at is not None and self.started_at <= moment
        state = PuzzleState.IN_PROGRESS if began else PuzzleState.NOT_STARTED
        return PuzzleStatus(state, needed=self.needed, attempts=int(began))

    @property
    def is_solved(self) -> bool:
        """Whether the student has found as many solutions as the assignment asks for."""
        return self.state == PuzzleState.SOLVED

    @property
    def is_stuck(self) -> bool:
        """Whether no solution can be reached from the student's board."""
        return self.state == PuzzleState.STUCK

    @property
    def is_begun(self) -> bool:
        """Whether the student has made a move."""
        return self.attempts > 0


class Stuck(NamedTuple):
    """An open attempt with a board from which no solution can be reached."""

    since: datetime
    """When the board was reached."""
    move: int | None
    """The number of the move (from 1) after which no solution was left; None if unknown."""
    is_jammed: bool
    """Whether no move is left."""


class AttemptTotals(NamedTuple):
    """A student's attempts at a puzzle, added up."""

    number: int
    """The number of attempts in which a move was made."""
    seconds: int
    started_at: datetime | None
    """When the first of them began."""
    last_at: datetime | None = None
    """When the last step of any attempt was made, or when the latest untouched board began."""
    stuck: int = 0
    """The number of attempts that were stuck at some time."""
    examined: int = 0
    """The number of attempts with a board that was examined."""
    arrived_at: datetime | None = None
    """When steps of them last arrived that had been made before, without a network."""


class SolutionTotals(NamedTuple):
    """The number of solutions that a student has found at a puzzle."""

    number: int
    solved_at: datetime | None
    """When the last solution needed was found; None before that."""


def is_solved(found: int, needed: int) -> bool:
    """Return whether `found` different solutions are enough to solve the puzzle."""
    return found >= needed


def status_from(
    needed: int,
    attempts: AttemptTotals | None,
    found: SolutionTotals | None,
    stuck: Stuck | None,
    *,
    is_assigned: bool = True,
) -> PuzzleStatus:
    """Return the status that follows from a student's attempts, solutions and stuck board."""
    attempts = attempts or AttemptTotals(0, 0, None)
    solutions = found.number if found else 0
    state, since, lost_at = PuzzleState.NOT_STARTED, None, None
    if found and is_solved(solutions, needed):
        state, since = PuzzleState.SOLVED, found.solved_at
    elif attempts.number and stuck:
        state, since, lost_at = PuzzleState.STUCK, stuck.since, stuck.move
    elif attempts.number:
        state, since = PuzzleState.IN_PROGRESS, attempts.started_at
    elif not is_assigned:
        state = PuzzleState.NOT_ASSIGNED
    is_stuck = state == PuzzleState.STUCK
    return PuzzleStatus(
        state,
        solutions,
        needed,
        attempts.number,
        attempts.seconds,
        since,
        lost_at,
        attempts.last_at,
        was_stuck(attempts, is_stuck=is_stuck),
        is_stuck and stuck is not None and stuck.is_jammed,
        attempts.arrived_at,
        attempts.started_at,
    )


def was_stuck(attempts: AttemptTotals, *, is_stuck: bool) -> bool | None:
    """Return whether a student was stuck at a puzzle at some time, solved later or not.

    `is_stuck` says whether the board is stuck at this moment. The attempts say the rest: workers
    and steps mark an attempt that was stuck (`Attempt.was_stuck`), and nothing clears the mark.
    Return None if nobody has examined a board.
    """
    if is_stuck or attempts.stuck:
        return True
    return False if attempts.examined else None


def status_of_board(*, is_begun: bool, found: int, needed: int) -> PuzzleStatus:
    """Return the status at a board on the screen, without times, which the board does not show."""
    attempts = AttemptTotals(1, 0, None) if is_begun else None
    return status_from(needed, attempts, SolutionTotals(found, None), None)


class AssignmentScore(NamedTuple):
    """A student's score at an assignment: the boards that are solved, of those that are given."""

    solved: int
    given: int
    is_begun: bool


def score_of(statuses: Iterable[PuzzleStatus]) -> AssignmentScore:
    """Return the score that follows from the student's status at each puzzle of an assignment."""
    own = [each for each in statuses if each.state != PuzzleState.NOT_ASSIGNED]
    solved = sum(each.is_solved for each in own)
    return AssignmentScore(solved, len(own), any(each.is_begun for each in own))
