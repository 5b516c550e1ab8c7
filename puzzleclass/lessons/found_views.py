"""The page of what a class has found at a board."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urlencode
from zlib import crc32

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import (
    get_assigned_puzzle_for_teacher,
    get_assignment_for_teacher,
)
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.assignments.pace import change_pace
from puzzleclass.classes.access import Right, check_not_archived, may, may_teach_now
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.lessons.cases import (
    MAX_CASES,
    found_cases,
    has_too_many_cases,
    lettered,
    letters,
    solutions_among,
    tree_of,
    whole_tree,
)
from puzzleclass.lessons.forms import SlidesForm
from puzzleclass.lessons.found import (
    Offers,
    begun_and_solved,
    have_found_out,
    showable_move,
    showable_solution,
    titles_of,
)
from puzzleclass.lessons.groups import GROUPS
from puzzleclass.lessons.scenes import VIEWS_OF_A_BOARD
from puzzleclass.lessons.slides import (
    add_slides,
    mistake_said,
    move_slide,
    picture_of,
    puzzle_to_discuss,
    save_slides,
    showable_of,
    slides_of,
)
from puzzleclass.puzzles.answers import COUNT, SOLUTIONS, ask_about, can_ask, count_in, job_about
from puzzleclass.puzzles.player import ALL_SOLUTIONS
from puzzleclass.stats.class_results import class_records, hunt_at
from puzzleclass.stats.fall_off import fall_off_of
from puzzleclass.stats.route_map import RouteMap, route_map
from puzzleclass.templating.templatetags.words import clock
from solvers.kind import PuzzleError

SOLUTIONS_PER_PAGE = 24

Shown = dict[str, Any]


@for_teachers("GET", "POST")
def found(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what the class has found in one of `VIEWS`; POST changes the slides, or asks for what
    is not known yet.

    For HTMX, a GET returns the view if it differs from what the page shows (`have`).
    """
    right = Right.TEACH if request.method == "POST" else Right.LOOK
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, right)
    form = None
    if request.method == "POST":
        check_not_archived(puzzle.assignment.classroom)
        form = _change(request, puzzle)
        if not request.htmx and form.is_valid():
            return redirect(reverse("found", args=[pk], query=_kept(request.GET) or None))
    sent = request.GET
    view = next((name for name in VIEWS if name == sent.get("view")), "solutions")
    part, reading = VIEWS[view]
    offers = Offers(request.user, puzzle, sent.get("by", ""))
    can_teach = may(puzzle, Right.TEACH) and not puzzle.assignment.classroom.archived_at
    context = {
        "puzzle": puzzle,
        "view": view,
        "can_teach": can_teach,
        "shows_total": bool(sent.get("total")),
        "shows_missing": bool(sent.get("missing")),
        "named": sent.get("names") != "none",
        **reading(offers, sent),
    }
    context["body"] = render_to_string(part, context, request)
    context["version"] = f"{crc32(context['body'].encode()):x}"
    context["query"] = urlencode(_kept(sent))
    if request.htmx and request.method == "GET":
        if sent.get("have") == context["version"]:
            return HttpResponse(status=NOTHING_NEW)
        return render(request, "lessons/_found_part.html", context)
    context |= _page(puzzle, offers, form, can_teach=can_teach)
    template = "lessons/_found.html" if request.htmx else "lessons/found.html"
    status = 200 if form is None or form.is_valid() else 422
    return render(request, template, context, status=status)


_KEPT = ("view", "by", "line", "student", "only", "shows", "total", "missing", "names", "page")
"""The fields of the address that stay when something is pressed."""


def _kept(sent: QueryDict) -> dict[str, str]:
    return {name: text for name in _KEPT if (text := sent.get(name))}


def _page(
    puzzle: AssignedPuzzle, offers: Offers, sent: SlidesForm | None, *, can_teach: bool
) -> Shown:
    """Return what stands around the view: the figures of the class, and the slides."""
    chosen = [] if puzzle.assignment.is_gallery else slides_of(puzzle)
    form = sent if sent and not sent.is_valid() else SlidesForm(chosen)
    for slide in chosen:
        slide.puzzle = puzzle
        if form is sent:
            slide.note = form[f"note-{slide.pk}"].value() or ""
    have = {(each.sort, each.line, each.move) for each in chosen}
    proposed = [] if puzzle.assignment.is_gallery else offers.proposed
    return {
        **begun_and_solved(puzzle),
        "form": form,
        "boards": puzzle.assignment.puzzles.order_by("number"),
        "slides": [(slide, picture_of(slide), mistake_said(slide)) for slide in chosen],
        "proposed": [
            (each, picture_of(each.showable.slide(puzzle)))
            for each in proposed
            if (each.showable.sort, each.showable.line, each.showable.move) not in have
        ],
        "may_ask": may_teach_now(puzzle, puzzle.assignment.classroom),
    }


