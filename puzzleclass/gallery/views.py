"""Views in which students write puzzles, a teacher approves them, and classmates solve them."""

from contextlib import suppress

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.classes.access import Right, get_classroom_for_teacher, may
from puzzleclass.classes.grades import FIRST_TYPED_BOARD, has_reached
from puzzleclass.errors import QuotaReached
from puzzleclass.forms.once import once, saves_without_step
from puzzleclass.gallery import services
from puzzleclass.gallery.access import get_written_for_author
from puzzleclass.http import read_key
from puzzleclass.jobs import services as jobs
from puzzleclass.language.reader import say
from puzzleclass.play.access import get_puzzle_for_student
from puzzleclass.play.due import puzzle_states
from puzzleclass.play.nicknames import nickname
from puzzleclass.puzzles.answers import COUNT, ask_about, count_in, job_about, known_counts
from puzzleclass.puzzles.drawing import Drawing
from puzzleclass.puzzles.editor import EditorSetup, canonical_text, edit
from puzzleclass.puzzles.forms import BoardForm
from puzzleclass.puzzles.models import kind_with_picture
from puzzleclass.seen_kinds import seen_kinds
from puzzleclass.workshop import inventing
from puzzleclass.workshop.access import get_invention_of_class
from puzzleclass.workshop.inventing import read_kinds
from solvers.registry import AnyKind

MAX_OF_CLASSMATES = 200
"""The most puzzles of classmates on one page. A student is rarely in more than one class."""


class WrittenForm(BoardForm):
    """A form for the fields of a student's puzzle besides its board."""

    class Meta:
        model = WrittenPuzzle
        fields = ["title"]
        error_messages = {"title": {"required": gettext_lazy("Give the puzzle a title.")}}


class ReturnForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form for a teacher's message to the author."""

    class Meta:
        model = WrittenPuzzle
        fields = ["word"]
        widgets = {"word": forms.Textarea(attrs={"rows": 2})}


# Students


@for_students("GET")
def gallery(request: SignedInRequest) -> HttpResponse:
    """Show the puzzles that the student and classmates have written."""
    student = request.user
    own = list(student.written_puzzles.select_related("shown_as"))
    puzzles = list(
        AssignedPuzzle.objects.filter(
            assignment__is_gallery=True,
            assignment__classroom__students=student,
            assignment__classroom__archived_at=None,
        )
        .select_related("assignment__classroom", "written")
        .order_by("-pk")[:MAX_OF_CLASSMATES]
    )
    counts = known_counts(own)
    outcomes = services.outcomes(
        board for each in own if (board := getattr(each, "shown_as", None))
    )
    context = {
        "mine": [
            (each, counts.get(each.pk), board and outcomes[board.pk])
            for each in own
            for board in [getattr(each, "shown_as", None)]
        ],
        "shown": [
            (state, nickname(state.puzzle.written.author_id))
            for state in puzzle_states(student, puzzles)
            if state.puzzle.written
        ],
        "classrooms": services.classes_with_open_gallery(student),
        "kinds": [kind_with_picture(kind) for kind in seen_kinds().values()],
        "may_write": len(own) < WrittenPuzzle.MAX_COUNT,
        "most": WrittenPuzzle.MAX_COUNT,
        "may_invent": inventing.inventing_classes(student).exists(),
        "inventions": student.inventions.all(),
    }
    return render(request, "gallery/gallery.html", context)


@for_students("POST")
def thanks(request: SignedInRequest, pk: int) -> HttpResponse:
    """Thank the author of a puzzle in the gallery by a stamp."""
    puzzle = get_puzzle_for_student(request.user, pk)
    services.thank(request.user, puzzle, request.POST.get("stamp", ""))
    return redirect("play", pk)


