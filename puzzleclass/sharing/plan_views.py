"""A lesson plan: reading it, starting it, and changing the phases of one's own."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest, ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import check_not_archived, get_classroom_for_teacher, taught_classes
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.sharing import packs
from puzzleclass.sharing.access import get_pack_for_owner
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.phase_form import NEW, PhaseForm
from puzzleclass.sharing.phases import MAX_PHASES, Phase, stored
from puzzleclass.sharing.plans import plans
from puzzleclass.sharing.starting import Start, assign_start, start_lesson


@for_teachers("GET", "POST")
@once()
def plan(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show a lesson plan of the product. POST copies it for the teacher, or starts a lesson."""
    shown = plans().get(slug)
    if shown is None:
        raise Http404
    if request.method == "GET":
        context = {
            "plan": shown,
            "puzzles": shown.puzzles,
            "classrooms": taught_classes(request.user),
        }
        return render(request, "sharing/plan.html", context)
    if "class" in request.POST:
        return _start(request, Start("", shown.title, shown.puzzles, shown))
    words = {name: getattr(shown.text, name) for name in Pack.PLAN}
    settings = {"wanted": shown.wanted, "shows_total": shown.shows_total}
    course = stored(shown.course)
    try:
        copy = packs.make_pack(
            request.user, shown.puzzles, shown.title, phases=course, **settings, **words
        )
    except ValidationError as error:
        messages.warning(request, " ".join(error.messages))
        return redirect("pack_list")
    return redirect("pack_edit", copy.key)


@for_teachers("POST")
@once()
def pack_start(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Start a lesson with the plan of a pack."""
    chosen = get_object_or_404(Pack, key=key)
    return _start(request, Start("", chosen.title, list(chosen.puzzles.all()), chosen))


def _start(request: SignedInRequest, start: Start) -> HttpResponse:
    """Assign the boards of the plan to the class, and begin its lesson unless only the assignment
    is wanted."""
    classroom = get_classroom_for_teacher(request.user, read_key(request.POST.get("class", "")))
    check_not_archived(classroom)
    if request.POST.get("do") == "assign":
        return redirect(assign_start(classroom, request.user, start))
    return redirect("lesson", start_lesson(classroom, request.user, start).pk)


@for_teachers("GET", "POST")
@once()
def phase(request: SignedInRequest, key: UUID, number: int) -> HttpResponse:
    """Change the phase with this number, from 1, of one's own plan. The number after the last one
    adds a phase."""
    pack = get_pack_for_owner(request.user, key)
    if not 1 <= number <= min(len(pack.course) + 1, MAX_PHASES):
        raise Http404
    old = pack.course[number - 1] if number <= len(pack.course) else None
    form = PhaseForm(pack.puzzles.count(), old)
    if request.method == "POST":
        form = _save_phase(request, key, number)
        if form.is_valid():
            return redirect("pack_edit", key)
    status = 422 if request.method == "POST" else 200
    context = {
        "form": form,
        "pack": pack,
        "panel": "sharing/_phase.html",
        "number": number,
        "is_new": old is None,
    }
    return render(request, "sharing/pack.html", context, status=status)


@transaction.atomic
def _save_phase(request: SignedInRequest, key: UUID, number: int) -> PhaseForm:
    """Store the phase in place of the one with this number, or a new one behind the last; return
    the form, which is not valid if nothing was stored."""
    pack = get_pack_for_owner(request.user, key, lock=True)
    course = list(pack.course)
    is_new = request.POST.get("before") == NEW or number > len(course)
    form = PhaseForm(pack.puzzles.count(), None if is_new else course[number - 1], request.POST)
    if form.is_valid():
        if is_new and len(course) >= MAX_PHASES:
            form.add_error(None, _("A plan has at most {most} phases.").format(most=MAX_PHASES))
            return form
        at = len(course) if is_new else number - 1
        course[at : at + 1] = [form.phase]
        _store(pack, course)
    return form


@for_teachers("POST")
@once()
def phases(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Move a phase of one's own plan up, or delete it: `up:3`, `delete:3`."""
    name, _colon, value = request.POST.get("do", "").partition(":")
    at = read_key(value) - 1
    with transaction.atomic():
        pack = get_pack_for_owner(request.user, key, lock=True)
        course = list(pack.course)
        if name not in _CHANGES or not 0 <= at < len(course):
            raise BadRequest
        _CHANGES[name](course, at)
        _store(pack, course)
    return redirect("pack_edit", key)


def _up(course: list[Phase], at: int) -> None:
    course.insert(max(0, at - 1), course.pop(at))


def _delete(course: list[Phase], at: int) -> None:
    del course[at]


_CHANGES: dict[str, Callable[[list[Phase], int], None]] = {"up": _up, "delete": _delete}


def _store(pack: Pack, course: list[Phase]) -> None:
    pack.phases = stored(course)
    pack.save(update_fields=["phases", "changed_at"])
