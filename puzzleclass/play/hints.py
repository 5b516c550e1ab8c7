"""Hints and the look ahead: what they say of a board, and the way back to one that can be solved.

A hint is the answer to the kind's question "hint" about the position, asked in the teacher's
name and computed exactly. The worker always tells everything; the student is shown what was
taken, level by level, and only while the board is the one it was asked about. The look ahead is
its mildest level, asked by itself after every step where the teacher allows it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.attempts import StepRefused, begin, take_steps
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.lookahead import OPTIONS, QUESTION, LookAhead, ask_lookahead, has_lookahead
from solvers.answers import HintAnswer
from solvers.grid import read_cell
from solvers.message import Message
from solvers.picture import Picture

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
        return bool(self.level) and not self.is_thinking and self._answer is None

    @property
    def says_state(self) -> bool:
        """The note and the way back are not said anyway."""
        return self.lookahead is None

    @property
    def is_free(self) -> bool:
        """The worker found no answer in time, or the board itself shows what the answer says: the
        hint does not count."""
        return self._answer is not None and (self._answer.value is None or self.attempt.is_jammed)

    @property
    def is_lost(self) -> bool:
        return self._lost is not None

    @property
    def can_be_solved(self) -> bool:
        return self._answer is not None and self._answer.value == 1

    @property
    def note(self) -> Message | None:
        """Whether the board can still be solved, in words."""
        return self._answer.note if self._answer else None

    @property
    def offers(self) -> list[tuple[Level, bool]]:
        """The levels, each with whether it has been taken.

        Those that were keep their place, so that a press too many lands on a hint that is paid
        for. A board that is lost, or undecided, has no next move to be said.
        """
        is_lost = self.lookahead is not None and self.lookahead.is_lost
        if self.attempt.is_jammed:
            # No move is left, as all can see: only the way back is still to be asked.
            return [(Level.ALIVE, False)] if self.says_state and not self.level else []
        if is_lost or (self._answer and not self.can_be_solved) or not (self.left or self.level):
            return []
        levels = [level for level in Level if self.says_state or level != Level.ALIVE]
        return [(level, level <= self.level) for level in levels]

    @property
    def is_empty(self) -> bool:
        """There is nothing to ask and nothing to say."""
        is_asked = self.is_thinking or self.has_failed or (self.note and self.says_state)
        return not (self.offers or is_asked or self.described or self.region or self.wrong)

    @property
    def keep(self) -> int | None:
        """When the board is lost: how many moves may stay, where going back helps."""
        return self._lost.keep if self._lost else None

    @property
    def wrong(self) -> tuple[str, ...]:
        """When the board is lost: the squares to be cleared, as `row,column`."""
        return (self._lost.wrong or ()) if self._lost else ()

    @property
    def doomed(self) -> tuple[str, ...]:
        """When the board is lost: the stones that can't get their colour, as `row,column`."""
        return self._lost.doomed if self._lost and self.says_state else ()

    @property
    def region(self) -> tuple[str, ...]:
        """The points among which the next move is, as `row,column`."""
        return self._answer.region if self._answer and self.level >= Level.REGION else ()

    @property
    def described(self) -> Message | None:
        """The next move, in words."""
        return None if self._move is None else self.attempt.puzzle.kind.describe(self._move)

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the board with the places marked that the hint speaks of."""
        move = [] if self._move is None else [self.attempt.puzzle.kind.cell_of(self._move)]
        return picture.annotated(
            squares={"hinted-region": [] if move else map(read_cell, self.region)},
            rings={
                "fault": map(read_cell, self.wrong),
                "doomed": map(read_cell, self.doomed),
                "hinted-move": move,
            },
        )

    @property
    def _answer(self) -> HintAnswer | None:
        return answer_in(self.job, HintAnswer)

    @property
    def _lost(self) -> HintAnswer | None:
        """The answer when it says that the board is lost."""
        return self._answer if self._answer and self._answer.value == 0 else None

    @property
    def _move(self) -> Any:
        """The next move, once it is paid for."""
        moves = self._answer.moves if self._answer and self._answer.value == 1 else ()
        if self.level < Level.NEXT or not moves:
            return None
        return self.attempt.puzzle.kind.read_move(moves[0])


def help_for(attempt: Attempt) -> tuple[LookAhead | None, HintCard | None]:
    """Return what is known of the open board ahead, and the card of hints; None for what the
    teacher does not allow, or the kind does not know. Two queries at most.
    """
    puzzle = attempt.puzzle
    has_hints = _has_hints(puzzle)
    taken = _taken(attempt) if has_hints else []
    slug, after = puzzle.kind_slug, attempt.position_text_after
    keys = {line: job_key(slug, QUESTION, after(line)) for line, _ in taken}
    ahead = None
    if _looks_ahead(attempt):
        ahead = job_key(slug, QUESTION, attempt.position_text, OPTIONS)
    wanted = {*keys.values(), *([ahead] if ahead else [])}
    found = jobs.find_all(wanted) if wanted else {}
    lookahead = LookAhead(ahead, found.get(ahead)) if ahead else None
    if not has_hints:
        return lookahead, None
    paid = sum(_costs(attempt, line, found.get(keys[line])) for line, _ in taken)
    level = max((level for line, level in taken if line == attempt.line), default=0)
    job = found.get(keys[attempt.line]) if level else None
    return lookahead, HintCard(
        attempt, max(0, puzzle.assignment.hints - paid), level, job, lookahead
    )


def _costs(attempt: Attempt, line: str, job: Job | None) -> bool:
    """Return whether a hint that was taken counts: not without an answer of the worker, nor where
    no move was left, as all could see."""
    kind, answer = attempt.puzzle.kind, answer_in(job, HintAnswer)
    if answer is not None and answer.value is None:
        return False
    position = kind.play_line(attempt.puzzle.start, line)
    return kind.family != "sequence" or not kind.judge(position).over


def _taken(attempt: Attempt) -> list[tuple[str, int]]:
    """Return line and level of all the hints the student has taken at the puzzle, in any try."""
    if attempt.trial:
        return attempt.trial.taken
    mine = HintUse.objects.filter(
        attempt__student=attempt.student_id, attempt__puzzle=attempt.puzzle_id
    )
    return list(mine.order_by().values_list("line", "level"))


def _has_hints(puzzle: AssignedPuzzle) -> bool:
    return bool(puzzle.assignment.hints) and QUESTION in puzzle.kind.questions


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
    if attempt.trial is None:
        begin(attempt)
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
    if attempt.is_jammed:
        level = Level.ALIVE
    if card is None or card.level < level:
        if card is None or not (card.left or attempt.is_jammed):
            raise StepRefused(Message("You have no hint left for this puzzle."), 409)
        use = HintUse(attempt=attempt, step=step, line=attempt.line, level=level, at=at)
        if attempt.trial:
            attempt.trial.taken.append((use.line, int(level)))
        else:
            use.save()
    jobs.ask(
        assignment.teacher,
        puzzle.kind_slug,
        QUESTION,
        attempt.position_text,
        served=attempt.student_id,
    )
    return use


@transaction.atomic
def back_to_live(attempt: Attempt, step: int) -> Attempt:
    """Take back the moves after which the puzzle could not be solved any more, as steps.

    Returns the try as it stands then. Raises StepRefused when the board has gone on since, or
    neither the look ahead nor a hint has said which moves may stay.
    """
    lookahead, card = help_for(attempt)
    keep = lookahead.answer.keep if lookahead else None
    if keep is None and card:
        keep = card.keep
    if keep is None or attempt.next_step != step:
        raise StepRefused(_CHANGED, 409)
    moves, at = attempt.puzzle.kind.line(attempt.position), timezone.now()
    take_steps(attempt, [(Step.Action.UNDO, "", at)] * (len(moves) - keep))
    return attempt
