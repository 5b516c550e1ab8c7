"""The scores at a puzzle: a student's own, the best of the class, and the goal."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import BestScore
from puzzleclass.puzzles.goals import goal_of, known_optimum
from puzzleclass.puzzles.player import drawn_after
from solvers.kind import Verdict
from solvers.picture import Picture

MAX_RECORDS = 3
"""The most record boards shown to a student."""


def can_be_beaten(puzzle: AssignedPuzzle, verdict: Verdict) -> bool:
    """Return whether a solved board has reached the goal but not the optimum.

    Such an attempt goes on, so that the student can try for the best score of the class. One query
    at most.
    """
    if verdict.score is None:
        return False
    optimum = known_optimum(puzzle.kind, puzzle.position)
    return optimum is None or verdict.score < optimum


def store_best_score(attempt: Attempt, score: int, position: Hashable, at: datetime) -> None:
    """Store the score if it is the student's best at the puzzle. Two queries at most."""
    kind, puzzle = attempt.puzzle.kind, attempt.puzzle
    scores = BestScore.objects.best(puzzle, attempt.student_id)
    if scores.own is None or scores.own < score:
        reached = {
            "score": score,
            "text": kind.solution(position),
            "line": kind.write_line(position),
            "reached_at": at,
        }
        if scores.own is None:
            # A student who has just left the class may have a row already, which then stays.
            first = BestScore(student_id=attempt.student_id, puzzle=puzzle, **reached)
            BestScore.objects.bulk_create([first], ignore_conflicts=True)
        else:
            own = BestScore.objects.filter(student=attempt.student_id, puzzle=puzzle)
            own.filter(score__lt=score).update(**reached)
        best = score if scores.best is None else max(score, scores.best)
        scores = scores._replace(own=score, best=best)
    attempt.scores = scores


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The scores that a student sees at a puzzle."""

    now: int
    """The score of the board as it stands."""
    counts: bool
    """Whether the score counts if the board stays as it is."""
    own: int | None
    """The student's best score so far; None without one."""
    best: int | None
    """The best score of the class; None without one."""

    @property
    def is_record(self) -> bool:
        """Whether the student holds the class's record, alone or with others."""
        return self.own is not None and self.own == self.best


def score_card(
    student: User, puzzle: AssignedPuzzle, attempt: Attempt | None, verdict: Verdict
) -> ScoreCard | None:
    """Return the scores to show for a board; None for a kind without a score.

    One query, and none after a step that has stored its score.
    """
    if verdict.score is None:
        return None
    scores = attempt.scores if attempt else BestScore.objects.best(puzzle, student.pk)
    return ScoreCard(verdict.score, verdict.is_score_valid, scores.own, scores.best)


@dataclass(frozen=True, slots=True)
class ShownGoal:
    """What a student may know of a puzzle's goal."""

    score: int | None
    """The score that solves the puzzle; None if it would give the optimum away."""
    optimum: int | None
    """The best possible score; None unless it is known and the teacher lets students see it."""


def shown_goal(puzzle: AssignedPuzzle) -> ShownGoal | None:
    """Return the puzzle's goal as a student may see it; None for a kind without a score.

    One query at most.
    """
    goal = goal_of(puzzle)
    if goal is None:
        return None
    is_shown = puzzle.assignment.shows_total
    return ShownGoal(
        score=goal.score if is_shown or goal.below else None,
        optimum=goal.optimum if is_shown else None,
    )


def record_boards(puzzle: AssignedPuzzle) -> list[Picture]:
    """Return the boards with the best score of the class, without names. One query.

    Call this only for a student who has reached the goal, or after the due date, so that nobody can
    copy the boards.
    """
    scores = BestScore.objects.of_class(puzzle).order_by("-score", "pk")
    rows = list(scores.values_list("score", "text", "line"))
    lines = {text: line for score, text, line in rows if score == rows[0][0]}
    return [drawn_after(puzzle, line) for line in list(lines.values())[:MAX_RECORDS]]
