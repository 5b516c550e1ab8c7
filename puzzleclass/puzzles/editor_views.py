"""The pages on which a teacher draws a puzzle for the library."""

from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.forms.once import once, saves_without_step
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.drawing import Drawing
from puzzleclass.puzzles.editor import EditorSetup, canonical_text, edit, lookahead_at
from puzzleclass.puzzles.forms import BoardForm, PuzzleForm
from puzzleclass.puzzles.goals import ask_for_optimum, goal_of
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.titles import kind_pattern, numbered_titles, titles_of
from puzzleclass.seen_kinds import seen_kinds
from solvers.answers import CountAnswer
from solvers.registry import AnyKind


@for_teachers("GET")
def puzzle_kind(request: SignedInRequest) -> HttpResponse:
    """Open the editor with the kind of the teacher's last puzzle, or the first kind."""
    drawn = request.user.puzzles.filter(kind_slug__in=seen_kinds()).order_by("-pk")
    last = drawn.values_list("kind_slug", flat=True).first()
    return redirect("puzzle_new", last or next(iter(seen_kinds())))


@for_teachers("GET", "POST")
@once(saves_without_step)
def puzzle_new(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Draw a new puzzle."""
    check_room(request.user)
    (title,) = numbered_titles(kind_pattern(kind), 1, titles_of(request.user))
    new = Puzzle(owner=request.user, kind_slug=kind.slug, title=title)
    return edit(request, EditorSetup(new, PuzzleForm, _save, resolve_url("puzzle_list")))


@for_teachers("GET", "POST")
@once(saves_without_step)
def puzzle_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change a puzzle. Classes to which it is assigned keep it as it was."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    return edit(request, EditorSetup(puzzle, PuzzleForm, _save, resolve_url("puzzle", pk)))


def _save(teacher: User, drawing: Drawing, form: BoardForm) -> str:
    puzzle: Puzzle = form.save(commit=False)
    puzzle.position = canonical_text(drawing)
    puzzle.fill_columns()
    lookahead = lookahead_at(drawing)
    if lookahead and not puzzle.solutions and (number := lookahead.answer.left) is not None:
        # The editor's count is the puzzle's count.
        puzzle.set_answer(CountAnswer(number))
    puzzle.save()
    goal = goal_of(puzzle)
    if goal and goal.optimum is None:
        ask_for_optimum(teacher, puzzle)
    return resolve_url("puzzle", puzzle.pk)
