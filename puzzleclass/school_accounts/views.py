"""Views of signing in with a school's account: the way to the provider and back, and linking."""

import logging
import time

from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import (
    PROVEN_AT,
    RECENTLY,
    SignedInRequest,
    for_teachers,
    record,
    wanted_page,
)
from puzzleclass.classes.access import get_enrolment_for_teacher, schools_with_provider
from puzzleclass.classes.school_models import School
from puzzleclass.language.folding import contains_all
from puzzleclass.language.reader import say
from puzzleclass.outbound.sealed import Unopenable
from puzzleclass.school_accounts import arrival
from puzzleclass.school_accounts.arrival import CONNECT, LOGIN, PENDING, CannotLink
from puzzleclass.school_accounts.departure import begin
from puzzleclass.school_accounts.models import SignInProvider, provider_of
from puzzleclass.school_accounts.openid import SchoolAdapter

logger = logging.getLogger(__name__)

SCHOOLS_PER_PAGE = 30
MAX_WORD = 100


@require_GET
def school_choice(request: HttpRequest) -> HttpResponse:
    """List the schools with a sign-in of their own or of their board, as many as have the word in
    their names."""
    word = " ".join(request.GET.get("q", "")[:MAX_WORD].split())
    schools = schools_with_provider().filter(contains_all(word.split(), "name"))
    page = Paginator(schools, SCHOOLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "word": word, "next": wanted_page(request)}
    return render(request, "school_accounts/school_choice.html", context)


@require_GET
def school_door(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sign-in of a school, at an address that its people can keep."""
    school = get_object_or_404(School, pk=pk)
    provider = provider_of(school)
    if provider is None:
        return redirect("sign_in")
    context = {"school": school, "provider": provider, "next": wanted_page(request)}
    return render(request, "school_accounts/school_door.html", context)


@require_POST
def school_account_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a visitor to the school's provider."""
    provider = get_object_or_404(SignInProvider, pk=pk, is_on=True)
    code = request.POST.get("code", "")[:20]
    # Addresses are made of the code later, which not every text allows.
    code = code if code.isalnum() else ""
    return begin(request, provider, LOGIN, next_url=wanted_page(request), code=code)


@for_teachers("POST", within=RECENTLY)
def school_account_link(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send a teacher to the provider, to link the account there."""
    provider = get_object_or_404(SignInProvider, pk=pk, is_on=True)
    return begin(request, provider, CONNECT, user=request.user.pk)


@require_GET
def school_account_callback(request: HttpRequest, pk: int) -> HttpResponse:
    """Receive somebody who comes back from the provider."""
    try:
        view = OAuth2CallbackView.adapter_view(SchoolAdapter(request, str(pk)))
        response: HttpResponse = view(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except Unopenable as error:
        return arrival.say_failed(request, pk, error.message, {}, status=409)
    return response


@require_http_methods(["GET", "POST"])
def school_account_unknown(request: HttpRequest) -> HttpResponse:
    """Say how an account that is not linked yet is linked. POST adds a new student to a class."""
    waiting = arrival.pending(request)
    if waiting is None:
        return redirect("home")
    provider, kept = waiting
    classroom = arrival.may_add_students(provider, kept["code"])
    if request.method == "GET" or classroom is None:
        context = {
            "provider": provider,
            "account": kept["shown"],
            "code": kept["code"],
            "next": reverse("school_account_connect"),
            "classroom": classroom,
        }
        return render(request, "school_accounts/unknown.html", context)
    try:
        student = arrival.add_student(request, provider, classroom, kept)
    except CannotLink as error:
        return arrival.say_failed(request, provider.pk, error.message, kept)
    del request.session[PENDING]
    return arrival.sign_in(request, provider, student, kept["code"])


@require_http_methods(["GET", "POST"])
def school_account_connect(request: HttpRequest) -> HttpResponse:
    """Ask somebody who is signed in whether the pending account is theirs, and link it."""
    waiting = arrival.pending(request)
    if waiting is None or not isinstance(request.user, User):
        return redirect("home")
    user, (provider, kept) = request.user, waiting
    if user.is_teacher and time.time() - request.session.get(PROVEN_AT, 0) > RECENTLY.seconds:
        query = urlencode({"next": reverse("school_account_connect")})
        return redirect(f"{reverse('confirm')}?{query}")
    if request.method == "GET":
        context = {"provider": provider, "account": kept["shown"]}
        return render(request, "school_accounts/connect.html", context)
    del request.session[PENDING]
    if request.POST.get("do") == "connect":
        try:
            arrival.link(request, provider, user, kept["sub"])
        except CannotLink as error:
            messages.error(request, say(error.message))
        else:
            done = _("Connected. From now on you can sign in with your school account.")
            messages.success(request, done)
    return redirect("account" if user.is_teacher else "home")


@for_teachers("POST", within=RECENTLY)
def school_account_unlink(request: SignedInRequest, pk: int) -> HttpResponse:
    """Disconnect the teacher's account at the provider. Raise Http404 if there is none."""
    get_object_or_404(SocialAccount, user=request.user, provider=str(pk)).delete()
    record(request, "school account disconnected", provider=pk)
    messages.success(request, _("Disconnected."))
    return redirect("account")


@for_teachers("POST")
def student_account_unlink(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Disconnect a student's school accounts, and sign out whoever is signed in as the student."""
    student = get_enrolment_for_teacher(request.user, pk, enrolment).student
    SocialAccount.objects.filter(user=student).delete()
    student.sign_out_everywhere()
    record(request, "school account disconnected", of=student.pk)
    messages.success(request, _("Disconnected."))
    return redirect("student_edit", pk, enrolment)
