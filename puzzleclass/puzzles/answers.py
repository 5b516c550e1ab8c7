"""What solvers have answered about a puzzle: its count, its difficulty, an estimate, repairs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, localcontext
from functools import cached_property
from typing import Any

from babel.numbers import format_compact_decimal
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.models import Board
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

COUNT, ESTIMATE, RATE, REPAIR, SOLUTIONS = "count", "estimate", "rate", "repair", "solutions"
"""Questions of the kinds that have a place of their own on the site."""

MOST_LISTED = 10_000
"""More solutions are counted, but not listed."""

MOST_REPAIRS = 12
"""Changed boards on the page; those with the most solutions come first."""

BANDS = ("easy", "medium", "hard", "very hard")
"""The names that all kinds give their bands of difficulty."""

MEASURES = {
    "random": _("Chance to solve it by any legal move"),
    "careful": _("Chance to solve it by any move that is not visibly lost"),
    "random_level": _("The same as a level: −log₁₀ of the first chance"),
    "careful_level": _("The same as a level: −log₁₀ of the second chance"),
    "branching": _("Moves to choose from, on average"),
    "trap_depth": _("Moves from a mistake until it shows, on average"),
    "error": _("Standard error"),
}
"""A name in the answer's details -> what it measures."""

_CHANCES = ("random", "careful")

_EXACT_BELOW, _COMPACT_BELOW = 10_000, 10**24
_IN_FULL_BELOW = 10**15
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# Asking


def can_ask(board: Board, question: str) -> bool:
    """Return whether the board's kind knows the question."""
    return question in board.kind.questions


def ask_about(
    user: User, board: Board, question: str, options: dict[str, Any] | None = None
) -> Job:
    """Have the question answered; also once more, when the last answer stopped at its limit."""
    return jobs.ask(user, board.kind_slug, question, board.position, options, again=True)


def job_about(
    user: User, board: Board, question: str, options: dict[str, Any] | None = None
) -> Job | None:
    """Return the question's job as far as the user may see it, like `jobs_about`."""
    return jobs_about(user, board, {question: options}).get(question)


def jobs_about(
    user: User, board: Board, questions: Mapping[str, dict[str, Any] | None]
) -> dict[str, Job]:
    """Return question -> job, of questions with their options, as far as the user may see them.

    An answer is everybody's. A job on its way is shown to those who asked for it; others
    join them by asking. One query.
    """
    position = board.kind.write(board.start)
    keys = [job_key(board.kind_slug, name, position, told) for name, told in questions.items()]
    is_mine = Q(pk__in=user.jobs.filter(key__in=keys).values("pk"))
    seen = Job.objects.filter(is_mine | Q(state=Job.State.DONE), key__in=keys)
    return {job.question: job for job in seen}


# The number of solutions


@dataclass(frozen=True)
class Count:
    """A stored answer to "how many solutions?"."""

    puzzle: Board
    job: Job

    @property
    def value(self) -> int:
        """The number of solutions; a lower bound unless `proven`."""
        return self.job.value or 0

    @property
    def proven(self) -> bool:
        return self.job.answer["proven"]

    @property
    def moves(self) -> list[str]:
        """A solution; empty when none is known."""
        return self.job.answer["moves"]

    @property
    def ran_out_of_time(self) -> bool:
        return self.job.details.get("limit") == "time"

    @property
    def note(self) -> Message | None:
        """The solver's own words on why it did not come to the end."""
        return self.job.remark

    @cached_property
    def by_move(self) -> dict[str, int]:
        """First move -> how many solutions begin with it. Empty when that was not counted."""
        return {move: int(number) for move, number in self.job.details.get("by_move", {}).items()}

    @property
    def up_to_mirror(self) -> str:
        """The number when a solution and its mirror image count once; empty where not counted."""
        return self.job.details.get("up_to_mirror", "") if self.value > 1 else ""

    @property
    def is_hopeless(self) -> bool:
        """There is certainly no solution."""
        return self.proven and not self.value

    @property
    def can_be_estimated(self) -> bool:
        """It is not known exactly, and there is a solver that estimates it."""
        return not self.proven and can_ask(self.puzzle, ESTIMATE)

    @property
    def can_be_listed(self) -> bool:
        """There are several solutions, few enough for a list, and a solver that lists them."""
        return self.proven and 1 < self.value <= MOST_LISTED and can_ask(self.puzzle, SOLUTIONS)

    @property
    def pictures(self) -> list[tuple[Message | None, Picture]]:
        """The board, each first move bearing the number of solutions that begin with it.

        Where moves begin with the choice of a tool, one for each such tool, with its title.
        """
        kind, start = self.puzzle.kind, self.puzzle.start
        begun = {move.partition(" ")[0] for move in self.by_move}
        tools = {tool: title for tool, title in kind.tools(start).items() if tool in begun}
        return [
            (title, label_moves(kind.draw_with(start, tool), self.by_move))
            for tool, title in (tools or {"": None}).items()
        ]


def known_counts(puzzles: Iterable[Board]) -> dict[int, Count]:
    """Return puzzle pk -> count, for those of the puzzles that have been counted. One query."""
    by_key = {}
    for puzzle in puzzles:
        key = job_key(puzzle.kind_slug, COUNT, puzzle.position)
        by_key.setdefault(key, []).append(puzzle)
    done = Job.objects.filter(key__in=by_key, state=Job.State.DONE)
    return {puzzle.pk: Count(puzzle, job) for job in done for puzzle in by_key[job.key]}


