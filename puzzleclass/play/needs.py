"""Who needs help now, and who is stuck now: one definition for the home page, the class table, the
wall and the lesson.

Three facts are kept apart. A *board* is stuck if no solution can be reached from it, however long
nobody has pressed it (`PuzzleState.STUCK`). A *student* is stuck now if the board at which the
student is, is stuck, and the student has pressed something lately or a lesson is running
(`stuck_now`). A student *was stuck* at a puzzle if this was so at some time (`status.was_stuck`).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.language.reader import say
from puzzleclass.play.models import RefusedMove
from puzzleclass.play.progress import Progress
from puzzleclass.play.status import PuzzleState, PuzzleStatus
from solvers.message import Message

AWAY_AFTER = timedelta(minutes=3)
"""Students who have not pressed anything for this long are shown as away."""

RECENT = timedelta(minutes=12)
"""Unless a lesson is running, students who have not pressed anything for this long are not shown as
needing help: the lesson is over, or the student is not there."""

REFUSALS_LATELY = timedelta(minutes=2)
MANY_REFUSALS = 3
"""The number of moves against the rules within `REFUSALS_LATELY` that shows that a student does not
know the rules."""

MANY_TRIES = 4
"""The number of attempts at one puzzle from which on a student seems to guess."""


class Reason(IntEnum):
    """Why a student needs help. The most pressing reason has the lowest number."""

    ASKED = 0
    STUCK = 1
    AGAINST_THE_RULES = 2
    IDLE = 3
    GUESSING = 4
    NOT_STARTED = 5


class Need(NamedTuple):
    """A student's need of help. The most pressing needs sort first."""

    reason: Reason
    seconds: float
    """Seconds since the last press. Of equal reasons, the latest press comes first."""
    words: str
    """The reason in words."""
    is_stuck: bool = False
    """Whether the student is stuck now, whatever is the most pressing reason."""


class Refusal(NamedTuple):
    """A move that the rules have refused within `REFUSALS_LATELY`."""

    times: int
    reason: Message


class Whereabouts(NamedTuple):
    """Where a student is: the puzzle at which the student last did something."""

    puzzle: int
    """The primary key of the puzzle."""
    status: PuzzleStatus
    last_at: datetime


def places_in(progress: Progress) -> dict[int, Whereabouts]:
    """Return the place of each student (pk) who has opened a board, among the puzzles given."""
    places: dict[int, Whereabouts] = {}
    for (student, puzzle), status in progress.items():
        if status.last_at is None:
            continue
        place = places.get(student)
        if place is None or place.last_at < status.last_at:
            places[student] = Whereabouts(puzzle, status, status.last_at)
    return places


def idle_time(assignment: Assignment, last_at: datetime, now: datetime) -> timedelta:
    """Return for how long a student has pressed nothing who pressed last at `last_at`. The time in
    which the class could not play does not count. No query if the pace was read."""
    pace = running_pace(assignment)
    if pace is None:
        return now - last_at
    return timedelta() if pace.holds_boards else now - max(last_at, pace.plays_since or last_at)


def stuck_now(assignment: Assignment, progress: Progress) -> set[int]:
    """Return the students (pks) who are stuck now.

    `progress` has the statuses at all puzzles of the assignment. One query, unless the assignment's
    `pace` has been read.
    """
    in_lesson, now = running_pace(assignment) is not None, timezone.now()
    return {
        student
        for student, place in places_in(progress).items()
        if place.status.is_stuck and (in_lesson or now - place.last_at < RECENT)
    }


class Attending(NamedTuple):
    """What is marked about the students (pks) of a lesson."""

    absent: set[int]
    """Those whom the teacher has marked as absent and who have done nothing since."""
    asked: dict[int, datetime]
    """Those who have said that they don't understand, and when."""
    came: set[int]
    """Those who have come to the lesson and are not absent."""


def attending_now(assignment: Assignment, progress: Progress) -> Attending:
    """Return what is marked about the students now. One query in a lesson, besides the one for the
    assignment's `pace`; otherwise none."""
    pace = running_pace(assignment)
    if pace is None:
        return Attending(set(), {}, set())
    places = places_in(progress)
    since = pace.begun_at
    marked = Attendance.objects.filter(assignment=assignment).order_by()
    marked = marked.filter(Q(absent_at__gte=since) | Q(asked_at__gte=since) | Q(came_at__gte=since))
    absent, asked = set(), {}
    came = {student for student, place in places.items() if since and place.last_at >= since}
    rows = marked.values_list("student", "absent_at", "asked_at", "came_at")
    for student, absent_at, asked_at, came_at in rows:
        if came_at and since and came_at >= since:
            came.add(student)
        if asked_at:
            asked[student] = asked_at
        elif absent_at and (student not in places or places[student].last_at <= absent_at):
            absent.add(student)
    return Attending(absent, asked, came - absent)


def refusals_lately(assignment: Assignment) -> dict[int, list[Refusal]]:
    """Return the moves that the rules have refused lately, by student (pk). One query."""
    refusals: dict[int, list[Refusal]] = {}
    since = timezone.now() - REFUSALS_LATELY
    moves = RefusedMove.objects.filter(puzzle__assignment=assignment, at__gt=since).order_by()
    for student, times, reason in moves.values_list("student", "times", "reason"):
        refusals.setdefault(student, []).append(Refusal(times, Message.from_json(reason)))
    return refusals