@for_students("GET", "POST")
@once(saves_without_step)
def written_new(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Write a new puzzle if a gallery is open and the student has fewer than `MAX_COUNT`."""
    author = request.user
    if kind.slug not in seen_kinds():
        raise Http404
    if not services.classes_with_open_gallery(author).exists():
        messages.error(request, _("The gallery is closed."))
        return redirect("gallery")
    if author.written_puzzles.count() >= WrittenPuzzle.MAX_COUNT:
        messages.error(request, _("You have a great many puzzles. Delete one first."))
        return redirect("gallery")
    new = WrittenPuzzle(author=author, kind_slug=kind.slug)
    return _edit(request, new, resolve_url("gallery"))


@for_students("GET", "POST")
@once(saves_without_step)
def written_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change a puzzle that nobody else sees."""
    puzzle = get_written_for_author(request.user, pk, editable=True)
    return _edit(request, puzzle, resolve_url("written", pk))


def _edit(request: SignedInRequest, puzzle: WrittenPuzzle, back: str) -> HttpResponse:
    page, has_text = "gallery/written_edit.html", has_reached(request.user, FIRST_TYPED_BOARD)
    setup = EditorSetup(
        puzzle, WrittenForm, _save, back, page, is_by_student=True, has_text=has_text
    )
    return edit(request, setup)


def _save(author: User, drawing: Drawing, form: BoardForm) -> str:
    puzzle: WrittenPuzzle = form.save(commit=False)
    puzzle.position = canonical_text(drawing)
    if puzzle.pk is None:
        puzzle.save()
    else:
        # Another window may have handed the puzzle in meanwhile. It then stays as it is.
        editable = WrittenPuzzle.objects.editable().filter(pk=puzzle.pk)
        own = author.written_puzzles.filter(pk__in=editable.values("pk"))
        own.update(title=puzzle.title, position=puzzle.position, changed_at=timezone.now())
    with suppress(QuotaReached):
        services.count(puzzle)
    return resolve_url("written", puzzle.pk)


@for_students("GET")
def written(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a puzzle to its author. HTMX gets only the count of its solutions."""
    puzzle = get_written_for_author(request.user, pk)
    job = job_about(request.user, puzzle, COUNT)
    context: dict[str, object] = {"puzzle": puzzle, "job": job, "count": count_in(puzzle, job)}
    if request.htmx:
        return render(request, "gallery/_written_count.html", context)
    board = getattr(puzzle, "shown_as", None)
    context |= {
        "classrooms": services.classes_with_open_gallery(request.user),
        "outcome": services.outcomes([board])[board.pk] if board else None,
    }
    return render(request, "gallery/written.html", context)


@for_students("POST")
def written_count(request: SignedInRequest, pk: int) -> HttpResponse:
    """Start or stop the count of the puzzle's solutions."""
    puzzle = get_written_for_author(request.user, pk)
    if request.POST.get("do") == "stop":
        job = job_about(request.user, puzzle, COUNT)
        if job and not job.has_ended:
            jobs.withdraw(request.user, job)
    else:
        try:
            services.count(puzzle)
        except QuotaReached as error:
            messages.error(request, say(error.message))
    return redirect("written", pk)


@for_students("POST")
def written_hand_in(request: SignedInRequest, pk: int) -> HttpResponse:
    """Hand the puzzle in to a class's gallery, or take it back."""
    puzzle = get_written_for_author(request.user, pk)
    if request.POST.get("do") == "back":
        services.take_back(puzzle)
        return redirect("written", pk)
    classrooms = services.classes_with_open_gallery(request.user)
    chosen = read_key(request.POST.get("classroom", ""))
    classroom = classrooms.filter(pk=chosen).first() if chosen else classrooms.first()
    if classroom is None:
        messages.error(request, _("The gallery of this class is closed."))
        return redirect("written", pk)
    try:
        services.hand_in(puzzle, classroom)
    except services.GalleryRefusal as refused:
        messages.error(request, str(refused))
    return redirect("written", pk)


@for_students("POST")
def written_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a puzzle of the student's own that nobody else sees."""
    get_written_for_author(request.user, pk, editable=True).delete()
    return redirect("gallery")


# Teachers


@for_teachers("GET", "POST")
def class_gallery(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the waiting puzzles and those in the gallery. POST opens or closes the gallery."""
    right = Right.LOOK if request.method == "GET" else Right.TEACH
    classroom = get_classroom_for_teacher(request.user, pk, right)
    if request.method == "POST":
        match request.POST.get("do"):
            case "open":
                services.open_gallery(classroom, request.user)
            case "close":
                services.close_gallery(classroom)
            case _:
                raise BadRequest
        return redirect("class_gallery", pk)
    assignment = services.find_gallery(classroom)
    boards = (
        assignment.puzzles.select_related("written__author").order_by("-number")
        if assignment
        else []
    )
    waiting = list(services.waiting_puzzles(classroom))
    counts, outcomes = known_counts(waiting), services.outcomes(boards)
    context = {
        "classroom": classroom,
        "tab": "gallery",
        "gallery": assignment,
        "is_open": bool(assignment and not assignment.is_over),
        "waiting": [(each, counts.get(each.pk)) for each in waiting],
        "shown": [(board, outcomes[board.pk]) for board in boards],
        "inventions": read_kinds(classroom),
        "may_teach": may(classroom, Right.TEACH),
        "form": ReturnForm(auto_id=False),
    }
    return render(request, "gallery/class_gallery.html", context)


@for_teachers("POST")
def decide(request: SignedInRequest, pk: int, written: int) -> HttpResponse:
    """Approve a puzzle, count its solutions, or return it with a message, even from the gallery."""
    classroom = get_classroom_for_teacher(request.user, pk)
    seen = classroom.written_puzzles.exclude(state=WrittenPuzzle.State.DRAFT)
    puzzle = get_object_or_404(seen, pk=written)
    gallery = services.find_gallery(classroom)
    match request.POST.get("do"):
        case "approve" if gallery:
            try:
                services.approve(puzzle, gallery, request.POST.get("seen", ""))
            except services.GalleryRefusal as refused:
                messages.error(request, str(refused))
        case "count":
            ask_about(request.user, puzzle, COUNT)
        case "return":
            form = ReturnForm(request.POST)
            if form.is_valid():
                services.send_back(puzzle, form.cleaned_data["word"])
            else:
                messages.error(request, str(form.errors["word"][0]))
        case _:
            raise BadRequest
    return redirect("class_gallery", pk)


@for_teachers("POST")
def decide_kind(request: SignedInRequest, pk: int, invention: int) -> HttpResponse:
    """Let the class see a kind that a student has made, or return it with a message."""
    classroom = get_classroom_for_teacher(request.user, pk)
    made = get_invention_of_class(classroom, invention)
    match request.POST.get("do"):
        case "approve":
            try:
                inventing.show(made, request.POST.get("seen", ""))
            except inventing.KindRefusal as refused:
                messages.error(request, str(refused))
        case "return":
            form = ReturnForm(request.POST)
            if form.is_valid():
                inventing.send_back(made, form.cleaned_data["word"])
            else:
                messages.error(request, str(form.errors["word"][0]))
        case _:
            raise BadRequest
    return redirect("class_gallery", pk)
