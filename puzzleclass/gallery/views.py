"""Students write puzzles, a teacher decides, classmates solve."""

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import for_students, for_teachers
from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.classes.access import Right, get_classroom_for_teacher, may
from puzzleclass.gallery import services
from puzzleclass.http import QuotaReached, SignedInRequest, read_key
from puzzleclass.jobs import services as jobs
from puzzleclass.language import say
from puzzleclass.play.due import puzzle_states
from puzzleclass.play.nicknames import nickname
from puzzleclass.puzzles.answers import COUNT, ask_about, count_in, job_about, known_counts
from puzzleclass.puzzles.draft import Draft
from puzzleclass.puzzles.editor_views import Desk, edit, written_text
from puzzleclass.puzzles.forms import BoardForm
from puzzleclass.puzzles.models import showpiece
from solvers.registry import AnyKind, kinds

MOST_SEEN = 200
"""Puzzles of classmates on one page; a student is rarely in more than one class."""


class WrittenForm(BoardForm):
    """What a student's puzzle has besides the board."""

    class Meta:
        model = WrittenPuzzle
        fields = ["title"]
        error_messages = {"title": {"required": gettext_lazy("Give the puzzle a title.")}}


class WordForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a teacher tells the author."""

    class Meta:
        model = WrittenPuzzle
        fields = ["word"]
        widgets = {"word": forms.Textarea(attrs={"rows": 2})}


def get_written_for_author(author: User, pk: int, *, editable: bool = False) -> WrittenPuzzle:
    """Return the student's own puzzle; with `editable` only while it can be changed.

    Raises Http404.
    """
    mine = author.written_puzzles.select_related("shown_as")
    return get_object_or_404(mine.editable() if editable else mine, pk=pk)


# Students


@for_students("GET")
def gallery(request: SignedInRequest) -> HttpResponse:
    """What the student has written, and what classmates have."""
    student = request.user
    mine = list(student.written_puzzles.select_related("shown_as"))
    shown = list(
        AssignedPuzzle.objects.filter(
            assignment__is_gallery=True, assignment__classroom__students=student
        )
        .select_related("assignment__classroom", "written")
        .order_by("-pk")[:MOST_SEEN]
    )
    counts = known_counts(mine)
    fared = services.outcomes(board for each in mine if (board := getattr(each, "shown_as", None)))
    context = {
        "mine": [
            (each, counts.get(each.pk), board and fared[board.pk])
            for each in mine
            for board in [getattr(each, "shown_as", None)]
        ],
        "shown": [
            (state, nickname(state.puzzle.written.author_id))
            for state in puzzle_states(student, shown)
            if state.puzzle.written
        ],
        "classrooms": services.open_for(student),
        "kinds": [showpiece(kind) for kind in kinds().values()],
        "may_write": len(mine) < WrittenPuzzle.MOST,
        "most": WrittenPuzzle.MOST,
    }
    return render(request, "gallery/gallery.html", context)


@for_students("GET", "POST")
def written_new(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Draw up a puzzle. Not without an open gallery, nor beyond what one may have."""
    author = request.user
    if not services.open_for(author).exists():
        messages.error(request, _("The gallery is closed."), "bad")
        return redirect("gallery")
    if author.written_puzzles.count() >= WrittenPuzzle.MOST:
        messages.error(request, _("You have very many puzzles. Delete one first."), "bad")
        return redirect("gallery")
    new = WrittenPuzzle(author=author, kind_slug=kind.slug)
    return _edit(request, new, resolve_url("gallery"))


