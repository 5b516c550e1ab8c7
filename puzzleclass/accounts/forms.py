from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from babel.core import Locale, get_global
from babel.dates import get_timezone_location
from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.locks import check_under_lock, lock_of
from puzzleclass.accounts.models import User, hashing
from puzzleclass.accounts.sign_in import record
from puzzleclass.accounts.visitors import browser_or_address
from puzzleclass.errors import Busy
from puzzleclass.forms.merging import MergingForm
from puzzleclass.language import languages
from puzzleclass.language.reader import SIGNS, WORDS


class SignInForm(AuthenticationForm):
    """The sign-in of teachers. A student's PIN is not accepted as a password.

    Wrong attempts close a lock, whether or not the username exists, so that nobody learns it here.
    """

    request: HttpRequest
    shared = forms.BooleanField(
        label=_("This is a shared computer"),
        required=False,
        help_text=_("You will be signed out when you close the browser, or after 3 hours."),
    )
    error_messages = {
        "invalid_login": _(
            "The username or password is wrong. Upper and lower case matter. Attempts left: "
            "%(number)s"
        ),
        "locked": ngettext_lazy(
            "Too many wrong passwords. Try again in %(seconds)s second.",
            "Too many wrong passwords. Try again in %(seconds)s seconds.",
            "seconds",
        ),
        "busy": _("Many people are signing in right now. Wait a moment, then try again."),
    }

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["username"].label = _("Username")
        # Browsers offer their passkeys here, too.
        self.fields["username"].widget.attrs["autocomplete"] = "username webauthn"
        self.fields["password"].label = _("Password")

    def clean(self) -> dict[str, str]:
        fields = self.cleaned_data
        if not ("username" in fields and "password" in fields):
            return fields
        username = fields["username"]
        key = f"password {username} {browser_or_address(self.request, username)}"
        try:
            with hashing():
                if check_under_lock(key, self._authenticate):
                    return fields
        except Busy:
            raise forms.ValidationError(self.error_messages["busy"]) from None
        lock = lock_of(key)
        known = User.objects.filter(username=username).values_list("pk", flat=True).first()
        event = "password locked" if lock.is_closed else "wrong password"
        record(self.request, event, who=known)
        fault = "locked" if lock.is_closed else "invalid_login"
        raise forms.ValidationError(
            self.error_messages[fault],
            params={"number": lock.attempts_left, "seconds": lock.seconds},
        )

    def _authenticate(self) -> bool:
        """Return whether username and password are a teacher's, whom `get_user` then returns."""
        fields = self.cleaned_data
        self.user_cache = authenticate(
            self.request,
            username=fields["username"][: User._meta.get_field("name").max_length],
            password=fields["password"],
        )
        return self.user_cache is not None and self.user_cache.is_teacher


class ConfirmForm(SignInForm):
    """The password of the teacher who is signed in. It has the same lock as the sign-in."""

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        if data is not None:
            data = data.copy()
            data["username"] = request.user.get_username()
        super().__init__(request, data)


def new_password_field() -> forms.CharField:
    """Return the field for a new password, which the form must validate."""
    return forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class SignUpForm(forms.ModelForm):  # type: ignore[type-arg]
    """The username and password of a new teacher. The username is the name until one is set."""

    password = new_password_field()

    class Meta:
        model = User
        fields = ["username"]
        labels = {"username": _("Username")}
        help_texts = {
            "username": _("You sign in with this name. Letters, digits and @ . + - _ are allowed.")
        }
        error_messages = {"username": {"unique": _("This username is taken.")}}
        widgets = {
            "username": forms.TextInput(
                attrs={
                    "autocomplete": "username",
                    "autocapitalize": "none",
                    "spellcheck": "false",
                    "autofocus": True,
                }
            )
        }

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password

    def save(self, commit: bool = True) -> User:
        fields = self.cleaned_data
        with hashing():
            return User.objects.create_teacher(
                fields["username"],
                name=fields["username"][: User._meta.get_field("name").max_length],
                password=fields["password"],
            )


class NewPasswordForm(forms.Form):
    """A new password for a teacher."""

    password = new_password_field()

    def __init__(self, user: User | None, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.user = user
        self.fields["password"].label = _("New password")

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user)
        return password

    def save(self) -> User:
        """Set the password; return the teacher."""
        assert self.user is not None
        with hashing():
            self.user.change_password(self.cleaned_data["password"])
        return self.user


