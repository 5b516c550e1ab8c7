"""Views for a teacher's own account: profile, e-mail address, password, second factor.

Whatever could lock the teacher out, or let somebody in, asks for the password again.
"""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from puzzleclass.accounts import second_step, two_factor
from puzzleclass.accounts.account_page import account_page, connections_page
from puzzleclass.accounts.forms import EmailForm, NewPasswordForm, ProfileForm
from puzzleclass.accounts.mail import notify
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import CHOICES, RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.forms.once import once
from puzzleclass.language.reader import YEAR_SECONDS, keep_choices


@for_teachers("GET", "POST")
@once()
def account(request: SignedInRequest) -> HttpResponse:
    # The form changes a copy, so that the page shows the stored name while the form is refused.
    teacher = User.objects.get(pk=request.user.pk)
    form = ProfileForm(request.POST or None, instance=teacher)
    if form.is_valid():
        form.save()
        record(request, "account changed")
        with override(teacher.language or get_language()):
            messages.success(request, _("Saved."))
        response = redirect("account")
        seconds = None if request.session.get_expire_at_browser_close() else YEAR_SECONDS
        keep_choices(request, response, {name: getattr(teacher, name) for name in CHOICES}, seconds)
        return response
    return account_page(request, profile=form)


@for_teachers("GET")
def connections(request: SignedInRequest) -> HttpResponse:
    """Lead to what other programs can do with the teacher's classes."""
    return connections_page(request)


@for_teachers("GET", "POST", within=RECENTLY)
def account_email(request: SignedInRequest) -> HttpResponse:
    """Change the e-mail address for a forgotten password, and notify the old address."""
    old = request.user.email
    form = EmailForm(request.POST or None, instance=User.objects.get(pk=request.user.pk))
    if form.is_valid():
        if form.save().email != old:
            record(request, "e-mail changed")
            notify(request, old, _("The e-mail address of your account was changed."))
        messages.success(request, _("Saved."))
        return redirect("account")
    return account_page(
        request, "accounts/_change.html", form=form, title=_("E-mail address"), save=_("Save")
    )


@sensitive_post_parameters("password")
@for_teachers("GET", "POST", within=RECENTLY)
def account_password(request: SignedInRequest) -> HttpResponse:
    """Set a new password, which ends every other session of the teacher."""
    form = NewPasswordForm(request.user, request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        record(request, "password changed")
        notify(request, request.user.email, _("The password of your account was changed."))
        messages.success(request, _("Your password is changed. Other browsers are signed out."))
        return redirect("account")
    return account_page(
        request,
        "accounts/_change.html",
        form=form,
        title=_("New password"),
        save=_("Set the password"),
    )


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def account_codes(request: SignedInRequest) -> HttpResponse:
    """Set up, confirm or turn off the second factor, or renew the recovery codes."""
    teacher, do = request.user, request.POST.get("do", "")
    context: dict[str, object] = {}
    if do == "begin":
        two_factor.begin(teacher)
        return redirect("account_codes")
    if do == "cancel":
        two_factor.cancel(teacher)
        return redirect("account")
    is_required = second_step.required_from(teacher) is not None
    if do == "off" and is_required:
        messages.warning(request, _("Your school requires a second step."))
        return redirect("account_codes")
    if do == "off":
        two_factor.turn_off(teacher)
        record(request, "second factor turned off")
        notify(request, teacher.email, _("The second step of your sign-in was turned off."))
        messages.success(request, _("Your password alone is enough now."))
        return redirect("account")
    if do == "renew" and two_factor.is_on(teacher):
        context["codes"] = two_factor.renew_codes(teacher)
        record(request, "recovery codes renewed")
    elif do == "confirm":
        context["codes"] = two_factor.turn_on(teacher, request.POST.get("code", ""))
        if context["codes"]:
            second_step.fulfil(request)
            record(request, "second factor turned on")
            notify(request, teacher.email, _("From now on, you need a code to sign in."))
        else:
            context["fault"] = _("This is not the code the app shows now. Try the next one.")
    device = two_factor.pending_app(teacher)
    if device:
        context |= {"device": device, "secret": two_factor.secret_of(device)}
    context |= {
        "is_on": two_factor.is_on(teacher),
        "is_required": is_required,
        "recovery_codes": two_factor.recovery_codes_of(teacher),
    }
    response = account_page(request, "accounts/_codes.html", **context)
    response.status_code = 200
    if context.get("codes"):
        # A form that is sent twice leads to this address, so that the first codes stay valid.
        response.status_code, response["Location"] = 201, request.path
    return response
