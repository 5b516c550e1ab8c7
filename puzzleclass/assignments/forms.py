"""Forms for an assignment: its terms, and who gets it. The basket of puzzles is in `basket`."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import MAX_HINTS, Assignment
from puzzleclass.classes.models import Classroom, Enrolment, Group
from puzzleclass.forms.merging import MergingForm
from puzzleclass.puzzles.forms import ReadingField

_MOMENT = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

_HINTS_FAULT = format_lazy(
    gettext_lazy("Enter a number of hints from 0 to {most}."), most=MAX_HINTS
)


def usual_due_date(classroom: Classroom) -> datetime:
    """Return 17:00 a week from today, in the time zone of the class."""
    day = timezone.localdate(timezone=classroom.zone) + timedelta(days=7)
    return timezone.make_aware(datetime.combine(day, time(17)), classroom.zone)


class AssignmentForm(MergingForm, ReadingField, forms.ModelForm):  # type: ignore[type-arg]
    """The title, the dates and the terms of an assignment."""

    FOLDED = (
        "late_until",
        "reading",
        "instructions",
        "starts_at",
        "is_draft",
        "shows_total",
        "shades",
        "warns",
    )
    """The settings under "More settings"."""
    REMEMBERED = ("shows_total", "shades", "warns", "hints")
    """The settings that a new assignment takes over from the last one."""

    class Meta:
        model = Assignment
        fields = [
            *("title", "reading", "instructions", "starts_at", "due_at", "late_until"),
            "is_draft",
            *("shows_total", "shades", "warns", "hints"),
        ]
        labels = {"starts_at": pgettext_lazy("date", "Start"), "hints": gettext_lazy("Hints")}
        help_texts = {
            "reading": ReadingField.HELP,
            "instructions": gettext_lazy(
                "Students see the instructions in the list of assignments and on each "
                "puzzle's page."
            ),
            "starts_at": gettext_lazy("Leave this empty to start at once."),
            "late_until": gettext_lazy(
                "Until then, work counts after the due date and is marked as late. Leave this "
                "empty to accept none."
            ),
            "warns": gettext_lazy(
                "The answer is exact and uses up no hints. Students also see which places "
                "can no longer be solved and how to go back. The number of solutions left is "
                "shown only if students may see it."
            ),
        }
        widgets = {
            "title": forms.TextInput(
                attrs={"placeholder": gettext_lazy("Named after the puzzles")}
            ),
            "instructions": forms.Textarea(attrs={"rows": 2}),
            "starts_at": _MOMENT,
            "due_at": _MOMENT,
            "late_until": _MOMENT,
        }
        error_messages = {
            "title": {"required": gettext_lazy("Give the assignment a title.")},
            "starts_at": {"invalid": gettext_lazy("This is not a date and time.")},
            "late_until": {"invalid": gettext_lazy("This is not a date and time.")},
            "due_at": {
                "required": gettext_lazy("Enter a due date."),
                "invalid": gettext_lazy("This is not a date and time."),
            },
            "hints": dict.fromkeys(("required", "invalid", "min_value", "max_value"), _HINTS_FAULT),
        }

    @property
    def is_unusual(self) -> bool:
        """Whether a setting that is folded away has a fault or another value than usual."""
        usual = AssignmentForm()
        return any(
            self[name].errors or (self[name].value() or "") != (usual[name].value() or "")
            for name in self.FOLDED
        )

    def clean_due_at(self) -> datetime:
        due_at: datetime = self.cleaned_data["due_at"]
        old: datetime | None = self.instance.due_at
        if old and _to_the_minute(old) == _to_the_minute(due_at):
            # An unchanged date may have passed: an assignment that is over can get another title.
            return old
        if due_at <= timezone.now():
            faults = [_("This time has passed. Choose a time in the future.")]
            if old and self.instance.is_shown and not self.instance.is_over:
                faults.append(
                    _("To close the assignment now, choose “Close now” in the menu of its page.")
                )
            raise ValidationError(faults)
        return due_at

    def clean(self) -> dict[str, object]:
        fields: dict[str, object] = super().clean() or self.cleaned_data
        starts_at, due_at = fields.get("starts_at"), fields.get("due_at")
        if isinstance(starts_at, datetime) and isinstance(due_at, datetime) and starts_at >= due_at:
            self.add_error("starts_at", _("The start must be before the due date."))
        late_until = fields.get("late_until")
        if (
            isinstance(due_at, datetime)
            and isinstance(late_until, datetime)
            and late_until <= due_at
        ):
            self.add_error("late_until", _("Late work is accepted only after the due date."))
        return fields


class DealingForm(MergingForm, forms.Form):
    """Who gets the assignment, which boards each student gets, and how many solutions to find."""

    AIMS = [
        ("one", gettext_lazy("Find one solution of each puzzle")),
        ("several", gettext_lazy("Find several different solutions of each")),
        ("together", gettext_lazy("Find all solutions together, as a class")),
    ]

    who = forms.ChoiceField(
        label=gettext_lazy("Who gets it"), widget=forms.RadioSelect, required=False
    )
    groups = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Groups"),
        queryset=Group.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The assignment goes to the current members."),
    )
    students = forms.MultipleChoiceField(
        label=gettext_lazy("Students"), required=False, widget=forms.CheckboxSelectMultiple
    )
    dealing = forms.ChoiceField(
        label=gettext_lazy("Who gets which puzzles"),
        choices=Assignment.Dealing.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    aim = forms.ChoiceField(
        label=gettext_lazy("What students have to find"),
        choices=AIMS,
        widget=forms.RadioSelect,
        required=False,
    )
    several = forms.IntegerField(
        label=gettext_lazy("Number of solutions to find"),
        widget=forms.NumberInput({"aria-label": gettext_lazy("Number of solutions to find")}),
        required=False,
        min_value=2,
        max_value=Assignment.MAX_WANTED,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            gettext_lazy("Solutions to find: a whole number from 2 to 99."),
        ),
    )

    def __init__(
        self,
        classroom: Classroom,
        data: QueryDict | None,
        assignment: Assignment | None = None,
        last: Assignment | None = None,
    ) -> None:
        """Begin with the choices of the assignment. A new one begins with those of the last one,
        except for its students.
        """
        usual = assignment or last or Assignment()
        wanted = usual.wanted
        chosen = (
            assignment.parts.values_list("student", flat=True)
            if assignment and assignment.for_some
            else ()
        )
        initial = {
            "who": "some" if assignment and assignment.for_some else "class",
            "students": [str(student) for student in chosen],
            "dealing": usual.dealing,
            "aim": {1: "one", Assignment.TOGETHER: "together"}.get(wanted, "several"),
            "several": wanted if wanted > 1 else 3,
        }
        super().__init__(data, initial=initial)
        groups = classroom.groups.all()
        self.has_groups = bool(groups)
        self.fields["groups"].queryset = groups  # type: ignore[attr-defined]
        self.fields["who"].choices = [  # type: ignore[attr-defined]
            ("class", _("The whole class")),
            *((f"group-{group.pk}", group.name) for group in groups),
            ("some", _("Choose students")),
        ]
        enrolments = classroom.enrolments.values_list("student", "number", "student__name")
        students = [(str(pk), f"{number} {name}") for pk, number, name in enrolments]
        self.fields["students"].choices = students  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self.chosen: set[int] | None = None
        who = values.get("who") or "class"
        if who != "class":
            is_group = who.startswith("group-")
            groups = [int(who.removeprefix("group-"))] if is_group else values.get("groups") or []
            students = [] if is_group else values.get("students") or []
            members = Enrolment.objects.filter(groups__in=groups)
            self.chosen = {int(pk) for pk in students}
            self.chosen |= set(members.values_list("student", flat=True))
            if not self.chosen:
                self.add_error("who", _("Choose a group or a student."))
        if values.get("aim") == "several" and not values.get("several"):
            self.add_error("several", _("Solutions to find: a whole number from 2 to 99."))
        return values

    @property
    def is_unusual(self) -> bool:
        """Whether a setting that is folded away has a fault or another value than usual."""
        folded = [self[name] for name in ("dealing", "aim", "several")]
        usual = {"dealing": Assignment.Dealing.ALL, "aim": "one"}
        return any(
            field.errors or (field.value() or "") not in ("", usual.get(field.name, field.value()))
            for field in folded
        )

    def save(self, assignment: Assignment) -> None:
        """Store the choices, and deal the boards."""
        values = self.cleaned_data
        aims = {"several": values["several"], "together": Assignment.TOGETHER}
        assignment.wanted = aims.get(values["aim"], 1)
        assignment.dealing = values["dealing"] or Assignment.Dealing.ALL
        assignment.save(update_fields=["wanted", "dealing"])
        deal(assignment, self.chosen)


def _to_the_minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