@for_students("GET", "POST")
def written_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change a puzzle that nobody else sees."""
    puzzle = get_written_for_author(request.user, pk, editable=True)
    return _edit(request, puzzle, resolve_url("written", pk))


def _edit(request: SignedInRequest, puzzle: WrittenPuzzle, back: str) -> HttpResponse:
    page = "gallery/written_edit.html"
    return edit(request, Desk(puzzle, WrittenForm, _save, back, page, is_by_student=True))


def _save(author: User, draft: Draft, form: BoardForm) -> str:
    puzzle: WrittenPuzzle = form.save(commit=False)
    puzzle.position = written_text(draft)
    if puzzle.pk is None:
        puzzle.save()
    else:
        # Another window may have handed it in this moment: that one stays as it is.
        editable = WrittenPuzzle.objects.editable().filter(pk=puzzle.pk)
        mine = author.written_puzzles.filter(pk__in=editable.values("pk"))
        mine.update(title=puzzle.title, position=puzzle.position, changed_at=timezone.now())
    return resolve_url("written", puzzle.pk)


@for_students("GET")
def written(request: SignedInRequest, pk: int) -> HttpResponse:
    """The author's page of a puzzle; for HTMX its count alone."""
    puzzle = get_written_for_author(request.user, pk)
    job = job_about(request.user, puzzle, COUNT)
    context: dict[str, object] = {"puzzle": puzzle, "job": job, "count": count_in(puzzle, job)}
    if request.htmx:
        return render(request, "gallery/_written_count.html", context)
    board = getattr(puzzle, "shown_as", None)
    context |= {
        "classrooms": services.open_for(request.user),
        "outcome": services.outcomes([board])[board.pk] if board else None,
    }
    return render(request, "gallery/written.html", context)


@for_students("POST")
def written_count(request: SignedInRequest, pk: int) -> HttpResponse:
    """Have the solutions counted, or stop that."""
    puzzle = get_written_for_author(request.user, pk)
    if request.POST.get("do") == "stop":
        job = job_about(request.user, puzzle, COUNT)
        if job and not job.has_ended:
            jobs.withdraw(request.user, job)
    else:
        try:
            services.count(puzzle)
        except QuotaReached as error:
            messages.error(request, say(error.message), "bad")
    return redirect("written", pk)


@for_students("POST")
def written_hand_in(request: SignedInRequest, pk: int) -> HttpResponse:
    """Hand the puzzle in to a class's gallery, or take it back."""
    puzzle = get_written_for_author(request.user, pk)
    if request.POST.get("do") == "back":
        services.take_back(puzzle)
        return redirect("written", pk)
    classrooms = services.open_for(request.user)
    chosen = read_key(request.POST.get("classroom", ""))
    classroom = classrooms.filter(pk=chosen).first() if chosen else classrooms.first()
    if classroom is None:
        messages.error(request, _("The gallery of this class is closed."), "bad")
        return redirect("written", pk)
    try:
        services.hand_in(puzzle, classroom)
    except services.Refused as refused:
        messages.error(request, str(refused), "bad")
    return redirect("written", pk)


@for_students("POST")
def written_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a puzzle of one's own that nobody else sees."""
    get_written_for_author(request.user, pk, editable=True).delete()
    return redirect("gallery")


# Teachers


@for_teachers("GET", "POST")
def class_gallery(request: SignedInRequest, pk: int) -> HttpResponse:
    """What waits for a teacher and what is shown; POST opens or closes the gallery."""
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
    shown = services.gallery_of(classroom)
    boards = shown.puzzles.select_related("written__author").order_by("-number") if shown else []
    waiting = list(services.handed_in(classroom))
    counts, fared = known_counts(waiting), services.outcomes(boards)
    context = {
        "classroom": classroom,
        "gallery": shown,
        "is_open": bool(shown and not shown.is_over),
        "waiting": [(each, counts.get(each.pk)) for each in waiting],
        "shown": [(board, fared[board.pk]) for board in boards],
        "may_teach": may(classroom, Right.TEACH),
        "form": WordForm(auto_id=False),
    }
    return render(request, "gallery/class_gallery.html", context)


@for_teachers("POST")
def decide(request: SignedInRequest, pk: int, written: int) -> HttpResponse:
    """Approve a puzzle, have it counted, or send it back with a word, also from the gallery."""
    classroom = get_classroom_for_teacher(request.user, pk)
    seen = classroom.written_puzzles.exclude(state=WrittenPuzzle.State.DRAFT)
    puzzle = get_object_or_404(seen, pk=written)
    shown = services.gallery_of(classroom)
    match request.POST.get("do"):
        case "approve" if shown:
            try:
                services.approve(puzzle, shown, request.POST.get("seen", ""))
            except services.Refused as refused:
                messages.error(request, str(refused), "bad")
        case "count":
            ask_about(request.user, puzzle, COUNT)
        case "return":
            form = WordForm(request.POST)
            if form.is_valid():
                services.send_back(puzzle, form.cleaned_data["word"])
            else:
                messages.error(request, str(form.errors["word"][0]), "bad")
        case _:
            raise BadRequest
    return redirect("class_gallery", pk)
