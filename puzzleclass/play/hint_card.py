"""What a student sees of the hints at a board: the levels on offer, and what those taken say."""

from dataclasses import dataclass
from typing import Any

from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.lookahead import LookAhead
from solvers.answers import HintAnswer, Reason
from solvers.grid import read_cell
from solvers.kind import row_and_column
from solvers.message import Message
from solvers.picture import Picture

Level = HintUse.Level

OFFERED_AFTER = 3
"""The number of failed attempts after which a hint is offered."""

_USED_UP = Message("You have used all the hints for this puzzle.")
_GO_BACK = Message(
    "This can't be solved any more, so no hint can help. Undo some moves, then you "
    "can ask for a hint again."
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A level of hints that the student may ask for, with its state at the board."""

    level: Level
    is_taken: bool = False
    """Whether this level or a plainer one has been taken, so that it tells nothing new."""
    is_shown: bool = False
    """Whether the page shows the answer of this level."""
    is_awaited: bool = False
    """Whether this level was asked for and has no answer yet."""


@dataclass(frozen=True, slots=True)
class HintCard:
    """The hints that the student can take or sees, for the board as it stands."""

    attempt: Attempt
    left: int
    """The number of hints that may still be taken at this puzzle."""
    taken: int
    """The highest level taken for this board; 0 if there is none."""
    job: Job | None
    """The job with the worker's answer, finished or not; None unless a hint was asked for."""
    lookahead: LookAhead | None
    """The look-ahead, which tells the mildest level without a hint; None if it is not allowed."""
    failures: int = 0
    """The number of failed attempts at the puzzle, counted as long as no hint was taken."""

    @property
    def is_offered(self) -> bool:
        """Whether the card tells the student that a hint may help."""
        return self.failures >= OFFERED_AFTER and not self.level and bool(self.offers)

    @property
    def awaited(self) -> int:
        """The level that the student waits for, if it is higher than the level taken; else 0."""
        level = self.attempt.awaited_hint
        return level if level > self.taken else 0

    @property
    def level(self) -> int:
        """The highest level that was asked for at this board; 0 if there is none."""
        return self.awaited or self.taken

    @property
    def is_pending(self) -> bool:
        """Whether the answer is still being computed, or ready for the page to fetch."""
        return self.is_ready or (self.job is not None and not self.job.has_ended)

    @property
    def is_ready(self) -> bool:
        """Whether the answer that the student waits for is ready for the page to fetch."""
        return bool(self.awaited) and self._found is not None

    @property
    def has_no_worker(self) -> bool:
        """Whether the answer has to wait until a worker is running again."""
        return self.job is not None and self.job.has_no_worker

    @property
    def has_failed(self) -> bool:
        """Whether no answer will come by itself, because the worker was stopped or broke down."""
        return bool(self.level) and not self.is_pending and self._found is None

    @property
    def says_state(self) -> bool:
        """Whether the hint has to tell the note and the way back; otherwise the look-ahead does."""
        return self.lookahead is None

    @property
    def is_free(self) -> bool:
        """Whether the hint does not count.

        It does not if the worker found no answer in time, or the board itself shows the answer.
        """
        return self._answer is not None and (self._answer.value is None or self.attempt.is_jammed)

    @property
    def is_lost(self) -> bool:
        return self._lost is not None

    @property
    def can_be_solved(self) -> bool:
        return self._answer is not None and self._answer.value == 1

    @property
    def note(self) -> Message | None:
        """The sentence that says whether the board can still be solved."""
        return self._answer.note if self._answer else None

    @property
    def offers(self) -> list[Offer]:
        """The levels that may be asked for.

        The levels taken stay in the list, so that one press too many asks for a hint that costs
        nothing more. A board that is lost or undecided has no next move to tell.
        """
        is_lost = self.lookahead is not None and self.lookahead.is_lost
        if self.attempt.is_jammed:
            # Everybody sees that no move is left, so only the way back can be asked for.
            return [Offer(Level.ALIVE)] if self.says_state and not self.level else []
        if is_lost or (self._answer and not self.can_be_solved) or not (self.left or self.level):
            return []
        levels = [level for level in Level if self.says_state or level != Level.ALIVE]
        return [
            Offer(
                level,
                is_taken=level <= self.taken,
                is_shown=level == self.taken,
                is_awaited=level == self.awaited,
            )
            for level in levels
        ]

    @property
    def refusal(self) -> Message | None:
        """The reason why no hint can be asked for; None if something else on the card tells it."""
        is_said = self.says_state and self.note is not None
        if self.offers or self.is_pending or self.has_failed or is_said:
            return None
        if not self.left and not self.level:
            return _USED_UP
        if self.attempt.is_jammed or (self.lookahead is not None and self.lookahead.is_lost):
            return _GO_BACK
        return self.note

    @property
    def keep(self) -> int | None:
        """The number of moves that may stay on a lost board; None if going back does not help."""
        return self._lost.keep if self._lost else None

    @property
    def wrong(self) -> tuple[str, ...]:
        """The cells of a lost board that have to be cleared, as `row,column`."""
        return (self._lost.wrong or ()) if self._lost else ()

    @property
    def doomed(self) -> tuple[str, ...]:
        """The cells that show why a lost board can't be solved, as `row,column`."""
        if self.why:
            return self.why.cells
        return self._lost.doomed if self._lost and self.says_state else ()

    @property
    def why(self) -> Reason | None:
        """The reason why a lost board can't be solved, if it was found."""
        return self._lost.why if self._lost else None

    @property
    def region(self) -> tuple[str, ...]:
        """The cells that contain the next move, as `row,column`."""
        return self._answer.region if self._answer and self.taken >= Level.REGION else ()

    @property
    def region_places(self) -> list[Message]:
        """The cells of the region in words."""
        return [_place(cell) for cell in self.region]

    @property
    def wrong_places(self) -> list[Message]:
        """The cells to be cleared in words."""
        return [_place(cell) for cell in self.wrong]

    @property
    def described(self) -> Message | None:
        """The next move in words; None unless that level was taken."""
        return None if self._move is None else self.attempt.puzzle.kind.describe(self._move)

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the picture with marks on the cells that the hint is about."""
        move = () if self._move is None else self.attempt.puzzle.kind.cells_of(self._move)
        return picture.annotated(
            squares={"hinted-region": [] if move else map(read_cell, self.region)},
            rings={
                "fault": map(read_cell, self.wrong),
                "doomed": map(read_cell, self.doomed),
                "hinted-move": move,
            },
        )

    @property
    def _found(self) -> HintAnswer | None:
        """The worker's answer, even if the page has not fetched it yet."""
        return answer_in(self.job, HintAnswer)

    @property
    def _answer(self) -> HintAnswer | None:
        """The worker's answer if a hint has been taken for this board, else None."""
        return self._found if self.taken else None

    @property
    def _lost(self) -> HintAnswer | None:
        """The answer taken if it says that the board is lost, else None."""
        return self._answer if self._answer and self._answer.value == 0 else None

    @property
    def _move(self) -> Any:
        """The next move if the student has taken the level that tells it, else None."""
        moves = self._answer.moves if self._answer and self._answer.value == 1 else ()
        if self.taken < Level.NEXT or not moves:
            return None
        return self.attempt.puzzle.kind.read_move(moves[0])


def _place(cell: str) -> Message:
    """Return the name of a cell that is written as `row,column`."""
    return Message("row {row}, column {column}", row_and_column(read_cell(cell)))
