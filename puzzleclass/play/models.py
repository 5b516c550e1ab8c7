import uuid
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import takewhile
from typing import Any, NamedTuple
from zlib import crc32

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.http import HIGHEST_KEY
from puzzleclass.prepared_queries import Prepared
from solvers.kind import Verdict, split_moves
from solvers.message import Message


@dataclass
class Trial:
    """What is known of a teacher's try besides its board (`play.trial`)."""

    name: str
    best: int | None = None
    """The best score so far."""
    found: "list[FoundSolution]" = field(default_factory=list)
    """Solutions, without rows."""
    taken: list[tuple[str, int]] = field(default_factory=list)
    """Line and level of the hints."""
    path: list[int] = field(default_factory=list)
    """Of a staircase: the boards (pks) up to this one."""


class Addresses:
    """Where a try's page is, and where what is pressed on it goes."""

    def __init__(self, attempt: "Attempt") -> None:
        self.attempt = attempt

    def __getitem__(self, name: str) -> str:
        """Return the address of `page`, `next_board`, `step`, `moves`, `restart`, `hint`,
        `hint_back` or `look_ahead`."""
        if trial := self.attempt.trial:
            return reverse("trial" if name == "page" else f"trial_{name}", args=[trial.name])
        if name in ("page", "next_board"):
            place = "play" if name == "page" else name
            return reverse(place, args=[self.attempt.puzzle_id])
        return _pattern(name, get_script_prefix()).replace(str(NO_TRY), str(self.attempt.key))


NO_TRY = uuid.UUID(int=0)


@cache
def _pattern(name: str, prefix: str) -> str:
    """Return the address of `NO_TRY`. Kept: a board has six, and each takes Django some time."""
    return reverse(name, args=[NO_TRY])


class Attempt(models.Model):
    """One try of a student at an assigned puzzle, from the untouched board on.

    `line` is the board as it stands now; `steps` below it is the whole story, undone
    moves and all. Both are written in one transaction.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Working")
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
    """The sequence number of the step to come: a step that bears another is late or a repeat."""
    is_jammed = models.BooleanField(default=False)
    """No move is left and the puzzle is not solved: some must be taken back."""
    has_solved = models.BooleanField(default=False)
    """The board has solved the puzzle in this try: an open one goes on for a better score."""
    seconds = models.PositiveIntegerField(default=0)
    """Time at the board since it was begun; a long pause between two steps counts as a short
    one."""
    started_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    trial: Trial | None = None
    """Of a teacher's try, which has no row; no column."""
    before = None
    """The position before the step that was stored just now with this object; no column."""

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

    def __str__(self) -> str:
        return f"{self.student} {self.puzzle} {self.number}"

    @classmethod
    def first(cls, student: User, puzzle: AssignedPuzzle, at: datetime | None = None) -> "Attempt":
        """Return the student's first try at the puzzle, as it is before it has a row.

        Its key names the two, so that its first step finds them, from any window; no random key
        has this form.
        """
        key, at = uuid.UUID(int=student.pk << 64 | puzzle.pk), at or timezone.now()
        return cls(key=key, student=student, puzzle=puzzle, number=1, started_at=at, last_at=at)

    @staticmethod
    def puzzle_of(key: uuid.UUID, student: User) -> int | None:
        """Return which puzzle it is whose first try by this student has the key, if any has."""
        puzzle = key.int & 2**64 - 1
        return puzzle if key.int >> 64 == student.pk and puzzle <= HIGHEST_KEY else None

    @property
    def position_text(self) -> str:
        """The start and the line, as one text: what jobs are asked about."""
        return self.position_text_after(self.line)

    def position_text_after(self, line: str) -> str:
        """The same for another line of the puzzle."""
        return f"{self.puzzle.position} | {line}" if line else self.puzzle.position

    @property
    def to(self) -> Addresses:
        """Where what is pressed goes."""
        return Addresses(self)

    @property
    def mark(self) -> str:
        """A short name of the board as it stands, by which a browser knows it again."""
        return _mark(self.line)

    @property
    def mark_before(self) -> str:
        """The same of the board before its last move."""
        return _mark(" ".join(split_moves(self.line)[:-1])) if self.line else ""

    @property
    def redo(self) -> str:
        """The move that was taken back last, empty when there is none to be made again."""
        return next(iter(split_moves(self.undone)), "")

    @property
    def number_of_moves(self) -> int:
        """How many moves are on the board."""
        return len(split_moves(self.line))

    @property
    def most_moves(self) -> int:
        """The same, once all that was taken back is made again."""
        return self.number_of_moves + len(split_moves(self.undone))

    # What follows from the row. A step that was just taken has set these to what it found.

    @cached_property
    def position(self) -> Any:
        """The board as it stands, as the kind's own object."""
        return self.puzzle.kind.play_line(self.puzzle.start, self.line)

    @cached_property
    def verdict(self) -> Verdict:
        """What the rules say of the board."""
        return self.puzzle.kind.judge(self.position)

    @cached_property
    def last_action(self) -> str:
        """What the last step did, empty before the first. One query at most."""
        if not self.next_step:
            return ""
        return self.steps.order_by("-number").values_list("action", flat=True).first() or ""

    @cached_property
    def taken_back(self) -> int:
        """How many moves the last step took back, together with those of the same moment. One
        query at most."""
        last = self.steps.filter(at=self.last_at).order_by("-number")
        actions = last.values_list("action", flat=True)
        return len(list(takewhile(Step.Action.UNDO.__eq__, actions)))

    @cached_property
    def scores(self) -> "Scores":
        """The best scores at the puzzle so far. One query."""
        return BestScore.objects.best(self.puzzle, self.student_id)