class CodeForm(forms.Form):
    """A code from an authenticator app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=30,
        help_text=_("Six digits from your app, or one of your recovery codes."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "autocapitalize": "none"}
        ),
    )


class PasskeyForm(forms.Form):
    """The name of a new passkey. What the browser says about it is checked in `passkeys`."""

    name = forms.CharField(
        label=_("Name of the passkey"),
        max_length=40,
        help_text=_("The device or the key on which it is stored, such as “Laptop of the school”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


# The account


def time_zones(kept: str = "") -> list[tuple[str, str]]:
    """Return each time zone with its city in the reader's language, from west to east.

    The IANA database has several names for some zones. Each city is listed once, under the name
    `kept` if that is one of them.
    """
    moment = datetime.now()
    cities = _cities(languages.locale())
    name_of: dict[tuple[int, str], str] = {}
    for name in sorted(cities, key=lambda name: (name != kept, name in _ALIASES, name)):
        offset = _zones()[name].utcoffset(moment)
        minutes = round(offset.total_seconds() / 60) if offset else 0
        name_of.setdefault((minutes, cities[name]), name)
    named = [(name_of[zone], _with_offset(*zone)) for zone in sorted(name_of)]
    return [("", str(_("Same as the site"))), *named]


_ALIASES = get_global("zone_aliases")


def _with_offset(minutes: int, city: str) -> str:
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    return f"UTC{sign}{hours:02}:{rest:02} {city}"


@cache
def _zones() -> dict[str, ZoneInfo]:
    """Return each time zone, without the database's old names of no continent.

    `ZoneInfo` alone would keep eight of them, and read the files of the others again.
    """
    continents = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia")
    regions = (*continents, "Europe", "Indian", "Pacific")
    names = (name for name in available_timezones() if name.partition("/")[0] in regions)
    return {name: ZoneInfo(name) for name in names}


@lru_cache(maxsize=2)
def _cities(locale: Locale) -> dict[str, str]:
    """Return the city of each time zone."""
    return {name: get_timezone_location(name, locale=locale, return_city=True) for name in _zones()}


_by_browser = ("", _("Same as the browser"))


def _titles(choices: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, gettext(title)) for name, title in choices.items()]


class ProfileForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """A teacher's name, and the language, time zone, signs and words in which the teacher reads."""

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=lambda: [_by_browser, *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_(
            "Due dates and times are shown and entered in this time zone. Students "
            "see them in the site's time zone."
        ),
    )
    signs = forms.ChoiceField(
        label=_("Piece labels"), required=False, choices=lambda: [_by_browser, *_titles(SIGNS)]
    )
    words = forms.ChoiceField(
        label=_("Names of the pieces"),
        required=False,
        choices=lambda: [_by_browser, *_titles(WORDS)],
    )

    class Meta:
        model = User
        fields = ["name", "language", "time_zone", "signs", "words", "mails_notices"]
        labels = {"name": _("Your name")}
        help_texts = {
            "name": _("This name is shown to your students and colleagues."),
            "mails_notices": _(
                "At most one e-mail a day, in the afternoon, and only if something is waiting: "
                "puzzles for the gallery, what is due tomorrow, a failed import. It names no "
                "student."
            ),
        }
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = self.fields["time_zone"]
        zones.choices = time_zones(self.instance.time_zone)  # type: ignore[attr-defined]
        if not settings.EMAIL_HOST:
            del self.fields["mails_notices"]

    def clean_mails_notices(self) -> bool:
        wishes: bool = self.cleaned_data["mails_notices"]
        if wishes and not self.instance.email:
            raise forms.ValidationError(_("Enter your e-mail address first, below."))
        return wishes


class EmailForm(forms.ModelForm):  # type: ignore[type-arg]
    """A teacher's e-mail address, or none."""

    class Meta:
        model = User
        fields = ["email"]
        labels = {"email": _("E-mail address")}
        help_texts = {
            "email": _(
                "Used if you forget your password, and to tell you about changes to "
                "your account. Optional."
            )
        }
        widgets = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}
