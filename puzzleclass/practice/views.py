"""The pages of practice: the introduction to a kind, the levels, a board to play, and
where an attempt was lost."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from uuid import UUID

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.backends.utils import csrf_input
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, wanted_page
from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.http import Request, quietly_refused, read_key
from puzzleclass.jobs import services as jobs
from puzzleclass.launcher.kernels import is_compiling
from puzzleclass.play.access import get_attempt_for_student, get_puzzle_for_student
from puzzleclass.play.models import Attempt
from puzzleclass.play.path import Path, Result, path_of, stars_of
from puzzleclass.play.practised import results_of, rhythm_of
from puzzleclass.play.records import shows_records
from puzzleclass.play.reviews import QUESTION, Review, can_be_reviewed, read_review, review_job
from puzzleclass.practice import scratch, services
from puzzleclass.practice.access import (
    check_seen,
    class_of,
    class_of_student,
    garden_class_of,
    get_position_for_student,
)
from puzzleclass.practice.boards import from_made_board, made_boards
from puzzleclass.practice.counting import count_results
from puzzleclass.practice.finger import finger_of
from puzzleclass.practice.garden import garden_of
from puzzleclass.practice.models import MadeBoard, ReturningPosition
from puzzleclass.practice.places import note_asked, paths_for, stand_at
from puzzleclass.practice.returning import due_positions
from puzzleclass.practice.world_map import world_map
from puzzleclass.puzzles.daily import daily_pair, year_of
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead
from puzzleclass.puzzles.worlds import PracticeBoard, kinds_with_worlds, worlds
from solvers.grid import read_cell
from solvers.kind import Place, split_moves
from solvers.message import Message
from solvers.picture import ring
from solvers.registry import AnyKind, is_known


@require_http_methods(["GET", "POST"])
def introduction(request: Request, kind: AnyKind, number: int = 1) -> HttpResponse:
    """Show a board of the introduction, or play on it. `?next=` is the page to go to afterwards."""
    if not 1 <= number <= len(kind.introduction):
        raise Http404
    check_seen(request, kind, or_assigned=True)
    tiny = kind.introduction[number - 1]
    board = scratch.play(request, kind, kind.read(tiny.position))
    finger = finger_of(tiny, board)
    query = {"next": wanted_page(request)} if wanted_page(request) else {}
    addresses = [
        reverse("introduction", args=[kind.slug, board_number], query=query)
        for board_number in range(1, len(kind.introduction) + 1)
    ]
    context = {
        "tiny": tiny,
        "finger": finger,
        "number": number,
        "addresses": addresses,
        "url": addresses[number - 1],
        "following": addresses[number] if number < len(addresses) else "",
        "afterwards": wanted_page(request) or reverse("home"),
        "solved": "practice/_introduction_solved.html",
    }
    picture = replace(board, marks=finger.shapes)
    return scratch.answer(request, picture, "practice/introduction.html", context)


@require_GET
def practice(request: Request) -> HttpResponse:
    """Show the map of each kind, and the positions that return."""
    classroom = class_of(request)
    paths = {path.kind: path for path in _paths(request, classroom, kinds_with_worlds())}
    maps = [world_map(paths[kind]) for kind in kinds_with_worlds()]
    context: dict[str, object] = {"maps": maps, "is_student": bool(classroom)}
    if classroom and request.user.is_authenticated:
        context |= {
            "has_challenges": classroom.has_challenges and shows_records(request.user),
            "rhythm": rhythm_of(request.user, services.today()),
            "returning": due_positions(request.user, services.today()),
        }
    else:
        context["daily"] = daily_pair(services.today())
    return render(request, "practice/practice.html", context)


@for_students("GET")
def garden(request: SignedInRequest) -> HttpResponse:
    """Show the garden of the student's class: the year, and the plants of a month one by one."""
    classroom, today = garden_class_of(request), services.today()
    class_garden = garden_of(classroom, today, request.user)
    month = request.GET.get("month", f"{today:%Y-%m}")
    bed = next((bed for bed in class_garden.beds if bed.name == month and not bed.is_to_come), None)
    if bed is None:
        raise Http404
    return render(request, "practice/garden.html", {"garden": class_garden, "bed": bed})


