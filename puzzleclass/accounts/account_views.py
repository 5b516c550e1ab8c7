"""A teacher's own account: name, language and time, e-mail, password, the second factor.

What could lock the teacher out, or let somebody in, asks for the password again.
"""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.forms import EmailForm, NewPasswordForm, ProfileForm
from puzzleclass.accounts.models import User
from puzzleclass.accounts.recovery import tell
from puzzleclass.accounts.sign_in import RECENTLY, for_teachers, record
from puzzleclass.accounts.views import CHOICES
from puzzleclass.http import SignedInRequest
from puzzleclass.language import A_YEAR, keep_choices


@for_teachers("GET", "POST")
def account(request: SignedInRequest) -> HttpResponse:
    # The page names the teacher as ever, also while a form is refused.
    teacher = User.objects.get(pk=request.user.pk)
    form = ProfileForm(request.POST or None, instance=teacher)
    if form.is_valid():
        form.save()
        record(request, "account changed")
        with override(teacher.language or get_language()):
            messages.success(request, _("Saved."))
        answer = redirect("account")
        seconds = None if request.session.get_expire_at_browser_close() else A_YEAR
        keep_choices(request, answer, {name: getattr(teacher, name) for name in CHOICES}, seconds)
        return answer
    context = {
        "form": form,
        "has_codes": two_factor.is_on(request.user),
        "codes_left": two_factor.codes_left(request.user),
    }
    return render(request, "accounts/account.html", context, status=_status(form))


@for_teachers("GET", "POST", within=RECENTLY)
def account_email(request: SignedInRequest) -> HttpResponse:
    """The address for a forgotten password. The old one is told of the change."""
    old = request.user.email
    form = EmailForm(request.POST or None, instance=User.objects.get(pk=request.user.pk))
    if form.is_valid():
        if form.save().email != old:
            record(request, "e-mail changed")
            tell(request, old, _("The e-mail address of your account was changed."))
        messages.success(request, _("Saved."))
        return redirect("account")
    return render(request, "accounts/account_email.html", {"form": form}, status=_status(form))


@sensitive_post_parameters("password")
@for_teachers("GET", "POST", within=RECENTLY)
def account_password(request: SignedInRequest) -> HttpResponse:
    """A new password: it ends every other session of the teacher."""
    form = NewPasswordForm(request.user, request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        record(request, "password changed")
        tell(request, request.user.email, _("The password of your account was changed."))
        messages.success(request, _("Your password is changed. Other browsers are signed out."))
        return redirect("account")
    return render(request, "accounts/account_password.html", {"form": form}, status=_status(form))


@for_teachers("GET", "POST", within=RECENTLY)
def account_codes(request: SignedInRequest) -> HttpResponse:
    """The second factor: begun, confirmed by the app's first code, turned off; recovery codes."""
    teacher, do = request.user, request.POST.get("do", "")
    context: dict[str, object] = {}
    if do == "begin":
        two_factor.begin(teacher)
        return redirect("account_codes")
    if do == "cancel":
        two_factor.give_up(teacher)
        return redirect("account")
    if do == "off":
        two_factor.turn_off(teacher)
        record(request, "second factor turned off")
        tell(request, teacher.email, _("The second step of your sign-in was turned off."))
        messages.success(request, _("Your password alone is enough now."))
        return redirect("account")
    if do == "renew" and two_factor.is_on(teacher):
        context["codes"] = two_factor.renew_codes(teacher)
        record(request, "recovery codes renewed")
    elif do == "confirm":
        context["codes"] = two_factor.turn_on(teacher, request.POST.get("code", ""))
        if context["codes"]:
            record(request, "second factor turned on")
            tell(request, teacher.email, _("Your sign-in asks for a code from now on."))
        else:
            context["fault"] = _("This is not the code that the app shows now. Try the next one.")
    device = two_factor.begun(teacher)
    if device:
        context |= {"device": device, "secret": two_factor.secret_of(device)}
    context |= {"is_on": two_factor.is_on(teacher), "codes_left": two_factor.codes_left(teacher)}
    return render(request, "accounts/account_codes.html", context)


def _status(form: ProfileForm | EmailForm | NewPasswordForm) -> int:
    return 422 if form.is_bound else 200
