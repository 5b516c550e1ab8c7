"""The gallery of a class: puzzles that students write for their classmates to solve.

A gallery is an assignment that grows. An approved puzzle becomes one of its assigned puzzles, so
attempts, hints, the live wall and the class table work as for any other puzzle. A class has no
gallery until its teacher opens one, because a teacher who lets students show each other what they
write needs time to read it.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.db.models import Count, F, Max, Min, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.assignments.services import ask_about_assigned
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.models import Classroom
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, Thanks
from puzzleclass.play.nicknames import nickname
from puzzleclass.play.records import may_thank
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.reviews import known_reviews, review_key
from puzzleclass.puzzles.answers import COUNT, ask_about, known_counts
from solvers.kind import split_moves
from solvers.message import Message

MAX_PUZZLES = 100
"""The most puzzles in one gallery."""

COUNTS_PER_DAY = 100
"""The most counts that a student may ask for in a day."""

MAX_ATTEMPTS = 5000
"""The most attempts that `outcomes` reads, the latest first."""

State = WrittenPuzzle.State

_COUNT_IS_RUNNING = Message("Your last count is still running. Wait for it, or stop it.")
_COUNTS_USED_UP = Message(
    "You have had a great many puzzles counted today. Please continue tomorrow."
)


class GalleryRefusal(Exception):
    """Raised when an action on a puzzle is not possible now.

    The text gives the reason in the reader's language.
    """


# The teacher's switch


def find_gallery(classroom: Classroom) -> Assignment | None:
    """Return the class's gallery, open or closed; None if it never had one."""
    return classroom.assignments.filter(is_gallery=True).first()


def open_gallery(classroom: Classroom, teacher: User) -> Assignment:
    """Open the class's gallery: students can hand in puzzles, and solve those that are approved."""
    defaults = {"teacher": teacher, "title": _("Gallery"), "due_at": NEVER_DUE}
    gallery, is_new = classroom.assignments.get_or_create(is_gallery=True, defaults=defaults)
    if not is_new and gallery.is_over:
        Assignment.objects.filter(pk=gallery.pk).update(due_at=NEVER_DUE)
        gallery.due_at = NEVER_DUE
    return gallery


def close_gallery(classroom: Classroom) -> None:
    """Close the class's gallery. It takes no more puzzles and moves, but can still be looked at."""
    now = timezone.now()
    classroom.assignments.filter(is_gallery=True, due_at__gt=now).update(due_at=now)


def classes_with_open_gallery(student: User) -> QuerySet[Classroom]:
    """Return the student's classes that have an open gallery."""
    gallery = {"assignments__is_gallery": True, "assignments__due_at__gt": timezone.now()}
    return Classroom.objects.filter(students=student, archived_at=None, **gallery).order_by("pk")


def galleries_of(classroom: Any) -> QuerySet[Assignment]:
    """Return the gallery of a class, open or closed."""
    return Assignment.objects.filter(is_gallery=True, classroom=classroom)


# The author


def count(written: WrittenPuzzle) -> Job:
    """Ask for a count of the author's puzzle.

    Raises QuotaReached while another count of the author is running, and after `COUNTS_PER_DAY`.
    """
    with transaction.atomic():
        # The lock makes two presses at the same moment come one after the other.
        author = User.objects.select_for_update().get(pk=written.author_id)
        job = ask_about(author, written, COUNT)
        running = Job.objects.filter(askers=author, question=COUNT).exclude(state__in=Job.ENDED)
        if running.exclude(pk=job.pk).exists():
            raise QuotaReached(_COUNT_IS_RUNNING)
        if not spend(f"counts of {author.pk}", COUNTS_PER_DAY, A_DAY):
            raise QuotaReached(_COUNTS_USED_UP)
    return job


def hand_in(written: WrittenPuzzle, classroom: Classroom) -> None:
    """Hand the puzzle in to the teachers of the class. Raises Refused if it cannot be solved."""
    counted = known_counts([written]).get(written.pk)
    if written.obstacle or (counted and counted.is_hopeless):
        raise GalleryRefusal(_("This puzzle cannot be solved. Change it first."))
    editable = WrittenPuzzle.objects.editable().filter(pk=written.pk)
    # `editable` joins other tables, which an update cannot do by itself.
    WrittenPuzzle.objects.filter(pk__in=editable.values("pk")).update(
        state=State.WAITING, classroom=classroom, changed_at=timezone.now()
    )