def _mark(line: str) -> str:
    return f"{crc32(line.encode()) & 0xFFFFFF:x}"


class Step(models.Model):
    """Something the student did to the board, stored when it was done."""

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
    """A move that the rules forbade where the student tried it, and how often it was tried.

    Not of a try: one that has no step has no row either.
    """

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="refused_moves"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, related_name="refused_moves"
    )
    line = models.TextField(blank=True)
    """The moves on the board."""
    move = models.CharField(max_length=20)
    reason = models.JSONField()
    """The rules' Message; its text, without the values, tells one misunderstanding from others."""
    times = models.PositiveIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)
    """The last time."""

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
        """Why it was refused."""
        return Message.from_json(self.reason)


class Feedback(models.Model):
    """What a teacher says of a try: a stamp, a comment, or both. The student sees it."""

    class Stamp(models.TextChoices):
        WELL_DONE = "well done", _("Very well done")
        GOOD_IDEA = "good idea", _("Good idea")
        NEARLY = "nearly", _("Nearly there")
        LOOK_AGAIN = "look again", _("Look once more")

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, primary_key=True, related_name="feedback"
    )
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    stamp = models.CharField(_("Stamp"), max_length=10, choices=Stamp, blank=True)
    comment = models.CharField(_("Comment"), max_length=300, blank=True)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.said

    @property
    def said(self) -> str:
        """All of it as one text."""
        return " ".join(filter(None, (str(self.get_stamp_display()), self.comment)))


class HintUse(models.Model):
    """A hint that a student has taken: one of those the assignment allows at the puzzle."""

    class Level(models.IntegerChoices):
        """From the mildest to the plainest; each tells what the one before tells, and more."""

        ALIVE = 1, _("Can it still be solved?")
        REGION = 2, _("Where should I look?")
        NEXT = 3, _("The next move")

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="hints")
    step = models.PositiveIntegerField()
    """`Attempt.next_step` at that moment: the hint stands before the step of this number."""
    line = models.TextField(blank=True)
    """The moves on the board: a hint stays good, and paid for, wherever these stand."""
    level = models.PositiveSmallIntegerField(choices=Level)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.attempt} before {self.step}: {self.level}"

    @property
    def moves(self) -> int:
        """How many moves were on the board."""
        return len(split_moves(self.line))


class FoundSolution(models.Model):
    """A solution a student has found; each one counts once for each student."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="found_solutions"
    )
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, related_name="found_solutions"
    )
    text = models.TextField()
    """`kind.solution(position)`: equal texts are the same solution."""
    line = models.TextField()
    """The moves that led to it, for the replay."""
    found_at = models.DateTimeField(default=timezone.now)
    go_on: int | None = None
    """The puzzle to go on to; with how many of the set are `left`, set by `found_solutions`."""
    left: int = 0

    class Meta:
        ordering = ["found_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "puzzle", "text"], name="solution_found_once"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Scores(NamedTuple):
    """The best scores at a puzzle; None where nobody, or not this student, has one yet."""

    mine: int | None
    """Of the student."""
    best: int | None
    """Of the class."""


class BestScores(models.QuerySet["BestScore"]):
    """Reads the best scores."""

    def of_class(self, puzzle: AssignedPuzzle) -> "BestScores":
        """Return those of the students who are in the class."""
        return self._of_class(puzzle.pk, puzzle.assignment.classroom_id)

    def _of_class(self, puzzle: Any, classroom: Any) -> "BestScores":
        return self.filter(puzzle=puzzle, student__enrolments__classroom=classroom)

    def best(self, puzzle: AssignedPuzzle, student_id: int) -> Scores:
        """Return the best of a student in the class, and of the class. One query."""
        scores = dict(_SCORES.rows(puzzle.pk, puzzle.assignment.classroom_id))
        return Scores(scores.get(student_id), max(scores.values(), default=None))


class BestScore(models.Model):
    """The best score a student has reached at a puzzle, solved or not, and the board with it."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="best_scores"
    )
    puzzle = models.ForeignKey(AssignedPuzzle, on_delete=models.CASCADE, related_name="best_scores")
    score = models.PositiveIntegerField()
    text = models.TextField()
    """`kind.solution(position)`: equal texts are the same board at heart."""
    line = models.TextField()
    reached_at = models.DateTimeField(default=timezone.now)
    """When this score was reached first."""

    objects = BestScores.as_manager()

    class Meta:
        ordering = ["-score", "reached_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["student", "puzzle"], name="one_best_score")]

    def __str__(self) -> str:
        return f"{self.student} {self.puzzle}: {self.score}"


_SCORES = Prepared(
    lambda *of: BestScores(BestScore)._of_class(*of).order_by().values_list("student", "score"),
    models.BigIntegerField,
    models.BigIntegerField,
)
