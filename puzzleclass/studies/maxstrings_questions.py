"""The questions about a square Go board that teachers ask the workers on the study's page."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from solvers.maxstrings.maximum import LARGEST
from solvers.message import Message, gettext_noop
from solvers.registry import get_kind

KIND = "maxstrings"
SHOWN_SIDE = 7
"""The side of the board that is open at first: the study's first misprint."""
QUESTIONS = {
    "best": ("best", {}, gettext_noop("The maximum, with a proof")),
    "count": ("count", {}, gettext_noop("The number of best forms")),
    "programme": (
        "model",
        {"cuts": "no", "solver": "highs"},
        gettext_noop("The integer programme, by HiGHS"),
    ),
    "cuts": (
        "model",
        {"cuts": "yes", "solver": "highs"},
        gettext_noop("The integer programme with the symmetry cuts, by HiGHS"),
    ),
}
"""What a teacher may ask about a board -> the kind's question, its options, and its title here."""


@dataclass(frozen=True)
class BoardQuestion:
    """A question about the board that is open, and what is known of its answer."""

    key: str
    title: str
    job: Job | None
    is_mine: bool

    @property
    def is_answered(self) -> bool:
        return self.job is not None and self.job.state == Job.State.DONE

    @property
    def has_card(self) -> bool:
        """Whether the user waits for the answer, or should read why there is none."""
        return self.is_mine and not self.is_answered

    @property
    def bounds(self) -> Message | None:
        """The bounds that are known while the job runs."""
        return self.job.note_message if self.job and not self.job.has_ended else None

    @property
    def seconds(self) -> float | None:
        return self.job.seconds if self.job else None


def asked_positions() -> Iterator[tuple[str, str]]:
    """Yield the kind and the start of every board that a teacher can ask about on the page."""
    kind = get_kind(KIND)
    for n in range(1, LARGEST + 1):
        yield KIND, kind.write(kind.read(f"{n}x{n}"))


def ask_about_square(teacher: User, n: int, key: str) -> None:
    """Ask one of `QUESTIONS` about the empty n x n board."""
    question, options, _name = QUESTIONS[key]
    jobs.ask(teacher, KIND, question, f"{n}x{n}", options)


def board_questions(user: User | AnonymousUser, n: int) -> list[BoardQuestion]:
    """Return the questions about an n x n board; none if it is too large for the workers."""
    if n > LARGEST:
        return []
    questions = []
    for key, (question, options, title) in QUESTIONS.items():
        job = jobs.find(KIND, question, f"{n}x{n}", options)
        is_mine = job is not None and job.askers.filter(pk=user.pk).exists()
        questions.append(BoardQuestion(key, title, job, is_mine))
    return questions
