"""What a student has reached at a puzzle over all attempts: the solutions found, the best score and
the runs against the clock.
"""

import hashlib
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom


class FoundSolution(models.Model):
    """A solution that a student has found. Each solution counts once for each student."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="found_solutions"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, related_name="found_solutions"
    )
    text = models.TextField()
    """The value of `kind.solution(position)`. Equal texts are the same solution."""
    line = models.TextField()
    """The moves that led to the solution, for the replay."""
    found_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["found_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "puzzle", "text"], name="solution_found_once"
            )
        ]

    def __str__(self) -> str:
        return self.text


class ClassFind(models.Model):
    """A solution that somebody of a class has found first. It names no student, and stays when
    students leave."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="finds")
    kind_slug = models.SlugField(max_length=40)
    board = models.CharField(max_length=64)
    """The fingerprint of the board (`puzzles.models.fingerprint`)."""
    solution = models.CharField(max_length=64)
    """A hash of the solution's text."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom", "board", "solution"], name="found_once_in_a_class"
            )
        ]

    def __str__(self) -> str:
        return f"{self.classroom_id} {self.kind_slug}: {self.board}"

    @staticmethod
    def hash_of(text: str) -> str:
        """Return the hash of a solution's text."""
        return hashlib.sha256(text.encode()).hexdigest()


class TimedRun(models.Model):
    """A student's run against the clock at a puzzle, from the press that starts it to the solution.

    Only the server's clock counts, and starting again does not set it back. If the connection is
    lost, the clock runs on until the solution arrives.
    """

    LONGEST = timedelta(hours=1)
    """The longest run. After that the clock has stopped without a time."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="timed_runs"
    )
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="timed_runs")
    started_at = models.DateTimeField(default=timezone.now)
    seconds = models.PositiveIntegerField(null=True)
    """The seconds from the start to the solution; None until the puzzle is solved."""
    took_hint = models.BooleanField(default=False)
    """Whether the student took a hint in the run. Its time is then no record."""

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student"], condition=Q(seconds=None), name="one_running_clock"
            )
        ]

    def __str__(self) -> str:
        return f"{self.student} {self.puzzle_id}: {self.seconds}"

    @property
    def milliseconds(self) -> int:
        """The milliseconds since the start."""
        return round((timezone.now() - self.started_at) / timedelta(milliseconds=1))


class Scores(NamedTuple):
    """The best scores at a puzzle."""

    own: int | None
    """The student's best score; None if the student has none yet."""
    best: int | None
    """The best score of the class; None if nobody has one yet."""


class BestScores(models.QuerySet["BestScore"]):
    """A query for best scores."""

    def of_class(self, puzzle: AssignedPuzzle) -> "BestScores":
        """Return the best scores at the puzzle of the students who are in its class."""
        classroom = puzzle.assignment.classroom_id
        return self.filter(puzzle=puzzle, student__enrolments__classroom=classroom)

    def best(self, puzzle: AssignedPuzzle, student_id: int) -> Scores:
        """Return the best score of a student in the class and the best of the class. One query."""
        scores = dict(self.of_class(puzzle).order_by().values_list("student", "score"))
        return Scores(scores.get(student_id), max(scores.values(), default=None))


class BestScore(models.Model):
    """A student's best score at a puzzle, solved or not, and the board that reached it."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="best_scores"
    )
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="best_scores")
    score = models.PositiveIntegerField()
    text = models.TextField()
    """The value of `kind.solution(position)`. Equal texts are equal boards, whatever the line."""
    line = models.TextField()
    reached_at = models.DateTimeField(default=timezone.now)
    """When the student first reached this score."""

    objects = BestScores.as_manager()

    class Meta:
        ordering = ["-score", "reached_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["student", "puzzle"], name="one_best_score")]

    def __str__(self) -> str:
        return f"{self.student} {self.puzzle}: {self.score}"
