"""Hints: who may take one, what it says of the board, and the way back to a board that lives.

A hint is the answer to the kind's question "hint" about the position, asked in the teacher's
name and computed exactly. The worker always tells everything; the student is shown what was
taken, level by level, and only while the board is the one it was asked about.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.outlook import told_outlook
from puzzleclass.play.services import StepRefused, take_step
from puzzleclass.puzzles.lookahead import LookAhead
from solvers.grid import HALF, centre, read_cell
from solvers.kind import Cell, split_moves
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Rect

Level = HintUse.Level


@dataclass(frozen=True, slots=True)
class HintCard:
    """What the student sees of hints at the board as it stands."""

    attempt: Attempt
    left: int
    """How many more may be taken at this puzzle."""
    level: int
    """The strongest one taken for this board; 0 when none."""
    job: Job | None
    """The worker's answer, or the way to it."""
    outlook: LookAhead | None
    """What is told of the board anyway, so that no hint need be spent on it."""

    @property
    def is_thinking(self) -> bool:
        return self.job is not None and not self.job.has_ended

    @property
    def has_failed(self) -> bool:
        """No answer will come by itself: the worker was stopped, or broke down."""
        return bool(self.level) and (
            self.job is None or (self.job.has_ended and not self._is_answered)
        )

    @property
    def note(self) -> Message | None:
        """Whether the board can still be solved, in words."""
        return self.job.remark if self._is_answered else None

    @property
    def says_state(self) -> bool:
        """The note and the way back are not told anyway."""
        return self.outlook is None

    @property
    def is_free(self) -> bool:
        """The worker found no answer in time, so the hint does not count."""
        return self._is_answered and self.job.value is None

    @property
    def is_lost(self) -> bool:
        return self._is_answered and self.job.value == 0

    @property
    def offers(self) -> list[tuple[Level, bool]]:
        """The levels, each with whether it has been taken.

        Those that were keep their place, so that a press too many lands on a hint that is paid
        for. A board that is lost, or undecided, has no next move to be told.
        """
        if (self._is_answered and self.job.value != 1) or (self.outlook and self.outlook.is_lost):
            return []
        levels = [level for level in Level if self.says_state or level != Level.ALIVE]
        offers = [(level, level <= self.level) for level in levels]
        return offers if self.left or self.level else []

    @property
    def keep(self) -> int | None:
        """When the board is lost: how many moves may stay, where going back helps."""
        return self._details.get("keep") if self.is_lost else None

    @property
    def wrong(self) -> list[str]:
        """When the board is lost: the squares to be cleared, as `row,column`."""
        return (self._details.get("wrong") or []) if self.is_lost else []

    @property
    def doomed(self) -> list[str]:
        """When the board is lost: the stones that can't get their colour, as `row,column`."""
        return self._details.get("doomed", []) if self.is_lost and self.says_state else []

    @property
    def region(self) -> list[str]:
        """The points among which the next move is, as `row,column`."""
        return self._details.get("region", []) if self.level >= Level.REGION else []

    @property
    def told(self) -> Message | None:
        """The next move, in words."""
        if self._move is None:
            return None
        kind = self.attempt.puzzle.kind
        return kind.told(kind.read_move(self._move))

    def mark(self, picture: Picture) -> Picture:
        """Return the board with the places that the hint speaks of."""
        squares = (
            Rect(x - HALF + 2, y - HALF + 2, CELL - 4, CELL - 4, "hinted-region", corner=6)
            for x, y in map(centre, _cells([] if self._move else self.region))
        )
        wrong = (Circle(*centre(cell), HALF - 2, "fault") for cell in _cells(self.wrong))
        doomed = (Circle(*centre(cell), HALF - 2, "doomed") for cell in _cells(self.doomed))
        # A move ends in the point that it is about.
        points = _cells([self._move.split()[-1]] if self._move else [])
        rings = (Circle(*centre(cell), HALF - 3, "hinted-move") for cell in points)
        return picture.with_marks([*squares, *wrong, *doomed, *rings])

    @property
    def _is_answered(self) -> bool:
        return self.job is not None and self.job.state == Job.State.DONE

    @property
    def _details(self) -> dict[str, Any]:
        return self.job.details if self._is_answered else {}

    @property
    def _move(self) -> str | None:
        is_paid = self.level >= Level.NEXT and self._is_answered and self.job.value == 1
        return next(iter(self.job.answer["moves"]), None) if is_paid else None


