"""Packs: the teacher's own and the school's, a pack's page, its file."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import SignedInRequest
from puzzleclass.puzzles.export import download
from puzzleclass.puzzles.forms import NUMBER_SIGN
from puzzleclass.puzzles.generator import save_collected
from puzzleclass.puzzles.library import chosen_of
from puzzleclass.puzzles.views import classes_of, give_page
from puzzleclass.sharing import packs
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.plans import plans

MOST_LISTED = 200
"""Packs of the school on one page, the latest first."""


@for_teachers("GET")
def pack_list(request: SignedInRequest) -> HttpResponse:
    """The teacher's packs and those of the school's collection."""
    return _list_page(request, packs.PackFileForm())


@for_teachers("GET", "POST")
def plan(request: SignedInRequest, slug: str) -> HttpResponse:
    """A lesson plan that comes with the product: to be taken as a pack, or given to a class."""
    shown = plans().get(slug)
    if shown is None:
        raise Http404
    if request.method == "GET":
        context = {"plan": shown, "puzzles": shown.puzzles, "classrooms": classes_of(request.user)}
        return render(request, "sharing/plan.html", context)
    if request.POST.get("do") == "give" and request.POST.get("give", "").isdecimal():
        pattern = f"{shown.text.title[:50]} {NUMBER_SIGN}"
        _new, keys = save_collected(request.user, shown.kind, shown.collected, pattern)
        return redirect(give_page(request.POST["give"], keys))
    words = {"aim": shown.text.aim, "course": shown.text.course, "wrap_up": shown.text.wrap_up}
    try:
        made = packs.make_pack(request.user, shown.puzzles, shown.text.title, **words)
    except ValidationError as error:
        messages.warning(request, " ".join(error.messages), extra_tags="warn")
        return redirect("pack_list")
    return redirect("pack", made.key)


@for_teachers("GET", "POST")
def pack_import(request: SignedInRequest) -> HttpResponse:
    """Import a pack that a colleague has sent as a file. Who comes back to the page that told a
    fault, in another language for instance, finds the packs."""
    if request.method == "GET":
        return redirect("pack_list")
    form = packs.PackFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list_page(request, form, status=422)
    try:
        pack = packs.from_file(request.user, form.cleaned_data["file"])
    except ValidationError as error:
        form.add_error("file", error)
        return _list_page(request, form, status=422)
    return redirect("pack", pack.key)


@for_teachers("POST")
def pack_new(request: SignedInRequest) -> HttpResponse:
    """Put the chosen puzzles of the library into a new pack."""
    boards = list(chosen_of(request.user, request.POST)[: packs.MOST_PACKED])
    if not boards:
        messages.warning(request, _("Choose at least one puzzle."))
        return redirect("puzzle_list")
    of_name = _("Pack of {name}").format(name=request.user.name)
    title = boards[0].title if len(boards) == 1 else of_name
    try:
        pack = packs.make_pack(request.user, boards, title)
    except ValidationError as error:
        messages.warning(request, " ".join(error.messages))
        return redirect("pack_list")
    return redirect("pack", pack.key)


@for_teachers("GET")
def pack(request: SignedInRequest, key: UUID) -> HttpResponse:
    """A pack's page, for every teacher who has its address."""
    shown = get_object_or_404(Pack.objects.select_related("owner"), key=key)
    context = {
        "pack": shown,
        "puzzles": shown.puzzles.all(),
        "is_own": shown.owner_id == request.user.pk,
        "address": request.build_absolute_uri(reverse("pack", args=[key])),
    }
    return render(request, "sharing/pack.html", context)


@for_teachers("GET", "POST")
def pack_edit(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Change the pack's title, its lesson plan, and whether the school's collection has it."""
    changed = packs.get_pack_of(request.user, key)
    form = packs.PackForm(request.POST or None, instance=changed)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("pack", key)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "pack": changed}
    return render(request, "sharing/pack_edit.html", context, status=status)


@for_teachers("POST")
def pack_delete(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Delete the pack. What others have copied stays theirs."""
    doomed = packs.get_pack_of(request.user, key)
    doomed.delete()
    messages.success(request, _("“{title}” has been deleted.").format(title=doomed.title))
    return redirect("pack_list")


@for_teachers("POST")
def pack_copy(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Copy the pack's puzzles into the teacher's own library."""
    copied = packs.copy_to_library(get_object_or_404(Pack, key=key), request.user)
    messages.success(request, _("Copied: {number}").format(number=copied))
    return redirect("puzzle_list")


@for_teachers("GET")
def pack_file(request: SignedInRequest, key: UUID) -> HttpResponse:
    """The pack as a file."""
    shown = get_object_or_404(Pack, key=key)
    return download(packs.to_file(shown).decode(), "application/json", f"{shown.title}.json")


def _list_page(
    request: SignedInRequest, form: packs.PackFileForm, status: int = 200
) -> HttpResponse:
    listed = Pack.objects.select_related("owner").annotate(size=Count("puzzles"))
    context = {
        "own": listed.filter(owner=request.user),
        "school": listed.filter(is_school=True).exclude(owner=request.user)[:MOST_LISTED],
        "form": form,
        "plans": plans().values(),
    }
    return render(request, "sharing/pack_list.html", context, status=status)
