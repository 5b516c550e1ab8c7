"""The searches that the page on Tonari Othello lets one run, and what came of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job
from solvers.message import Message
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari.study import STEPS

SLUG = "tonari"
DAY, HOUR, MINUTE = 86400, 3600, 60


@dataclass(frozen=True, slots=True)
class Method:
    """A way to count, with what the study printed for it on a Pentium M of 1.8 GHz."""

    slug: str
    name: str
    question: str
    options: Mapping[str, Any] = field(default_factory=dict)
    sides: tuple[int, ...] = (3, 4)
    quick: tuple[int, ...] = ()
    """Boards on which plain Python takes less than a tenth of a second: run on the spot."""
    printed_seconds: Mapping[int, float] = field(default_factory=dict)
    printed_counts: Mapping[int, int] = field(default_factory=dict)


EVERY_ORDER = Method(
    "study-0",
    gettext_noop("Every order"),
    "study",
    {"step": 0},
    sides=(3,),
    quick=(3,),
    printed_seconds={3: 1, 4: 2593202},
    printed_counts={3: 304, 4: 5813496},
)
_SECONDS = (730, 228, 213, 0.5, 0.1)
_COUNTS = (5813496, 1246202, 952572, 1007, 10)
PRUNINGS = tuple(
    Method(
        f"study-{step}",
        STEPS[step - 1][0],
        "study",
        {"step": step},
        sides=(3, 4, 5) if step == 5 else (3, 4),
        quick=(3,) if step < 4 else (3, 4),
        printed_seconds={4: _SECONDS[step - 1]} | ({5: 416} if step == 5 else {}),
        printed_counts={4: _COUNTS[step - 1]} | ({3: 2, 5: 203} if step == 5 else {}),
    )
    for step in range(1, 6)
)
PLAIN = Method("plain", gettext_noop("Set by set"), "plain", sides=(3, 4, 5), quick=(3, 4))
COMPILED = Method("count", gettext_noop("Set by set, compiled"), "count", sides=(3, 4, 5, 6))
ORDERS = Method("orders", gettext_noop("All orders, set by set"), "orders", sides=(3, 4, 5, 6))
ARROWS = Method("classes", gettext_noop("Arrows"), "classes", sides=(3, 4, 5, 6))
LADDER = Method("ladder", gettext_noop("The ladder, all boards at once"), "ladder", sides=(3, 4, 5))
METHODS = (EVERY_ORDER, *PRUNINGS, PLAIN, COMPILED, ORDERS, ARROWS, LADDER)


@dataclass(frozen=True, slots=True)
class Run:
    """A method on a square board, all black from the corner, and its result if there is one."""

    method: Method
    side: int
    job: Job | None = None
    answer: Mapping[str, Any] | None = None
    """`Answer.to_json()` of the run, once it has ended with a proof."""

    @property
    def slug(self) -> str:
        return f"{self.method.slug}-{self.side}"

    @property
    def is_offered(self) -> bool:
        """Nobody waits 30 days again: of every order on 4x4 there is what the study says."""
        return self.side in self.method.sides

    @property
    def is_quick(self) -> bool:
        return self.side in self.method.quick

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.has_ended

    @property
    def count(self) -> int | None:
        return int(self.answer["value"]) if self.answer else None

    @property
    def seconds(self) -> float | None:
        """Seconds it took; older answers do not say."""
        return self.answer["details"].get("seconds") if self.answer else None

    @property
    def looked_at(self) -> int | None:
        """The boards or sets it looked at, where it counts them."""
        details = self.answer["details"] if self.answer else {}
        number = details.get("boards", details.get("states"))
        return None if number is None else int(number)

    @property
    def time(self) -> Message | None:
        return None if self.seconds is None else told(self.seconds)

    @property
    def printed_count(self) -> int | None:
        return self.method.printed_counts.get(self.side)

    @property
    def printed_seconds(self) -> float | None:
        return self.method.printed_seconds.get(self.side)

    @property
    def printed_time(self) -> Message | None:
        return None if self.printed_seconds is None else told(self.printed_seconds)

    @property
    def agrees(self) -> bool:
        return self.count is not None and self.count == self.printed_count


RUNS = {(method.slug, side): (method, side) for method in METHODS for side in method.sides}

_measured: dict[str, dict[str, Any]] = {}
"""Slug of a quick run -> its last answer in this process."""


def position_text(side: int) -> str:
    """Return the study's board: all black, one stone in the corner."""
    return f"{side}x{side} 11"


def look_up(method: Method, side: int) -> Run:
    """Return the run as it stands. A quick one that this process never ran is run now."""
    run = Run(method, side)
    if run.is_quick:
        return Run(method, side, answer=_measured.get(run.slug) or measure(run))
    job = services.find(SLUG, method.question, position_text(side), dict(method.options))
    is_proven = job is not None and job.state == Job.State.DONE and job.answer["proven"]
    return Run(method, side, job=job, answer=job.answer if is_proven else None)


def ask(teacher: User, run: Run) -> None:
    """Have a worker do the run; also once more, when the last one stopped at its limit."""
    board, options = position_text(run.side), dict(run.method.options)
    services.ask(teacher, SLUG, run.method.question, board, options, again=True)


def measure(run: Run) -> dict[str, Any]:
    """Run a quick one here and now; return its answer and keep it for the next reader."""
    kind = get_kind(SLUG)
    question = kind.questions[run.method.question]
    position = kind.read(position_text(run.side))
    answer = finish(question.ask(kind, position, **run.method.options)).to_json()
    _measured[run.slug] = answer
    return answer


def told(seconds: float) -> Message:
    """Return a time as people say it, to two or three digits."""
    if seconds >= DAY:
        days, rest = divmod(round(seconds), DAY)
        values = {"d": days, "h": rest // HOUR, "m": rest % HOUR // MINUTE}
        return Message("{d} days {h} h {m} min", values)
    if seconds >= MINUTE:
        minutes, rest = divmod(round(seconds), MINUTE)
        return Message("{m} min {s} s", {"m": minutes, "s": rest})
    if seconds >= 0.1:
        return Message("{s} s", {"s": f"{seconds:.3g}"})
    return Message("{ms} ms", {"ms": f"{seconds * 1000:.2g}"})
