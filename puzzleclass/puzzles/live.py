"""What the editor shows of a board that can be solved, without a press: its difficulty and one of
its solutions.

A worker is asked when the look-ahead has counted the solutions, so a count is known to be quick.
"""

from dataclasses import dataclass

from puzzleclass.accounts.models import User
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.answers import COUNT, RATE, answer_in, can_ask
from puzzleclass.puzzles.lookahead import LookAhead
from puzzleclass.puzzles.models import Puzzle, levels_of
from puzzleclass.puzzles.worksheets import answer_picture
from solvers.answers import CountAnswer, band_of
from solvers.picture import Picture


@dataclass(frozen=True, slots=True)
class LiveFacts:
    """What is known about the board that is drawn."""

    board: Puzzle
    level: int
    """The difficulty from 1 to 4; 0 while it is not known."""
    jobs: dict[str, Job | None]
    """The count and, unless the difficulty is known, the rating."""

    @property
    def known(self) -> int:
        """The number of facts about which nothing more will come."""
        return len(self._ended) + bool(self.level)

    @property
    def is_pending(self) -> bool:
        return len(self._ended) < len(self.jobs)

    @property
    def _ended(self) -> list[Job]:
        return [job for job in self.jobs.values() if job and job.has_ended]

    @property
    def band(self) -> str:
        """The difficulty in a word; empty while it is not known."""
        return band_of(self.level)

    @property
    def solution(self) -> Picture | None:
        """A solution as it is written on paper."""
        answer = answer_in(self.jobs[COUNT], CountAnswer)
        return answer_picture(self.board, answer.moves) if answer and answer.moves else None


def facts_about(lookahead: LookAhead, board: Puzzle, asker: User | None = None) -> LiveFacts | None:
    """Return the facts; None if there are none to wait for.

    The worker is asked only if there is an `asker`, whose earlier questions of this sort that no
    worker has begun are withdrawn. Three queries, if nobody is asked.
    """
    if not (lookahead.state == "live" and lookahead.answer.left and can_ask(board, COUNT)):
        return None
    level = levels_of([board])[board.key]
    names = [COUNT] if level or not can_ask(board, RATE) else [COUNT, RATE]
    keys = {name: job_key(board.kind_slug, name, board.position) for name in names}
    found = jobs.find_all(keys.values())
    asked = {name: found.get(key) for name, key in keys.items()}
    try:
        for name, job in asked.items() if asker else ():
            if asker and (job is None or not job.has_ended):
                asked[name] = jobs.ask_only(
                    asker, board.kind_slug, name, board.position, {}, priority=0
                )
    except QuotaReached:
        return None
    return LiveFacts(board, level, asked)