def needs_of(
    assignment: Assignment,
    progress: Progress,
    refusals: Mapping[int, Sequence[Refusal]],
    attending: Attending,
    only: int = 0,
) -> dict[int, Need]:
    """Return the needs of the students (pk) who need help now.

    `progress` has the statuses at all puzzles of the assignment, and `refusals` the moves that the
    rules have refused each student lately. With `only`, the primary key of a puzzle, the needs are
    those at this puzzle, and those of students who have asked for help. Those who are absent need
    none, and who has not come to a lesson is neither idle nor late. While nobody can play, only
    those who have asked need help. One query, unless the assignment's `pace` has been read.
    """
    pace, now = running_pace(assignment), timezone.now()
    in_lesson, is_held = pace is not None, pace is not None and pace.holds_boards
    places, stuck = places_in(progress), stuck_now(assignment, progress)
    students = {student for student, _puzzle in progress} - attending.absent
    here = attending.came if in_lesson else students
    class_begun = _has_half_begun(progress, here, only, now)
    needs: dict[int, Need] = {}
    for student in students:
        place = places.get(student)
        is_here = place is not None and place.puzzle == (only or place.puzzle)
        status = progress[student, only] if only else place and place.status
        confused = describe_confusion(refusals.get(student, ()))
        need = None
        if at := attending.asked.get(student):
            needs[student] = _need_of_asked(place, now - at, is_stuck=student in stuck)
            continue
        if is_held:
            continue
        if status and status.state in (PuzzleState.NOT_ASSIGNED, PuzzleState.SOLVED):
            continue
        if status and status.is_begun:
            if place and is_here:
                in_time = in_lesson or now - place.last_at <= RECENT
                idle = idle_time(assignment, place.last_at, now)
                need = _need_at(place, confused, idle, is_stuck=student in stuck, in_time=in_time)
        elif confused and (is_here or place is None):
            need = Need(Reason.AGAINST_THE_RULES, 0, confused)
        elif class_begun:
            need = Need(Reason.NOT_STARTED, 0, _("Has not started, though half the class has"))
        if need and (student in here or need.reason < Reason.IDLE):
            needs[student] = need
    return needs


def _has_half_begun(
    progress: Progress, students: Collection[int], only: int, now: datetime
) -> bool:
    """Return whether half of the students have begun, one of them lately."""
    begun, is_recent = set(), False
    for (student, puzzle), status in progress.items():
        if student in students and status.is_begun and puzzle == (only or puzzle):
            begun.add(student)
            is_recent |= status.last_at is not None and now - status.last_at < RECENT
    return is_recent and 2 * len(begun) >= len(students)


def _need_at(
    place: Whereabouts, confused: str, idle: timedelta, *, is_stuck: bool, in_time: bool
) -> Need | None:
    """Return the need of a student at the place where the student is, who has pressed nothing for
    the time `idle`."""
    status = place.status
    seconds = idle.total_seconds()
    if not (in_time or confused):
        return None
    if is_stuck:
        words = joined(describe_stuck(status), describe_found(status), describe_idle(idle))
        if status.is_jammed:
            words = _("{said}; no move is left").format(said=words)
        return Need(Reason.STUCK, seconds, words, is_stuck=True)
    if confused:
        return Need(Reason.AGAINST_THE_RULES, seconds, confused)
    if sentence := describe_idle(idle):
        return Need(Reason.IDLE, seconds, joined(describe_found(status), sentence))
    if status.attempts >= MANY_TRIES:
        words = _("Attempt {n} at this puzzle").format(n=status.attempts)
        return Need(Reason.GUESSING, seconds, words)
    return None


def _need_of_asked(place: Whereabouts | None, time: timedelta, *, is_stuck: bool) -> Need:
    """Return the need of a student who has asked for help, the longest time first."""
    minutes = int(time.total_seconds() // 60)
    said = _("Doesn't understand: {n} min ago").format(n=minutes)
    words = joined(said, describe_stuck(place.status) if place and is_stuck else "")
    return Need(Reason.ASKED, -time.total_seconds(), words, is_stuck)


# The words


def joined(*parts: str) -> str:
    """Return the parts that are not empty, as one text."""
    return " · ".join(filter(None, parts))


def describe_found(status: PuzzleStatus) -> str:
    """Return in words how many solutions are found; empty when only one is asked for."""
    if status.needed == 1:
        return ""
    return _("{found} of {needed}").format(found=status.found, needed=status.needed)


def describe_idle(time: timedelta) -> str:
    """Return in words how long nothing has been pressed; empty for a short time."""
    if time <= AWAY_AFTER:
        return ""
    minutes = int(time.total_seconds() // 60)
    if minutes >= 60:
        return _("No move for over an hour")
    return _("No move for {n} min").format(n=minutes)


def describe_stuck(status: PuzzleStatus) -> str:
    """Return in words that the board is stuck, and since which move if that is known."""
    if status.lost_at:
        return _("Stuck since move {n}").format(n=status.lost_at)
    return str(PuzzleState.STUCK.label)


def describe_confusion(refusals: Sequence[Refusal]) -> str:
    """Return in words that the student keeps making moves that the rules forbid; otherwise an empty
    text."""
    times = sum(refusal.times for refusal in refusals)
    if times < MANY_REFUSALS:
        return ""
    most = max(refusals, key=lambda refusal: refusal.times)
    return _("Moves that break the rules: {n}. {why}").format(n=times, why=say(most.reason))
