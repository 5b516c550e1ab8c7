"""What became of puzzles in a gallery: who solved them, and where classmates went wrong first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.stats.reviews import known_reviews, review_key
from solvers.kind import split_moves
from solvers.message import Message

MOST_TRIES = 5000
"""The latest that are read."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How classmates fared with a puzzle, its author left out."""

    tried: int
    solved: int
    lost: int
    """Of whom a first wrong move is known: after it no solution was left, exactly."""
    number: int = 0
    """The place in the line of the wrong move that most made first; 0 where there is none."""
    move: Message | None = None
    students: int = 0
    """Who made just that one."""


def outcomes(puzzles: Iterable[AssignedPuzzle]) -> dict[int, Outcome]:
    """Return pk -> outcome, of puzzles that are in galleries. Two queries."""
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    tries = (
        Attempt.objects.filter(
            puzzle__in=by_pk,
            next_step__gt=0,
            puzzle__assignment__classroom__enrolments__student=F("student"),
        )
        .exclude(student=F("puzzle__written__author"))
        .select_related("look")
        .order_by("-pk")
    )
    read = list(tries[:MOST_TRIES])[::-1]
    reviews = known_reviews(
        review_key(by_pk[attempt.puzzle_id], attempt.line) for attempt in read if attempt.line
    ).reviews
    tried: dict[int, set[int]] = {pk: set() for pk in by_pk}
    solved: dict[int, set[int]] = {pk: set() for pk in by_pk}
    wrong: dict[int, dict[int, tuple[int, str]]] = {pk: {} for pk in by_pk}
    for attempt in read:
        at, who = attempt.puzzle_id, attempt.student_id
        tried[at].add(who)
        if attempt.has_solved:
            solved[at].add(who)
        review = reviews.get(review_key(by_pk[at], attempt.line))
        look = getattr(attempt, "look", None)
        line, number = attempt.line, review.fatal if review else 0
        if not number and look and look.is_lost:
            line, number = look.line, look.since or 0
        moves = split_moves(line)
        if 0 < number <= len(moves):
            wrong[at].setdefault(who, (number, moves[number - 1]))
    return {
        pk: _outcome(puzzle, len(tried[pk]), len(solved[pk]), list(wrong[pk].values()))
        for pk, puzzle in by_pk.items()
    }


def _outcome(
    puzzle: AssignedPuzzle, tried: int, solved: int, wrong: list[tuple[int, str]]
) -> Outcome:
    if not wrong:
        return Outcome(tried, solved, 0)
    (number, move), students = Counter(wrong).most_common(1)[0]
    described = puzzle.kind.describe(puzzle.kind.read_move(move))
    return Outcome(tried, solved, len(wrong), number, described, students)
