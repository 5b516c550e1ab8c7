"""The phases of a lesson that was started from a plan, and what the button “Next” presses."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import is_running, running_pace
from puzzleclass.lessons.models import Question
from puzzleclass.sharing.phases import Phase, phases_of


@dataclass(frozen=True)
class Course:
    """The course of a lesson, and where the lesson is."""

    phases: tuple[Phase, ...]
    at: int
    """The number of the phase, from 1; 0 before the first."""
    seconds_left: int
    """The seconds that the plan leaves for the phase."""

    @property
    def now(self) -> Phase | None:
        return self.phases[self.at - 1] if self.at else None

    @property
    def next(self) -> Phase | None:
        return self.phases[self.at] if self.at < len(self.phases) else None

    @property
    def next_number(self) -> int:
        return self.at + 1

    @property
    def minutes(self) -> int:
        return sum(phase.minutes for phase in self.phases)


def course_of(assignment: Assignment) -> Course | None:
    """Return the course of the assignment's lesson; None if it has no plan. No query if the pace
    was read."""
    pace: Pace | None = getattr(assignment, "pace", None)
    if pace is None or not pace.phases:
        return None
    phases = phases_of(pace.phases)
    at = min(pace.phase, len(phases)) if is_running(pace) else 0
    left = 0.0
    if at and pace.phase_at:
        ends_at = pace.phase_at + timedelta(minutes=phases[at - 1].minutes)
        left = (ends_at - timezone.now()).total_seconds()
    return Course(phases, at, max(0, round(left)))


@dataclass(frozen=True)
class KeptBack:
    """What the class is not shown with the answer to a question."""

    total: bool = False
    """How many solutions there are."""
    solution: bool = False
    """A whole solution."""


def kept_back(question: Question) -> KeptBack:
    """Return what is kept back of the answer to a question: totals that the assignment hides, and
    what a later phase of the plan asks. Without a plan, a whole solution is kept back where the
    assignment hides totals or asks for several solutions. One query at most."""
    assignment = question.assignment
    course = course_of(assignment) if running_pace(assignment) else None
    later = [phase.action for phase in course.phases[course.at :]] if course else []
    boards = {each.number for each in (question.puzzle, question.other_puzzle) if each}
    looks_on = course is None and (not assignment.shows_total or assignment.wanted != 1)
    is_counted_later = any(
        (each.verb, each.what) == ("ask", "count") and each.board in boards for each in later
    )
    return KeptBack(
        question.sort != Question.Sort.COUNT and (not assignment.shows_total or is_counted_later),
        looks_on
        or any(
            each.verb == "free"
            or (each.board in boards and each.verb in ("lead", "look-back"))
            or (each.what == "solve" and each.board in boards)
            for each in later
        ),
    )


Button = tuple[str, dict[str, str]]
"""The name of a button, and the fields of its form."""


def presses_of(phase: Phase, boards: Sequence[AssignedPuzzle]) -> list[Button]:
    """Return the buttons that the action of a phase presses, each with the fields of its form.

    An action about a board that the assignment no longer has presses nothing.
    """
    action = phase.action
    board = next((each for each in boards if each.number == action.board), None)
    if not action.verb or (action.board and board is None):
        return []
    key = str(board.pk) if board else ""
    clock: list[Button] = [(f"clock:{action.minutes}", {})] if action.minutes else []
    twice = {"switches": "on"} | ({"twice": "on"} if action.is_twice else {})
    match action.verb, action.what:
        case "lead", _any:
            return [(f"send:{key}", {}), *clock]
        case "free", _any:
            return [("free", {}), *clock]
        case "ask", ("number" | "sentence") as form:
            words = {"words": phase.question, "answer_form": form, "right": action.right}
            return [("ask:free", words | twice)]
        case "ask", what:
            return [(f"ask:{what}", {"board": key, "said": phase.question} | twice)]
        case "show", "wall":
            return [("show:wall", {})]
        case "show", what:
            return [(f"show:{what} {key}", {})]
    fields = {"message": phase.question, "board": key}
    return [("look-back:exit" if key else "look-back", fields)]
