"""The goal of a puzzle with a score: the score that solves it, which is the optimum or less.

A goal is part of the board's text. A board without one asks for the best possible score, the
optimum. The optimum is known at once for most boards, and for the others when a worker has answered
the kind's question `best`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.answers import ask_about, job_about
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.kind import BadText, PuzzleError
from solvers.registry import AnyKind

BEST = "best"


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a board."""

    typed: str
    """The goal in the board's text, in digits; empty for the optimum."""
    score: int | None
    """The score that solves the board; None if none was typed and the kind does not know it."""
    optimum: int | None
    """The best possible score; None while it is not known."""

    @property
    def below(self) -> int | None:
        """How far the score is below the optimum; None unless both are known."""
        if self.score is None or self.optimum is None:
            return None
        return self.optimum - self.score


def goal_of(board: Board) -> Goal | None:
    """Return the board's goal; None for a kind without a score. One query at most."""
    return goals_of([board])[0]


def goal_and_job(user: User, board: Board) -> tuple[Goal | None, Job | None]:
    """Return the board's goal, and the job that finds its optimum if the user may see it.

    The optimum is read from that job. A second query could find that the job has ended meanwhile,
    and the page would say that it has found nothing. Two queries at most.
    """
    if board.kind.score is None:
        return None, None
    without_goal, job = _without_goal(board), None
    optimum = board.kind.score.optimum(without_goal.start)
    if optimum is None:
        job = job_about(user, without_goal, BEST)
        optimum = _optimum_in(job)
    return _goal(board.kind, board.position, optimum), job


def goals_of(boards: Iterable[Board]) -> list[Goal | None]:
    """Return the goal of each board; None for kinds without a score. One query at most."""
    boards = list(boards)
    scored = [board for board in boards if board.kind.score]
    optimums = iter(known_optimums((board.kind, board.position) for board in scored))
    return [
        _goal(board.kind, board.position, next(optimums)) if board.kind.score else None
        for board in boards
    ]


def goal_in(kind: AnyKind, drawing: str) -> Goal | None:
    """Return the goal of a drawing, puzzle or not; None for a kind without a score.

    One query at most.
    """
    if kind.score is None:
        return None
    try:
        return _goal(kind, drawing, known_optimum(kind, drawing))
    except PuzzleError:
        return Goal(typed_goal(kind, drawing), None, None)


def _goal(kind: AnyKind, drawing: str, optimum: int | None) -> Goal:
    """Return the goal of a drawing of a kind with a score. Raise PuzzleError for a bad drawing."""
    if typed := typed_goal(kind, drawing):
        return Goal(typed, int(typed), optimum)
    return Goal("", kind.judge(kind.read(drawing)).goal, optimum)


def typed_goal(kind: AnyKind, drawing: str) -> str:
    """Return the goal in a drawing; empty if none was typed, or for a kind without a score."""
    return kind.score.goal(drawing) if kind.score else ""


def _with_goal(kind: AnyKind, drawing: str, goal: str) -> str:
    return kind.score.with_goal(drawing, goal) if kind.score else drawing


def known_optimum(kind: AnyKind, position: str) -> int | None:
    """Return the best possible score of a start; None if it is not known. One query at most."""
    return known_optimums([(kind, position)])[0]


def known_optimums(starts: Iterable[tuple[AnyKind, str]]) -> list[int | None]:
    """Return the best possible score of each start; None if it is not known. One query at most."""
    optimums: list[int | None] = []
    indexes_by_key: dict[str, list[int]] = {}
    for index, (kind, position) in enumerate(starts):
        start = kind.read(_with_goal(kind, position, ""))
        optimums.append(kind.score.optimum(start) if kind.score else None)
        if kind.score and optimums[-1] is None:
            indexes_by_key.setdefault(job_key(kind.slug, BEST, kind.write(start)), []).append(index)
    for key, job in jobs.find_all(indexes_by_key).items() if indexes_by_key else ():
        for index in indexes_by_key[key]:
            optimums[index] = _optimum_in(job)
    return optimums


def _optimum_in(job: Job | None) -> int | None:
    """Return the optimum that the job has found; None without a proof."""
    return job.result.value if job and job.result and job.result.proven else None


def ask_for_optimum(user: User, board: Board) -> Job:
    """Have the optimum found. Ask again if the last search ended without a proof."""
    return ask_about(user, _without_goal(board), BEST)


def _without_goal(board: Board) -> Puzzle:
    """Return the board without its goal, as an unsaved puzzle to ask the worker about."""
    position = _with_goal(board.kind, board.position, "")
    return Puzzle(kind_slug=board.kind_slug, position=position)


def with_typed_goal(kind: AnyKind, drawing: str, typed: str) -> str:
    """Return the drawing with a goal as somebody typed it. Raise BadText if it is not a number."""
    typed = typed.strip()
    if typed and not (typed.isdecimal() and len(typed) <= 4 and int(typed)):
        raise BadText(
            "The goal must be a whole number. Leave it empty to use the best possible score."
        )
    return _with_goal(kind, drawing, typed and str(int(typed)))


def with_goal(kind: AnyKind, position: str, typed: str) -> str:
    """Return the canonical text of the start with a goal as somebody typed it.

    Raise BadText if the goal is not a number, or is known to be above the optimum.
    """
    text = kind.write_start(kind.read(with_typed_goal(kind, position, typed)))
    check_goal(kind, text)
    return text


def check_goal(kind: AnyKind, position: str) -> None:
    """Raise BadText if the goal of a start is known to be above its optimum."""
    typed = typed_goal(kind, position)
    optimum = known_optimum(kind, position) if typed else None
    if optimum is not None and int(typed) > optimum:
        raise BadText(
            "The goal {goal} can't be reached. The best possible score is {optimum}.",
            goal=typed,
            optimum=optimum,
        )


def position_to_assign(board: Board, typed: str) -> str:
    """Return the text with which a board is assigned to a class. Its goal can be reached.

    Raise BadText if the typed goal is not a number or known to be too high, or if neither a goal
    nor the optimum is known.
    """
    position = with_goal(board.kind, board.position, typed)
    if board.kind.judge(board.kind.read(position)).goal is not None:
        return position
    optimum = known_optimum(board.kind, position)
    if optimum is None:
        raise BadText(
            "The best possible score of this puzzle is not known yet. Enter a goal, or calculate "
            "it on the puzzle's page."
        )
    return with_goal(board.kind, position, str(optimum))
