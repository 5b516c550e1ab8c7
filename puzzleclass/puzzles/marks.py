"""The mark of a puzzle with a score: the score that solves it, the best one or less.

A mark stands in the board's text; without one the best score there can be is asked for. That
score, the optimum, is known at once for most boards, and else as soon as a worker has answered
the kind's question `best`.
"""

from dataclasses import dataclass

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.asking import ask_about, job_about
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.kind import BadText, PuzzleError
from solvers.registry import AnyKind

QUESTION = "best"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a board with a score asks for."""

    typed: str
    """Digits; empty for the optimum."""
    goal: int | None
    """The score that solves it; None where none was typed and the kind does not know it."""
    optimum: int | None
    """The best score there can be; None while it is not known."""

    @property
    def below(self) -> int | None:
        """How far the goal is below the optimum, where both are known."""
        if self.goal is None or self.optimum is None:
            return None
        return self.optimum - self.goal


def mark_of(board: Board) -> Mark | None:
    """Return the board's mark, None for a kind without a score. One query at most."""
    return mark_in(board.kind, board.position)


def mark_in(kind: AnyKind, draft: str) -> Mark | None:
    """Return the mark of a draft, which need not be a puzzle yet; None for a kind without a score.

    One query at most.
    """
    typed = kind.editor.mark(draft)
    if typed is None:
        return None
    unmarked = kind.editor.with_mark(draft, "")
    try:
        optimum = known_optimum(kind, unmarked)
        goal = int(typed) if typed else kind.judge(kind.read(unmarked)).goal
    except PuzzleError:
        return Mark(typed, None, None)
    return Mark(typed, goal, optimum)


def known_optimum(kind: AnyKind, position: str) -> int | None:
    """Return the best score from a start on, as far as it is known. One query at most."""
    at_once = kind.optimum(kind.read(position))
    if at_once is not None:
        return at_once
    job = jobs.find(kind.slug, QUESTION, kind.editor.with_mark(position, ""))
    if job is None or job.state != Job.State.DONE or not job.answer["proven"]:
        return None
    return job.value


def optimum_job(user: User, board: Board) -> Job | None:
    """Return the job that finds the board's optimum, as far as the user may see it."""
    return job_about(user, _unmarked(board), QUESTION)


def ask_for_optimum(user: User, board: Board) -> Job:
    """Have the optimum found; once more, when the last search ended without a proof."""
    return ask_about(user, _unmarked(board), QUESTION)


def _unmarked(board: Board) -> Puzzle:
    """Return the board without its mark, not saved: what the worker is asked about."""
    position = board.kind.editor.with_mark(board.position, "")
    return Puzzle(kind_slug=board.kind_slug, position=position)


def with_typed_mark(kind: AnyKind, draft: str, typed: str) -> str:
    """Return the draft with the mark that somebody typed. Raises BadText for what is no number."""
    typed = typed.strip()
    if typed and not (typed.isdecimal() and len(typed) <= 4 and int(typed)):
        raise BadText("A mark is a whole number. Leave it empty for the best score there can be.")
    return kind.editor.with_mark(draft, typed and str(int(typed)))


def marked(kind: AnyKind, position: str, typed: str) -> str:
    """Return the canonical text of the start with the mark that somebody typed.

    Raises BadText for what is no number, and for a mark above the optimum as far as that is known.
    """
    text = kind.write_start(kind.read(with_typed_mark(kind, position, typed)))
    check_mark(kind, text)
    return text


def check_mark(kind: AnyKind, position: str) -> None:
    """Raise BadText for a start whose mark is known to be above its optimum."""
    typed = kind.editor.mark(position)
    optimum = known_optimum(kind, position) if typed else None
    if optimum is not None and int(typed) > optimum:
        raise BadText(
            "The mark {mark} can't be reached. The best score on this board is {optimum}.",
            mark=typed,
            optimum=optimum,
        )


def to_be_given(board: Board, typed: str) -> str:
    """Return the text under which a board is given to a class: with a mark that can be reached.

    Raises BadText like `marked`, and when neither a mark nor the optimum is known.
    """
    position = marked(board.kind, board.position, typed)
    if board.kind.judge(board.kind.read(position)).goal is not None:
        return position
    optimum = known_optimum(board.kind, position)
    if optimum is None:
        raise BadText(
            "The best score of this board is not known yet. Type a mark, or have the best score "
            "computed on the puzzle's page."
        )
    return marked(board.kind, position, str(optimum))
