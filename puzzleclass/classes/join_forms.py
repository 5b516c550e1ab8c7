"""Forms of a student's sign-in: the class code, the number or name, the PIN."""

import re
from collections.abc import Mapping

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import PIN_LENGTH
from puzzleclass.classes import joining
from puzzleclass.classes.models import HIGHEST_NUMBER, Classroom
from puzzleclass.classes.roster import clean_name
from puzzleclass.classes.roster_contents import plain, read_number
from puzzleclass.language.folding import folded

_ADDRESS = re.compile(r"/join/([^/?#\s]+)")
_CODE = re.compile(r"[a-z0-9][a-z0-9 ‐ー−_.-]*")


def _normalised(text: str) -> str:
    """Return a code or PIN in upper case without what input methods and copying add: full-width
    forms, gaps, hyphens, invisible characters."""
    return "".join(sign for sign in folded(text) if sign not in " -‐ー−_.").upper()


def _code_in(text: str) -> str:
    """Return the class code of a text that was typed or pasted: the code alone, the address of the
    class, or the code behind a word, as in クラスコード：KAYA52."""
    form = folded(text)
    if address := _ADDRESS.search(form):
        return _normalised(address[1])
    behind = form.rpartition(":")[2]
    codes = _CODE.findall(behind)
    is_labelled = len(codes) == 1 and (behind != form or not form.isascii())
    return _normalised(codes[0] if is_labelled else form)


class JoinForm(forms.Form):
    """The class code. After validation, `classroom` is the class that has it.

    After too many wrong codes from the visitor's address, `classroom` is None whether or not the
    code exists. The next page then asks for everything at once (`WholeForm`).
    """

    code = forms.CharField(
        label=gettext_lazy("Class code"),
        max_length=400,
        error_messages={"required": gettext_lazy("Type the class code.")},
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
    classroom: Classroom | None = None

    def __init__(self, request: HttpRequest, data: Mapping[str, str] | None = None) -> None:
        self.request = request
        super().__init__(data)

    def clean_code(self) -> str:
        code = _code_in(self.cleaned_data["code"])
        classroom = Classroom.objects.filter(code=code).first()
        is_known = classroom is not None and joining.is_known(self.request, classroom)
        is_code = code.isascii() and code.isalnum()
        if is_code and not is_known and not joining.may_guess_codes(self.request):
            return code
        if classroom is None:
            joining.count_wrong_code(self.request)
            raise ValidationError(
                _("No class has the code “%(code)s”. Check the code, or ask your teacher."),
                params={"code": code},
            )
        self.classroom = classroom
        return code


def _who_field() -> forms.CharField:
    """Return the field for a student's number or name."""
    return forms.CharField(
        label=gettext_lazy("Your number, or your name"),
        max_length=100,
        error_messages={"required": gettext_lazy("Type your number or your name.")},
        widget=forms.TextInput(
            attrs={"class": "big-input who-input", "autocomplete": "off", "spellcheck": "false"}
        ),
    )


class WhoForm(forms.Form):
    """The number or name of a student of the class. After validation, `number` is the number."""

    who = _who_field()
    number: int

    def __init__(self, classroom: Classroom, data: Mapping[str, str] | None = None) -> None:
        self.classroom = classroom
        super().__init__(data)

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        number = read_number(who)
        rows = self.classroom.enrolments.values_list("number", "student__name", "student__reading")
        if number is None:
            named = [row for row in rows if plain(who) in map(plain, row[1:])]
            # Of 渡辺 and 渡邊 in one class, the one that is spelled as it was typed is meant.
            exact = [row for row in named if clean_name(who) in row[1:]]
            fits = [n for n, _name, _reading in (exact if len(exact) == 1 else named)]
        else:
            fits = [n for n, _name, _reading in rows.filter(number=min(number, HIGHEST_NUMBER + 1))]
        if len(fits) > 1:
            raise ValidationError(_("Several students have this name. Type your number."))
        if not fits:
            raise ValidationError(_("No student in this class has that number or name."))
        self.number = fits[0]
        return who


class PinInput(forms.PasswordInput):
    """A text input for a PIN, whose digits accounts.css hides.

    In a field of the type `password`, the browser would offer to save the PIN, even on a shared
    computer.
    """

    input_type = "text"


class PinForm(forms.Form):
    """A student's PIN. Text that can't be a PIN is refused without using up an attempt."""

    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        max_length=40,
        error_messages={"required": gettext_lazy("Type your PIN.")},
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
        pin = _normalised(self.cleaned_data["pin"])
        if len(pin) != PIN_LENGTH or not pin.isdecimal():
            raise ValidationError(_("A PIN has %(length)s digits."), params={"length": PIN_LENGTH})
        return pin


class WholeForm(PinForm):
    """Number or name, and PIN, for visitors who must not learn whether the class code exists."""

    field_order = ("who", "pin")

    who = _who_field()
