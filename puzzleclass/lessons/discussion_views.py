"""The pages of a discussion: its preparation, and the slides that the class sees."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import (
    get_assigned_puzzle_for_teacher,
    get_assignment_for_teacher,
)
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.access import Right, check_not_archived, may
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.lessons.discussion import (
    ClassWork,
    Proposal,
    Showable,
    add_slides,
    class_work,
    compared,
    mistake_said,
    move_slide,
    picture_of,
    proposals,
    puzzle_to_discuss,
    save_slides,
    showable_of,
    slides_of,
)
from puzzleclass.lessons.forms import SlidesForm
from puzzleclass.lessons.groups import GROUPS, Grouped, grouped, groups_job
from puzzleclass.puzzles.answers import ask_about, can_ask
from puzzleclass.stats.class_results import class_solutions


@for_teachers("GET")
def discussion(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead to the slides of the board that is to be discussed; if there is nothing to show yet, to
    the preparation."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    puzzle = puzzle_to_discuss(assignment)
    if puzzle is None or assignment.is_gallery:
        raise Http404
    return redirect("slides", puzzle.pk)


@for_teachers("GET")
def slides(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a slide (`slide`, from 1), or two side by side (`beside`).

    As long as nothing was chosen, the slides are those that the site proposes.
    """
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, Right.LOOK)
    chosen = slides_of(puzzle)
    is_proposed = not chosen
    if is_proposed:
        chosen = [each.showable.slide(puzzle) for each in _Preparation(request, puzzle).proposed]
    if not chosen:
        return redirect("discussion_prepare", pk)
    number = _number(request.GET.get("slide", ""), len(chosen)) or 1
    beside = _number(request.GET.get("beside", ""), len(chosen))
    for slide in chosen:
        slide.puzzle = puzzle
    shown = chosen[number - 1]
    context = {
        "puzzle": puzzle,
        "slides": chosen,
        "slide": shown,
        "number": number,
        "previous": number - 1,
        "next": number + 1 if number < len(chosen) else 0,
        "beside": beside if beside != number else 0,
        "others": [n for n in range(1, len(chosen) + 1) if n != number],
        "is_proposed": is_proposed,
        "said": mistake_said(shown),
        "picture": picture_of(shown),
    }
    if context["beside"]:
        other = chosen[beside - 1]
        picture, other_picture, parted = compared(shown, other)
        context |= {
            "other": other,
            "picture": picture,
            "other_picture": other_picture,
            "other_said": mistake_said(other),
            "parted": parted,
        }
    template = "lessons/_slide.html" if request.htmx else "lessons/slides.html"
    return render(request, template, context)


def _number(text: str, most: int) -> int:
    """Return the number of a slide that an address names, or 0 if there is no such slide."""
    number = read_key(text)
    return number if number <= most else 0


class _Preparation:
    """What the preparation of a board shows, read once for each request."""

    def __init__(self, request: SignedInRequest, puzzle: AssignedPuzzle) -> None:
        found = class_solutions(puzzle)
        fields = request.POST if request.method == "POST" else request.GET
        self.job = groups_job(request.user, puzzle)
        self.groups: Grouped | None = grouped(puzzle, self.job, fields.get("by", ""), found)
        self.work: ClassWork = class_work(puzzle, found)
        self.proposed: list[Proposal] = proposals(self.work, self.groups)
        finders = sum(len(solution.finders) for solution in found)
        seen = (finders, len(self.work.mistakes), len(self.work.attempts))
        state = self.job.state if self.job else ""
        self.version = ".".join(map(str, (*seen, state)))

    def showable(self, key: str) -> Showable | None:
        """Return what the page offers under this key."""
        offered = [*self.work.mistakes, *self.work.attempts, *self.work.solutions]
        offered += [each.showable for each in self.proposed]
        if self.groups:
            offered += [shown for each in self.groups.groups if (shown := showable_of(each))]
        return next((each for each in offered if each.key == key), None)


