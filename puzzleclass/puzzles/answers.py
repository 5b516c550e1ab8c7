"""What solvers have answered about a puzzle: its count, its difficulty, an estimate, repairs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, localcontext
from typing import Any, TypeVar

from babel.numbers import format_compact_decimal
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles.models import Board
from solvers.answers import Answer, CountAnswer, EstimateAnswer, RateAnswer, Repair, RepairAnswer
from solvers.grid import read_cell
from solvers.message import Message
from solvers.picture import Picture

A = TypeVar("A", bound=Answer)

COUNT, ESTIMATE, RATE, REPAIR, SOLUTIONS = "count", "estimate", "rate", "repair", "solutions"
"""Questions of the kinds that have a place of their own on the site."""

MOST_LISTED = 10_000
"""More solutions are counted, but not listed."""

MOST_REPAIRS = 12
"""Changed boards on the page; those with the most solutions come first."""

MEASURES = {
    "random": _("Chance to solve it by any legal move"),
    "careful": _("Chance to solve it by any move that is not visibly lost"),
    "random_level": _("The same as a level: −log₁₀ of the first chance"),
    "careful_level": _("The same as a level: −log₁₀ of the second chance"),
    "branching": _("Moves to choose from, on average"),
    "trap_depth": _("Moves from a mistake until it shows, on average"),
    "error": _("Standard error"),
}
"""A field of `RateAnswer` -> what it measures."""

_CHANCES = ("random", "careful")

_EXACT_BELOW, _COMPACT_BELOW = 10_000, 10**24
_IN_FULL_BELOW = 10**15
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# Questions and their jobs


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
    join them by asking. One query, two while there are such jobs.
    """
    position = board.kind.write(board.start)
    keys = [
        job_key(board.kind_slug, name, position, options) for name, options in questions.items()
    ]
    found = jobs.find_all(keys)
    on_their_way = [key for key, job in found.items() if job.result is None]
    mine = user.jobs.filter(key__in=on_their_way) if on_their_way else None
    seen = set(mine.values_list("key", flat=True)) if mine else set()
    return {job.question: job for job in found.values() if job.result or job.key in seen}


def answer_in(job: Job | None, answer: type[A]) -> A | None:
    """Return the job's answer; None without a job, while there is none, or of another type."""
    result = job.result if job else None
    return result if isinstance(result, answer) else None


# The number of solutions


@dataclass(frozen=True, slots=True)
class Count:
    """An answer to "how many solutions?"."""

    puzzle: Board
    answer: CountAnswer

    @property
    def value(self) -> int:
        """The number of solutions; a lower bound unless `proven`."""
        return self.answer.value or 0

    @property
    def proven(self) -> bool:
        return self.answer.proven

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

        Where a tool is chosen before a move, one for each tool with such moves, with its title.
        """
        kind, start, by_move = self.puzzle.kind, self.puzzle.start, self.answer.by_move
        if kind.tools is None:
            return [(None, label_moves(self.puzzle.picture, by_move))]
        used = {kind.tools.tool_of(kind.read_move(move)) for move in by_move}
        return [
            (title, label_moves(kind.tools.draw(start, tool), by_move))
            for tool, title in kind.tools.names(start).items()
            if tool in used
        ]


def count_in(board: Board, job: Job | None) -> Count | None:
    """Return the count in the answer of a job, if there is one."""
    answer = answer_in(job, CountAnswer)
    return Count(board, answer) if answer else None


def known_counts(boards: Iterable[Board]) -> dict[int, Count]:
    """Return pk -> count, for those of the boards that have been counted, or whose row in the
    library knows it from a generator or a colleague. One query."""
    keys = [(board, job_key(board.kind_slug, COUNT, board.position)) for board in boards]
    found = jobs.find_all(key for _, key in keys)
    answers = [(board, answer_in(found.get(key), CountAnswer)) for board, key in keys]
    known = [(board, answer or board.known_count) for board, answer in answers]
    return {board.pk: Count(board, answer) for board, answer in known if answer}


def label_moves(picture: Picture, numbers: Mapping[str, int]) -> Picture:
    """Return the picture with a number on each move; all small if one is long, zeros set apart."""
    some = {move: short(number) for move, number in numbers.items() if number}
    none = {move: "0" for move, number in numbers.items() if not number}
    is_long = any(len(text) > 3 for text in some.values())
    style = "label long" if is_long else "label"
    return picture.annotated(labels={style: some, "label none": none})


def short(number: int) -> str:
    """Return a number as its first digits and a unit in the active language, rounded down.

    >>> short(1_234_567)
    '1.2M'
    """
    if number < _EXACT_BELOW:
        return str(number)
    digits, language = str(number), (get_language() or "en")[:2]
    if number < _COMPACT_BELOW:
        with localcontext(rounding=ROUND_DOWN):
            text = format_compact_decimal(number, locale=language)
            if not text[1].isdigit():
                text = format_compact_decimal(number, locale=language, fraction_digits=1)
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
    answer = answer_in(job, EstimateAnswer)
    if answer is None or not answer.estimate:
        return None
    return Estimate(answer.estimate, answer.error or 0, answer.estimate_note)


# Difficulty


def measures_in(answer: RateAnswer) -> Iterator[tuple[str, str]]:
    """Yield what was measured of a difficulty: its name and its value."""
    for name, title in MEASURES.items():
        number = getattr(answer, name)
        if number is not None:
            percent = f"{100 * number:.3g} %"
            yield str(title), percent if name in _CHANCES else f"{number:.2f}"


# Why there is no solution, and what to change


@dataclass(frozen=True, slots=True)
class RepairAdvice:
    """An answer to "how can it be made solvable?"."""

    puzzle: Board
    answer: RepairAnswer

    @property
    def faults(self) -> list[tuple[Message, Picture | None]]:
        """What rules a solution out, with the places ringed; no picture where it is in none."""
        return [
            (fault.message, self._ringed(self.puzzle.position, fault.cells, "fault"))
            for fault in self.answer.diagnosis
        ]

    @property
    def repairs(self) -> list[tuple[Repair, Picture | None]]:
        """The first `MOST_REPAIRS` repairs, each with its board, the changed places ringed."""
        return [
            (
                repair,
                self._ringed(
                    repair.position, [change.cell for change in repair.changes], "changed"
                ),
            )
            for repair in self.answer.repairs[:MOST_REPAIRS]
        ]

    @property
    def is_all(self) -> bool:
        """No other change of the same size makes the puzzle solvable."""
        return self.answer.is_all and len(self.answer.repairs) <= MOST_REPAIRS

    def _ringed(self, position: str, cells: Iterable[str], style: str) -> Picture | None:
        picture = self.puzzle.kind.editor.draw(position)
        rings = [read_cell(cell) for cell in cells]
        return picture.annotated(rings={style: rings}) if rings else None
