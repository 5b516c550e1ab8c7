"""Views for assigning puzzles to a class.

The page of an assignment, the class table, is in `stats`.
"""

from collections.abc import Sequence
from copy import copy

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.address import absolute
from puzzleclass.assignments import services
from puzzleclass.assignments.access import (
    get_assignment_for_teacher,
    get_changeable_assignment_for_teacher,
)
from puzzleclass.assignments.basket import PuzzleChoice, choices_for
from puzzleclass.assignments.forms import AssignmentForm, DealingForm, usual_due_date
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Template
from puzzleclass.classes.access import Right, check_not_archived, get_classroom_for_teacher
from puzzleclass.database.bin import move_to_bin, trim_bin
from puzzleclass.forms.once import once, saves_without_step
from puzzleclass.http import read_key
from puzzleclass.puzzles.library import SearchForm, search
from puzzleclass.puzzles.measured import measure
from puzzleclass.puzzles.worksheets import MAX_PRINTED, worksheet
from puzzleclass.seen_kinds import seen_kinds
from solvers.answers import BANDS

PUZZLES_PER_PAGE = 12
"""The number of library puzzles on a page beside the basket."""

MAX_NAMES = 200
"""The most boards that a form can name."""


@for_teachers("GET", "POST")
@once(saves_without_step)
def assignment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Assign puzzles of the teacher's library to the class."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    if _is_search(request):
        return render(request, "assignments/_found.html", _found(request))
    timezone.activate(classroom.zone)
    last = services.last_assignment(request.user, classroom)
    choice = _basket(request)
    proposed = services.propose_title(classroom, [each.board for each in choice.basket])
    sent = _with_title(request, proposed)
    initial = {name: getattr(last, name) for name in AssignmentForm.REMEMBERED} if last else {}
    initial |= {"title": proposed, "due_at": usual_due_date(classroom)}
    form, dealing = AssignmentForm(sent, initial=initial), DealingForm(classroom, sent, last=last)
    context = {
        "classroom": classroom,
        "form": form,
        "choice": choice,
        "dealing": dealing,
        "last": last,
        "proposed": proposed,
        "save": _("Assign"),
    }
    is_valid = _are_valid(request, form, choice, dealing)
    questions = _open_questions(request, choice) if is_valid else {}
    if questions or not is_valid:
        return _form_page(request, "assignments/assignment_form.html", context | questions)
    with transaction.atomic():
        assignment = services.assign_puzzles(
            classroom, request.user, puzzles=choice.boards, **form.cleaned_data
        )
        dealing.save(assignment)
    done = (
        _("The puzzles are assigned to the class.")
        if assignment.is_shown
        else _("Saved. Students can't see it yet.")
    )
    messages.success(request, done)
    return redirect("assignment", assignment.pk)


@for_teachers("GET", "POST")
@once(saves_without_step)
def assignment_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change an assignment; ask before attempts are deleted with a puzzle.

    With `?publish`, saving publishes a draft, unless the form says that it stays one.
    """
    changed = get_changeable_assignment_for_teacher(request.user, pk)
    if _is_search(request):
        return render(request, "assignments/_found.html", _found(request))
    timezone.activate(changed.classroom.zone)
    # The form changes a copy, so that the page shows the stored title and not the typed one.
    sent = request.POST if request.method == "POST" else None
    publishes = changed.is_draft and "publish" in request.GET
    initial = {"is_draft": False} if publishes else {}
    form = AssignmentForm(sent, instance=copy(changed), initial=initial)
    dealing = DealingForm(changed.classroom, sent, changed)
    choice = _basket(request, services.with_attempt_counts(changed))
    context = {
        "assignment": changed,
        "form": form,
        "choice": choice,
        "dealing": dealing,
        "save": _("Assign") if publishes else _("Save"),
    }
    is_valid = _are_valid(request, form, choice, dealing)
    questions = _open_questions(request, choice) if is_valid else {}
    if questions or not is_valid:
        return _form_page(request, "assignments/assignment_form.html", context | questions)
    form.instance.is_withdrawn = not form.instance.is_shown and (
        changed.is_shown or changed.is_withdrawn
    )
    with transaction.atomic():
        form.save()
        services.set_puzzles(changed, choice.boards)
        dealing.save(changed)
    return redirect("assignment", pk)


@for_teachers("GET")
def assignment_worksheet(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the assignment's puzzles for printing, each with a link to its board on the site."""
    printed = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    boards = list(printed.puzzles.all()[:MAX_PRINTED])
    links = {board.pk: absolute(reverse("play", args=[board.pk]), request) for board in boards}
    context = {"assignment": printed}
    sheets = worksheet(request.GET, boards, printed.title, links)
    return render(request, "puzzles/worksheet.html", context | sheets)


@for_teachers("POST")
@once()
def assignment_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    """Copy the assignment for a class of the teacher's, or for its own; redirect to the form."""
    source = get_changeable_assignment_for_teacher(request.user, pk)
    chosen = request.POST.get("classroom", str(source.classroom_id))
    if not chosen.isdecimal():
        raise Http404
    classroom = get_classroom_for_teacher(request.user, int(chosen[:18]))
    check_not_archived(classroom)
    copied = services.copy(source, classroom, request.user, usual_due_date(classroom))
    return _to_publish(request, copied)


