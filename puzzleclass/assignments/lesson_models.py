"""A lesson at an assignment: what the class does now, and what concerns one student in it."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Pace(models.Model):
    """A lesson: what a class does at an assignment while its teacher leads it.

    A row is made when the teacher first leads. Nothing of it holds any more when the lesson has
    ended, or some time after the last change (`LASTS`), so that a board that was left paused can be
    played at home.
    """

    LASTS = timedelta(hours=2)
    LONGEST_CLOCK = 120
    """The longest time on the clock, in minutes."""
    LONGEST_MESSAGE = 200

    assignment = models.OneToOneField(
        "Assignment", on_delete=models.CASCADE, primary_key=True, related_name="pace"
    )
    begun_at = models.DateTimeField(null=True)
    """The beginning of the lesson; None while there is none."""
    led_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The teacher who pressed last. The projector of this teacher follows the lesson."""
    is_paused = models.BooleanField(default=False)
    message = models.CharField(_("Message"), max_length=LONGEST_MESSAGE, blank=True, default="")
    """What all students of the class read."""
    message_at = models.DateTimeField(null=True)
    board = models.ForeignKey(
        "AssignedPuzzle", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board at which the whole class is; None if students choose."""
    open_boards = models.PositiveSmallIntegerField(null=True)
    """The number of boards, from the first, that students may open; None if they may open all."""
    starts_at = models.DateTimeField(null=True)
    """The second at which everybody begins with a question or a board; None without one."""
    clock_ends_at = models.DateTimeField(null=True)
    """The time to which the clock runs; None without a clock."""
    paused_at = models.DateTimeField(null=True)
    """The beginning of the pause, at which the clock stands still; None without a pause."""
    phases = models.JSONField(default=list)
    """The phases of the plan from which the lesson was started, as they were then
    (`sharing.phases`). They stay when the lesson ends."""
    phase = models.PositiveSmallIntegerField(default=0)
    """The number of the phase, from 1; 0 before the first."""
    phase_at = models.DateTimeField(null=True)
    """When the phase began."""
    is_asked = models.BooleanField(default=False)
    """Whether the class is led to a question, so that nobody plays."""
    plays_since = models.DateTimeField(null=True)
    """When the class could last begin to play, after a question or a pause. Nobody has been idle
    for longer."""
    looks_back = models.BooleanField(default=False)
    """Whether the class looks back at the lesson."""
    exit_board = models.ForeignKey(
        "AssignedPuzzle", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board that is played after looking back, as an exit ticket; None without one."""
    shown = models.CharField(max_length=100, blank=True, default="")
    """What the projector shows (`lessons.scenes`)."""
    version = models.PositiveIntegerField(default=0)
    """The number of changes. Pages ask with the version that they show."""
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.version}"

    @property
    def holds_boards(self) -> bool:
        """Whether nobody can play now: the class is paused, answers, waits or looks back."""
        waits = self.starts_at is not None and self.starts_at > timezone.now()
        return self.is_paused or self.is_asked or self.looks_back or waits

    @property
    def seconds_left(self) -> int | None:
        """The seconds left on the clock, which stands still in a pause; None without a clock."""
        if self.clock_ends_at is None:
            return None
        left = self.clock_ends_at - (self.paused_at or timezone.now())
        return max(0, round(left.total_seconds()))


class Attendance(models.Model):
    """What concerns one student in the lessons of an assignment: an absence, and a message."""

    assignment = models.ForeignKey(
        "Assignment", on_delete=models.CASCADE, related_name="attendances"
    )
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attendances"
    )
    absent_on = models.DateField(null=True)
    """The day on which the student was absent last, which the grade book tells; None if never."""
    absent_at = models.DateTimeField(null=True)
    """When the teacher marked the student as absent. It holds until the student does something, and
    until the lesson ends."""
    came_at = models.DateTimeField(null=True)
    """When a page of the student was first open in the lesson; None before the first lesson."""
    message = models.CharField(max_length=Pace.LONGEST_MESSAGE, blank=True, default="")
    """The teacher's latest message to this student alone."""
    stamp = models.CharField(max_length=10, blank=True, default="")
    """The stamp that the teacher has given last in the lesson."""
    message_at = models.DateTimeField(null=True)
    """When the message or the stamp was sent."""
    asked_at = models.DateTimeField(null=True)
    """When the student said “I don't understand”. It holds until the teacher has answered or seen
    it, and until the lesson ends."""
    put_away_at = models.DateTimeField(null=True)
    """When the student put the messages away. Later ones are shown again."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="one_attendance_each")
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.student_id}"
