"""What students say in a lesson: “I don't understand”, and at its end a face and a sentence."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Reflection(models.Model):
    """What one student said in one lesson (ふりかえり)."""

    class Face(models.TextChoices):
        GOOD = "good", _("I understand it")
        ALMOST = "almost", _("Almost")
        HARD = "hard", _("It is hard for me")

        @property
        def symbol(self) -> str:
            return {"good": "◎", "almost": "○", "hard": "△"}[self.value]

    LONGEST_SENTENCE = 200
    MAX_ASKED = 20
    """The most times at which one student asks for help that are kept of a lesson."""

    assignment = models.ForeignKey(
        "Assignment", on_delete=models.CASCADE, related_name="reflections"
    )
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reflections"
    )
    lesson_at = models.DateTimeField()
    """The beginning of the lesson."""
    face = models.CharField(max_length=10, choices=Face, blank=True, default="")
    sentence = models.CharField(max_length=LONGEST_SENTENCE, blank=True, default="")
    puzzle = models.ForeignKey(
        "AssignedPuzzle", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    """The board that the student was to play at the end, as an exit ticket."""
    asked = models.JSONField(default=list)
    """The times at which the student asked for help, as ISO texts."""
    at = models.DateTimeField(default=timezone.now)
    """When the face or the sentence was sent."""

    class Meta:
        ordering = ["-lesson_at", "student"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "student", "lesson_at"], name="one_reflection_a_lesson"
            )
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.student_id}: {self.face}"

    @property
    def symbol(self) -> str:
        """The face as a sign; a pencil if only a sentence was sent."""
        return self.Face(self.face).symbol if self.face else "✎"

    @property
    def said(self) -> str:
        """The face in words, and the sentence."""
        return ": ".join(filter(None, (str(self.get_face_display()), self.sentence)))

    @property
    def is_sent(self) -> bool:
        """Whether the student has looked back, and has not only asked for help."""
        return bool(self.face or self.sentence)
