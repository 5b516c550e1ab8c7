"""Giving puzzles to a class. The page of an assignment, the class table, is in `stats`."""

from collections.abc import Sequence
from copy import copy

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import BigIntegerField
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.assignments import services
from puzzleclass.assignments.forms import (
    AssignmentForm,
    PuzzleChoice,
    SharingForm,
    choices_for,
    usual_due_date,
)
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Template
from puzzleclass.classes.access import (
    Right,
    check_not_over,
    get_classroom_for_teacher,
    get_for_teacher,
    in_class_of,
)
from puzzleclass.http import SignedInRequest, read_key
from puzzleclass.prepared_queries import Prepared
from puzzleclass.puzzles.library import SearchForm, search
from puzzleclass.puzzles.models import Tag
from puzzleclass.puzzles.worksheets import MOST_PRINTED, worksheet
from solvers.answers import BANDS
from solvers.registry import kinds

A_PAGE = 12
"""Puzzles of the library beside the basket."""

MOST_NAMES = 200
"""Boards that a form can name."""


def get_assignment_for_teacher(teacher: User, pk: int, right: Right = Right.TEACH) -> Assignment:
    """Return an assignment of a class of the teacher's. Raises as `get_for_teacher`."""
    assignments = Assignment.objects.select_related("classroom", "teacher")
    return get_for_teacher(assignments, teacher, "classroom", right, pk=pk)


_LOOKED_AT = Prepared(
    lambda teacher, pk: (
        Assignment.objects.select_related("classroom")
        .filter(in_class_of(teacher, "classroom"), pk=pk)
        .order_by()
    ),
    BigIntegerField,
    BigIntegerField,
)


def get_assignment_to_watch(teacher: User, pk: int) -> Assignment:
    """Return an assignment of a class of the teacher's, for those who ask every moment.

    Raises Http404.
    """
    if found := _LOOKED_AT.first(teacher.pk, pk):
        return found
    raise Http404


def get_changeable_for_teacher(teacher: User, pk: int) -> Assignment:
    """Return one that the teacher may change as a whole: a gallery is changed puzzle by puzzle.

    Raises as `get_for_teacher`.
    """
    found = get_assignment_for_teacher(teacher, pk)
    if found.is_gallery:
        raise Http404
    return found


def get_assigned_puzzle_for_teacher(
    teacher: User, pk: int, right: Right = Right.TEACH
) -> AssignedPuzzle:
    """Return a puzzle given to a class of the teacher's. Raises as `get_for_teacher`."""
    puzzles = AssignedPuzzle.objects.select_related("assignment__classroom", "assignment__teacher")
    return get_for_teacher(puzzles, teacher, "assignment__classroom", right, pk=pk)


@for_teachers("GET", "POST")
def assignment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give the class puzzles of the teacher's library."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_over(classroom)
    sent = request.POST if request.method == "POST" else None
    form = AssignmentForm(sent, initial={"due_at": usual_due_date()})
    choice, sharing = _basket(request), SharingForm(classroom, sent)
    context = {"classroom": classroom, "form": form, "choice": choice, "sharing": sharing}
    if not _is_to_be_saved(request, form, choice, context, sharing):
        return _form_page(request, "assignments/assignment_new.html", context)
    with transaction.atomic():
        given = services.give(classroom, request.user, puzzles=choice.boards, **form.cleaned_data)
        sharing.save(given)
    done = _("The class has it now.") if given.is_shown else _("Saved. Students don't see it yet.")
    messages.success(request, done)
    return redirect("assignment", given.pk)


@for_teachers("GET", "POST")
def assignment_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change title, date and puzzles; asks before tries are deleted with a puzzle."""
    changed = get_changeable_for_teacher(request.user, pk)
    # A copy is filled in: the page says the stored title, not the one being typed.
    sent = request.POST if request.method == "POST" else None
    form = AssignmentForm(sent, instance=copy(changed))
    sharing = SharingForm(changed.classroom, sent, changed)
    choice = _basket(request, services.with_tries(changed))
    context = {"assignment": changed, "form": form, "choice": choice, "sharing": sharing}
    if not _is_to_be_saved(request, form, choice, context, sharing):
        return _form_page(request, "assignments/assignment_edit.html", context)
    with transaction.atomic():
        form.save()
        services.set_puzzles(changed, choice.boards)
        sharing.save(changed)
    return redirect("assignment", pk)


@for_teachers("GET")
def assignment_worksheet(request: SignedInRequest, pk: int) -> HttpResponse:
    """The assignment's puzzles on paper, each with the way to the same board on the site."""
    printed = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    boards = list(printed.puzzles.all()[:MOST_PRINTED])
    links = {
        board.pk: request.build_absolute_uri(reverse("play", args=[board.pk])) for board in boards
    }
    context = {"assignment": printed}
    sheets = worksheet(request.GET, boards, printed.title, links)
    return render(request, "puzzles/worksheet.html", context | sheets)


