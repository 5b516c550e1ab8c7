"""Who practises what: the class's practice, its boards, and what a student has reached there.

A class's practice is an assignment that no list shows. Its boards are rows like any assigned
puzzle, made when a student begins them, so that steps, hints and reviews are those of `play`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature
from django.db import transaction
from django.db.models import Count, Max
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import CLASS_CODE
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.http import QuotaReached
from puzzleclass.play.attempts import PRACTICE_IS_OFF
from puzzleclass.play.models import Attempt, FoundSolution
from puzzleclass.practice.boards import PracticeBoard, board_of_the_day, kinds_with_worlds, worlds
from solvers.message import Message
from solvers.registry import AnyKind

HINTS = 5
"""For each student at each board."""

MOST_BOARDS = 5_000
"""In the practice of one class."""

MOST_WEEKS = 60
"""That a row of weeks is followed back."""

FLOWER = "❀"

ALBUM = 60
"""Solutions in an album, the latest."""

COOKIE = "practice"
"""What a guest has solved lies in the guest's browser till it is closed, signed: a bit for each
board."""

Solved = dict[tuple[str, str], int]
"""Kind and position -> how many solutions were found."""


# The class


def class_for(student: User, code: str | None) -> Classroom:
    """Return the class in which the student practises: the one of the sign-in, else the first.

    One query. Raises PermissionDenied when a teacher of one of the student's classes that go on
    has switched practice off, or there is no such class.
    """
    running = list(Classroom.objects.filter(students=student, archived_at=None))
    if not running:
        raise PermissionDenied
    if not all(classroom.practice for classroom in running):
        raise PermissionDenied(PRACTICE_IS_OFF)
    return next((each for each in running if each.code == code), running[0])


def may_practise(student: User) -> bool:
    """Return whether the student's classes let them practise. One query."""
    try:
        class_for(student, None)
    except PermissionDenied:
        return False
    return True


def class_of(request: HttpRequest) -> Classroom | None:
    """Return the class of a student who practises; None for teachers and guests, who only try it.

    Raises PermissionDenied where practice is off."""
    if not request.user.is_authenticated or not request.user.is_student:
        return None
    return class_for(request.user, request.session.get(CLASS_CODE))


@transaction.atomic
def begin(classroom: Classroom, kind_slug: str, position: str, title: str) -> AssignedPuzzle:
    """Return the board of the class's practice, newly made or the one that is there.

    Raises QuotaReached when the practice holds as many as it may.
    """
    # The lock lets two who begin the same board have one row.
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
            hints=HINTS,
            is_practice=True,
        )
    if board := practice.puzzles.filter(kind_slug=kind_slug, position=position).first():
        return board
    number = (practice.puzzles.aggregate(last=Max("number"))["last"] or 0) + 1
    if number > MOST_BOARDS:
        raise QuotaReached(
            Message("Your class has practised very many boards. Choose one of them.")
        )
    return practice.puzzles.create(
        number=number, kind_slug=kind_slug, position=position, title=title
    )


# What was reached


@dataclass(frozen=True, slots=True)
class Progress:
    """What a student, or a guest, has reached in practice."""

    solved: Solved
    clean: set[tuple[str, str]]
    """Those solved in a try without a hint."""

    def stars(self, board: PracticeBoard) -> int:
        """Return how many of the board's stars are there: solved, without a hint, twice."""
        found = self.solved.get(board.key, 0)
        second = found > 1 and board.most_stars > 2
        return bool(found) + (board.key in self.clean) + second

    def in_level(self, boards: Iterable[PracticeBoard]) -> int:
        """Return how many of the boards are solved."""
        return sum(board.key in self.solved for board in boards)


def progress_of(student: User) -> Progress:
    """Return what the student has reached, in whatever class. Two queries."""
    mine = {"student": student, "puzzle__assignment__is_practice": True}
    board = ("puzzle__kind_slug", "puzzle__position")
    found = FoundSolution.objects.filter(**mine).order_by().values_list(*board)
    clean = Attempt.objects.filter(**mine, has_solved=True, hints=None).order_by()
    return Progress(
        {
            (slug, text): number
            for slug, text, number in found.annotate(Count("text", distinct=True))
        },
        set(clean.values_list(*board).distinct()),
    )