@require_http_methods(["GET", "POST"])
def daily_board(request: Request, day: str, word: str) -> HttpResponse:
    """Play a board of a day of this school year. It moves nobody on the path."""
    today = services.today()
    try:
        wanted = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    if not year_of(today) <= wanted <= today:
        raise Http404
    for daily in daily_pair(wanted):
        if daily.word == word:
            return _play_board(request, daily.board, is_daily=True)
    raise Http404


def _paths(
    request: Request, classroom: Classroom | None, shown: Sequence[AnyKind]
) -> Sequence[Path]:
    """Return the paths of the student, or of this browser for a guest. Five queries at most."""
    if request.user.is_authenticated and classroom:
        return paths_for(request.user, classroom, shown)
    return [path_of(kind, *services.guests_results(request, kind)) for kind in shown]


@require_GET
def practice_level(request: Request, kind: AnyKind, level: int) -> HttpResponse:
    """Show the boards of a level, each with the stars it has won."""
    classroom = class_of(request)
    check_seen(request, kind)
    if level not in worlds(kind):
        raise Http404
    [path] = _paths(request, classroom, [kind])
    made = made_boards(kind, level)
    results = results_of(request.user) if made and request.user.is_authenticated else {}
    shown = world_map(path)
    context = {
        "kind": kind,
        "level": level,
        "worlds": shown.worlds,
        "world": next(world for world in shown.worlds if world.level == level),
        "path": path,
        # Every world has a board with which to begin, also one to which the path does not lead.
        "start": path.start_of(level),
        "boards": path.worlds[level].stars.items(),
        "made": [(board, stars_of(board, results)) for board in made],
        "is_student": bool(classroom),
    }
    return render(request, "practice/practice_level.html", context)


@require_http_methods(["GET", "POST"])
def practice_board(request: Request, kind: AnyKind, level: int, number: int) -> HttpResponse:
    """Play a board of the collection."""
    check_seen(request, kind)
    boards = worlds(kind).get(level, ())
    if not 1 <= number <= len(boards):
        raise Http404
    return _play_board(request, boards[number - 1])


@require_http_methods(["GET", "POST"])
def practice_made(request: Request, pk: int) -> HttpResponse:
    """Play a board that the worker has made."""
    made = get_object_or_404(MadeBoard, pk=pk, level__gt=0)
    if not is_known(made.kind_slug):
        raise Http404
    board = from_made_board(made)
    check_seen(request, board.kind)
    return _play_board(request, board)


def _play_board(request: Request, board: PracticeBoard, *, is_daily: bool = False) -> HttpResponse:
    """Let a student begin the board as a stored attempt; let a guest or a teacher just play it."""
    if classroom := class_of(request):
        if request.method == "GET":
            if is_daily:
                return redirect("garden" if classroom.garden else "home")
            return redirect("practice_level", board.kind_slug, board.level)
        if request.user.is_authenticated and not (board.is_made or is_daily):
            stand_at(request.user, board)
        return redirect("play", services.begin(classroom, *board.key, board.title).pk)
    played = scratch.play(request, board.kind, board.kind.read(board.position))
    context = {
        "board": board,
        "url": request.path,
        "following": _next_for_guest(request, board),
        "solved": "practice/_board_solved.html",
    }
    response = scratch.answer(request, played, "practice/board.html", context)
    if played.is_solved and played.is_new:
        services.keep_for_guest(request, response, board)
    return response


