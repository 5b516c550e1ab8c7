from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import get_timezone_location
from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User, hashing, lock_of, opens
from puzzleclass.accounts.sign_in import place_of, record
from puzzleclass.http import Busy
from puzzleclass.language import SIGNS, WORDS


class SignInForm(AuthenticationForm):
    """Teachers only: a student's PIN is no password. Wrong tries close a lock, whether or not
    there is such a teacher: nobody learns it here."""

    request: HttpRequest
    shared = forms.BooleanField(
        label=_("This is a shared computer"),
        required=False,
        help_text=_("You are signed out when the browser is closed, and after 3 hours."),
    )
    error_messages = {
        "invalid_login": _(
            "This username and password don't belong together. Capitals and small letters count. "
            "Tries left: %(number)s"
        ),
        "locked": _("Too many wrong passwords. Wait, then try again. Seconds to wait: %(seconds)s"),
        "busy": _("Many people are signing in at this moment. Wait a little, then try again."),
    }

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["username"].label = _("Username")
        self.fields["password"].label = _("Password")

    def clean(self) -> dict[str, str]:
        words = self.cleaned_data
        if not ("username" in words and "password" in words):
            return words
        username = words["username"]
        key = f"password {username} {place_of(self.request, username)}"
        try:
            with hashing():
                if opens(key, self._belong_together):
                    return words
        except Busy:
            raise forms.ValidationError(self.error_messages["busy"]) from None
        lock = lock_of(key)
        known = User.objects.filter(username=username).values_list("pk", flat=True).first()
        event = "password locked" if lock.is_closed else "wrong password"
        record(self.request, event, who=known)
        fault = "locked" if lock.is_closed else "invalid_login"
        raise forms.ValidationError(
            self.error_messages[fault], params={"number": lock.tries_left, "seconds": lock.seconds}
        )

    def _belong_together(self) -> bool:
        """Return whether they are a teacher's, whom `get_user` then names."""
        words = self.cleaned_data
        self.user_cache = authenticate(
            self.request, username=words["username"], password=words["password"]
        )
        return self.user_cache is not None and self.user_cache.is_teacher


class ConfirmForm(SignInForm):
    """The password of the teacher who is signed in, under the same lock."""

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        if data is not None:
            data = data.copy()
            data["username"] = request.user.get_username()
        super().__init__(request, data)


def new_password() -> forms.CharField:
    """Return the field for a password that is still to be validated."""
    return forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class SignUpForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new teacher: username, name, password, and no e-mail address."""

    password = new_password()

    class Meta:
        model = User
        fields = ["name", "username"]
        labels = {"name": _("Your name"), "username": _("Username")}
        help_texts = {
            "name": _("As your students and colleagues know you."),
            "username": _("You sign in with it. Letters, digits and @ . + - _"),
        }
        error_messages = {"username": {"unique": _("This username is taken.")}}
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name", "autofocus": True}),
            "username": forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
        }

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        fields = self.cleaned_data
        validate_password(
            password, User(username=fields.get("username", ""), name=fields.get("name", ""))
        )
        return password

    def save(self, commit: bool = True) -> User:
        fields = self.cleaned_data
        with hashing():
            return User.objects.create_teacher(
                fields["username"], name=fields["name"], password=fields["password"]
            )


class NewPasswordForm(forms.Form):
    """Another password for a teacher."""

    password = new_password()

    def __init__(self, user: User | None, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.user = user
        self.fields["password"].label = _("New password")

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user)
        return password

    def save(self) -> User:
        """Set it, and return the teacher."""
        assert self.user is not None
        with hashing():
            self.user.set_password(self.cleaned_data["password"])
        self.user.save(update_fields=["password"])
        return self.user


class CodeForm(forms.Form):
    """The code of an app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        help_text=_("Six digits from your app, or one of your recovery codes."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "autocapitalize": "none"}
        ),
    )


# The account


def time_zones() -> list[tuple[str, str]]:
    """Return each time zone with its city in the reader's language, from west to east."""
    moment = datetime.now()
    cities = _cities(get_language() or "en")
    placed = []
    for name, city in cities.items():
        offset = ZoneInfo(name).utcoffset(moment)
        minutes = round(offset.total_seconds() / 60) if offset else 0
        sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
        placed.append((minutes, city, name, f"UTC{sign}{hours:02}:{rest:02} {city}"))
    named = [(name, said) for *_place, name, said in sorted(placed)]
    return [("", str(_("Same as the site"))), *named]


@lru_cache(maxsize=2)
def _cities(language: str) -> dict[str, str]:
    """Return time zone -> its city; the database's old names, of no continent, are left out."""
    continents = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia")
    places = (*continents, "Europe", "Indian", "Pacific")
    names = (name for name in available_timezones() if name.partition("/")[0] in places)
    return {name: get_timezone_location(name, locale=language, return_city=True) for name in names}


_by_browser = ("", _("Same as the browser"))


def _titles(choices: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, now(title)) for name, title in choices.items()]


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What others call a teacher, and how the teacher likes to read."""

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[_by_browser, *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=time_zones,
        help_text=_("Due dates and times are shown, and typed, in it. Students see the site's."),
    )
    signs = forms.ChoiceField(
        label=_("Signs on the pieces"),
        required=False,
        choices=lambda: [_by_browser, *_titles(SIGNS)],
    )
    words = forms.ChoiceField(
        label=_("Names of the pieces"),
        required=False,
        choices=lambda: [_by_browser, *_titles(WORDS)],
    )

    class Meta:
        model = User
        fields = ["name", "language", "time_zone", "signs", "words"]
        labels = {"name": _("Your name")}
        help_texts = {"name": _("As your students and colleagues know you.")}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}


class EmailForm(forms.ModelForm):  # type: ignore[type-arg]
    """A teacher's e-mail address, or none."""

    class Meta:
        model = User
        fields = ["email"]
        labels = {"email": _("E-mail address")}
        help_texts = {
            "email": _("For a forgotten password, and word of changes here. May stay empty.")
        }
        widgets = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}
