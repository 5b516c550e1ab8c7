"""Attempts and what belongs to them: steps, refused moves, hints, feedback, thanks.

What a student has reached over all attempts at a puzzle is in `play.result_models`.
"""

import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any
from zlib import crc32

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.http import HIGHEST_KEY
from puzzleclass.play.addresses import Addresses
from puzzleclass.play.result_models import BestScore, FoundSolution, Scores, TimedRun
from puzzleclass.templating.crumbs import Crumb
from solvers.kind import Verdict, split_moves
from solvers.message import Message


@dataclass
class Trial:
    """What is known of an attempt without a row besides its board (`play.trial`)."""

    name: str
    best: int | None = None
    """The best score so far."""
    found: list[FoundSolution] = field(default_factory=list)
    """The solutions found so far, as unsaved objects."""
    taken: list[tuple[str, int]] = field(default_factory=list)
    """The line and the level of each hint taken."""
    path: list[int] = field(default_factory=list)
    """The primary keys of the staircase's boards up to this one; empty without a staircase."""


BEGUN = Q(next_step__gt=0)
"""The condition that a step was made in an attempt."""


class Attempt(models.Model):
    """A student's attempt at an assigned puzzle, from the untouched board on.

    `line` is the board as it stands now. The related `steps` are the whole history, undone moves
    included. Both are written in one transaction.
    """

    class State(models.TextChoices):
        OPEN = "open", _("In progress")
        SOLVED = "solved", _("Solved")
        GIVEN_UP = "given up", _("Started again")

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts"
    )
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    line = models.TextField(blank=True, default="")
    undone = models.TextField(blank=True, default="")
    """The moves that were taken back and can be made again, the next one first."""
    next_step = models.PositiveIntegerField(default=0)
    """The sequence number of the next step. A step with another number is late or a repeat."""
    is_jammed = models.BooleanField(default=False)
    """Whether no move is left and the puzzle is not solved, so that moves must be taken back."""
    was_stuck = models.BooleanField(null=True, editable=False)
    """Whether no solution could be reached from the board at some time. None if nobody has examined
    the board. A step that leaves no move sets it, and so do workers' looks and reviews; nothing
    clears it."""
    has_solved = models.BooleanField(default=False)
    """Whether the puzzle has been solved in this attempt. If it is still open, it goes on for a
    better score."""
    awaited_hint = models.PositiveSmallIntegerField(default=0)
    """The level of the hint that the student has asked for at this board and not received yet; 0 if
    there is none. A step withdraws the request."""
    failures = models.PositiveIntegerField(default=0, editable=False)
    """The number of attempts at the puzzle before this one that the student gave up after moves."""
    failed_before = models.UUIDField(null=True, editable=False)
    """The key of the attempt just before this one if it is among `failures`, else None."""
    hints_taken = models.PositiveIntegerField(default=0, editable=False)
    """The number of hints taken at the puzzle, in this attempt and those before. Each level of a
    hint counts by itself."""
    seconds = models.PositiveIntegerField(default=0)
    """The time spent at the board, in seconds. A pause between two steps counts for at most
    `steps.LONGEST_PAUSE`."""
    started_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)
    arrived_at = models.DateTimeField(null=True, editable=False)
    """When the last step arrived that had been made before, without a network (`offline_steps`);
    None if there is none."""
    is_counted = models.BooleanField(default=False)
    """Whether the result of the attempt has been counted for the choice of boards in practice
    (`practice.counting`)."""
    is_measured = models.BooleanField(default=False)
    """Whether the attempt has been counted in the figures of its board (`BoardFigures`), if it
    belongs there."""

    trial: Trial | None = None
    """What is known of a teacher's attempt, which has no row; None for a student. Not a column."""
    before = None
    """The position before the step that was just stored with this object. Not a column."""
    run: TimedRun | None = None
    """The run against the clock that the step that was just stored has ended. Not a column."""
    was_solved = False
    """Whether the attempt had solved the puzzle before the step that was just stored. Not a
    column."""

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "puzzle", "number"], name="attempt_number_once"
            ),
            models.UniqueConstraint(
                fields=["student", "puzzle"], condition=Q(state="open"), name="one_open_attempt"
            ),
        ]
        indexes = [
            # A step changes no column of these indexes, so they cost a move nothing.
            models.Index(
                fields=["student"], condition=Q(is_counted=False), name="attempts_to_count"
            ),
            models.Index(
                fields=["started_at"], condition=Q(is_measured=False), name="attempts_to_measure"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student} {self.puzzle} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("attempts", args=[self.puzzle_id, self.student_id])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        title = f"{self.student.name} · {self.puzzle.title}"
        return Crumb(self.get_absolute_url(), title, self.puzzle.assignment)

    @classmethod
    def first(cls, student: User, puzzle: AssignedPuzzle, at: datetime | None = None) -> "Attempt":
        """Return the student's first attempt at the puzzle, as it is before it has a row.

        The key is made of the primary keys of student and puzzle, so that the first step finds them
        from any window. No random key has this form.
        """
        key, at = uuid.UUID(int=student.pk << 64 | puzzle.pk), at or timezone.now()
        return cls(key=key, student=student, puzzle=puzzle, number=1, started_at=at, last_at=at)

    @staticmethod
    def puzzle_of(key: uuid.UUID, student: User) -> int | None:
        """Return the primary key of the puzzle at which this student's first attempt has the key.

        Return None for any other key.
        """
        puzzle = key.int & 2**64 - 1
        return puzzle if key.int >> 64 == student.pk and puzzle <= HIGHEST_KEY else None

    @property
    def arrived_later(self) -> datetime | None:
        """When the work arrived, if it was made without a network more than a minute before."""
        late = self.arrived_at and self.arrived_at > self.last_at + timedelta(minutes=1)
        return self.arrived_at if late else None

    def next(self, at: datetime) -> "Attempt":
        """Return the student's next attempt at the puzzle, untouched, as it is before it has a row.

        This one was closed as it stands.
        """
        has_failed = bool(self.line) and not self.has_solved
        return Attempt(
            student_id=self.student_id,
            puzzle=self.puzzle,
            number=self.number + 1,
            failures=self.failures + has_failed,
            hints_taken=self.hints_taken,
            failed_before=self.key if has_failed else None,
            started_at=at,
            last_at=at,
        )

    @property
    def is_begun(self) -> bool:
        """Whether a step was made at the puzzle, in this attempt (`BEGUN`) or an earlier one."""
        return self.number > 1 or self.next_step > 0

    @property
    def position_text(self) -> str:
        """The start and the line as one text, which is what jobs are asked about."""
        return self.position_text_after(self.line)

    def position_text_after(self, line: str) -> str:
        """Return the puzzle's start and this line as one text."""
        return f"{self.puzzle.position} | {line}" if line else self.puzzle.position

    @property
    def addresses(self) -> Addresses:
        """The addresses of the attempt, by name."""
        trial = self.trial.name if self.trial else None
        return Addresses(self.puzzle_id, self.key, trial)

    @property
    def mark(self) -> str:
        """A short name of the board as it stands, by which a browser recognizes it."""
        return _mark(self.line)

    @property
    def redo(self) -> str:
        """The move that was taken back last; empty if there is none to make again."""
        return next(iter(split_moves(self.undone)), "")

    @property
    def number_of_moves(self) -> int:
        """The number of moves on the board."""
        return len(split_moves(self.line))

    @property
    def most_moves(self) -> int:
        """The number of moves on the board once every undone move has been made again."""
        return self.number_of_moves + len(split_moves(self.undone))

    # These values follow from the row. A step that was just taken has already set them.

    @cached_property
    def position(self) -> Any:
        """The board as it stands, as an object of the kind's own type."""
        return self.puzzle.after(self.line)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict of the rules on the board."""
        return self.puzzle.kind.judge(self.position)

    @cached_property
    def last_action(self) -> str:
        """The action of the last step; empty before the first. One query at most."""
        if not self.next_step:
            return ""
        return self.steps.order_by("-number").values_list("action", flat=True).first() or ""

    @cached_property
    def taken_back(self) -> int:
        """The number of moves that the last step and the steps of the same moment took back.

        One query at most.
        """
        last = self.steps.filter(at=self.last_at).order_by("-number")
        actions = last.values_list("action", flat=True)
        return len(list(takewhile(Step.Action.UNDO.__eq__, actions)))

    @cached_property
    def scores(self) -> Scores:
        """The best scores at the puzzle so far. One query."""
        return BestScore.objects.best(self.puzzle, self.student_id)


def _mark(line: str) -> str:
    return f"{crc32(line.encode()) & 0xFFFFFF:x}"


class Step(models.Model):
    """A move that the student made or took back, stored when it happened."""

    class Action(models.TextChoices):
        MOVE = "move", _("Move")
        UNDO = "undo", _("Undo")

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=4, choices=Action)
    move = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "number"], name="step_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.action} {self.move}"


class RefusedMove(models.Model):
    """A move that the rules forbade on the board where the student tried it, with a count.

    It belongs to a student and a puzzle, not to an attempt, because an attempt without a step has
    no row.
    """

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="refused_moves"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, related_name="refused_moves"
    )
    line = models.TextField(blank=True)
    """The moves on the board when the refused move was tried."""
    move = models.CharField(max_length=20)
    reason = models.JSONField()
    """The rules' Message. Its text without the values tells one misunderstanding from another."""
    times = models.PositiveIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)
    """When the student last tried the move."""

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "puzzle", "line", "move"], name="refused_move_counted_once"
            )
        ]
        indexes = [models.Index(fields=["at"], name="refused_lately")]

    def __str__(self) -> str:
        return f"{self.student} {self.move} ×{self.times}"

    @property
    def message(self) -> Message:
        """The reason why the move was refused."""
        return Message.from_json(self.reason)