@for_students("POST")
def stored_boards(
    request: SignedInRequest, kind: AnyKind | None = None, level: int = 0
) -> JsonResponse:
    """Return what a browser stores for a time without a network: the pages that lead to a world,
    and the page of each board by the address at which it is begun; or the boards of today.

    The class gets those that nobody in it has opened. No attempt begins, and nobody moves on the
    path.
    """
    classroom = class_of_student(request)
    if kind is not None:
        check_seen(request, kind)
    pages: list[str] = []
    if kind is None:
        boards = {each.url: each.board for each in services.daily_boards(classroom)}
    elif level in worlds(kind):
        boards = {board.url: board for board in worlds(kind)[level]}
        pages = [reverse("practice"), reverse("practice_level", args=[kind.slug, level])]
    else:
        raise Http404
    begun = services.begin_all(classroom, boards.values())
    played = [reverse("play", args=[puzzle.pk]) for puzzle in begun]
    return JsonResponse({"pages": pages, "boards": dict(zip(boards, played, strict=True))})


def _next_for_guest(request: Request, board: PracticeBoard) -> PracticeBoard | None:
    """Return the board to which a guest goes on from this solved one; None if all are solved."""
    results, _here = services.guests_results(request, board.kind)
    # The browser remembers the board only with the answer that is being made.
    now = {**results, board.key: Result(1, without_hint=True)}
    return path_of(board.kind, now, board).next


@for_students("POST")
def practise_on(request: SignedInRequest, pk: int) -> HttpResponse:
    """Go on with a puzzle in practice after its due date. Practice counts in no table."""
    classroom = class_of_student(request)
    puzzle = get_puzzle_for_student(request.user, pk)
    if not is_over_for(puzzle.assignment, request.user.pk):
        return redirect("play", puzzle.pk)
    board = services.begin(classroom, puzzle.kind_slug, puzzle.position, puzzle.title)
    return redirect("play", board.pk)


