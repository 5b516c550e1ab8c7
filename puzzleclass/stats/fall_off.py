"""The moves at which the attempts of a class lost their last solution."""

from collections import defaultdict
from dataclasses import dataclass

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.play.reviews import known_reviews, review_key


@dataclass(frozen=True, slots=True)
class Fall:
    """The attempts that lost their last solution with the same move."""

    move: int
    attempts: list[Attempt]


@dataclass(frozen=True, slots=True)
class FallOff:
    """All falls at a puzzle, sorted by move."""

    falls: list[Fall]
    alive: int
    """The number of unsolved attempts from whose last board a solution could still be reached."""
    waiting: int
    """The number of unsolved attempts with a review that is still being made."""
    has_no_worker: bool
    """Whether no worker is there to review them."""
    never: bool
    """Whether the puzzle has no solution at all."""

    @property
    def most(self) -> int:
        """The number of attempts in the largest fall."""
        return max((len(fall.attempts) for fall in self.falls), default=0)


def fall_off_of(puzzle: AssignedPuzzle) -> FallOff:
    """Return where the unsolved attempts of the class fell off, as far as they have been
    reviewed."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    attempts = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=in_class, has_solved=False)
        .exclude(line="")
        .select_related("student")
    )
    for attempt in attempts:
        attempt.puzzle = puzzle
    keys = [review_key(puzzle, attempt.line) for attempt in attempts]
    known = known_reviews(keys)
    by_move = defaultdict(list)
    alive = 0
    never = False
    for attempt, key in zip(attempts, keys):
        review = known.reviews.get(key)
        if review is None:
            continue
        never = never or review.never
        if review.fatal:
            by_move[review.fatal].append(attempt)
        elif not review.never:
            alive += 1
    return FallOff(
        falls=[Fall(move, by_move[move]) for move in sorted(by_move)],
        alive=alive,
        waiting=sum(key in known.under_way for key in keys),
        has_no_worker=known.has_no_worker,
        never=never,
    )
