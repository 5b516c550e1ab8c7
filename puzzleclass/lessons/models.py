"""What a teacher says during a lesson."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from puzzleclass.assignments.models import Assignment


class PersonalMessage(models.Model):
    """The teacher's latest message to one student at an assignment."""

    LONGEST = 200

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="personal_messages"
    )
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="personal_messages"
    )
    text = models.CharField(max_length=LONGEST)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "student"], name="one_personal_message_each"
            )
        ]

    def __str__(self) -> str:
        return self.text