# The views


def _solutions(offers: Offers, sent: QueryDict) -> Shown:
    """The solutions of the class: how many there are, and which are missing, only if asked for."""
    puzzle, hunt = offers.puzzle, hunt_at(offers.puzzle)
    page = Paginator(hunt.groups, SOLUTIONS_PER_PAGE).get_page(sent.get("page"))
    titles = titles_of(puzzle, [group.solutions[0].line for group in page])
    job = job_about(offers.user, puzzle, COUNT)
    count = hunt.count or count_in(puzzle, job)
    context: Shown = {"hunt": hunt, "page": page, "job": job, "count": count}
    context["groups"] = [
        (group, title, showable_solution(group.solutions[0]))
        for group, title in zip(page, titles, strict=True)
    ]
    context["records"] = class_records(puzzle)
    if sent.get("total") and count and count.proven:
        context["left"] = range(min(MAX_CASES, count.value - hunt.found))
    if sent.get("missing"):
        missing = offers.missing
        named = titles_of(puzzle, [each.line for each in missing])
        context["missing"] = list(zip(missing, named, strict=True))
        context["can_list"] = offers.cases is None and can_ask(puzzle, SOLUTIONS)
        context |= {"listing": offers.listing, "most": MAX_CASES}
        context["is_too_large"] = has_too_many_cases(offers.listing)
    return context


def _groups(offers: Offers, sent: QueryDict) -> Shown:
    """The groups of which the class has found a solution; with `missing`, the others, too."""
    groups = offers.groups
    shown = [
        each for each in (groups.groups if groups else ()) if each.solutions or sent.get("missing")
    ]
    return {
        "job": offers.job,
        "grouped": groups,
        "shown_groups": [(each, showable_of(each)) for each in shown],
        "can_group": can_ask(offers.puzzle, GROUPS),
    }


def _tree(offers: Offers, sent: QueryDict) -> Shown:
    """The tree of the cases that the class, or one student (`student`), has found; with `missing`,
    of all cases.

    With `only=solutions`, it has no dead ends. With `shows=none`, it is empty, for paper.
    """
    puzzle, listed = offers.puzzle, offers.cases
    students = found_cases(puzzle, listed)
    key = read_key(sent.get("student", ""))
    chosen = next((each for each in students if each.student.pk == key), None)
    is_empty = sent.get("shows") == "none"
    shows: Literal["all", "none"] = "none" if is_empty else "all"
    context: Shown = {
        "students": students,
        "chosen": chosen,
        "shows": shows,
        "has_all": is_empty or bool(sent.get("missing")),
        "job": offers.listing,
        "is_too_large": listed is None and has_too_many_cases(offers.listing),
        "is_hopeless": listed == {},
        "most": MAX_CASES,
        "can_ask": can_ask(puzzle, SOLUTIONS),
    }
    if listed:
        # For the class, a case counts once for each student who has found it.
        by_class = Counter(text for each in students for text in (*each.times, *each.dead_ends))
        times = chosen.times + chosen.dead_ends if chosen else by_class
        solutions = solutions_among(listed)
        all_shown = solutions if sent.get("only") == "solutions" and solutions else listed
        cases = all_shown
        if not is_empty and not sent.get("missing"):
            cases = {text: case for text, case in all_shown.items() if times.get(text)}
        names = letters(puzzle, listed)
        context |= {
            "total": len(solutions),
            "found": len(times.keys() & solutions.keys()),
            "all_dead_ends": len(listed) - len(solutions),
            "dead_ends": len(times.keys() - solutions.keys()),
            "has_dead_ends": len(all_shown) > len(solutions),
            "is_whole": whole_tree(puzzle.kind_slug, puzzle.position) is not None,
            "board": lettered(puzzle, names),
            "tree": tree_of(puzzle, cases, names, times, shows=shows),
        }
    return context


def _map_at(puzzle: AssignedPuzzle, line: str) -> RouteMap:
    """Return the map of the class after a line. Raises Http404 for moves that can't be made."""
    kind = puzzle.kind
    try:
        line = kind.write_line(puzzle.after(line))
    except PuzzleError:
        raise Http404 from None
    return route_map(puzzle, line if kind.family == "sequence" else "")


def _map(offers: Offers, sent: QueryDict) -> Shown:
    map_shown = _map_at(offers.puzzle, sent.get("line", ""))
    return {
        "map": map_shown,
        "moves": [(each, showable_move(each)) for each in map_shown.taken],
        "time": clock(round(map_shown.medians.seconds or 0)),
        "in_order": offers.puzzle.kind.family == "sequence",
    }


def _mistakes(offers: Offers, sent: QueryDict) -> Shown:
    puzzle, map_shown = offers.puzzle, route_map(offers.puzzle)
    work = offers.work
    return {
        "map": map_shown,
        "fall_off": fall_off_of(puzzle),
        "offers": [
            (title, [(each, picture_of(each.slide(puzzle))) for each in offered])
            for title, offered in (("mistakes", work.mistakes), ("attempts", work.attempts))
        ],
    }


