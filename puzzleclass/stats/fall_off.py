"""Where the tries at a puzzle fall off: after which move no solution was left."""

from collections import defaultdict
from dataclasses import dataclass

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.stats.reviews import ask_for_reviews, known_reviews, review_key


@dataclass(frozen=True, slots=True)
class Fall:
    """The tries that lost their last solution with the same move."""

    move: int
    tries: list[Attempt]


@dataclass(frozen=True, slots=True)
class FallOff:
    """All falls of a puzzle, by move."""

    falls: list[Fall]
    alive: int
    """Unsolved tries that left off while there still was a solution."""
    waiting: int
    """Unsolved tries whose review is not there yet."""
    never: bool
    """The puzzle has no solution at all."""

    @property
    def most(self) -> int:
        """The tries of the longest bar."""
        return max((len(fall.tries) for fall in self.falls), default=0)


def fall_off(puzzle: AssignedPuzzle) -> FallOff:
    """Return where the class's unsolved tries fell off, and ask for missing reviews."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    tries = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=in_class, has_solved=False)
        .exclude(line="")
        .select_related("student")
    )
    for attempt in tries:
        attempt.puzzle = puzzle
    keys = [review_key(puzzle, attempt.line) for attempt in tries]
    known = known_reviews(keys)
    asked = ask_for_reviews(tries, known)
    by_move = defaultdict(list)
    alive = 0
    never = False
    for attempt, key in zip(tries, keys):
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
        waiting=asked + sum(key in known.under_way for key in keys),
        never=never,
    )