def guests_progress(request: HttpRequest) -> Progress:
    """Return what this browser has solved of the collections."""
    solved: Solved = {}
    for kind in kinds_with_worlds():
        bits = _guests_bits(request, kind)
        solved |= {b.key: 1 for n, b in enumerate(_all_boards(kind)) if bits >> n & 1}
    return Progress(solved, set(solved))


def keep_for_guest(request: HttpRequest, response: HttpResponse, board: PracticeBoard) -> None:
    """Let the guest's browser remember till it is closed that the board was solved; one of the
    collection."""
    boards = _all_boards(board.kind)
    if board in boards:
        bits = _guests_bits(request, board.kind) | 1 << boards.index(board)
        response.set_signed_cookie(
            f"{COOKIE}-{board.kind_slug}",
            f"{bits:x}",
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )


def _guests_bits(request: HttpRequest, kind: AnyKind) -> int:
    try:
        return int(request.get_signed_cookie(f"{COOKIE}-{kind.slug}", "0") or "0", 16)
    except (BadSignature, ValueError):
        return 0


def _all_boards(kind: AnyKind) -> list[PracticeBoard]:
    return [board for boards in worlds(kind).values() for board in boards]


# Days


@dataclass(frozen=True, slots=True)
class Stamp:
    """A day on a class's stamp card."""

    day: date
    kinds: int
    """Puzzles of the day that somebody of the class has solved on it."""
    mine: int
    """The same of the student."""

    @property
    def mine_drawn(self) -> str:
        return FLOWER * self.mine

    @property
    def others_drawn(self) -> str:
        return FLOWER * (self.kinds - self.mine)


def stamp_card(classroom: Classroom, student: User, today: date) -> list[Stamp]:
    """Return the days of this month up to today. One query."""
    days = [today.replace(day=number) for number in range(1, today.day + 1)]
    boards = {
        (day, *board_of_the_day(kind, day).key) for day in days for kind in kinds_with_worlds()
    }
    rows = (
        FoundSolution.objects.filter(
            puzzle__assignment__is_practice=True,
            puzzle__position__in={position for _, _, position in boards},
            student__enrolments__classroom=classroom,
            found_at__date__gte=days[0],
        )
        .order_by()
        .values_list(TruncDate("found_at"), "puzzle__kind_slug", "puzzle__position", "student")
        .distinct()
    )
    solved = [(day, slug, who) for day, slug, text, who in rows if (day, slug, text) in boards]
    of_class = Counter(day for day, _ in {(day, slug) for day, slug, _ in solved})
    mine = Counter(day for day, _, who in solved if who == student.pk)
    return [Stamp(day, of_class[day], mine[day]) for day in days]


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How regularly a student practises. A week with one day counts as well as one with seven."""

    weeks: int
    """In a row, up to this one or the last one."""
    days: int
    """In this week."""


def rhythm_of(student: User, today: date) -> Rhythm:
    """Return the student's rhythm. One query."""
    monday = today - timedelta(days=today.weekday())
    since = monday - timedelta(weeks=MOST_WEEKS)
    days = set(
        FoundSolution.objects.filter(
            student=student, puzzle__assignment__is_practice=True, found_at__date__gte=since
        )
        .order_by()
        .values_list(TruncDate("found_at"), flat=True)
        .distinct()
    )
    weeks = {(monday - (day - timedelta(days=day.weekday()))).days // 7 for day in days}
    # This week may still be without a day: it breaks nothing.
    last = 0 if 0 in weeks else 1
    row = next(n for n in range(last, MOST_WEEKS + 2) if n not in weeks) - last
    return Rhythm(row, sum(day >= monday for day in days))


def album_of(student: User) -> list[FoundSolution]:
    """Return the student's latest solutions in practice, with their boards. One query."""
    mine = FoundSolution.objects.filter(student=student, puzzle__assignment__is_practice=True)
    return list(mine.select_related("puzzle").order_by("-found_at", "-pk")[:ALBUM])


def today() -> date:
    """Return the day at the school."""
    return timezone.localdate()