class Feedback(models.Model):
    """A teacher's feedback on an attempt: a stamp, a comment, or both. The student sees it."""

    class Stamp(models.TextChoices):
        FLOWER = "flower", _("A flower for you")
        WELL_DONE = "well done", _("Very well done")
        KEPT_ON = "kept on", _("You kept at it")
        GOOD_IDEA = "good idea", _("Good idea")
        NEARLY = "nearly", _("Nearly there")
        LOOK_AGAIN = "look again", _("Look again")

    class Reaction(models.TextChoices):
        """What a student answers, by one press."""

        THANKS = "thanks", _("Thank you!")
        GOT_IT = "got it", _("I see!")
        AGAIN = "again", _("I will try again")

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="feedback"
    )
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    stamp = models.CharField(_("Stamp"), max_length=10, choices=Stamp, blank=True)
    comment = models.CharField(_("Comment"), max_length=300, blank=True)
    reaction = models.CharField(max_length=10, choices=Reaction, blank=True, default="")
    """The student's answer; empty before it, and again after other feedback."""
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.said

    @property
    def said(self) -> str:
        """The stamp and the comment as one text."""
        return " ".join(filter(None, (str(self.get_stamp_display()), self.comment)))


class Thanks(models.Model):
    """A student's thanks to a classmate who has written a puzzle: a stamp, without any text."""

    class Stamp(models.TextChoices):
        FUN = "fun", _("That was fun")
        CLEVER = "clever", _("A clever idea")
        TRICKY = "tricky", _("That was tricky")

    giver = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="thanks_given"
    )
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="thanks")
    stamp = models.CharField(_("Stamp"), max_length=10, choices=Stamp)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["giver", "puzzle"], name="thanked_once")]

    def __str__(self) -> str:
        return str(self.get_stamp_display())


class HintUse(models.Model):
    """A hint that a student has taken, out of those that the assignment allows at each puzzle.

    The row is made when the answer reaches the student. Until then the hint is only recorded in
    `Attempt.awaited_hint`.
    """

    class Level(models.IntegerChoices):
        """The levels of hints, from mild to plain. Each tells all that the one before tells."""

        ALIVE = 1, _("Can it still be solved?")
        REGION = 2, _("Where should I look?")
        NEXT = 3, _("The next move")

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="hints")
    step = models.PositiveIntegerField()
    """The value of `Attempt.next_step` at that moment. The hint comes before the step with this
    number."""
    line = models.TextField(blank=True)
    """The moves on the board. Whenever the board has these moves, the hint is valid and costs
    nothing more."""
    level = models.PositiveSmallIntegerField(choices=Level)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.attempt} before {self.step}: {self.level}"

    @property
    def moves(self) -> int:
        """The number of moves that were on the board."""
        return len(split_moves(self.line))