def take_back(written: WrittenPuzzle) -> None:
    """Make a waiting puzzle a draft again."""
    WrittenPuzzle.objects.filter(pk=written.pk, state=State.WAITING).update(state=State.DRAFT)


MAX_NEWS = 3
"""The most puzzles of an author among the news, the latest first."""

MAX_SOLVERS = 5
"""The most classmates who are named at a puzzle among the news."""


@dataclass(frozen=True, slots=True)
class AuthorNews:
    """What is new about a puzzle that a student has written."""

    written: WrittenPuzzle
    board: AssignedPuzzle | None
    """The board in the gallery; None if the teacher has sent the puzzle back."""
    solvers: list[str]
    """The nicknames of the first classmates who have solved the puzzle."""
    more: int
    """The number of classmates who have solved it, too, and are not named."""
    thanks: list[tuple[str, str, int]]
    """The stamps that classmates have given, with their words and numbers."""


def news_of_author(
    author: User, written: Iterable[WrittenPuzzle], since: datetime
) -> list[AuthorNews]:
    """Return the author's puzzles, of those `written`, that were approved, sent back or solved
    since then. Two queries at most.

    The time of an approval is not stored, so the time at which the puzzle was handed in stands for
    it.
    """
    own = [
        each
        for each in written
        if each.state == State.RETURNED
        or (each.state == State.SHOWN and getattr(each, "shown_as", None))
    ]
    if not own:
        return []
    solvers = (
        FoundSolution.objects.filter(
            puzzle__written__author=author,
            puzzle__assignment__classroom__enrolments__student=F("student"),
        )
        .exclude(student=author)
        .values_list("puzzle__written", "student")
        .annotate(first=Min("found_at"))
        .order_by("first")
    )
    solved: dict[int, list[tuple[int, datetime]]] = {}
    for key, student, at in solvers:
        solved.setdefault(key, []).append((student, at))

    def latest(each: WrittenPuzzle) -> datetime:
        return max([each.changed_at, *(at for _, at in solved.get(each.pk, []))])

    news = sorted((each for each in own if latest(each) >= since), key=latest, reverse=True)
    boards = {each.pk: each.shown_as for each in news[:MAX_NEWS] if each.state == State.SHOWN}
    thanks = thanks_for(boards.values()) if boards else {}
    return [
        AuthorNews(
            each,
            board,
            [nickname(student) for student, _ in solved.get(each.pk, [])[:MAX_SOLVERS]],
            max(0, len(solved.get(each.pk, [])) - MAX_SOLVERS),
            thanks.get(board.pk, []) if board else [],
        )
        for each in news[:MAX_NEWS]
        for board in [boards.get(each.pk)]
    ]


# The teacher


def waiting_puzzles(classroom: Classroom) -> QuerySet[WrittenPuzzle]:
    """Return the puzzles that wait for the teachers of the class, the oldest first."""
    return waiting_in_class(classroom.pk).select_related("author").order_by("changed_at", "pk")


def waiting_in_class(classroom: Any) -> QuerySet[WrittenPuzzle]:
    """Return the puzzles that wait for the teachers of the class.

    `classroom` is a primary key, or an expression for one.
    """
    return WrittenPuzzle.objects.filter(
        state=State.WAITING, classroom=classroom, author__enrolments__classroom=classroom
    )


@transaction.atomic
def approve(written: WrittenPuzzle, gallery: Assignment, seen: str) -> AssignedPuzzle:
    """Put a waiting puzzle into the gallery.

    Raises Refused if the puzzle is no longer as the teacher has `seen` it, or the gallery is full.
    """
    # The lock makes two approvals at the same moment take two numbers, one after the other.
    Assignment.objects.select_for_update().get(pk=gallery.pk)
    waiting = WrittenPuzzle.objects.select_for_update().filter(pk=written.pk, state=State.WAITING)
    current = waiting.first()
    if current is None or current.mark != seen:
        raise GalleryRefusal(
            _("The author has changed this puzzle in the meantime. Please review it again.")
        )
    last_number = gallery.puzzles.aggregate(last=Max("number"))["last"] or 0
    if gallery.puzzles.count() >= MAX_PUZZLES:
        raise GalleryRefusal(
            _("The gallery is full ({n} puzzles). Remove one first.").format(n=MAX_PUZZLES)
        )
    waiting.update(state=State.SHOWN, word="")
    assigned = gallery.puzzles.create(number=last_number + 1, written=current, **current.copied)
    with suppress(QuotaReached):
        ask_about_assigned(gallery.teacher, assigned)
    return assigned


