"""Views for packs: the lists of the teacher and the school, a pack's page, and its file."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.address import absolute
from puzzleclass.classes.access import taught_classes
from puzzleclass.classes.grades import SHORT_GRADES
from puzzleclass.database.bin import move_to_bin, trim_bin
from puzzleclass.forms.once import once
from puzzleclass.http import form_page, read_key
from puzzleclass.puzzles.export import download
from puzzleclass.puzzles.library import chosen_puzzles
from puzzleclass.puzzles.worlds import kinds_with_worlds, worlds
from puzzleclass.sharing import packs
from puzzleclass.sharing.access import get_pack_for_owner
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.phases import MAX_PHASES
from puzzleclass.sharing.plans import plans, plans_for, sets_for

MAX_LISTED = 200
"""The most packs of the school's collection on one page, the latest first."""


@for_teachers("GET")
def pack_list(request: SignedInRequest) -> HttpResponse:
    """Show the teacher's packs and those of the school's collection."""
    return _list_page(request, packs.PackFileForm())


@for_teachers("GET", "POST")
@once()
def pack_import(request: SignedInRequest) -> HttpResponse:
    """Import a pack that a colleague has sent as a file.

    A GET leads to the list of packs, for instance after a change of the language on a page that
    reported a fault.
    """
    if request.method == "GET":
        return redirect("pack_list")
    form = packs.PackFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list_page(request, form, status=422)
    try:
        pack = packs.save_pack_file(request.user, form.cleaned_data["file"])
    except ValidationError as error:
        form.add_error("file", error)
        return _list_page(request, form, status=422)
    return redirect("pack", pack.key)


@for_teachers("POST")
@once()
def pack_new(request: SignedInRequest) -> HttpResponse:
    """Put the chosen puzzles of the library into a new pack."""
    boards = list(chosen_puzzles(request.user, request.POST)[: packs.MAX_PUZZLES])
    if not boards:
        messages.warning(request, _("Choose at least one puzzle."))
        return redirect("puzzle_list")
    named_after_owner = _("Set of {name}").format(name=request.user.name)
    title = boards[0].title if len(boards) == 1 else named_after_owner
    try:
        pack = packs.make_pack(request.user, boards, title)
    except ValidationError as error:
        messages.warning(request, " ".join(error.messages))
        return redirect("pack_list")
    return redirect("pack", pack.key)


@for_teachers("GET")
def pack(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show a pack to every teacher who has its address."""
    pack = get_object_or_404(Pack.objects.select_related("owner"), key=key)
    context = {
        "pack": pack,
        "classrooms": taught_classes(request.user) if pack.has_plan else (),
        "puzzles": pack.puzzles.all(),
        "is_own": pack.owner_id == request.user.pk,
        "address": absolute(reverse("pack", args=[key]), request),
    }
    return render(request, "sharing/pack.html", context)


@for_teachers("GET", "POST")
@once()
def pack_edit(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Change the pack's title, its lesson plan, and whether it is in the school's collection."""
    changed = get_pack_for_owner(request.user, key)
    form = packs.PackForm(request.POST or None, instance=changed)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("pack", key)
    context = {
        "form": form,
        "pack": changed,
        "panel": "sharing/_edit.html",
        "is_own": True,
        "next_number": len(changed.phases) + 1,
        "is_full": len(changed.phases) >= MAX_PHASES,
    }
    return form_page(request, "sharing/pack.html", context)


@for_teachers("POST")
@once()
def pack_delete(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Move the pack to the bin. Puzzles that others have copied from it stay in their libraries."""
    deleted = get_pack_for_owner(request.user, key)
    text = _("“{title}” has been deleted.").format(title=deleted.title)
    move_to_bin(request, Pack.objects.filter(pk=deleted.pk), text)
    trim_bin(Pack.every.filter(owner=request.user), packs.MAX_PACKS)
    return redirect("pack_list")


@for_teachers("POST")
@once()
def pack_copy(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Copy the pack's puzzles into the teacher's own library."""
    copied = packs.copy_to_library(get_object_or_404(Pack, key=key), request.user)
    messages.success(request, _("Copied: {number}").format(number=copied))
    return redirect("puzzle_list")


@for_teachers("GET")
def pack_file(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Return the pack as a file."""
    pack = get_object_or_404(Pack, key=key)
    return download(packs.write_pack(pack).decode(), "application/json", f"{pack.title}.json")


def _list_page(
    request: SignedInRequest, form: packs.PackFileForm, status: int = 200
) -> HttpResponse:
    grade = read_key(request.GET.get("grade", ""))
    offered: dict[str, list[int]] = {}
    for slug, level in sets_for(grade):
        offered.setdefault(slug, []).append(level)
    listed = Pack.objects.select_related("owner").annotate(size=Count("puzzles"))
    context = {
        "own": listed.filter(owner=request.user),
        "school": listed.filter(is_school=True).exclude(owner=request.user)[:MAX_LISTED],
        "form": form,
        "plans": plans_for(grade) if grade else plans().values(),
        "grade": grade,
        "grades": SHORT_GRADES.items(),
        "collections": [
            (kind, offered.get(kind.slug, ()) if grade else worlds(kind))
            for kind in kinds_with_worlds()
            if not grade or kind.slug in offered
        ],
    }
    return render(request, "sharing/pack_list.html", context, status=status)
