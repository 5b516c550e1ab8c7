"""What a teacher asks and shows in a lesson, what the class answers, and where students sit."""

from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

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


class Question(models.Model):
    """A question to the class, mostly about a board. The class may answer it twice."""

    class Sort(models.TextChoices):
        MOVE = "move", _("Which move next?")
        SOLVABLE = "solvable", _("Can this still be solved?")
        COUNT = "count", _("How many solutions are there?")
        WHICH = "which", _("Which board has more solutions?")
        MISTAKE = "mistake", _("Where is the mistake?")
        FREE = "free", _("A question in my words")
        SOLVE = "solve", _("Solve together")

    class Form(models.TextChoices):
        """What the answer to a question in the teacher's words is."""

        NUMBER = "number", _("A number")
        MOVE = "move", _("A move")
        SENTENCE = "sentence", _("A sentence")

    class Stage(models.TextChoices):
        """The stages of a question, in their order. A second round opens a closed one again."""

        OPEN = "open", pgettext_lazy("a question", "Open")
        CLOSED = "closed", pgettext_lazy("a question", "Closed")
        REVEALED = "revealed", _("The answer")
        OVER = "over", _("Over")

    COUNTDOWN = timedelta(seconds=10)
    """The time between the teacher's press and the second at which everybody begins. It suffices
    for forty students to load the board beforehand."""
    CLOSING = timedelta(seconds=5)
    """The time between the press that closes the question and the moment at which it is closed."""
    MAX_COUNT = 400
    """The most questions of one assignment."""
    MAX_PAUSES = 50
    """The most pauses of a question that are taken out of its time."""
    LONGEST_WORDS = 200

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="questions")
    puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, null=True, related_name="questions"
    )
    """The board; None for a question in the teacher's words that is about no board."""
    line = models.TextField(blank=True, default="")
    """The moves from the start to the position, as canonical text."""
    other_puzzle = models.ForeignKey(
        AssignedPuzzle, on_delete=models.CASCADE, null=True, related_name="+"
    )
    """The second of two boards; None for other questions."""
    other_line = models.TextField(blank=True, default="")
    sort = models.CharField(max_length=10, choices=Sort)
    words = models.CharField(max_length=LONGEST_WORDS, blank=True, default="")
    """The question in the words of the teacher or the plan; empty if its sort says it all."""
    form = models.CharField(max_length=10, choices=Form, blank=True, default="")
    right = models.CharField(max_length=LONGEST_WORDS, blank=True, default="")
    """What the teacher calls right; empty for other questions, and if nothing is."""
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.OPEN)
    round = models.PositiveSmallIntegerField(default=1)
    """The round that is open, or was open last: 1 or 2."""
    twice = models.BooleanField(default=False)
    """Whether the class is to answer twice."""
    begun_at = models.DateTimeField(default=timezone.now)
    starts_at = models.DateTimeField(null=True)
    """The second at which everybody begins; None if each begins when the question comes."""
    closes_at = models.DateTimeField(null=True)
    """The moment at which the round was closed; None while it is open."""
    pauses = models.JSONField(default=list)
    """The pauses since the start, each with its seconds since the start and its length."""
    shows_places = models.BooleanField(default=False)
    """Whether the order in which the students have solved the board is shown."""
    led_before = models.ForeignKey(
        AssignedPuzzle, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board at which the class was before it solved this one together."""

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=~models.Q(stage="over"),
                name="one_running_question",
            )
        ]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.sort}"

    @property
    def title(self) -> str:
        return self.words or self.get_sort_display()

    @property
    def asks_for(self) -> str:
        """What the answer is: a `move`, `yes` or no, a `number`, a `board` of two, the `step` of
        a line, a `sentence`, or nothing where the board itself is the answer."""
        return {
            Question.Sort.MOVE: "move",
            Question.Sort.SOLVABLE: "yes",
            Question.Sort.COUNT: "number",
            Question.Sort.WHICH: "board",
            Question.Sort.MISTAKE: "step",
            Question.Sort.FREE: self.form,
            Question.Sort.SOLVE: "",
        }[Question.Sort(self.sort)]

    @property
    def is_solved_together(self) -> bool:
        return self.sort == Question.Sort.SOLVE

    @property
    def has_started(self) -> bool:
        return self.starts_at is None or self.starts_at <= timezone.now()

    @property
    def begins_in(self) -> int:
        """The milliseconds until everybody begins; 0 after that."""
        left = self.starts_at - timezone.now() if self.starts_at else timedelta()
        return max(0, round(left / timedelta(milliseconds=1)))

    @property
    def closes_in(self) -> int:
        """The milliseconds until the round is closed; 0 before the teacher's press and after."""
        if self.stage != Question.Stage.CLOSED or self.closes_at is None:
            return 0
        left = self.closes_at - timezone.now()
        return max(0, round(left / timedelta(milliseconds=1)))

    @property
    def countdown(self) -> int:
        """The full seconds until everybody begins or until the round is closed."""
        return -(-(self.begins_in or self.closes_in) // 1000)

    @property
    def shown_stage(self) -> str:
        """The stage as pages show it: a round is open until the last second."""
        return Question.Stage.OPEN if self.closes_in else self.stage

    @property
    def is_open(self) -> bool:
        return self.shown_stage == Question.Stage.OPEN

    @property
    def is_revealed(self) -> bool:
        return self.stage == Question.Stage.REVEALED


class Answer(models.Model):
    """A student's answer in one round of a question, with a reason. A later answer in the round
    replaces it."""

    LONGEST_REASON = 120

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="answers"
    )
    round = models.PositiveSmallIntegerField()
    answer = models.CharField(max_length=Question.LONGEST_WORDS)
    """A move as canonical text, `yes` or `no`, a number, `a` or `b`, or a sentence."""
    cell = models.CharField(max_length=10, blank=True, default="")
    """The cell that the student has pressed as a reason, as `row,column`."""
    words = models.CharField(max_length=LONGEST_REASON, blank=True, default="")
    """The reason in a sentence."""
    at = models.DateTimeField(default=timezone.now)
    is_late = models.BooleanField(default=False)
    """Whether it came after the answer was shown. It is kept, but does not count."""
    is_chosen = models.BooleanField(default=False)
    """Whether the teacher shows the answer's words to the class, as they are now. It does not
    outlast them."""
    has_changed = models.BooleanField(default=False)
    """Whether the student has changed it since the teacher chose it."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "student", "round"], name="one_answer_a_round"
            )
        ]

    def __str__(self) -> str:
        return self.answer

    @property
    def version(self) -> str:
        """A text that changes with what a class would be shown of the answer.

        It is a hash of which nobody can find two texts: a student must not be able to exchange the
        words that the teacher has ticked.
        """
        return sha256(repr((self.answer, self.cell, self.words)).encode()).hexdigest()[:32]


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
