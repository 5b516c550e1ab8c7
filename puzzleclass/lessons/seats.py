"""The seating plan (座席表) of a class: which student sits where."""

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import Classroom
from puzzleclass.http import read_key
from puzzleclass.lessons.models import SeatingPlan

COLUMNS = 6
"""The columns of a plan that nobody has arranged yet."""


class Seats(NamedTuple):
    """The places of a class, row by row; 0 is an empty place."""

    columns: int
    places: list[int]


def seats_of(classroom: Classroom, students: Collection[int]) -> Seats:
    """Return the places of these students (pks), all of whom have one. Two queries at most.

    Students who came after the plan was made sit behind the others, by number.
    """
    plan = SeatingPlan.objects.filter(pk=classroom.pk).first()
    columns = plan.columns if plan else COLUMNS
    places = [pk if pk in students else 0 for pk in plan.places] if plan else []
    seated = set(places)
    numbered = classroom.enrolments.order_by("number").values_list("student", flat=True)
    places += [pk for pk in numbered if pk in students and pk not in seated]
    return Seats(columns, places)


class SeatsForm(forms.Form):
    """The seating plan as its page sends it: the columns, and the student at each place."""

    columns = forms.IntegerField(label=_("Columns"), min_value=1, max_value=SeatingPlan.MAX_COLUMNS)

    def __init__(self, classroom: Classroom, data: QueryDict | None = None) -> None:
        self.classroom = classroom
        self.sent = data.getlist("place") if data else []
        self.enrolments = list(classroom.enrolments.select_related("student").order_by("number"))
        super().__init__(data)

    @cached_property
    def places(self) -> list[int]:
        return [read_key(text) for text in self.sent]

    def clean(self) -> None:
        """Check that each student of the class has just one place, and that the plan is not too
        large."""
        students = {each.student_id for each in self.enrolments}
        seated = [pk for pk in self.places if pk]
        most = max(SeatingPlan.MAX_COLUMNS * SeatingPlan.MAX_ROWS, len(students))
        if len(self.places) > most:
            raise forms.ValidationError(
                _("A seating plan has at most %(most)s places."), params={"most": most}
            )
        if len(set(seated)) < len(seated):
            raise forms.ValidationError(_("A student sits at two places. Arrange the seats again."))
        if not set(seated) <= students:
            raise forms.ValidationError(
                _("The class list has changed. Load the page again and arrange the seats.")
            )

    def save(self) -> None:
        """Store the plan."""
        SeatingPlan.objects.update_or_create(
            classroom=self.classroom,
            defaults={"columns": self.cleaned_data["columns"], "places": self.places},
        )
