"""The day from which a teacher's schools require a second step at the sign-in."""

from datetime import date

from django.db.models import Min
from django.dispatch import receiver

from puzzleclass.accounts.models import User
from puzzleclass.accounts.second_step import required
from puzzleclass.classes.access import schools_of_teacher


@receiver(required)
def _first_day(teacher: User, **kwargs: object) -> date | None:
    """Return the earliest day of the schools to which the teacher belongs."""
    day: date | None = schools_of_teacher(teacher).aggregate(day=Min("second_step_from"))["day"]
    return day