@transaction.atomic
def send_back(written: WrittenPuzzle, word: str) -> None:
    """Return a waiting or shown puzzle to its author with a message.

    A shown puzzle leaves the gallery, and the attempts at it are deleted.
    """
    AssignedPuzzle.objects.filter(written=written).delete()
    returnable = WrittenPuzzle.objects.filter(pk=written.pk, state__in=(State.WAITING, State.SHOWN))
    returnable.update(state=State.RETURNED, word=word)


# Thanks


def thank(giver: User, puzzle: AssignedPuzzle, stamp: str) -> None:
    """Store the stamp by which the student thanks the author of the puzzle.

    It replaces an earlier one. Raise PermissionDenied unless `play.records.may_thank`, and
    BadRequest if there is no such stamp.
    """
    if not may_thank(giver, puzzle):
        raise PermissionDenied
    if stamp not in Thanks.Stamp.values:
        raise BadRequest
    Thanks.objects.update_or_create(giver=giver, puzzle=puzzle, defaults={"stamp": stamp})


def thanks_for(puzzles: Iterable[AssignedPuzzle]) -> dict[int, list[tuple[str, str, int]]]:
    """Return the thanks for the puzzles: by primary key the stamps, their words and numbers.

    One query.
    """
    rows = Thanks.objects.filter(puzzle__in=puzzles).order_by("stamp")
    thanks: dict[int, list[tuple[str, str, int]]] = {}
    for puzzle, stamp, number in rows.values_list("puzzle", "stamp").annotate(Count("pk")):
        thanks.setdefault(puzzle, []).append((stamp, str(Thanks.Stamp(stamp).label), number))
    return thanks


# How classmates did


@dataclass(frozen=True, slots=True)
class PuzzleOutcome:
    """How classmates did at a puzzle. Its author is not counted."""

    tried: int
    solved: int
    lost: int
    """The number of students whose first wrong move, which lost the last solution, is known."""
    number: int = 0
    """The number, in its line, of the most common first wrong move; 0 if there is none."""
    move: Message | None = None
    students: int = 0
    """The number of students who made that move first."""


def outcomes(puzzles: Iterable[AssignedPuzzle]) -> dict[int, PuzzleOutcome]:
    """Return a mapping from primary keys to outcomes of puzzles in galleries, in two queries."""
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    attempts = (
        Attempt.objects.filter(
            puzzle__in=by_pk,
            next_step__gt=0,
            puzzle__assignment__classroom__enrolments__student=F("student"),
        )
        .exclude(student=F("puzzle__written__author"))
        .select_related("look")
        .order_by("-pk")
    )
    latest = list(attempts[:MAX_ATTEMPTS])[::-1]
    reviews = known_reviews(
        review_key(by_pk[attempt.puzzle_id], attempt.line) for attempt in latest if attempt.line
    ).reviews
    tried: dict[int, set[int]] = {pk: set() for pk in by_pk}
    solved: dict[int, set[int]] = {pk: set() for pk in by_pk}
    wrong: dict[int, dict[int, tuple[int, str]]] = {pk: {} for pk in by_pk}
    for attempt in latest:
        puzzle_id, student_id = attempt.puzzle_id, attempt.student_id
        tried[puzzle_id].add(student_id)
        if attempt.has_solved:
            solved[puzzle_id].add(student_id)
        review = reviews.get(review_key(by_pk[puzzle_id], attempt.line))
        look = getattr(attempt, "look", None)
        line, number = attempt.line, review.fatal if review else 0
        if not number and look and look.is_lost:
            line, number = look.line, look.since or 0
        moves = split_moves(line)
        if 0 < number <= len(moves):
            wrong[puzzle_id].setdefault(student_id, (number, moves[number - 1]))
    return {
        pk: _puzzle_outcome(puzzle, len(tried[pk]), len(solved[pk]), list(wrong[pk].values()))
        for pk, puzzle in by_pk.items()
    }


def _puzzle_outcome(
    puzzle: AssignedPuzzle, tried: int, solved: int, wrong: list[tuple[int, str]]
) -> PuzzleOutcome:
    if not wrong:
        return PuzzleOutcome(tried, solved, 0)
    (number, move), students = Counter(wrong).most_common(1)[0]
    described = puzzle.kind.describe(puzzle.kind.read_move(move))
    return PuzzleOutcome(tried, solved, len(wrong), number, described, students)
