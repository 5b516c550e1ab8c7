"""What a school's rules delete, and the deletion of the school itself, for its administrators."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_school_for_administrator
from puzzleclass.classes.services import restore_classrooms
from puzzleclass.database.bin import KEPT
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key
from puzzleclass.rosters.retention import deletions
from puzzleclass.rosters.school_deletion import loss_of_school, move_school_to_bin

SHOWN_DAYS = 90
"""The days that are looked ahead."""
MAX_SHOWN = 200


@for_teachers("GET", "POST")
@once()
def school_retention(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what is deleted on which day, and the school's classes in the bin. POST restores one."""
    school = get_school_for_administrator(request.user, pk)
    in_bin = school.classrooms.filter(deleted_at__isnull=False)
    if "classroom" in request.POST:
        key = read_key(request.POST["classroom"])
        restored = get_object_or_404(in_bin, pk=key)
        restore_classrooms(in_bin.filter(pk=key))
        record(request, "restored", classroom=key)
        messages.success(request, _("Restored: {number}").format(number=restored.name))
        return redirect("school_retention", pk)
    coming = deletions([school], timezone.now() + timedelta(days=SHOWN_DAYS))
    context = {
        "school": school,
        "days": SHOWN_DAYS,
        "coming": coming[:MAX_SHOWN],
        "more": max(0, len(coming) - MAX_SHOWN),
        "in_bin": [
            (each, each.deleted_at + KEPT) for each in in_bin[:MAX_SHOWN] if each.deleted_at
        ],
        "kept_days": KEPT.days,
    }
    return render(request, "rosters/school_retention.html", context)


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def school_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what is deleted with the school; move it to the bin if its name is typed."""
    school = get_school_for_administrator(request.user, pk)
    fault = ""
    if request.method == "POST":
        if " ".join(request.POST.get("name", "").split()) == " ".join(school.name.split()):
            move_school_to_bin(school)
            record(request, "school moved to the bin", school=pk)
            said = _("“{name}” is in the bin. It can be restored there for {days} days.")
            messages.success(request, said.format(name=school.name, days=KEPT.days))
            return redirect("school_list")
        fault = _("This is not the name of the school.")
    context = {"school": school, "loss": loss_of_school(school), "fault": fault, "days": KEPT.days}
    return form_page(request, "rosters/school_delete.html", context)
