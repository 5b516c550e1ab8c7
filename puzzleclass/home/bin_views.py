"""The bin: what a teacher has deleted, and how it is restored."""

from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, for_users, record
from puzzleclass.assignments.models import Assignment, Template
from puzzleclass.classes.access import Right, administered_schools, in_class_of
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import restore_classrooms
from puzzleclass.database.bin import KEPT, deleted_in, deletion_number
from puzzleclass.errors import QuotaReached
from puzzleclass.http import read_key
from puzzleclass.kinds.models import Invention
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.rosters.school_deletion import restore_schools
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.packs import MAX_PACKS
from solvers.message import Message

ROWS_PER_PAGE = 50

NO_ROOM = Message("There is no room to restore this. Delete something of the same sort first.")


class Shelf(NamedTuple):
    """The rows of one model that a teacher may delete and restore."""

    title: Promise
    """What one of them is called."""
    every: QuerySet[Any]
    most: int | None
    """The most rows that may be outside the bin."""
    home: str
    """The URL name of the page that lists the rows."""
    title_field: str = "title"
    """The field with the name of a row."""

    @property
    def in_bin(self) -> QuerySet[Any]:
        return self.every.filter(deleted_at__isnull=False)


def shelves(user: User) -> dict[str, Shelf]:
    """Return what the user may delete and restore, by a name for the model. Students have the kinds
    that they make."""
    own = {"owner": user}
    most = Invention.MAX_OF_STUDENT if user.is_student else Invention.MAX_COUNT
    invented = Shelf(
        gettext_lazy("Own kind"), Invention.every.filter(**own), most, "workshop_list", "name"
    )
    return {"kind": invented} if user.is_student else {**_of_teacher(user), "kind": invented}


def _of_teacher(teacher: User) -> dict[str, Shelf]:
    own = {"owner": teacher}
    assignments = Assignment.every.filter(in_class_of(teacher, "classroom", right=Right.TEACH))
    return {
        "school": Shelf(
            gettext_lazy("School"),
            administered_schools(teacher, School.every),
            None,
            "school_list",
            "name",
        ),
        "puzzle": Shelf(
            gettext_lazy("Puzzle"), Puzzle.every.filter(**own), settings.MAX_PUZZLES, "puzzle_list"
        ),
        "assignment": Shelf(gettext_lazy("Assignment"), assignments, None, "classroom_list"),
        "template": Shelf(
            gettext_lazy("Template"), Template.every.filter(**own), Template.MAX_COUNT, "home"
        ),
        "class": Shelf(
            pgettext_lazy("of a school", "Class"),
            Classroom.objects.filter(
                teachings__teacher=teacher,
                teachings__role__in=sorted(Right.OWN.value),
                # A class goes and comes with its school.
                school__deleted_at=None,
            ),
            None,
            "classroom_list",
            "name",
        ),
        "pack": Shelf(gettext_lazy("Set"), Pack.every.filter(**own), MAX_PACKS, "pack_list"),
    }


@for_teachers("GET")
def bin_page(request: SignedInRequest) -> HttpResponse:
    """Show what the teacher has deleted in the last days, latest first."""
    by_name = shelves(request.user)
    parts = [
        shelf.in_bin.order_by()
        .annotate(
            model=Value(name, CharField()),
            named=F(shelf.title_field),
            place=F("classroom__name") if name == "assignment" else Value("", CharField()),
        )
        .values_list("model", "pk", "named", "place", "deleted_at")
        for name, shelf in by_name.items()
    ]
    rows = parts[0].union(*parts[1:], all=True).order_by("-deleted_at", "model", "pk")
    page = Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    lines = [
        {
            "name": f"{model}-{pk}",
            "what": by_name[model].title,
            "title": title,
            "place": place,
            "deleted_at": deleted_at,
            "gone_at": deleted_at + KEPT,
            "deletion": deletion_number(deleted_at),
        }
        for model, pk, title, place, deleted_at in page
    ]
    return render(request, "home/bin.html", {"page": page, "lines": lines, "days": KEPT.days})


@for_users("POST")
@transaction.atomic
def bin_restore(request: SignedInRequest, deletion: int) -> HttpResponse:
    """Restore what was deleted at once, or of it only what the field `only` names.

    Raises Http404 if nothing of it is in the bin, and QuotaReached if there is no room for it.
    """
    only, _dash, key = request.POST.get("only", "").partition("-")
    for name, shelf in shelves(request.user).items():
        rows = deleted_in(shelf.in_bin, deletion)
        if only:
            rows = rows.filter(pk=read_key(key)) if name == only else rows.none()
        keys = list(rows.values_list("pk", flat=True))
        if not keys:
            continue
        if shelf.most and shelf.every.filter(deleted_at=None).count() + len(keys) > shelf.most:
            raise QuotaReached(NO_ROOM)
        if name == "school":
            restore_schools(rows)
            for school in keys:
                record(request, "restored", school=school)
        elif name == "class":
            restore_classrooms(rows)
        else:
            rows.update(deleted_at=None)
        for classroom in keys if name == "class" else ():
            record(request, "restored", classroom=classroom)
        messages.success(request, _("Restored: {number}").format(number=len(keys)))
        if name == "class" and len(keys) == 1:
            return redirect("classroom", keys[0])
        if name == "assignment" and len(keys) == 1:
            return redirect("assignment", keys[0])
        return redirect(shelf.home)
    raise Http404
