"""The look-ahead on a board: whether it can still be solved, in how many ways, and how to go back.

It is the answer to the mildest level of the kind's question "hint", asked without a press: on a
student's board after every step, in the editor while a board is drawn. Whoever looks at a board
asks in their own name, for one board at a time; all who look at the same board share the answer.
"""

from dataclasses import dataclass

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.answers import answer_in
from solvers.answers import HintAnswer
from solvers.hint import ALIVE
from solvers.message import Message
from solvers.registry import get_kind

QUESTION, OPTIONS = "hint", {"level": ALIVE}

FAILED = Message("The worker could not find out whether this can be solved.")

ICONS = {"live": "✓", "trapped": "✗", "doomed": "✗", "open": "?"}


@dataclass(frozen=True, slots=True)
class LookAhead:
    """What the worker says of a board, as far as it has."""

    key: str
    """Of the question: other boards have other keys."""
    job: Job | None

    @property
    def is_known(self) -> bool:
        """No more will come by itself."""
        return self.job is not None and self.job.state in (Job.State.DONE, Job.State.FAILED)

    @property
    def answer(self) -> HintAnswer:
        """The answer; one in which nothing is known while there is none."""
        return answer_in(self.job, HintAnswer) or HintAnswer(proven=False)

    @property
    def state(self) -> str:
        """live, trapped, doomed, or open for what was not found out; empty while it is asked."""
        return (self.answer.state or "open") if self.is_known else ""

    @property
    def icon(self) -> str:
        return ICONS[self.state]

    @property
    def is_lost(self) -> bool:
        return self.state in ("trapped", "doomed")

    @property
    def note(self) -> Message | None:
        """The state in words."""
        return self.answer.note or (FAILED if self.is_known else None)


def has_lookahead(kind_slug: str) -> bool:
    """Return whether boards of the kind can be asked about."""
    return QUESTION in get_kind(kind_slug).questions


def lookahead_of(kind_slug: str, position: str) -> LookAhead:
    """Return what is known of a board, given as canonical text, without asking. One query."""
    key = job_key(kind_slug, QUESTION, position, OPTIONS)
    return LookAhead(key, jobs.find_all([key]).get(key))


def ask_lookahead(user: User, kind_slug: str, position: str) -> LookAhead:
    """Return what is known of the board that the user looks at; have the worker asked if need be.

    What the user has left behind since, and nobody has begun to work on, is taken back: so
    each asker has at most one board waiting in the queue, however quickly the student plays.
    """
    known = lookahead_of(kind_slug, position)
    if known.is_known or (known.job and not known.job.has_ended):
        return known
    job = jobs.ask_only(user, kind_slug, QUESTION, position, OPTIONS, queue="review", priority=0)
    return LookAhead(known.key, job)