def _cells(texts: Iterable[str]) -> list[Cell]:
    return [read_cell(text) for text in texts]


def hint_card(attempt: Attempt, outlook: LookAhead | None = None) -> HintCard | None:
    """Return the card for the try as it stands, or None where there are no hints. Two queries.

    `outlook` is what is told of the board anyway.
    """
    puzzle = attempt.puzzle
    if not puzzle.assignment.hints or "hint" not in puzzle.kind.questions:
        return None
    taken = _taken(attempt)
    level = _level(attempt, taken)
    left = max(0, puzzle.assignment.hints - _paid(attempt, taken))
    job = jobs.find(puzzle.kind_slug, "hint", attempt.position_text) if level else None
    return HintCard(attempt, left, level, job, outlook)


def _taken(attempt: Attempt) -> list[tuple[str, int]]:
    """Return line and level of all the hints the student has taken at the puzzle, in any try."""
    mine = HintUse.objects.filter(
        attempt__student=attempt.student_id, attempt__puzzle=attempt.puzzle_id
    )
    return list(mine.values_list("line", "level"))


def _paid(attempt: Attempt, taken: list[tuple[str, int]]) -> int:
    """Return how many of the hints taken count: not those to which the worker found no answer."""
    if not taken:
        return 0
    puzzle = attempt.puzzle
    keys = {
        line: job_key(puzzle.kind_slug, "hint", attempt.position_text_after(line))
        for line, _ in taken
    }
    asked = Job.objects.filter(key__in=keys.values(), state=Job.State.DONE)
    free = set(asked.filter(answer__value=None).values_list("key", flat=True))
    return sum(keys[line] not in free for line, _ in taken)


def _level(attempt: Attempt, taken: list[tuple[str, int]]) -> int:
    return max((level for line, level in taken if line == attempt.line), default=0)


@transaction.atomic
def ask_hint(
    attempt: Attempt, step: int, level: Level, at: datetime | None = None
) -> HintUse | None:
    """Take a hint for the board as it is before step number `step`, and ask the worker for it.

    Returns its record; None when this was taken for the same board before (or more was), which
    costs nothing. Raises StepRefused: none left or none allowed, past due, board gone on, or told
    to be lost.
    """
    at = at or timezone.now()
    # The lock lets two windows count one after the other what is left. A later try can't be
    # begun meanwhile: that closes this one, so this row is all there is to lock.
    attempt = (
        Attempt.objects.select_for_update(of=("self",))
        .select_related("puzzle__assignment__teacher")
        .get(pk=attempt.pk)
    )
    puzzle, assignment = attempt.puzzle, attempt.puzzle.assignment
    if not assignment.hints or "hint" not in puzzle.kind.questions:
        raise StepRefused(Message("There are no hints for this puzzle."), 409)
    if assignment.due_at <= at:
        raise StepRefused(Message("The due date has passed. There are no more hints."), 409)
    if attempt.state != Attempt.State.OPEN or attempt.next_step != step:
        raise StepRefused(
            Message("The board has changed meanwhile. Ask for a hint again if you need one."), 409
        )
    told = told_outlook(attempt)
    if told and told.is_lost:
        raise StepRefused(
            Message("This can't be solved any more: no move helps. Go back some moves."), 409
        )
    taken = _taken(attempt)
    use = None
    if _level(attempt, taken) < level:
        if _paid(attempt, taken) >= assignment.hints:
            raise StepRefused(Message("You have no hint left for this puzzle."), 409)
        use = HintUse.objects.create(
            attempt=attempt, step=step, line=attempt.line, level=level, at=at
        )
    jobs.ask(assignment.teacher, puzzle.kind_slug, "hint", attempt.position_text)
    return use


@transaction.atomic
def back_to_live(attempt: Attempt, step: int) -> Attempt:
    """Take back the moves after which the puzzle could not be solved any more, as steps.

    Returns the try as it stands then. Raises StepRefused when the board has gone on since, or
    neither the outlook nor a hint has said which moves may stay.
    """
    outlook = told_outlook(attempt)
    says = (outlook, hint_card(attempt, outlook))
    keep = next((said.keep for said in says if said and said.keep is not None), None)
    if keep is None or attempt.next_step != step:
        raise StepRefused(
            Message("The board has changed meanwhile. Ask for a hint again if you need one."), 409
        )
    for number in range(step, step + len(split_moves(attempt.line)) - keep):
        attempt = take_step(attempt, number, Step.Action.UNDO)
    return attempt