@for_teachers("POST")
def assignment_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give the same to a class of the teacher's, its own unless told, due in a week; show it."""
    source = get_changeable_for_teacher(request.user, pk)
    chosen = request.POST.get("classroom", str(source.classroom_id))
    if not chosen.isdecimal():
        raise Http404
    classroom = get_classroom_for_teacher(request.user, int(chosen[:18]))
    check_not_over(classroom)
    copied = services.copy(source, classroom, request.user, usual_due_date())
    messages.success(request, _("The copy is due in a week. Change what you like."))
    return redirect("assignment_edit", copied.pk)


@for_teachers("POST")
def assignment_publish(request: SignedInRequest, pk: int) -> HttpResponse:
    """Let the students see a draft, from its start on."""
    draft = get_changeable_for_teacher(request.user, pk)
    check_not_over(draft.classroom)
    draft.is_draft = False
    draft.save(update_fields=["is_draft"])
    messages.success(request, _("Published."))
    return redirect("assignment", pk)


@for_teachers("POST")
def template_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Keep the assignment as a template."""
    services.make_template(get_changeable_for_teacher(request.user, pk), request.user)
    messages.success(request, _("Kept as a template: you find it on your front page."))
    return redirect("assignment", pk)


@for_teachers("POST")
def template_give(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give a template to a class, due in a week; show it."""
    template = get_object_or_404(Template, pk=pk, owner=request.user)
    key = read_key(request.POST.get("classroom", ""))
    if not key:
        raise BadRequest
    classroom = get_classroom_for_teacher(request.user, key)
    check_not_over(classroom)
    given = services.copy(template, classroom, request.user, usual_due_date())
    messages.success(request, _("The class has it now, due in a week. Change what you like."))
    return redirect("assignment_edit", given.pk)


@for_teachers("POST")
def template_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a template; what was given from it stays."""
    get_object_or_404(Template, pk=pk, owner=request.user).delete()
    messages.success(request, _("The template is deleted."))
    return redirect("home")


@for_teachers("GET", "POST")
def assignment_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Say what goes with the assignment, then delete it."""
    doomed = get_changeable_for_teacher(request.user, pk)
    if request.method == "GET":
        context = {"assignment": doomed, "work": services.work_at(doomed)}
        return render(request, "assignments/assignment_delete.html", context)
    doomed.delete()
    messages.success(request, _("“{title}” has been deleted.").format(title=doomed.title))
    return redirect("classroom", doomed.classroom_id)


def _basket(request: SignedInRequest, given: Sequence[AssignedPuzzle] = ()) -> PuzzleChoice:
    """Return the basket as the form sends it, after the step that it was sent for."""
    if request.method == "GET":
        names = [f"library-{key}" for key in request.GET.getlist("puzzle")[:MOST_NAMES]]
        choices = choices_for(request.user, given, names)
        order = [*(choice.name for choice in choices if choice.is_given), *names]
        return PuzzleChoice(choices, order, None)
    names = request.POST.getlist("board")[:MOST_NAMES]
    step = request.POST.get("do", "")
    if step.startswith("add:"):
        names.append(step.removeprefix("add:"))
    choice = PuzzleChoice(choices_for(request.user, given, names), names, request.POST)
    if step:
        choice.take(step)
    return choice


def _is_to_be_saved(
    request: SignedInRequest,
    form: AssignmentForm,
    choice: PuzzleChoice,
    context: dict[str, object],
    sharing: SharingForm,
) -> bool:
    """Return whether all is in order and whatever had to be asked has been answered.

    All parts of the page are checked, so that all faults are shown at once; what is to be asked
    goes into the context.
    """
    if request.method == "GET" or "do" in request.POST:
        return False
    if not all([form.is_valid(), choice.is_valid(), sharing.is_valid()]):
        return False
    dropped = choice.dropped_with_tries
    context["asks"] = dropped if not choice.answer_for_tries(request.POST) else []
    context["asks_hopeless"] = bool(choice.hopeless) and "sure_hopeless" not in request.POST
    return not context["asks"] and not context["asks_hopeless"]


def _form_page(request: SignedInRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Show the page; for HTMX the basket after a step, or what a search found."""
    search_form = SearchForm(request.GET)
    found = search(request.user, search_form).defer("note", "solution")
    context |= {
        "search": search_form,
        "found": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "kinds": kinds().values(),
        "bands": BANDS,
        "tags": Tag.objects.filter(owner=request.user),
    }
    if request.htmx:
        part = "_found" if request.method == "GET" else "_basket"
        return render(request, f"assignments/{part}.html", context)
    is_refused = request.method == "POST" and "do" not in request.POST
    return render(request, template, context, status=422 if is_refused else 200)
