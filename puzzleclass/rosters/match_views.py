"""View for a teacher: which students of a roster are those who were entered by hand."""

from collections.abc import Iterable

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_classroom_for_teacher
from puzzleclass.http import read_key
from puzzleclass.rosters.models import EnrolmentId, StudentMatch, UserId


@for_teachers("POST")
def match_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Confirm the student of the roster whom `match` names, or all of them."""
    classroom = get_classroom_for_teacher(request.user, pk)
    matches = StudentMatch.of_class(classroom)
    if "match" in request.POST:
        matches = matches.filter(pk=read_key(request.POST["match"]))
    try:
        number = confirm(matches)
    except IntegrityError:
        messages.warning(
            request, _("The roster has been imported again in the meantime. Please check again.")
        )
        return redirect("class_students", pk)
    record(request, "students of a roster confirmed", classroom=pk, number=number)
    done = ngettext("{n} student is confirmed.", "{n} students are confirmed.", number)
    messages.success(request, done.format(n=number))
    return redirect("class_students", pk)


@transaction.atomic
def confirm(matches: Iterable[StudentMatch]) -> int:
    """Give these students the identifiers of the roster; return how many. Raises IntegrityError."""
    matches = list(matches)
    UserId.objects.bulk_create(
        UserId(source_id=each.source_id, sourced_id=each.sourced_user, user=each.enrolment.student)
        for each in matches
    )
    EnrolmentId.objects.bulk_create(
        EnrolmentId(
            source_id=each.source_id, sourced_id=each.sourced_enrolment, enrolment=each.enrolment
        )
        for each in matches
    )
    StudentMatch.objects.filter(pk__in=[each.pk for each in matches]).delete()
    return len(matches)
