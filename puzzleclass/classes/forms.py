"""Forms for a class and its list of students."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.accounts.forms import time_zones
from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, may, schools_of_teacher
from puzzleclass.classes.grades import ROOMS, SHORT_GRADES, name_of
from puzzleclass.classes.kind_choice import KindsField
from puzzleclass.classes.models import (
    CHALLENGES,
    FIRST_COMPARED,
    GRADES,
    HIGHEST_NUMBER,
    Classroom,
    Enrolment,
    Group,
    Teaching,
    TeachingInvitation,
)
from puzzleclass.classes.roster import NAME_LENGTH, Roster, clean_name
from puzzleclass.classes.roster_questions import FIELD
from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.classes.school_models import School
from puzzleclass.forms.merging import MergingForm
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import text_of_file

LIST_LENGTH = 400_000
"""The most characters in a pasted list: more than `MAX_STUDENTS` students ever need."""


def school_field(schools: QuerySet[School]) -> forms.ModelChoiceField:  # type: ignore[type-arg]
    """Return the field for the school of a class."""
    return forms.ModelChoiceField(
        schools,
        label=_("School"),
        required=False,
        empty_label=_("No school"),
        help_text=_(
            "The school decides how the students sign in and for how long data is kept. Its "
            "administrators see the name of the class, its teachers and the number of students. "
            "Its programs can read the class list and results."
        ),
    )


class ClassroomForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """The settings of a class: its name, its grade, and how its students sign in and practise."""

    class Meta:
        model = Classroom
        fields = [
            "name",
            "grade",
            "time_zone",
            "school",
            "shows_names",
            "picture_pins",
            "idle_minutes",
            "practice",
            "garden",
            "records",
            "challenges",
            "compares_times",
            "shares_figures",
            "invents",
            "kinds",
        ]
        error_messages = {
            "name": {"required": gettext_lazy("Give the class a name.")},
            "idle_minutes": dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"),
                gettext_lazy("Enter a whole number of minutes from 0 to 240."),
            ),
        }
        help_texts = {
            "grade": gettext_lazy(
                "In elementary school, students see furigana above kanji. Each student can "
                "switch it on or off."
            ),
            "shows_names": gettext_lazy(
                "Otherwise students choose their number, or type their name."
            ),
            "picture_pins": gettext_lazy(
                "The PINs stay the same: each digit has a picture of its own."
            ),
            "idle_minutes": gettext_lazy(
                "0 signs students out after a few hours, as set for the whole site."
            ),
            "practice": gettext_lazy("Practice does not appear in any grade book."),
            "garden": gettext_lazy("It belongs to the whole class and names nobody."),
            "records": gettext_lazy("Students are not compared with one another."),
            "challenges": gettext_lazy(
                "They are part of practice and of the records: if either of these is off, "
                "students don't see them."
            ),
            "compares_times": gettext_lazy(
                "Only from junior high school on. Nobody sees who was slower than the five."
            ),
            "invents": gettext_lazy(
                "Up to three each, from sentences, on boards of 6 × 6. The class sees a kind only "
                "after you have read its name and its rules in the gallery."
            ),
            "shares_figures": gettext_lazy(
                "For each puzzle, teachers of other classes see the share of students who solved "
                "it at their first attempt. The time that it took counts in their estimates. No "
                "names leave the class, and a figure is shown only if it is about at least ten "
                "students outside the reader's own classes."
            ),
        }

    def __init__(self, teacher: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = School.objects.filter(
            Q(pk__in=schools_of_teacher(teacher)) | Q(pk=self.instance.school_id)
        )
        if may(self.instance, Right.OWN) and own.exists() and not self.instance.is_of_roster:
            self.fields["school"] = school_field(own)
        else:
            del self.fields["school"]
        if self.instance.school_id:
            del self.fields["kinds"]
        else:
            self.fields["kinds"] = KindsField(self.instance.kinds)
            self.initial["kinds"] = self.fields["kinds"].initial
        self.fields["idle_minutes"].required = False
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            choices=time_zones(self.instance.time_zone),
            required=False,
            help_text=_("Due dates of the class are entered and shown in this time zone."),
        )
        grade = cast(forms.TypedChoiceField, self.fields["grade"])
        grade.choices = [("", _("Not set")), *GRADES.items()]
        challenges = cast(forms.TypedChoiceField, self.fields["challenges"])
        by_grade = _("From Grade 6")
        challenges.choices = [("", by_grade), *CHALLENGES]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("compares_times") and (cleaned.get("grade") or 0) < FIRST_COMPARED:
            self.add_error(
                "compares_times",
                _("Times are compared only from junior high school on. Choose the grade above."),
            )
        return cleaned

    def clean_idle_minutes(self) -> int:
        return self.cleaned_data["idle_minutes"] or 0


class NewClassroomForm(forms.Form):
    """The name of a new class: its grade and its room, which are pressed, or a typed name.

    It can be left out if the list of students names the classes.
    """

    grade = forms.TypedChoiceField(
        label=gettext_lazy("Grade"),
        choices=list(SHORT_GRADES.items()),
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
    room = forms.ChoiceField(
        label=pgettext_lazy("of a school", "Class"),
        choices=[(room, room) for room in ROOMS],
        required=False,
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label=gettext_lazy("or another name"),
        required=False,
        max_length=Classroom._meta.get_field("name").max_length,
    )

    def __init__(self, teacher: User, data: QueryDict | None = None) -> None:
        super().__init__(data)
        schools = schools_of_teacher(teacher)
        if schools.exists():
            self.fields["school"] = school_field(schools)
            self.initial["school"] = schools.first() if schools.count() == 1 else None

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        if not fields.get("name") and fields.get("grade") and fields.get("room"):
            fields["name"] = name_of(fields["grade"], fields["room"])
        return fields


class ListForm(forms.Form):
    """A list of students, pasted or in a file."""

    students = forms.CharField(
        label=gettext_lazy("List of students"),
        required=False,
        # Blank lines above the first name are kept, because they count in line numbers.
        strip=False,
        max_length=LIST_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false", "maxlength": False}
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("or a file: CSV, Excel (.xlsx) or OpenDocument (.ods)"), required=False
    )
    file.widget.attrs["accept"] = ".csv,.tsv,.txt,.xlsx,.ods"

    def read(self, *, one_class: bool = False) -> Roster:
        """Return the list that was sent, with the answers to the questions about it.

        A file takes precedence over pasted text. With `one_class`, all students go into one class.
        """
        text, file = self.data.get("students", ""), self.files.get("file")
        answers = {name: self.data[name] for name in self.data if name.startswith(FIELD)}
        if not self.is_valid():
            return Roster(text, fault=" ".join(str(e) for es in self.errors.values() for e in es))
        if file is None:
            return read_roster(text, answers, one_class=one_class)
        try:
            text = text_of_file(file.read())
        except SheetError as error:
            return Roster(self.data.get("students", ""), fault=str(error))
        return read_roster(text, answers, one_class=one_class)


class StudentForm(MergingForm, forms.Form):
    """A student's name, reading and number on the class list."""

    number = forms.IntegerField(
        label=pgettext_lazy("student", "Number"),
        min_value=1,
        max_value=HIGHEST_NUMBER,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            format_lazy(
                gettext_lazy("Enter a whole number from 1 to {most}."), most=HIGHEST_NUMBER
            ),
        ),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        error_messages={"required": gettext_lazy("Enter a name.")},
    )
    reading = forms.CharField(label=gettext_lazy("Reading"), max_length=NAME_LENGTH, required=False)

    def __init__(self, enrolment: Enrolment, data: QueryDict | None = None) -> None:
        self.enrolment = enrolment
        student = enrolment.student
        initial = {"number": enrolment.number, "name": student.name, "reading": student.reading}
        super().__init__(data, initial=initial)

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"])
        return name

    def clean_reading(self) -> str:
        return clean_name(self.cleaned_data["reading"])

    def clean_number(self) -> int:
        number: int = self.cleaned_data["number"]
        others = self.enrolment.classroom.enrolments.exclude(pk=self.enrolment.pk)
        holder = others.select_related("student").filter(number=number).first()
        if holder:
            taken = _("Number {number} is taken: {name}.")
            raise ValidationError(taken.format(number=number, name=holder.student.name))
        return number


