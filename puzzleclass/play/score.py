"""Scores: the student's own, the best of the class and its board, and what may be told of them."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt, BestScore
from puzzleclass.puzzles.goals import goal_of, known_optimum
from solvers.kind import Verdict
from solvers.picture import Picture

MOST_DRAWN = 3
"""Record boards shown to a student."""


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """What a student sees of scores at a puzzle."""

    now: int
    """On the board."""
    counts: bool
    """Whether the board may stay as it is."""
    mark: int | None
    """The score that solves the puzzle; None where it would give the optimum away."""
    optimum: int | None
    """The best score there can be, where the teacher has it told."""
    mine: int | None
    """The student's best so far."""
    best: int | None
    """The best of the class."""
    records: list[Picture]
    """The boards with the best score of the class, without names; only for those who have reached
    the mark themselves, or when the puzzle is over: nobody is to copy them."""

    @property
    def is_record(self) -> bool:
        """The student holds the class's record, alone or with others."""
        return self.mine is not None and self.mine == self.best


def score_card(
    student: User, puzzle: AssignedPuzzle, verdict: Verdict, *, may_see_records: bool
) -> ScoreCard | None:
    """Return the card for a board; None for a kind without a score. Two queries."""
    mark = goal_of(puzzle)
    if mark is None:
        return None
    scores = list(
        records_of(puzzle).values_list("student", "score", "text", "line").order_by("-score", "pk")
    )
    best = scores[0][1] if scores else None
    lines = {text: line for _, score, text, line in scores if score == best}
    kind = puzzle.kind
    is_told = puzzle.assignment.shows_total
    return ScoreCard(
        now=verdict.score,
        counts=verdict.counts,
        mark=mark.score if is_told or mark.below else None,
        optimum=mark.optimum if is_told else None,
        mine=next((score for pk, score, *_ in scores if pk == student.pk), None),
        best=best,
        records=[
            kind.draw(kind.play_line(puzzle.start, line))
            for line in list(lines.values())[: MOST_DRAWN if may_see_records else 0]
        ],
    )


def records_of(puzzle: AssignedPuzzle):
    """Return the best scores of the students who are in the class."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    return BestScore.objects.filter(puzzle=puzzle, student__in=in_class)


def leaves_room(puzzle: AssignedPuzzle, verdict: Verdict) -> bool:
    """Return whether a solved board can still be beaten: the mark is reached, the optimum not.

    A try goes on then, for the best of the class.
    """
    if verdict.score is None:
        return False
    optimum = known_optimum(puzzle.kind, puzzle.position)
    return optimum is None or verdict.score < optimum


def keep_best(attempt: Attempt, score: int, position: Hashable, at: datetime) -> None:
    """Set the score down if it is the student's best at the puzzle."""
    kind = attempt.puzzle.kind
    reached = {
        "score": score,
        "text": kind.solution(position),
        "line": kind.write_line(position),
        "reached_at": at,
    }
    best, is_new = BestScore.objects.get_or_create(
        student_id=attempt.student_id, puzzle=attempt.puzzle, defaults=reached
    )
    if not is_new and best.score < score:
        BestScore.objects.filter(pk=best.pk, score__lt=score).update(**reached)
