"""What a class has done that solves one board together, from the same second on.

Nothing is stored about the students. Who has solved the board, and after how many seconds, follows
from the attempts that were begun since, so a move that arrives late after a lost connection counts
like any other.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.classes.models import Enrolment, Group
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.questions import Sort
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.templating.templatetags.words import clock
from solvers.picture import Picture


class Finish(NamedTuple):
    """A student who solves the board with the class."""

    enrolment: Enrolment
    seconds: int | None
    """The seconds from the start to the solution; None until the student has solved the board."""
    place: int | None
    """The place among those who have solved it; equal seconds share a place."""

    @property
    def time(self) -> str:
        return "" if self.seconds is None else clock(self.seconds)


class Team(NamedTuple):
    """A group of the class, and how many of it have solved the board."""

    group: Group
    solved: int
    size: int


@dataclass(frozen=True)
class Solving:
    """A board that is solved together, as it stands now."""

    question: Question
    finishes: list[Finish]
    """The students in the order of the class list."""
    teams: list[Team]
    """The groups of the class, by name, if there are at least two of them."""
    earlier: Question | None
    """The question before this one for which the class solved the same board."""
    earlier_seconds: list[int]
    """The seconds of those who solved the board then, in order."""

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
        ends = self.question.closes_at
        return max(0, _seconds(self.question, min(ends, self._now) if ends else self._now))

    @property
    def _now(self) -> datetime:
        """The time, which stands still in a pause."""
        pace = running_pace(self.question.assignment)
        return (pace and pace.paused_at) or timezone.now()

    @property
    def milliseconds(self) -> int:
        """The milliseconds since the start; negative before it."""
        seconds = (self._now - _start(self.question)).total_seconds()
        return round((seconds - _paused(self.question, seconds)) * 1000)

    @property
    def is_held(self) -> bool:
        """Whether a pause holds the clock."""
        pace = running_pace(self.question.assignment)
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
        """The same time of that question; empty if less than half of the class solved it."""
        return _half_time(self.earlier_seconds, len(self.finishes))

    @property
    def earlier_solved(self) -> int:
        """How many had solved the board then after the same time."""
        return sum(seconds <= self.elapsed for seconds in self.earlier_seconds)

    @property
    def shown(self) -> list[Finish]:
        """The students as a page shows them: by place if places are shown."""
        if not self.question.shows_places:
            return self.finishes
        return sorted(self.finishes, key=lambda each: each.place or len(self.finishes) + 1)

    @property
    def picture(self) -> Picture | None:
        """The untouched board."""
        puzzle = self.question.puzzle
        return puzzle.picture if puzzle else None

    @property
    def version(self) -> tuple[object, ...]:
        """A value that changes with what a page shows, except for the clocks."""
        asked = self.question
        late = self.earlier_solved if asked.has_started else None
        stage = asked.shown_stage, bool(asked.closes_in), asked.shows_places
        return (asked.pk, asked.has_started, *stage, self.seconds, late, self.is_held)


def solving_of(running: Question) -> Solving:
    """Return what the class has done. Seven queries, for any number of students and questions."""
    assignment, puzzle = running.assignment, running.puzzle
    assert puzzle is not None
    enrolments = list(enrolments_of(assignment).select_related("student").order_by("number"))
    students = {each.student_id for each in enrolments}
    same_board = Question.objects.filter(
        sort=Sort.SOLVE,
        assignment__classroom=assignment.classroom_id,
        assignment__deleted_at=None,
        puzzle__kind_slug=puzzle.kind_slug,
        puzzle__position=puzzle.position,
        pk__lt=running.pk,
    )
    earlier = same_board.exclude(closes_at=None).first()
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
    return Solving(
        running,
        finishes,
        _teams(assignment, students, mine),
        earlier,
        sorted(seconds[earlier.pk].values()) if earlier else [],
    )


def _solved_in(
    questions: Collection[Question], students: Collection[int]
) -> Mapping[int, dict[int, datetime]]:
    """Return question pk -> student -> the time of the student's first solution since the start.

    That is the time at which the solution arrived, also if it was found before without a network.
    If the student had found the same one before, it is the end of the attempt. Two queries.
    """
    puzzles = {each.puzzle_id for each in questions}
    attempts = Attempt.objects.filter(puzzle__in=puzzles, student__in=students, has_solved=True)
    fields = "puzzle", "student", "started_at", "last_at", "arrived_at"
    solutions = FoundSolution.objects.filter(puzzle__in=puzzles, student__in=students).order_by()
    first: dict[int, dict[int, datetime]] = defaultdict(dict)
    ended: dict[tuple[int | None, int], list[tuple[datetime, ...]]] = defaultdict(list)
    for puzzle, student, began_at, at, arrived_at in attempts.order_by().values_list(*fields):
        ended[puzzle, student].append((began_at, at, arrived_at or at))
    times = [
        (*who, began, max(at, late)) for who, all_ in ended.items() for began, at, late in all_
    ]
    for puzzle, student, found_at in solutions.values_list("puzzle", "student", "found_at"):
        within = (late for began, at, late in ended[puzzle, student] if began <= found_at <= at)
        times.append((puzzle, student, found_at, max(found_at, *within, found_at)))
    for puzzle, student, began_at, at in times:
        for each in questions:
            if puzzle != each.puzzle_id or began_at < _start(each):
                continue
            if at <= (each.closes_at or at):
                own = first[each.pk]
                own[student] = min(at, own.get(student, at))
    return first


def _start(of: Question) -> datetime:
    return of.starts_at or of.begun_at


def _seconds(of: Question, at: datetime) -> int:
    """Return the seconds from the start to a moment, without the pauses."""
    seconds = (at - _start(of)).total_seconds()
    return int(seconds - _paused(of, seconds))


def _paused(of: Question, seconds: float) -> float:
    """Return the seconds of pauses in the first seconds."""
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
