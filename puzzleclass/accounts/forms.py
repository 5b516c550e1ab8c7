from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User, hashing, lock_of, opens
from puzzleclass.accounts.sign_in import place_of, record
from puzzleclass.http import Busy


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
            self.error_messages[fault],
            params={"number": lock.tries_left, "seconds": lock.seconds},
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


class SignUpForm(forms.ModelForm):  # type: ignore[type-arg]
    """A new teacher: username, name, password, and no e-mail address."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

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