@for_teachers("GET", "POST")
def discussion_prepare(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what can be shown in the discussion; POST changes the slides.

    For HTMX, a GET returns the groups, if the class has found more than the page shows (`have`).
    """
    right = Right.TEACH if request.method == "POST" else Right.LOOK
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, right)
    form = None
    if request.method == "POST":
        check_not_archived(puzzle.assignment.classroom)
        form = _change(request, puzzle)
        if not request.htmx and form.is_valid():
            by = request.POST.get("by", "")
            return redirect(
                reverse("discussion_prepare", args=[pk], query={"by": by} if by else None)
            )
    shown = _Preparation(request, puzzle)
    if request.method == "GET" and request.htmx and request.GET.get("have") == shown.version:
        return HttpResponse(status=NOTHING_NEW)
    context = _context(request.user, puzzle, shown, form)
    template = "lessons/_prepare.html" if request.htmx else "lessons/discussion_prepare.html"
    return render(
        request, template, context, status=200 if form is None or form.is_valid() else 422
    )


def _context(
    user: User, puzzle: AssignedPuzzle, shown: _Preparation, sent: SlidesForm | None
) -> dict[str, Any]:
    chosen = slides_of(puzzle)
    form = sent if sent and not sent.is_valid() else SlidesForm(chosen)
    for slide in chosen:
        slide.puzzle = puzzle
        if form is sent:
            slide.note = form[f"note-{slide.pk}"].value() or ""
    have = {(each.sort, each.line, each.move) for each in chosen}
    return {
        "puzzle": puzzle,
        "form": form,
        "boards": puzzle.assignment.puzzles.order_by("number"),
        "slides": [(slide, picture_of(slide), mistake_said(slide)) for slide in chosen],
        "job": shown.job,
        "grouped": shown.groups,
        "shown_groups": [(each, showable_of(each)) for each in shown.groups.groups]
        if shown.groups
        else [],
        "work": shown.work,
        "proposed": [
            (each, picture_of(each.showable.slide(puzzle)))
            for each in shown.proposed
            if (each.showable.sort, each.showable.line, each.showable.move) not in have
        ],
        "offers": [
            (title, [(each, picture_of(each.slide(puzzle))) for each in offered])
            for title, offered in (
                ("mistakes", shown.work.mistakes),
                ("attempts", shown.work.attempts),
                ("solutions", shown.work.solutions),
            )
        ],
        "version": shown.version,
        "can_group": can_ask(puzzle, GROUPS),
        "can_teach": may(puzzle, Right.TEACH) and not puzzle.assignment.classroom.archived_at,
    }


# What the buttons do


def _change(request: SignedInRequest, puzzle: AssignedPuzzle) -> SlidesForm:
    """Store the order and the notes that the page has, then do what its button says (`do`).

    Return the form of the slides. Nothing is done while it has an open question.
    """
    fields = request.POST
    form = _save(puzzle, fields)
    if not form.is_valid():
        return form
    name, _colon, value = fields.get("do", "").partition(":")
    if name == "groups":
        ask_about(request.user, puzzle, GROUPS)
    elif name == "propose":
        shown = _Preparation(request, puzzle)
        add_slides(puzzle, [each.showable for each in shown.proposed])
    elif name == "add":
        showable = _Preparation(request, puzzle).showable(value)
        if showable is None:
            raise BadRequest
        add_slides(puzzle, [showable])
    elif name in _MOVES:
        _MOVES[name](puzzle, read_key(value))
    elif name not in ("", "save"):
        raise BadRequest
    return form


@transaction.atomic
def _save(puzzle: AssignedPuzzle, fields: QueryDict) -> SlidesForm:
    form = SlidesForm(list(puzzle.slides.select_for_update()), fields)
    if form.is_valid() and form.order:
        save_slides(puzzle, form.order, form.notes)
    return form


def _remove(puzzle: AssignedPuzzle, pk: int) -> None:
    puzzle.slides.filter(pk=pk).delete()


_MOVES: dict[str, Callable[[AssignedPuzzle, int], None]] = {
    "up": lambda puzzle, pk: move_slide(puzzle, pk, -1),
    "down": lambda puzzle, pk: move_slide(puzzle, pk, 1),
    "remove": _remove,
}
"""What the buttons of a slide do, by the name that they send before its primary key."""