def label_moves(picture: Picture, numbers: Mapping[str, int]) -> Picture:
    """Return the picture with a number on each move; all small if one is long, zeros set apart."""
    some = {move: short(number) for move, number in numbers.items() if number}
    none = {move: "0" for move, number in numbers.items() if not number}
    is_long = any(len(text) > 3 for text in some.values())
    picture = picture.with_labels(some, "label long" if is_long else "label")
    return picture.with_labels(none, "label none")


def short(number: int) -> str:
    """Return a number as its first digits and a unit in the active language, rounded down.

    >>> short(1_234_567)
    '1.2M'
    """
    if number < _EXACT_BELOW:
        return str(number)
    digits = str(number)
    if number < _COMPACT_BELOW:
        with localcontext(rounding=ROUND_DOWN):
            text = format_compact_decimal(number, locale=get_language())
            if not text[1].isdigit():
                text = format_compact_decimal(number, locale=get_language(), fraction_digits=1)
        if len(text) <= len("9999万"):
            return text
    return f"{digits[0]}e{len(digits) - 1}"


# About how many there are, where they can't be counted


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over random games; never more than an estimate."""

    mean: float
    error: float
    """Its standard error."""
    note: Message | None
    """The solver's own words on how it was found."""

    @property
    def about(self) -> str:
        """The mean to two figures: `3,100,000,000`, or `3.1 × 10¹⁷` where that is long."""
        mantissa, _, power = f"{self.mean:.1e}".partition("e")
        if self.mean < _IN_FULL_BELOW:
            return f"{float(f'{self.mean:.2g}'):,.0f}"
        return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"

    @property
    def percent(self) -> str:
        """The standard error in per cent of the mean."""
        return f"{100 * self.error / self.mean:.2g}"


def estimate_in(job: Job | None) -> Estimate | None:
    """Return the estimate in the answer of a job, if there is one."""
    details = job.details if job else {}
    if not details.get("estimate"):
        return None
    note = details.get("estimate_note")
    return Estimate(details["estimate"], details["error"], note and Message.from_json(note))


# Difficulty


def band_level(band: str) -> int:
    """Return 1 for the easiest band to 4 for the hardest; 0 when it is not known."""
    return BANDS.index(band) + 1 if band in BANDS else 0


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A stored answer to "how hard is it?"."""

    job: Job

    @property
    def band(self) -> str:
        """The difficulty in a word, as a marked English text; empty when it is not known."""
        return self.job.details.get("band", "")

    @property
    def level(self) -> int:
        """From 1 to 4; 0 when it is not known."""
        return band_level(self.band)

    @property
    def note(self) -> Message | None:
        """The solver's own words on it."""
        return self.job.remark

    def measures(self) -> Iterator[tuple[str, str]]:
        """Yield what was measured: its name and its value."""
        for name, title in MEASURES.items():
            number = self.job.details.get(name)
            if number is not None:
                percent = f"{100 * number:.3g} %"
                yield str(title), percent if name in _CHANCES else f"{number:.2f}"


# Why there is no solution, and what to change


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that rules a solution out."""

    message: Message
    picture: Picture | None
    """The board with the place ringed; None when the fault is not in a place."""


@dataclass(frozen=True, slots=True)
class ChangedBoard:
    """A board with a few changes, which can be solved."""

    position: str
    changes: list[Message]
    """`+ row,column`, `- row,column`, or a brush of the editor and where it is set down."""
    solutions: str
    """How many it has, as a decimal string; empty when that was not counted."""
    picture: Picture
    """The board with the changed points ringed."""


@dataclass(frozen=True)
class Repair:
    """A stored answer to "how can it be made solvable?"."""

    puzzle: Board
    job: Job

    @property
    def faults(self) -> list[Fault]:
        """What is wrong."""
        position, kind = self.puzzle.position, self.puzzle.kind
        return [
            Fault(
                Message.from_json(entry["message"]),
                _ringed(kind, position, entry["cells"], "fault") if entry["cells"] else None,
            )
            for entry in self.job.details.get("diagnosis", ())
        ]

    @cached_property
    def boards(self) -> list[ChangedBoard]:
        """The smallest changes, those with the most solutions first; at most `MOST_REPAIRS`."""
        return [
            ChangedBoard(
                entry["position"],
                [_in_words(self.puzzle.kind, change) for change in entry["flips"]],
                entry.get("solutions", ""),
                _ringed(
                    self.puzzle.kind,
                    entry["position"],
                    [change.rpartition(" ")[2] for change in entry["flips"]],
                    "changed",
                ),
            )
            for entry in self.job.details.get("repairs", ())[:MOST_REPAIRS]
        ]

    @property
    def is_all(self) -> bool:
        """No other change of the same size makes the puzzle solvable."""
        found = self.job.details.get("repairs", ())
        return bool(self.job.details.get("all")) and len(found) <= MOST_REPAIRS


def _in_words(kind: AnyKind, change: str) -> Message:
    sign, _, place = change.rpartition(" ")
    if sign in kind.editor.brushes:
        brush = Message(kind.editor.brushes[sign])
        return Message("{brush}: {place}", {"brush": brush, "place": place})
    return Message(change)


def _ringed(kind: AnyKind, position: str, cells: Iterable[str], style: str) -> Picture:
    return kind.editor.draw(position).with_rings(cells, style)
