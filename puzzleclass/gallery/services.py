"""The gallery of a class: puzzles that students write, and that classmates solve.

It is an assignment of the class that grows: what is approved becomes one of its puzzles, so that
tries, hints, the wall and the table are those of any puzzle. A class has none until its teacher
opens one: whoever lets students show each other what they write has to have time to read it.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User, spend
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.assignments.services import ask_about_given
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.models import Classroom
from puzzleclass.http import QuotaReached
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.answers import COUNT, ask_about, known_counts
from puzzleclass.stats.reviews import known_reviews, review_key
from solvers.kind import split_moves
from solvers.message import Message

MOST_SHOWN = 100
"""Puzzles in one gallery."""

COUNTS_A_DAY = 100
"""That a student may have made."""

MOST_TRIES = 5000
"""The latest that are read."""

State = WrittenPuzzle.State

_COUNTS_NOW = Message("Your last count still goes on. Wait for it, or stop it.")
_ENOUGH_COUNTS = Message("You have had very many puzzles counted today. Please go on tomorrow.")


class Refused(Exception):
    """Something that can't be done with a puzzle now; the text says why, in the reader's words."""


# The teacher's switch


def gallery_of(classroom: Classroom) -> Assignment | None:
    """Return the class's gallery, open or closed; None if it never had one."""
    return classroom.assignments.filter(is_gallery=True).first()


def open_gallery(classroom: Classroom, teacher: User) -> Assignment:
    """Let the students of the class hand puzzles in, and solve those that are approved."""
    given = {"teacher": teacher, "title": _("Gallery"), "due_at": NEVER_DUE}
    gallery, is_new = classroom.assignments.get_or_create(is_gallery=True, defaults=given)
    if not is_new and gallery.is_over:
        Assignment.objects.filter(pk=gallery.pk).update(due_at=NEVER_DUE)
        gallery.due_at = NEVER_DUE
    return gallery


def close_gallery(classroom: Classroom) -> None:
    """Take nothing more, neither puzzles nor moves; all that is there can be looked at."""
    now = timezone.now()
    classroom.assignments.filter(is_gallery=True, due_at__gt=now).update(due_at=now)


def open_for(student: User) -> QuerySet[Classroom]:
    """Return the student's classes that have an open gallery."""
    gallery = {"assignments__is_gallery": True, "assignments__due_at__gt": timezone.now()}
    return Classroom.objects.filter(students=student, archived_at=None, **gallery).order_by("pk")


def has_gallery(student: User) -> bool:
    """Return whether the student has a gallery to go to, or puzzles of their own. One query."""
    galleries = Assignment.objects.filter(is_gallery=True, classroom__students=student)
    mine = student.written_puzzles.order_by()
    return galleries.order_by().values("pk").union(mine.values("pk"), all=True).exists()


# The author


def count(written: WrittenPuzzle) -> Job:
    """Have the author's puzzle counted: one at a time, and so many a day. Raises QuotaReached."""
    with transaction.atomic():
        # The lock makes two presses at the same moment come one after the other.
        author = User.objects.select_for_update().get(pk=written.author_id)
        job = ask_about(author, written, COUNT)
        mine = Job.objects.filter(askers=author, question=COUNT).exclude(state__in=Job.ENDED)
        if mine.exclude(pk=job.pk).exists():
            raise QuotaReached(_COUNTS_NOW)
        if not spend(f"counts of {author.pk}", COUNTS_A_DAY, A_DAY):
            raise QuotaReached(_ENOUGH_COUNTS)
    return job


def hand_in(written: WrittenPuzzle, classroom: Classroom) -> None:
    """Show the puzzle to the teachers of the class. Raises Refused."""
    known = known_counts([written]).get(written.pk)
    if written.obstacle or (known and known.is_hopeless):
        raise Refused(_("This puzzle cannot be solved. Change it first."))
    editable = WrittenPuzzle.objects.editable().filter(pk=written.pk)
    # An update can't follow the way to the gallery by itself.
    WrittenPuzzle.objects.filter(pk__in=editable.values("pk")).update(
        state=State.WAITING, classroom=classroom, changed_at=timezone.now()
    )


def take_back(written: WrittenPuzzle) -> None:
    """Make a puzzle that waits a draft again."""
    WrittenPuzzle.objects.filter(pk=written.pk, state=State.WAITING).update(state=State.DRAFT)