def _to_publish(request: SignedInRequest, copied: Assignment) -> HttpResponse:
    """Redirect to the form of a copy that is a draft. Saving the form publishes it."""
    text = _("Due in a week. It is a draft until you press “Assign” below.")
    messages.success(request, text)
    return redirect(reverse("assignment_edit", args=[copied.pk], query={"publish": "yes"}))


@for_teachers("POST")
def assignment_publish(request: SignedInRequest, pk: int) -> HttpResponse:
    """Publish a draft, so that students see it from its start on."""
    draft = get_changeable_assignment_for_teacher(request.user, pk)
    check_not_archived(draft.classroom)
    draft.is_draft = False
    draft.save(update_fields=["is_draft"])
    messages.success(request, _("The assignment is published."))
    return redirect("assignment", pk)


@for_teachers("POST")
def assignment_close(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make the assignment due now. Boards can still be viewed, but moves no longer count."""
    services.close(get_changeable_assignment_for_teacher(request.user, pk))
    messages.success(request, _("Closed. To open it again, change its due date."))
    return redirect("assignment", pk)


@for_teachers("POST")
@once()
def template_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Store the assignment as a template."""
    services.make_template(get_changeable_assignment_for_teacher(request.user, pk), request.user)
    messages.success(request, _("Saved as a template. You can find it on your home page."))
    return redirect("assignment", pk)


@for_teachers("POST")
@once()
def template_assign(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make an assignment for a class from the template, as a draft; redirect to its form."""
    template = get_object_or_404(Template, pk=pk, owner=request.user)
    key = read_key(request.POST.get("classroom", ""))
    if not key:
        raise BadRequest
    classroom = get_classroom_for_teacher(request.user, key)
    check_not_archived(classroom)
    copied = services.copy(template, classroom, request.user, usual_due_date(classroom))
    return _to_publish(request, copied)


@for_teachers("POST")
@once()
def template_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a template. Assignments that were made from it stay."""
    template = get_object_or_404(Template, pk=pk, owner=request.user)
    text = _("The template has been deleted.")
    move_to_bin(request, Template.objects.filter(pk=template.pk), text)
    trim_bin(Template.every.filter(owner=request.user), Template.MAX_COUNT)
    return redirect("home")


@for_teachers("POST")
@once()
def assignment_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the assignment to the bin, with the students' work on it."""
    assignment = get_changeable_assignment_for_teacher(request.user, pk)
    text = _("“{title}” has been deleted.").format(title=assignment.title)
    move_to_bin(request, Assignment.objects.filter(pk=pk), text)
    return redirect("classroom", assignment.classroom_id)


def _with_title(request: SignedInRequest, proposed: str) -> QueryDict | None:
    """Return the fields that the form sent. A title that was proposed follows the basket."""
    if request.method == "GET":
        return None
    sent = request.POST.copy()
    if "proposed" in sent and sent.get("title") == sent["proposed"]:
        sent["title"] = proposed
    return sent


def _basket(request: SignedInRequest, assigned: Sequence[AssignedPuzzle] = ()) -> PuzzleChoice:
    """Return the basket that the form sent, after the step for which it was sent."""
    if request.method == "GET":
        names = [f"library-{key}" for key in request.GET.getlist("puzzle")[:MAX_NAMES]]
        choices = choices_for(request.user, assigned, names)
        order = [*(choice.name for choice in choices if choice.is_assigned), *names]
        return PuzzleChoice(request.user, choices, order, None)
    names = request.POST.getlist("board")[:MAX_NAMES]
    step = request.POST.get("do", "")
    if step.startswith("add:"):
        names.append(step.removeprefix("add:"))
    choices = choices_for(request.user, assigned, names)
    choice = PuzzleChoice(request.user, choices, names, request.POST)
    if step:
        choice.take(step)
    return choice


def _are_valid(
    request: SignedInRequest, form: AssignmentForm, choice: PuzzleChoice, dealing: DealingForm
) -> bool:
    """Return whether the page was sent to be saved and all its parts are valid.

    All parts are checked, so that all faults are shown at once.
    """
    if request.method == "GET" or "do" in request.POST:
        return False
    return all([form.is_valid(), choice.is_valid(), dealing.is_valid()])


def _open_questions(request: SignedInRequest, choice: PuzzleChoice) -> dict[str, object]:
    """Return the context of the questions that are open before the page is saved; else nothing."""
    questions: dict[str, object] = {}
    dropped = choice.dropped_with_attempts
    if not choice.decide_on_attempts(request.POST):
        questions["asks"] = dropped
    if choice.hopeless and "sure_hopeless" not in request.POST:
        questions["asks_hopeless"] = True
    return questions


def _is_search(request: SignedInRequest) -> bool:
    """Return whether only the part of the page with the library is asked for."""
    return request.method == "GET" and bool(request.htmx)


def _found(request: SignedInRequest) -> dict[str, object]:
    """Return what the page shows of the library: the search and what it has found."""
    search_form = SearchForm(request.GET)
    puzzles = search(request.user, search_form).defer("note", "solution")
    page = Paginator(puzzles, PUZZLES_PER_PAGE).get_page(request.GET.get("page"))
    measure(page, request.user)
    return {"search": search_form, "found": page, "kinds": seen_kinds().values(), "bands": BANDS}


def _form_page(request: SignedInRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Return the page; for HTMX, only the basket after a step."""
    if request.htmx:
        return render(request, "assignments/_basket.html", context)
    context |= _found(request)
    context["is_refused"] = request.method == "POST" and "do" not in request.POST
    return render(request, template, context, status=422 if context["is_refused"] else 200)
