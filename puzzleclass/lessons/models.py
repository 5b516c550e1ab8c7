"""What a teacher asks and shows in a lesson, what the class answers, and where students sit."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom


class SeatingPlan(models.Model):
    """Where the students of a class sit (座席表)."""

    MAX_COLUMNS = 12
    MAX_ROWS = 12

    classroom = models.OneToOneField(
        Classroom, on_delete=models.CASCADE, primary_key=True, related_name="seating_plan"
    )
    columns = models.PositiveSmallIntegerField(default=6)
    places = models.JSONField(default=list)
    """The student (pk) at each place, row by row; 0 for an empty place."""

    def __str__(self) -> str:
        return f"{self.classroom_id}: {self.columns}"


class Screen(models.Model):
    """A second device that shows what the projector shows. It has no other right."""

    LASTS = timedelta(minutes=10)
    """The time for which a code can be typed."""
    CODE_LENGTH = 6
    MAX_COUNT = 5
    """The most codes and devices of one assignment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="screens")
    code = models.CharField(max_length=CODE_LENGTH, unique=True, null=True)
    """The code to be typed at the device; None once it was used."""
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.assignment_id}"


class Vote(models.Model):
    """A question about a position, which the class answers twice before the truth is shown."""

    class Question(models.TextChoices):
        MOVE = "move", _("Which move next?")
        SOLVABLE = "solvable", _("Can this still be solved?")
        COUNT = "count", _("How many solutions are there?")

    class Stage(models.TextChoices):
        """The stages of a vote, in their order. The class answers in the two rounds."""

        FIRST = "first", _("First vote")
        TALK = "talk", _("Talk in pairs")
        SECOND = "second", _("Second vote")
        REVEALED = "revealed", _("The answer")
        OVER = "over", _("Over")

    MAX_COUNT = 200
    """The most votes of one assignment."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="votes")
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="votes")
    line = models.TextField(blank=True, default="")
    """The moves from the start to the position, as canonical text."""
    question = models.CharField(max_length=10, choices=Question)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.FIRST)
    begun_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=~models.Q(stage="over"), name="one_running_vote"
            )
        ]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.question}"

    @property
    def round(self) -> int:
        """The round whose ballots are counted now, or were counted last."""
        return 1 if self.stage in (Vote.Stage.FIRST, Vote.Stage.TALK) else 2

    @property
    def takes_ballots(self) -> bool:
        return self.stage in (Vote.Stage.FIRST, Vote.Stage.SECOND)


class Ballot(models.Model):
    """A student's answer in one round of a vote. A later answer in the round replaces it."""

    vote = models.ForeignKey(Vote, on_delete=models.CASCADE, related_name="ballots")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ballots"
    )
    round = models.PositiveSmallIntegerField()
    answer = models.CharField(max_length=40)
    """A move as canonical text, `yes` or `no`, or a number."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["vote", "student", "round"], name="one_ballot_a_round")
        ]

    def __str__(self) -> str:
        return self.answer


class Slide(models.Model):
    """An attempt, a solution or a mistake that the teacher has chosen for the discussion of a
    board."""

    class Sort(models.TextChoices):
        MISTAKE = "mistake", _("Mistake")
        ATTEMPT = "attempt", _("Attempt")
        SOLUTION = "solution", _("Solution")

    MAX_COUNT = 30
    """The most slides of one board."""
    LONGEST_NOTE = 300

    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="slides")
    sort = models.CharField(max_length=10, choices=Sort)
    line = models.TextField(blank=True, default="")
    """The moves from the start to the board that is shown, as canonical text."""
    move = models.CharField(max_length=20, blank=True, default="")
    """The move that was a mistake on this board; empty for other slides."""
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="slides"
    )
    """The student whose board it is; None for a solution."""
    note = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    rank = models.PositiveSmallIntegerField(default=0)
    """The place of the slide among those of its board, from 0."""

    class Meta:
        ordering = ["rank", "pk"]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.sort} {self.line}"


class Round(models.Model):
    """A board that the whole class plays from the same second on.

    Who has solved it, and when, follows from the attempts that were begun in the round.
    """

    COUNTDOWN = timedelta(seconds=10)
    """The time between the teacher's press and the start. It suffices for forty students to load
    the board beforehand."""
    MAX_COUNT = 200
    """The most rounds of one assignment."""
    MAX_PAUSES = 50
    """The most pauses of a round that are taken out of its time."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="rounds")
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="rounds")
    starts_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    """The moment at which the teacher ended the round; None before that."""
    pauses = models.JSONField(default=list)
    """The pauses in the round, each with its seconds since the start and its length in seconds."""
    is_over = models.BooleanField(default=False)
    """Whether the lesson has gone on after the round."""
    shows_places = models.BooleanField(default=False)
    """Whether the stage shows the order in which the students have solved the board."""

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=models.Q(is_over=False), name="one_running_round"
            )
        ]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.starts_at:%Y-%m-%d %H:%M}"

    @property
    def has_started(self) -> bool:
        return self.starts_at <= timezone.now()
