"""A user's calendar: the page with its address, and the calendar itself."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_safe

from puzzleclass.accounts.account_page import connections_page
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import record, sign_in_first
from puzzleclass.address import absolute
from puzzleclass.assignments.due import class_due, dues_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.calendars.feed import assignments_in_calendar, calendar_text, due_date
from puzzleclass.calendars.models import CalendarAddress
from puzzleclass.http import Request


@require_http_methods(["GET", "POST"])
def calendar(request: Request) -> HttpResponse:
    """Show the address of the user's calendar; create, renew or turn it off."""
    user = request.user
    if not user.is_authenticated:
        return sign_in_first(request, "sign_in")
    address = CalendarAddress.objects.filter(user=user).first()
    if request.method == "GET":
        context: dict[str, object] = {"address": address}
        if address:
            path = reverse("calendar_feed", args=[address.word])
            context["url"] = absolute(path, request)
        if user.is_teacher:
            return connections_page(request, "calendars/_panel.html", **context)
        return render(request, "calendars/calendar.html", context)
    match request.POST.get("do"):
        case "off" if address:
            address.delete()
            messages.success(
                request, _("The calendar is turned off. Its address is no longer valid.")
            )
        case "renew" if address:
            address.renew()
            messages.success(request, _("This is the new address. The old one is no longer valid."))
        case "on":
            CalendarAddress.objects.get_or_create(user=user)
    record(request, "calendar address changed")
    return redirect("calendar")


@require_safe
def calendar_feed(request: Request, word: str) -> HttpResponse:
    """Return the calendar to whoever has its secret address. Nobody signs in for it."""
    address = CalendarAddress.by_word(word)
    if address is None or not address.user.is_active:
        raise Http404
    user, now = address.user, timezone.now()
    host = urlsplit(absolute("/", request)).hostname or "localhost"
    with override(user.language or settings.LANGUAGE_CODE):
        assignments = list(assignments_in_calendar(user))
        own = dues_of(assignments, [user.pk])
        dates = [
            due_date(
                each,
                (own.get((each.pk, user.pk)) or class_due(each)).at,
                host,
                absolute(_page_of(user, each), request),
            )
            for each in assignments
        ]
        text = calendar_text(_("PuzzleClass: due dates"), dates, now)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="puzzleclass.ics"'
    return response


def _page_of(user: User, assignment: Assignment) -> str:
    """Return the path to which an entry leads. It contains no class code."""
    return reverse("home") if user.is_student else reverse("assignment", args=[assignment.pk])