# The teacher


def handed_in(classroom: Classroom) -> QuerySet[WrittenPuzzle]:
    """Return what waits for the teachers of the class, the oldest first."""
    waiting = classroom.written_puzzles.filter(
        state=State.WAITING, author__in=classroom.students.all()
    )
    return waiting.select_related("author").order_by("changed_at", "pk")


@transaction.atomic
def approve(written: WrittenPuzzle, gallery: Assignment, seen: str) -> AssignedPuzzle:
    """Put a puzzle that waits into the gallery, as the teacher has `seen` it. Raises Refused."""
    waiting = WrittenPuzzle.objects.select_for_update().filter(pk=written.pk, state=State.WAITING)
    now = waiting.first()
    if now is None or now.mark != seen:
        raise Refused(_("The author has changed it meanwhile. Please look again."))
    shown = gallery.puzzles.aggregate(last=Max("number"))["last"] or 0
    if gallery.puzzles.count() >= MOST_SHOWN:
        raise Refused(
            _("The gallery is full: {n} puzzles. Take one down first.").format(n=MOST_SHOWN)
        )
    waiting.update(state=State.SHOWN, word="")
    given = gallery.puzzles.create(number=shown + 1, written=now, **now.copied)
    with suppress(QuotaReached):
        ask_about_given(gallery.teacher, given)
    return given


@transaction.atomic
def send_back(written: WrittenPuzzle, word: str) -> None:
    """Give a puzzle that waits, or is shown, back to its author with a word.

    What was shown leaves the gallery, and the tries at it go.
    """
    AssignedPuzzle.objects.filter(written=written).delete()
    there = WrittenPuzzle.objects.filter(pk=written.pk, state__in=(State.WAITING, State.SHOWN))
    there.update(state=State.RETURNED, word=word)


# How classmates fared


@dataclass(frozen=True, slots=True)
class Outcome:
    """How classmates fared with a puzzle, its author left out."""

    tried: int
    solved: int
    lost: int
    """Of whom a first wrong move is known: after it no solution was left, exactly."""
    number: int = 0
    """The place in the line of the wrong move that most made first; 0 where there is none."""
    move: Message | None = None
    students: int = 0
    """Who made just that one."""


def outcomes(puzzles: Iterable[AssignedPuzzle]) -> dict[int, Outcome]:
    """Return pk -> outcome, of puzzles that are in galleries. Two queries."""
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    tries = (
        Attempt.objects.filter(
            puzzle__in=by_pk,
            next_step__gt=0,
            puzzle__assignment__classroom__enrolments__student=F("student"),
        )
        .exclude(student=F("puzzle__written__author"))
        .select_related("look")
        .order_by("-pk")
    )
    read = list(tries[:MOST_TRIES])[::-1]
    reviews = known_reviews(
        review_key(by_pk[attempt.puzzle_id], attempt.line) for attempt in read if attempt.line
    ).reviews
    tried: dict[int, set[int]] = {pk: set() for pk in by_pk}
    solved: dict[int, set[int]] = {pk: set() for pk in by_pk}
    wrong: dict[int, dict[int, tuple[int, str]]] = {pk: {} for pk in by_pk}
    for attempt in read:
        at, who = attempt.puzzle_id, attempt.student_id
        tried[at].add(who)
        if attempt.has_solved:
            solved[at].add(who)
        review = reviews.get(review_key(by_pk[at], attempt.line))
        look = getattr(attempt, "look", None)
        line, number = attempt.line, review.fatal if review else 0
        if not number and look and look.is_lost:
            line, number = look.line, look.since or 0
        moves = split_moves(line)
        if 0 < number <= len(moves):
            wrong[at].setdefault(who, (number, moves[number - 1]))
    return {
        pk: _outcome(puzzle, len(tried[pk]), len(solved[pk]), list(wrong[pk].values()))
        for pk, puzzle in by_pk.items()
    }


def _outcome(
    puzzle: AssignedPuzzle, tried: int, solved: int, wrong: list[tuple[int, str]]
) -> Outcome:
    if not wrong:
        return Outcome(tried, solved, 0)
    (number, move), students = Counter(wrong).most_common(1)[0]
    described = puzzle.kind.describe(puzzle.kind.read_move(move))
    return Outcome(tried, solved, len(wrong), number, described, students)