class ColleagueForm(forms.Form):
    """The username and role of a colleague who is asked to teach the class, too.

    After validation, `colleague` is that teacher.
    """

    username = forms.CharField(
        label=gettext_lazy("Username of your colleague"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Teaching.Role.choices)
    colleague: User

    def __init__(self, classroom: Classroom, data: QueryDict | None = None) -> None:
        self.classroom = classroom
        super().__init__(data, initial={"role": Teaching.Role.TEACHER})

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"].strip()
        teacher = User.objects.filter(username=name, role=User.Role.TEACHER, is_active=True).first()
        if teacher is None:
            raise ValidationError(_("No teacher has this username. Ask your colleague for it."))
        if self.classroom.teachings.filter(teacher=teacher).exists():
            raise ValidationError(_("This teacher already teaches the class."))
        asked = TeachingInvitation.listed(classroom=self.classroom)
        if asked.filter(teacher=teacher).exists():
            raise ValidationError(_("This teacher is invited already."))
        if self.classroom.teachings.count() + asked.count() >= Teaching.MAX_COUNT:
            most = _("A class has at most {most} teachers.")
            raise ValidationError(most.format(most=Teaching.MAX_COUNT))
        self.colleague = teacher
        return name


class MemberField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """A choice of students of a class, who are shown by number and name."""

    def label_from_instance(self, obj: Enrolment) -> str:
        return f"{obj.number} {obj.student.name}"


class GroupForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """A group's name and members. The form's instance must have its class."""

    members = MemberField(
        label=gettext_lazy("Members"),
        queryset=Enrolment.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Group
        fields = ["name", "members"]
        error_messages = {"name": {"required": gettext_lazy("Give the group a name.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        enrolments = self.instance.classroom.enrolments.select_related("student")
        self.fields["members"].queryset = enrolments  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = self.instance.classroom.groups.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise ValidationError(_("Another group of the class has this name."))
        if not self.instance.pk and others.count() >= Group.MAX_COUNT:
            raise ValidationError(
                _("A class has at most {most} groups.").format(most=Group.MAX_COUNT)
            )
        return name


class MessageForm(forms.ModelForm):  # type: ignore[type-arg]
    """A message to students of a class."""

    class Meta:
        model = Enrolment
        fields = ["message"]
        widgets = {"message": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["message"].required = True
