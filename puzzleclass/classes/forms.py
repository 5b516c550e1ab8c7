import unicodedata
from collections import Counter

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment

NAME_LENGTH = User._meta.get_field("name").max_length
MOST_NAMES = 60
"""On one pasted list."""
HIGHEST_NUMBER = 999


def clean_name(text: str) -> str:
    """Return a name without the traces of spreadsheets: byte order marks, tabs, wide gaps."""
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf")).strip()


def twice(names: list[str]) -> list[str]:
    """Return the names that stand on the list more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


class NamesField(forms.CharField):
    """A list of names, one on a line; blank lines don't count. Cleans to a list."""

    widget = forms.Textarea(attrs={"rows": 10, "autocomplete": "off", "spellcheck": "false"})

    def __init__(self, **options: object) -> None:
        # Blank lines above the first name count for the numbers of the lines.
        super().__init__(label=gettext_lazy("Students, one name on a line"), strip=False, **options)

    def clean(self, value: str) -> list[str]:
        names, faults = [], []
        for line, text in enumerate(super().clean(value).splitlines(), 1):
            name = clean_name(text)
            if not name:
                continue
            names.append(name)
            if len(name) > NAME_LENGTH:
                fault = _("Line {line}: “{name}…” has {length} characters. {most} is the most.")
                values = {"name": name[:12], "length": len(name), "most": NAME_LENGTH}
                faults.append(fault.format(line=line, **values))
            if len(names) == MOST_NAMES + 1:
                fault = _("Line {line} is one too many: {most} names can be added at a time.")
                faults.append(fault.format(line=line, most=MOST_NAMES))
        if faults:
            raise ValidationError(faults)
        if self.required and not names:
            raise ValidationError(self.error_messages["required"])
        return names


class ClassroomForm(forms.ModelForm):
    """The name of a class."""

    class Meta:
        model = Classroom
        fields = ["name"]
        error_messages = {"name": {"required": gettext_lazy("Give the class a name.")}}


class NewClassroomForm(ClassroomForm):
    """A class and its first list of students."""

    students = NamesField(required=False)


class StudentsForm(forms.Form):
    """Students to be added."""

    students = NamesField(
        error_messages={"required": gettext_lazy("Write down at least one name.")}
    )


class StudentForm(forms.Form):
    """A student's name and number on the class list."""

    number = forms.IntegerField(
        label=gettext_lazy("Number"),
        min_value=1,
        max_value=HIGHEST_NUMBER,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            gettext_lazy("The number is a whole number from 1 to 999."),
        ),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        error_messages={"required": gettext_lazy("Write down a name.")},
    )

    def __init__(self, enrolment: Enrolment, *args: object) -> None:
        self.enrolment = enrolment
        initial = {"number": enrolment.number, "name": enrolment.student.name}
        super().__init__(*args, initial=initial)

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"])
        return name

    def clean_number(self) -> int:
        number = self.cleaned_data["number"]
        others = self.enrolment.classroom.enrolments.exclude(pk=self.enrolment.pk)
        holder = others.select_related("student").filter(number=number).first()
        if holder:
            taken = _("Number {number} is taken: {name}.")
            raise ValidationError(taken.format(number=number, name=holder.student.name))
        return number
