"""Hints and the look ahead: what they say of a board, and the way back to one that can be solved.

A hint is the answer to the kind's question "hint" about the position, asked in the teacher's
name and computed exactly. The worker always tells everything; the student is shown what was
taken, level by level, and only while the board is the one it was asked about. The look ahead is
its mildest level, asked by itself after every step where the teacher allows it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.attempts import StepRefused, take_step
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.puzzles.lookahead import OPTIONS, QUESTION, LookAhead, ask_lookahead, has_lookahead
from solvers.grid import HALF, centre, read_cell
from solvers.kind import Cell
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Rect

Level = HintUse.Level

_CHANGED = Message("The board has changed meanwhile. Ask for a hint again if you need one.")


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
    lookahead: LookAhead | None
    """What is said of the board anyway, so that no hint need be spent on it."""

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
        """The note and the way back are not said anyway."""
        return self.lookahead is None

    @property
    def is_free(self) -> bool:
        """The worker found no answer in time, so the hint does not count."""
        return _is_free(self.job)

    @property
    def is_lost(self) -> bool:
        return self._is_answered and self.job.value == 0

    @property
    def offers(self) -> list[tuple[Level, bool]]:
        """The levels, each with whether it has been taken.

        Those that were keep their place, so that a press too many lands on a hint that is paid
        for. A board that is lost, or undecided, has no next move to be said.
        """
        if (self._is_answered and self.job.value != 1) or (
            self.lookahead and self.lookahead.is_lost
        ):
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
    def described(self) -> Message | None:
        """The next move, in words."""
        if self._move is None:
            return None
        kind = self.attempt.puzzle.kind
        return kind.told(kind.read_move(self._move))

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the board with the places marked that the hint speaks of."""
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


def help_for(attempt: Attempt) -> tuple[LookAhead | None, HintCard | None]:
    """Return what is known of the open board ahead, and the card of hints; None for what the
    teacher does not allow, or the kind does not know. Two queries at most.
    """
    puzzle = attempt.puzzle
    has_hints = _has_hints(puzzle)
    taken = _taken(attempt) if has_hints else []
    keys = {line: _hint_key(attempt, line) for line, _ in taken}
    ahead = _lookahead_key(attempt) if _looks_ahead(attempt) else None
    wanted = {*keys.values(), *([ahead] if ahead else [])}
    found = Job.objects.in_bulk(wanted, field_name="key") if wanted else {}
    lookahead = LookAhead(ahead, found.get(ahead)) if ahead else None
    if not has_hints:
        return lookahead, None
    paid = sum(not _is_free(found.get(keys[line])) for line, _ in taken)
    level = max((level for line, level in taken if line == attempt.line), default=0)
    job = found.get(keys[attempt.line]) if level else None
    return lookahead, HintCard(
        attempt, max(0, puzzle.assignment.hints - paid), level, job, lookahead
    )


def _taken(attempt: Attempt) -> list[tuple[str, int]]:
    """Return line and level of all the hints the student has taken at the puzzle, in any try."""
    mine = HintUse.objects.filter(
        attempt__student=attempt.student_id, attempt__puzzle=attempt.puzzle_id
    )
    return list(mine.order_by().values_list("line", "level"))


def _hint_key(attempt: Attempt, line: str) -> str:
    return job_key(attempt.puzzle.kind_slug, QUESTION, attempt.position_text_after(line))


def _has_hints(puzzle: AssignedPuzzle) -> bool:
    return bool(puzzle.assignment.hints) and QUESTION in puzzle.kind.questions


def _lookahead_key(attempt: Attempt) -> str:
    return job_key(attempt.puzzle.kind_slug, QUESTION, attempt.position_text, OPTIONS)


def _looks_ahead(attempt: Attempt) -> bool:
    assignment = attempt.puzzle.assignment
    is_open = attempt.state == Attempt.State.OPEN and not assignment.is_over
    return assignment.warns and is_open and has_lookahead(attempt.puzzle.kind_slug)


def look_ahead(attempt: Attempt, step: int) -> LookAhead | None:
    """Return what is known of the board before step number `step`; have the worker asked if need
    be.

    None where it is not to be said, or the board has gone on since.
    """
    if not _looks_ahead(attempt) or attempt.next_step != step:
        return None
    return ask_lookahead(attempt.student, attempt.puzzle.kind_slug, attempt.position_text)


def _is_free(job: Job | None) -> bool:
    """The worker found no answer, so the hint does not count."""
    return job is not None and job.state == Job.State.DONE and job.value is None


@transaction.atomic
def ask_hint(
    attempt: Attempt, step: int, level: Level, at: datetime | None = None
) -> HintUse | None:
    """Take a hint for the board as it is before step number `step`, and ask the worker for it.

    Returns its record; None when this was taken for the same board before (or more was), which
    costs nothing. Raises StepRefused: none left or none allowed, past due, board gone on, or
    said to be lost.
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
    if not _has_hints(puzzle):
        raise StepRefused(Message("There are no hints for this puzzle."), 409)
    if assignment.due_at <= at:
        raise StepRefused(Message("The due date has passed. There are no more hints."), 409)
    if attempt.state != Attempt.State.OPEN or attempt.next_step != step:
        raise StepRefused(_CHANGED, 409)
    lookahead, card = help_for(attempt)
    if lookahead and lookahead.is_lost:
        raise StepRefused(
            Message("This can't be solved any more: no move helps. Go back some moves."), 409
        )
    use = None
    if card.level < level:
        if not card.left:
            raise StepRefused(Message("You have no hint left for this puzzle."), 409)
        use = HintUse.objects.create(
            attempt=attempt, step=step, line=attempt.line, level=level, at=at
        )
    jobs.ask(assignment.teacher, puzzle.kind_slug, QUESTION, attempt.position_text)
    return use


@transaction.atomic
def back_to_live(attempt: Attempt, step: int) -> Attempt:
    """Take back the moves after which the puzzle could not be solved any more, as steps.

    Returns the try as it stands then. Raises StepRefused when the board has gone on since, or
    neither the look ahead nor a hint has said which moves may stay.
    """
    keep = next((said.keep for said in help_for(attempt) if said and said.keep is not None), None)
    if keep is None or attempt.next_step != step:
        raise StepRefused(_CHANGED, 409)
    moves = attempt.puzzle.kind.line(attempt.position)
    for number in range(step, step + len(moves) - keep):
        attempt = take_step(attempt, number, Step.Action.UNDO)
    return attempt