@for_students("POST")
def go_on(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Go on to the next board on the path of the kind, or to the world that the form names.

    `asked` is the world to which the student was invited beside the button: every button there
    answers the invitation, `later` without going on. `from` is the puzzle of the page: a second
    press there leads to the same board.
    """
    classroom, student = class_of_student(request), request.user
    check_seen(request, kind)
    for name in ("asked", "world"):
        if name in request.POST and request.POST[name] not in map(str, worlds(kind)):
            raise Http404
    count_results(student)
    if "asked" in request.POST:
        note_asked(student, kind, int(request.POST["asked"]))
    if "later" in request.POST:
        return redirect("practice")
    [path] = paths_for(student, classroom, [kind])
    board = path.start_of(int(request.POST["world"])) if "world" in request.POST else path.current
    puzzle = AssignedPuzzle.objects.filter(pk=read_key(request.POST.get("from", "")))
    if path.here and board == path.here and puzzle.filter(position=board.position).exists():
        board = path.next
    if board is None:
        return redirect("practice")
    stand_at(student, board)
    return redirect("play", services.begin(classroom, *board.key, board.title).pk)


@for_students("GET", "POST")
def practice_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Play on from a position at which the student lost an attempt some days ago.

    Solving it, or losing it again, decides when it returns. Nothing else is stored.
    """
    class_of_student(request)
    position = get_position_for_student(request.user, pk)
    board = scratch.play(request, position.kind, position.beginning)
    context: dict[str, object] = {
        "position": position,
        "url": reverse("practice_again", args=[position.pk]),
        "solved": "practice/_again_solved.html",
        "csrf_input": csrf_input(request),
    }
    if request.method == "POST" and not board.fault:
        _store_result(request, position, board, services.today())
    is_due = position.due_on is not None and position.due_on <= services.today()
    if not (board.is_solved or is_due):
        context["note"] = Message(
            "You will meet this board again another day. Now you can try as often as you like."
        )
    return scratch.answer(request, board, "practice/again.html", context)


def _store_result(
    request: SignedInRequest, position: ReturningPosition, board: scratch.Scratch, today: date
) -> None:
    """Store when the position returns, if the press has solved it or lost it.

    It is lost when no move is left, and when the student begins again.
    """
    begins_again = request.POST.get("action") == "restart" and bool(request.POST.get("line"))
    if board.is_solved or board.is_jammed or begins_again:
        position.move_on(today, is_solved=board.is_solved)


# "See where" shows the last solvable position of a failed attempt as a small puzzle of its own. The
# review tells which position that is, and the look-ahead tells whether a move keeps it solvable.
# Both are exact. Only the question to the worker is stored.


@for_students("GET", "POST")
def where(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show where the student's attempt was lost, and say whether another move there is better."""
    attempt = get_attempt_for_student(request.user, key)
    if not can_be_reviewed(attempt) or not has_lookahead(attempt.puzzle.kind_slug):
        raise Http404
    if not _has_failed(attempt):
        return redirect("play", attempt.puzzle_id)
    job = review_job(attempt)
    if request.method == "POST" and (job is None or (job.has_ended and job.result is None)):
        slug, text = attempt.puzzle.kind_slug, attempt.position_text
        job = jobs.ask_only(request.user, slug, QUESTION, text, {}, queue="review", priority=0)
    review = read_review(job)
    context: dict[str, object] = {"attempt": attempt, "kind": attempt.puzzle.kind}
    context |= {"job": job, "review": review, "csrf_input": csrf_input(request)}
    if review and review.fatal:
        context |= _position_context(request, attempt, review)
    page = "practice/_where.html" if request.htmx else "practice/where.html"
    response = render(request, page, context)
    return quietly_refused(request, response) if context.get("fault") else response


def _has_failed(attempt: Attempt) -> bool:
    """Return whether the attempt can't go on, so that showing the mistake is not a hint."""
    is_given_up = attempt.state == Attempt.State.GIVEN_UP
    return (
        is_given_up
        or attempt.is_jammed
        or is_over_for(attempt.puzzle.assignment, attempt.student_id)
    )


def _position_context(
    request: SignedInRequest, attempt: Attempt, review: Review
) -> dict[str, object]:
    """Return the context of the position before the fatal move.

    The fatal move is marked on the board until the student makes another move instead.
    """
    kind, moves = attempt.puzzle.kind, split_moves(attempt.line)
    before = kind.play_line(attempt.puzzle.start, " ".join(moves[: review.fatal - 1]))
    board, fatal = scratch.play(request, kind, before), kind.read_move(moves[review.fatal - 1])
    if not board.line and not board.fault:
        board = replace(board, place=Place(kind.cell_of(fatal), path=kind.cells_of(fatal)))
        if why := review.why:
            rings = tuple(ring(read_cell(cell), "doomed") for cell in why.cells)
            board = replace(board, marks=board.marks + rings)
    ahead = None
    if board.line and not board.is_solved:
        ahead = ask_lookahead(request.user, kind.slug, kind.write(board.position))
    return {
        "scratch": board,
        "fault": board.fault,
        "tools": board.tools,
        "was": kind.describe(fatal),
        "why": None if board.line or board.fault else review.why,
        "is_asking": ahead is not None and not ahead.is_known,
        "is_bad": bool(ahead and ahead.is_lost),
        "is_good": board.is_solved or bool(ahead and ahead.state == "live"),
        "said": _where_message(board, ahead),
    }


def _where_message(board: scratch.Scratch, ahead: LookAhead | None) -> Message:
    if board.fault:
        return board.fault
    if not board.line:
        return Message("The board could still be solved here. Find a move that keeps it solvable.")
    if board.is_solved or (ahead and ahead.state == "live"):
        return Message("Yes! After this move it can still be solved.")
    if ahead is None or not ahead.is_known:
        if ahead and ahead.has_no_worker:
            if is_compiling():
                return Message("The computer is still getting ready. Then it will check the move.")
            return Message(
                "The computer is not running just now. It will check the move when it is back."
            )
        return Message("Checking whether this move is good …")
    if ahead.is_lost:
        return Message("This move can't lead to a solution either. Try another one.")
    return Message("We could not determine whether this move is good. Try another one.")
