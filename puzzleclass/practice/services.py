"""A class's practice and its boards.

A class's practice is an assignment that no list shows. Its boards are rows like those of any
assigned puzzle, made when a student begins them, so that `play` handles steps, hints and reviews.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.database.batches import BATCH_ROWS
from puzzleclass.errors import QuotaReached
from puzzleclass.play.models import BEGUN, Attempt
from puzzleclass.play.path import Result, Results
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.daily import DailyBoard, daily_boards_of, daily_pair
from puzzleclass.puzzles.worlds import PracticeBoard, worlds
from solvers.message import Message
from solvers.registry import AnyKind

HINTS_PER_BOARD = 5
"""The number of hints that each student may take at each board."""

MAX_BOARDS = 5_000
"""The most boards in the practice of one class."""

FRUITLESS_KEPT = timedelta(days=90)
"""How long an attempt in practice is kept if it came to nothing."""

COOKIE_PREFIX = "practice"
"""The beginning of the name of a guest's signed cookies. They have a bit for each board, set if the
guest has solved it, and the number of the one solved last, until the browser is closed."""


# The class


@transaction.atomic
def begin(classroom: Classroom, kind_slug: str, position: str, title: str) -> AssignedPuzzle:
    """Return the board as a puzzle of the class's practice. Make it unless it is there.

    Raise QuotaReached if the practice already has the most boards allowed.
    """
    # With the lock, two students who begin the same board get the same row.
    Classroom.objects.select_for_update().get(pk=classroom.pk)
    practice = Assignment.every.filter(classroom=classroom, is_practice=True).first()
    if practice is None:
        owner = Teaching.objects.filter(classroom=classroom).order_by("role", "pk").first()
        if owner is None:
            raise PermissionDenied
        practice = Assignment.every.create(
            classroom=classroom,
            teacher_id=owner.teacher_id,
            title=Message("Practice").text,
            due_at=NEVER_DUE,
            hints=HINTS_PER_BOARD,
            is_practice=True,
        )
    if board := practice.puzzles.filter(kind_slug=kind_slug, position=position).first():
        return board
    number = (practice.puzzles.aggregate(last=Max("number"))["last"] or 0) + 1
    if number > MAX_BOARDS:
        raise QuotaReached(
            Message("Your class has practised a great many boards. Choose one of them.")
        )
    return practice.puzzles.create(
        number=number, kind_slug=kind_slug, position=position, title=title
    )


def begin_all(classroom: Classroom, boards: Collection[PracticeBoard]) -> list[AssignedPuzzle]:
    """Return the boards as puzzles of the class's practice, in their order, as `begin` does.

    One query if all of them are there.
    """
    own = AssignedPuzzle.objects.filter(
        assignment__classroom=classroom,
        assignment__is_practice=True,
        position__in=[board.position for board in boards],
    )
    there = {(puzzle.kind_slug, puzzle.position): puzzle for puzzle in own}
    return [there.get(board.key) or begin(classroom, *board.key, board.title) for board in boards]


# Progress


@dataclass(frozen=True, slots=True)
class GuestsPlace:
    """What the browser of a guest remembers of a kind."""

    bits: int = 0
    """One bit for each board of the collection, set if it is solved."""
    here: PracticeBoard | None = None
    """The board that was solved last."""


def guests_results(request: HttpRequest, kind: AnyKind) -> tuple[Results, PracticeBoard | None]:
    """Return a guest's results at the kind's collection, and the board solved last."""
    place, boards = _guests_place(request, kind), _all_boards(kind)
    solved = (board for number, board in enumerate(boards) if place.bits >> number & 1)
    return {board.key: Result(1, without_hint=True) for board in solved}, place.here


def keep_for_guest(request: HttpRequest, response: HttpResponse, board: PracticeBoard) -> None:
    """Have the guest's browser remember, until it is closed, that the board was solved.

    Boards outside the collection are not remembered.
    """
    boards = _all_boards(board.kind)
    if board in boards:
        number = boards.index(board)
        bits = _guests_place(request, board.kind).bits | 1 << number
        response.set_signed_cookie(
            f"{COOKIE_PREFIX}-{board.kind_slug}",
            f"{bits:x}.{number:x}",
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )


def _guests_place(request: HttpRequest, kind: AnyKind) -> GuestsPlace:
    # Only this site can sign a cookie. One with a wrong signature counts as none.
    cookie = str(request.get_signed_cookie(f"{COOKIE_PREFIX}-{kind.slug}", "") or "")
    bits, _, here = cookie.partition(".")
    boards = _all_boards(kind)
    number = int(here, 16) if here else len(boards)
    return GuestsPlace(int(bits or "0", 16), boards[number] if number < len(boards) else None)


def _all_boards(kind: AnyKind) -> list[PracticeBoard]:
    return [board for boards in worlds(kind).values() for board in boards]


# Days


@dataclass(frozen=True, slots=True)
class DailyState:
    """A board of the day, with the student's state."""

    daily: DailyBoard
    is_solved: bool
    is_begun: bool


def daily_boards(classroom: Classroom) -> list[DailyBoard]:
    """Return today's boards. One that returns has the name that it has in the class's garden."""
    this_year = daily_boards_of(classroom, today())
    return [this_year[each.board.key] for each in daily_pair(today())]


def daily_states(student: User, classroom: Classroom) -> list[DailyState]:
    """Return today's boards with the student's states. Two queries."""
    pair = daily_boards(classroom)
    own = Q(
        student=student,
        puzzle__position__in=[each.board.position for each in pair],
        puzzle__assignment__is_practice=True,
    )
    keys = "puzzle__kind_slug", "puzzle__position"
    solved = set(FoundSolution.objects.filter(own).order_by().values_list(*keys))
    begun = set(Attempt.objects.filter(own, BEGUN).order_by().values_list(*keys))
    return [DailyState(each, each.board.key in solved, each.board.key in begun) for each in pair]


def today() -> date:
    """Return today's date in the time zone of the school."""
    return timezone.localdate()


# Old attempts


def delete_fruitless_attempts() -> Iterator[int]:
    """Delete old attempts in practice that won no star, and boards that are left without anything.

    Yield the number of deleted attempts and boards, batch by batch. Solutions stay, and with them
    the records, the stamps and the stars. An attempt that solved a board also stays, unless a later
    one solved it without a hint.
    """
    long_ago = timezone.now() - FRUITLESS_KEPT
    same = {"student": OuterRef("student"), "puzzle": OuterRef("puzzle"), "pk__gt": OuterRef("pk")}
    solved_again = Exists(Attempt.objects.filter(**same, has_solved=True, hints=None))
    old = Attempt.objects.filter(puzzle__assignment__is_practice=True, last_at__lt=long_ago)
    removable = old.filter(Q(has_solved=False) | solved_again).order_by("pk")
    while batch := list(removable.values_list("pk", "puzzle")[:BATCH_ROWS]):
        with transaction.atomic():
            # A student may have gone on with one of the attempts in the meantime.
            old.filter(pk__in=[pk for pk, _ in batch]).delete()
            empty = AssignedPuzzle.objects.filter(
                pk__in={puzzle for _, puzzle in batch}, attempts=None, found_solutions=None
            )
            deleted = list(empty.values_list("pk", flat=True))
            AssignedPuzzle.objects.filter(pk__in=deleted).delete()
        yield len(batch) + len(deleted)
