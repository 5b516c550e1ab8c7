"""Forms of a class and its list of students, and of a student's sign-in."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.accounts.models import PIN_LENGTH, User
from puzzleclass.classes import joining
from puzzleclass.classes.models import Classroom, Enrolment

NAME_LENGTH: int = User._meta.get_field("name").max_length  # type: ignore[assignment]
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

    def __init__(self, **options: Any) -> None:
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


class ClassroomForm(forms.ModelForm):  # type: ignore[type-arg]
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
        label=pgettext_lazy("student", "Number"),
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

    def __init__(self, enrolment: Enrolment, data: QueryDict | None = None) -> None:
        self.enrolment = enrolment
        initial = {"number": enrolment.number, "name": enrolment.student.name}
        super().__init__(data, initial=initial)

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"])
        return name

    def clean_number(self) -> int:
        number: int = self.cleaned_data["number"]
        others = self.enrolment.classroom.enrolments.exclude(pk=self.enrolment.pk)
        holder = others.select_related("student").filter(number=number).first()
        if holder:
            taken = _("Number {number} is taken: {name}.")
            raise ValidationError(taken.format(number=number, name=holder.student.name))
        return number


# A student's sign-in


def _typed(text: str) -> str:
    """Return a code or PIN without the traces of input methods: full width, spaces, hyphens."""
    text = unicodedata.normalize("NFKC", text)
    return "".join(sign for sign in text if not sign.isspace() and sign not in "-‐ー−_.")


class JoinForm(forms.Form):
    """The class code. After validation `classroom` is the class it belongs to."""

    code = forms.CharField(
        label=gettext_lazy("Class code"),
        max_length=40,
        error_messages={"required": gettext_lazy("Type in the class code.")},
        widget=forms.TextInput(
            attrs={
                "class": "big-input",
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
    )
    classroom: Classroom

    def __init__(self, request: HttpRequest, data: Mapping[str, str] | None = None) -> None:
        self.request = request
        super().__init__(data)

    def clean_code(self) -> str:
        code = _typed(self.cleaned_data["code"]).upper()
        classroom = Classroom.objects.filter(code=code).first()
        is_known = classroom is not None and joining.is_known(self.request, classroom)
        if not is_known and not joining.may_guess_codes(self.request):
            raise ValidationError(
                _("Too many wrong class codes have come from here. Try again in 10 minutes.")
            )
        if classroom is None:
            joining.count_wrong_code(self.request)
            raise ValidationError(
                _("No class has the code “%(code)s”. Look at it once more, or ask your teacher."),
                params={"code": code},
            )
        self.classroom = classroom
        return code


class PinInput(forms.PasswordInput):
    """A password's field but for the type: with that, the browser would offer to keep the PIN,
    on everybody's computer. accounts.css hides the digits."""

    input_type = "text"


class PinForm(forms.Form):
    """A student's PIN. Digits that are not `PIN_LENGTH` long can't be one: no try is lost."""

    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        max_length=40,
        error_messages={"required": gettext_lazy("Type in your PIN.")},
        widget=PinInput(
            attrs={
                "class": "big-input pin",
                "inputmode": "numeric",
                "autocomplete": "off",
                "autofocus": True,
            }
        ),
    )

    def clean_pin(self) -> str:
        pin = _typed(self.cleaned_data["pin"])
        if len(pin) != PIN_LENGTH or not pin.isdecimal():
            raise ValidationError(_("A PIN has %(length)s digits."), params={"length": PIN_LENGTH})
        return pin
