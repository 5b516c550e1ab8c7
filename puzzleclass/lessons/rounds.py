"""Rounds: the whole class plays one board from the same second on.

Nothing is stored about the students. Who has solved the board, and after how many seconds, follows
from the attempts that were begun in the round, so a move that arrives late after a lost connection
counts like any other.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Pace
from puzzleclass.assignments.pace import change_pace, running_pace, send_to
from puzzleclass.classes.models import Enrolment, Group
from puzzleclass.errors import QuotaReached
from puzzleclass.lessons.models import Round, Vote
from puzzleclass.play.attempts import begin_anew
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.templating.templatetags.words import clock
from solvers.message import Message
from solvers.picture import Picture


def running_round(assignment: Assignment) -> Round | None:
    """Return the round that the class plays, or whose result is shown. One query.

    A round that was never ended ends with its lesson.
    """
    lately = timezone.now() - Pace.LASTS
    rounds = Round.objects.filter(assignment=assignment, is_over=False, starts_at__gt=lately)
    found = rounds.select_related("puzzle").first()
    if found:
        found.assignment = found.puzzle.assignment = assignment
    return found


@transaction.atomic
def begin_round(puzzle: AssignedPuzzle) -> Round:
    """Lead the class to an untouched board that takes steps after the countdown.

    A vote or a round that is running ends. Raise QuotaReached if there are too many rounds.
    """
    assignment = puzzle.assignment
    if assignment.rounds.count() >= Round.MAX_COUNT:
        raise QuotaReached(
            Message(
                "This assignment already has {most} rounds, which is the maximum.",
                {"most": Round.MAX_COUNT},
            )
        )
    starts_at = timezone.now() + Round.COUNTDOWN
    # The pace comes first. Its lock makes two presses at once wait for each other.
    send_to(puzzle)
    change_pace(
        assignment,
        starts_at=starts_at,
        is_paused=False,
        paused_at=None,
        clock_ends_at=None,
        shown="question",
    )
    assignment.rounds.filter(is_over=False).update(is_over=True)
    assignment.votes.exclude(stage=Vote.Stage.OVER).update(stage=Vote.Stage.OVER)
    begin_anew(puzzle, starts_at)
    return assignment.rounds.create(puzzle=puzzle, starts_at=starts_at)


def end_round(running: Round) -> None:
    """End the round and show its result. Solutions that are found from now on do not count."""
    still_on = Round.objects.filter(pk=running.pk, ended_at=None, starts_at__lte=timezone.now())
    if still_on.update(ended_at=timezone.now()):
        change_pace(running.assignment)


def leave_round(running: Round) -> None:
    """Go on with the lesson."""
    Round.objects.filter(pk=running.pk).update(is_over=True)
    change_pace(running.assignment, starts_at=None, board=None, shown="wall")


def hold_round(assignment: Assignment, since: datetime) -> None:
    """Take a pause that began at `since` and ends now out of the time of the running round."""
    running, now = running_round(assignment), timezone.now()
    if running is None or running.ended_at:
        return
    if running.starts_at > since:
        running.starts_at += now - max(since, running.starts_at - Round.COUNTDOWN)
        running.save(update_fields=["starts_at"])
        change_pace(assignment, starts_at=running.starts_at)
    elif len(running.pauses) < Round.MAX_PAUSES:
        at = (since - running.starts_at).total_seconds()
        running.pauses.append([at, (now - since).total_seconds()])
        running.save(update_fields=["pauses"])


def show_places(running: Round, shows_places: bool) -> None:
    """Show or hide the order in which the students have solved the board."""
    Round.objects.filter(pk=running.pk).update(shows_places=shows_places)
    change_pace(running.assignment)


# What has happened in a round


class Finish(NamedTuple):
    """A student in a round."""

    enrolment: Enrolment
    seconds: int | None
    """The seconds from the start to the solution; None until the student has solved the board."""
    place: int | None
    """The place among those who have solved it; equal seconds share a place."""

    @property
    def time(self) -> str:
        return "" if self.seconds is None else clock(self.seconds)


class Team(NamedTuple):
    """A group of the class in a round."""

    group: Group
    solved: int
    size: int


@dataclass(frozen=True)
class RoundResult:
    """A round as it stands now."""

    round: Round
    finishes: list[Finish]
    """The students in the order of the class list."""
    teams: list[Team]
    """The groups of the class, by name, if there are at least two of them."""
    earlier: Round | None
    """The round before this one that the class has played on the same board."""
    earlier_seconds: list[int]
    """The seconds of those who solved the board in that round, in order."""

    @property
    def seconds(self) -> list[int]:
        """The seconds of those who have solved the board, in order."""
        return sorted(each.seconds for each in self.finishes if each.seconds is not None)

    @property
    def solved(self) -> int:
        return len(self.seconds)

    @property
    def elapsed(self) -> int:
        """The seconds since the start, or from the start to the end."""
        return max(0, _seconds(self.round, self.round.ended_at or self._now))

    @property
    def _now(self) -> datetime:
        """The time, which stands still in a pause."""
        pace = running_pace(self.round.assignment)
        return (pace and pace.paused_at) or timezone.now()

    @property
    def milliseconds(self) -> int:
        """The milliseconds since the start; negative before it."""
        at = self._now
        paused = _paused(self.round, (at - self.round.starts_at).total_seconds())
        return round((at - self.round.starts_at).total_seconds() * 1000 - paused * 1000)

    @property
    def is_held(self) -> bool:
        """Whether a pause holds the clock."""
        pace = running_pace(self.round.assignment)
        return bool(pace and pace.is_paused)

    @property
    def begins_in(self) -> int:
        """The milliseconds until the start; negative after it."""
        return -self.milliseconds

    @property
    def time(self) -> str:
        return clock(self.elapsed)

    @property
    def half_time(self) -> str:
        """The time after which half of the class had solved the board; empty before that."""
        return _half_time(self.seconds, len(self.finishes))

    @property
    def earlier_half_time(self) -> str:
        """The same time of the earlier round; empty if less than half of the class solved it."""
        return _half_time(self.earlier_seconds, len(self.finishes))

    @property
    def earlier_solved(self) -> int:
        """How many had solved the board in the earlier round after the same time."""
        return sum(seconds <= self.elapsed for seconds in self.earlier_seconds)

    @property
    def shown(self) -> list[Finish]:
        """The students as the stage shows them: by place if places are shown."""
        if not self.round.shows_places:
            return self.finishes
        return sorted(self.finishes, key=lambda each: each.place or len(self.finishes) + 1)

    @property
    def picture(self) -> Picture:
        """The untouched board."""
        return self.round.puzzle.kind.draw(self.round.puzzle.start)

    @property
    def version(self) -> tuple[object, ...]:
        """A value that changes with what the stage shows, except for the clocks."""
        late = self.earlier_solved if self.round.has_started else None
        return (self.round.pk, self.round.has_started, self.round.ended_at, self.seconds, late)


def result_of(running: Round) -> RoundResult:
    """Return the round as it stands now. Seven queries, for any number of students and rounds."""
    assignment, puzzle = running.assignment, running.puzzle
    enrolments = list(enrolments_of(assignment).select_related("student").order_by("number"))
    students = {each.student_id for each in enrolments}
    same_board = Round.objects.filter(
        assignment__classroom=assignment.classroom_id,
        assignment__deleted_at=None,
        puzzle__kind_slug=puzzle.kind_slug,
        puzzle__position=puzzle.position,
        pk__lt=running.pk,
    )
    earlier = same_board.exclude(ended_at=None).first()
    solved = _solved_in([running, earlier] if earlier else [running], students)
    seconds = {
        each.pk: {student: _seconds(each, at) for student, at in solved[each.pk].items()}
        for each in (running, earlier)
        if each
    }
    mine = seconds[running.pk]
    places = {each: 1 + at for at, each in reversed(list(enumerate(sorted(mine.values()))))}
    finishes = [
        Finish(each, mine.get(each.student_id), places.get(mine.get(each.student_id, -1)))
        for each in enrolments
    ]
    return RoundResult(
        running,
        finishes,
        _teams(assignment, students, mine),
        earlier,
        sorted(seconds[earlier.pk].values()) if earlier else [],
    )


def _solved_in(
    rounds: Collection[Round], students: Collection[int]
) -> Mapping[int, dict[int, datetime]]:
    """Return round pk -> student -> the time of the student's first solution in the round.

    That is the time at which the solution was stored. If the student had found the same one before
    the round, it is the end of the attempt. Two queries.
    """
    puzzles = {each.puzzle_id for each in rounds}
    attempts = Attempt.objects.filter(puzzle__in=puzzles, student__in=students, has_solved=True)
    ended = attempts.order_by().values_list("puzzle", "student", "started_at", "last_at")
    found = FoundSolution.objects.filter(puzzle__in=puzzles, student__in=students).order_by()
    first: dict[int, dict[int, datetime]] = defaultdict(dict)
    times = found.values_list("puzzle", "student", "found_at", "found_at")
    for puzzle, student, began_at, at in [*ended, *times]:
        for each in rounds:
            if puzzle != each.puzzle_id or began_at < each.starts_at:
                continue
            if at <= (each.ended_at or at):
                own = first[each.pk]
                own[student] = min(at, own.get(student, at))
    return first


def _seconds(of: Round, at: datetime) -> int:
    """Return the seconds from the start of the round to a moment, without its pauses."""
    seconds = (at - of.starts_at).total_seconds()
    return int(seconds - _paused(of, seconds))


def _paused(of: Round, seconds: float) -> float:
    """Return the seconds of pauses in the first seconds of the round."""
    pauses: list[tuple[float, float]] = of.pauses
    return sum(min(length, seconds - at) for at, length in pauses if at < seconds)


def _half_time(seconds: list[int], students: int) -> str:
    half = (students + 1) // 2
    return clock(seconds[half - 1]) if half and len(seconds) >= half else ""


def _teams(
    assignment: Assignment, students: Collection[int], solved: Collection[int]
) -> list[Team]:
    groups = list(assignment.classroom.groups.prefetch_related("members"))
    if len(groups) < 2:
        return []
    teams = []
    for group in groups:
        members = {each.student_id for each in group.members.all()} & set(students)
        teams.append(Team(group, len(members & set(solved)), len(members)))
    return [team for team in teams if team.size]
