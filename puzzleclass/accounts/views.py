"""A teacher's sign-in and sign-up, and everybody's sign-out. Students come in by `classes`."""

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from puzzleclass.accounts.forms import SignInForm, SignUpForm
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import CLASS_CODE, destination, remember_browser, wanted


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and request.user.is_authenticated:
        return redirect(destination(request))
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        return welcome(request, form.get_user())
    return render(request, "accounts/sign_in.html", {"form": form, "next": wanted(request)})


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if form.is_valid():
        return welcome(request, form.save())
    return render(request, "accounts/sign_up.html", {"form": form})


def welcome(request: HttpRequest, teacher: User) -> HttpResponse:
    """Sign the teacher in and go to the page that was wanted."""
    login(request, teacher)
    return remember_browser(request, redirect(destination(request)), teacher.username)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out. The next student at this computer finds the list of the same class."""
    code = request.session.get(CLASS_CODE)
    logout(request)
    return redirect("join_class", code) if code else redirect("home")
