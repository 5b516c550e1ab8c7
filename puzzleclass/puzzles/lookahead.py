"""The look-ahead on a board: whether it can still be solved, in how many ways, and how to go back.

It is the answer to the mildest level of the kind's question "hint". The page asks for it without a
press: on a student's board after every step, and in the editor while a board is drawn. All users
ask in their own name, for one board at a time, and share the answer for the same board.
"""

from dataclasses import dataclass

from django.http import QueryDict

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.answers import answer_in
from solvers.answers import HintAnswer
from solvers.hint import ALIVE
from solvers.message import Message
from solvers.registry import kind_or_missing

QUESTION, OPTIONS = "hint", {"level": ALIVE}

FAILED = Message("The calculation could not determine whether this can be solved.")

ICONS = {"live": "✓", "trapped": "✗", "doomed": "✗", "open": "?"}


@dataclass(frozen=True, slots=True)
class LookAhead:
    """The worker's answer about a board, or the job that will bring it."""

    key: str
    """The job's key, unique per board."""
    job: Job | None

    @property
    def is_known(self) -> bool:
        """Whether the job is done or has failed, so that nothing more will come by itself."""
        return self.job is not None and self.job.state in (Job.State.DONE, Job.State.FAILED)

    @property
    def has_no_worker(self) -> bool:
        """Whether the answer has to wait until a worker is running again."""
        return self.job is not None and self.job.has_no_worker

    def is_news(self, seen: QueryDict) -> bool:
        """Return whether there is more to say than the page already says.

        The page sends `away` in `seen` if it says that no worker is running.
        """
        return self.is_known or self.has_no_worker != ("away" in seen)

    @property
    def answer(self) -> HintAnswer:
        """The worker's answer, or an unproven one without a value if there is none."""
        return answer_in(self.job, HintAnswer) or HintAnswer(proven=False)

    @property
    def state(self) -> str:
        """The state of the board; empty until it is known.

        It is `live`, `trapped` or `doomed`, or `open` if the worker could not find out.
        """
        return (self.answer.state or "open") if self.is_known else ""

    @property
    def icon(self) -> str:
        return ICONS[self.state]

    @property
    def is_lost(self) -> bool:
        return self.state in ("trapped", "doomed")

    @property
    def note(self) -> Message | None:
        """The sentence that says the state; None until it is known."""
        return self.answer.note or (FAILED if self.is_known else None)


def has_lookahead(kind_slug: str) -> bool:
    """Return whether the kind has a look-ahead."""
    return QUESTION in kind_or_missing(kind_slug).questions


def lookahead_of(kind_slug: str, position: str) -> LookAhead:
    """Return the look-ahead of a board as far as it is known, without asking the worker.

    `position` is canonical text. One query.
    """
    key = job_key(kind_slug, QUESTION, position, OPTIONS)
    return LookAhead(key, jobs.find_all([key]).get(key))


def ask_lookahead(user: User, kind_slug: str, position: str) -> LookAhead:
    """Return the look-ahead of the board that the user looks at. Ask the worker if needed.

    The user's earlier look-aheads that no worker has begun are withdrawn, so that each user has at
    most one board waiting in the queue, however quickly they play.
    """
    known = lookahead_of(kind_slug, position)
    if known.is_known or (known.job and not known.job.has_ended):
        return known
    job = jobs.ask_only(user, kind_slug, QUESTION, position, OPTIONS, queue="review", priority=0)
    return LookAhead(known.key, job)