VIEWS: dict[str, tuple[str, Callable[[Offers, QueryDict], Shown]]] = {
    "solutions": ("lessons/_found_solutions.html", _solutions),
    "groups": ("lessons/_found_groups.html", _groups),
    "tree": ("lessons/_found_tree.html", _tree),
    "map": ("lessons/_found_map.html", _map),
    "mistakes": ("lessons/_found_mistakes.html", _mistakes),
}
"""The name of a view in addresses -> its template, and the function that returns what it needs."""


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
    if name in _QUESTIONS:
        question, options = _QUESTIONS[name]
        if can_ask(puzzle, question):
            ask_about(request.user, puzzle, question, options)
    elif name in _OF_SLIDES:
        _OF_SLIDES[name](puzzle, read_key(value))
    elif name in _OF_TICKED:
        _OF_TICKED[name](request, puzzle)
    elif name not in ("", "save"):
        raise BadRequest
    return form


@transaction.atomic
def _save(puzzle: AssignedPuzzle, fields: QueryDict) -> SlidesForm:
    form = SlidesForm(list(puzzle.slides.select_for_update()), fields)
    if form.is_valid() and form.order:
        save_slides(puzzle, form.order, form.notes)
    return form


_QUESTIONS = {"count": (COUNT, None), "groups": (GROUPS, None), "list": (SOLUTIONS, ALL_SOLUTIONS)}
"""What is asked of a worker, by the name that the button sends."""


def _propose(request: SignedInRequest, puzzle: AssignedPuzzle) -> None:
    add_slides(puzzle, [each.showable for each in Offers(request.user, puzzle).proposed])


def _keep(request: SignedInRequest, puzzle: AssignedPuzzle) -> list[int]:
    """Make slides of what is ticked; return the keys of all that are ticked, slides too."""
    sent, fields = request.GET, request.POST
    moves = _map_at(puzzle, sent.get("line", "")).taken if sent.get("view") == "map" else ()
    offers = Offers(request.user, puzzle, sent.get("by", ""))
    showables = offers.with_keys(fields.getlist("tick"), moves)
    add_slides(puzzle, showables)
    wanted = {(each.sort, each.line, each.move) for each in showables}
    ticked = {read_key(text) for text in fields.getlist("ticked")}
    return [
        slide.pk
        for slide in slides_of(puzzle)
        if slide.pk in ticked or (slide.sort, slide.line, slide.move) in wanted
    ]


def _show(request: SignedInRequest, puzzle: AssignedPuzzle) -> None:
    """Show what is ticked on the projector: one slide, or two side by side; the view, if nothing
    is ticked."""
    ticked, fields = _keep(request, puzzle), request.GET
    view = fields.get("view", "solutions")
    scene = ""
    if len(ticked) == 1:
        scene = f"slide {ticked[0]}"
    elif ticked:
        scene = "slides {} {}".format(*ticked[:2])
    elif view in VIEWS_OF_A_BOARD:
        flags = [name for name in ("missing", "total") if fields.get(name)]
        have_found_out(request.user, puzzle, view, flags)
        scene = " ".join([view, str(puzzle.pk), *flags])
    if scene and not puzzle.assignment.is_gallery:
        change_pace(puzzle.assignment, shown=scene)


_OF_TICKED: dict[str, Callable[[SignedInRequest, AssignedPuzzle], object]] = {
    "propose": _propose,
    "keep": _keep,
    "show": _show,
}


def _show_slide(puzzle: AssignedPuzzle, pk: int) -> None:
    if puzzle.slides.filter(pk=pk).exists():
        change_pace(puzzle.assignment, shown=f"slide {pk}")


_OF_SLIDES: dict[str, Callable[[AssignedPuzzle, int], object]] = {
    "up": lambda puzzle, pk: move_slide(puzzle, pk, -1),
    "down": lambda puzzle, pk: move_slide(puzzle, pk, 1),
    "remove": lambda puzzle, pk: puzzle.slides.filter(pk=pk).delete(),
    "slide": _show_slide,
}
"""What the buttons of a slide do, by the name that they send before its primary key."""


# Other addresses


@for_teachers("GET")
def old_found(request: SignedInRequest, pk: int, view: str) -> HttpResponse:
    """Lead from an address of an earlier release to the view."""
    get_assigned_puzzle_for_teacher(request.user, pk, Right.LOOK)
    return redirect(reverse("found", args=[pk], query={**_kept(request.GET), "view": view}))


@for_teachers("GET")
def discussion(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead to what was found at the board that is to be discussed."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    puzzle = puzzle_to_discuss(assignment)
    if puzzle is None or assignment.is_gallery:
        raise Http404
    return redirect("found", puzzle.pk)
