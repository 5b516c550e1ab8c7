"""Views of a school's teachers and their invitations, and the page on which a teacher joins."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.first_press import first_press_since, made_by_first_press
from puzzleclass.accounts.forms import SignUpForm
from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import (
    SignedInRequest,
    for_teachers,
    record,
    sign_in_address,
    sign_teacher_in,
)
from puzzleclass.address import absolute
from puzzleclass.classes.access import get_school_for_administrator, teachers_of_school
from puzzleclass.classes.joining import A_DAY
from puzzleclass.forms.once import once
from puzzleclass.http import Request, form_page, read_key
from puzzleclass.rosters import invitations
from puzzleclass.rosters.models import TeacherInvitation

TEACHERS_PER_PAGE = 100
INVITATIONS_PER_SHEET = 40
MAX_SENDINGS_PER_DAY = 5
"""How often a school can send all its invitations that were not sent yet in a day."""


class InvitationsForm(forms.Form):
    """A list of teachers, one a line."""

    people = forms.CharField(
        label=gettext_lazy("Teachers, one a line"),
        max_length=60_000,
        help_text=gettext_lazy("The name, and after a tab or a comma the e-mail address, if any."),
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_people(self) -> list[invitations.Invited]:
        return invitations.read_list(self.cleaned_data["people"])


@for_teachers("GET", "POST")
@once()
def school_teachers(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the teachers of the school and the open invitations.

    POST invites a list of teachers, sends what has not been sent, withdraws an invitation, or lets
    a teacher leave the school (`do`).
    """
    school = get_school_for_administrator(request.user, pk)
    do = request.POST.get("do", "")
    form = InvitationsForm(request.POST if do == "invite" else None)
    if form.is_valid():
        made = invitations.invite(school, form.cleaned_data["people"])
        record(request, "teachers invited", school=pk, number=len(made))
        said = _("New invitations: {number}. Print them or send them here.")
        messages.success(request, said.format(number=len(made)))
        return redirect("school_teachers", pk)
    if do and do != "invite":
        _change(request, school.pk, do)
        return redirect("school_teachers", pk)
    place = school.staff.filter(teacher=OuterRef("pk")).values("pk")
    teachers = teachers_of_school(school).annotate(place=Subquery(place))
    page = Paginator(teachers, TEACHERS_PER_PAGE).get_page(request.GET.get("page"))
    invited = list(school.invitations.select_related("classroom"))
    context = {
        "school": school,
        "page": page,
        "invitations": invited,
        "unsent": sum(1 for each in invited if each.email and not each.sent_at),
        "sends": bool(settings.EMAIL_HOST),
        "form": form,
    }
    return form_page(request, "rosters/school_teachers.html", context)


def _change(request: SignedInRequest, school: int, do: str) -> None:
    own = TeacherInvitation.objects.filter(school=school)
    if do == "send" and settings.EMAIL_HOST:
        if not spend(f"invitations of {school}", MAX_SENDINGS_PER_DAY, A_DAY):
            messages.warning(request, _("That is enough for today. Continue tomorrow."))
            return
        number = invitations.send_invitations(request, own.select_related("school"))
        record(request, "invitations sent", school=school, number=number)
        messages.success(request, _("E-mails sent: {number}").format(number=number))
    elif do == "withdraw":
        get_object_or_404(own, pk=read_key(request.POST.get("invitation", ""))).delete()
        record(request, "invitation withdrawn", school=school)
    elif do == "remove":
        places = get_school_for_administrator(request.user, school).staff
        left = get_object_or_404(places, pk=read_key(request.POST.get("place", "")))
        left.delete()
        record(request, "teacher left school", school=school, teacher=left.teacher_id)


@for_teachers("GET")
def school_invitations(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the open invitations as slips to print, each with its address and QR code."""
    school = get_school_for_administrator(request.user, pk)
    page = Paginator(school.invitations.select_related("school"), INVITATIONS_PER_SHEET).get_page(
        request.GET.get("page")
    )
    record(request, "invitations printed", school=pk, number=len(page))
    slips = [(each, absolute(reverse("school_join", args=[each.word]), request)) for each in page]
    context = {"school": school, "page": page, "slips": slips}
    return render(request, "rosters/invitation_sheets.html", context)


class JoinForm(SignUpForm):
    """The username and password of an invited teacher, whose name is known already."""

    def __init__(self, invitation: TeacherInvitation, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.invited_name = invitation.name

    def save(self, commit: bool = True) -> User:
        teacher = super().save(commit)
        teacher.name = self.invited_name
        teacher.save(update_fields=["name"])
        return teacher


def _second_press(request: Request, user: User | None) -> HttpResponse | None:
    """Answer a form of the invitation that is sent a second time as the first time; return None if
    it is no such form."""
    if user and user.is_teacher and request.method == "POST":
        places = user.school_places.filter(joined_at__gte=first_press_since())
        return redirect("classroom_list") if places.exists() else None
    teacher = made_by_first_press(request)
    return _enter(request, teacher) if teacher else None


def _enter(request: Request, teacher: User) -> HttpResponse:
    """Sign the teacher in who has just made the account."""
    return sign_teacher_in(request, teacher, first_page="classroom_list", by_password=True)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def school_join(request: Request, word: str) -> HttpResponse:
    """Let an invited teacher join the school, with a new account or the own one.

    Only POST uses the invitation up. A student who is signed in is asked to sign out first.
    """
    invitation = invitations.by_word(word)
    user = request.user if request.user.is_authenticated else None
    if invitation is None and (again := _second_press(request, user)):
        return again
    if invitation is None or (user and not user.is_teacher):
        refused = {"invitation": invitation, "is_student": bool(user)}
        return render(request, "rosters/school_join.html", refused, status=403)
    if user and request.method == "POST":
        if not invitations.join(invitation, user):
            return redirect("school_join", word)
        record(request, "school joined", school=invitation.school_id)
        said = _("You belong to {school} now.").format(school=invitation.school.name)
        messages.success(request, said)
        return redirect("classroom_list")
    form = None if user else JoinForm(invitation, request.POST or None)
    if form and form.is_valid():
        try:
            with transaction.atomic():
                teacher = form.save()
                if not invitations.join(invitation, teacher):
                    raise IntegrityError
        except IntegrityError:
            # The username was taken, or the invitation used up, at the same moment.
            return _second_press(request, None) or redirect("school_join", word)
        record(request, "signed up", who=teacher.pk, school=invitation.school_id)
        return _enter(request, teacher)
    context = {
        "invitation": invitation,
        "form": form,
        "sign_in": sign_in_address(request, "sign_in", request.path),
    }
    status = 422 if form and form.is_bound else 200
    return render(request, "rosters/school_join.html", context, status=status)
