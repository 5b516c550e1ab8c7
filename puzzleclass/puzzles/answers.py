"""The answers of solvers about a puzzle: its count, its difficulty, an estimate, repairs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, Context, Decimal, localcontext
from typing import Any, TypeVar

from babel.numbers import format_compact_decimal
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.language import languages
from puzzleclass.puzzles.models import Board
from solvers.answers import Answer, CountAnswer, EstimateAnswer, RateAnswer, Repair, RepairAnswer
from solvers.grid import read_cell
from solvers.message import Message
from solvers.picture import Picture

A = TypeVar("A", bound=Answer)

COUNT, ESTIMATE, RATE, REPAIR, SOLUTIONS = "count", "estimate", "rate", "repair", "solutions"
"""The questions with a dedicated section on a puzzle's page."""

MAX_LISTED = 10_000
"""The most solutions of a board that are listed. Boards with more are only counted."""

MAX_REPAIRS = 12
"""The most repaired boards on the page. Those with the most solutions come first."""

MEASURES = {
    "random": _("Chance of solving it by choosing legal moves at random"),
    "careful": _(
        "Chance of solving it by choosing at random among moves that are not obvious mistakes"
    ),
    "random_level": _("The same as a level: −log₁₀ of the first chance"),
    "careful_level": _("The same as a level: −log₁₀ of the second chance"),
    "branching": _("Moves to choose from, on average"),
    "trap_depth": _("Moves from a mistake until it shows, on average"),
    "error": _("Standard error"),
}
"""What each field of `RateAnswer` measures, by the field's name."""

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
    """Have the question answered. Ask again if the last answer stopped at its limit."""
    return jobs.ask(user, board.kind_slug, question, board.position, options, again=True)


def job_about(
    user: User, board: Board, question: str, options: dict[str, Any] | None = None
) -> Job | None:
    """Return the question's job; None if there is none or the user may not see it.

    The rule is that of `jobs_about`.
    """
    return jobs_about(user, board, {question: options}).get(question)


def jobs_about(
    user: User, board: Board, questions: Mapping[str, dict[str, Any] | None]
) -> dict[str, Job]:
    """Return the jobs that the user may see, by question. `questions` maps names to options.

    Everybody may see an answer. Only those who asked for a job may see it before it is answered;
    others join them by asking. One query, and two if a job has no answer yet.
    """
    position = board.kind.write(board.start)
    keys = [
        job_key(board.kind_slug, name, position, options) for name, options in questions.items()
    ]
    jobs_by_key = jobs.find_all(keys)
    unanswered = [key for key, job in jobs_by_key.items() if job.result is None]
    asked = user.jobs.filter(key__in=unanswered) if unanswered else None
    visible_keys = set(asked.values_list("key", flat=True)) if asked else set()
    return {
        job.question: job for job in jobs_by_key.values() if job.result or job.key in visible_keys
    }


def answer_in(job: Job | None, answer: type[A]) -> A | None:
    """Return the job's answer; None without a job or an answer, or if it has another type."""
    result = job.result if job else None
    return result if isinstance(result, answer) else None


# The number of solutions


@dataclass(frozen=True, slots=True)
class Count:
    """A board's answer to the question "how many solutions?"."""

    puzzle: Board
    answer: CountAnswer

    @property
    def value(self) -> int:
        """The number of solutions, which is only a lower bound unless `proven`."""
        return self.answer.value or 0

    @property
    def proven(self) -> bool:
        return self.answer.proven

    @property
    def is_hopeless(self) -> bool:
        """Whether there is certainly no solution."""
        return self.proven and not self.value

    @property
    def can_be_estimated(self) -> bool:
        """Whether the number is not known exactly and the kind has a solver that estimates it."""
        return not self.proven and can_ask(self.puzzle, ESTIMATE)

    @property
    def can_be_listed(self) -> bool:
        """Whether there are several solutions, few enough for a list, and a solver to list them."""
        return self.proven and 1 < self.value <= MAX_LISTED and can_ask(self.puzzle, SOLUTIONS)

    @property
    def pictures(self) -> list[tuple[Message | None, Picture]]:
        """The board with, on each first move, the number of solutions that begin with it.

        If a tool is chosen before a move, there is a picture for each tool with such moves, with
        the tool's title. Otherwise there is one picture without a title.
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
    """Return the count in the job's answer, if there is one."""
    answer = answer_in(job, CountAnswer)
    return Count(board, answer) if answer else None


def known_counts(boards: Iterable[Board]) -> dict[int, Count]:
    """Return the known counts of the boards, by primary key. One query.

    A count comes from an answer, or else from `known_count`: the library may know it from a
    generator or a colleague.
    """
    keys = [(board, job_key(board.kind_slug, COUNT, board.position)) for board in boards]
    results = jobs.find_all(key for _, key in keys)
    answers = [(board, answer_in(results.get(key), CountAnswer)) for board, key in keys]
    known = [(board, answer or board.known_count) for board, answer in answers]
    return {board.pk: Count(board, answer) for board, answer in known if answer}


def label_moves(picture: Picture, numbers: Mapping[str, int]) -> Picture:
    """Return the picture with a number on each move.

    All labels are small if one is long. Zeros have a style of their own.
    """
    numbered = {move: short(number) for move, number in numbers.items() if number}
    zeros = {move: "0" for move, number in numbers.items() if not number}
    is_long = any(len(text) > 3 for text in numbered.values())
    style = "label long" if is_long else "label"
    return picture.annotated(labels={style: numbered, "label none": zeros})


def short(number: int) -> str:
    """Return a number as its first digits and a unit in the active language, rounded down.

    >>> short(1_234_567)
    '1.2M'
    """
    if number < _EXACT_BELOW:
        return str(number)
    digits, locale = str(number), languages.locale()
    if number < _COMPACT_BELOW:
        with localcontext(rounding=ROUND_DOWN):
            text = format_compact_decimal(number, locale=locale)
            if not text[1].isdigit():
                text = format_compact_decimal(number, locale=locale, fraction_digits=1)
        if len(text) <= len("9999万"):
            return text
    return f"{digits[0]}e{len(digits) - 1}"


# Estimates, for boards with too many solutions to count


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of the number of solutions: the mean over random games."""

    mean: float
    between: tuple[float, float]
    """The numbers between which the number of solutions lies 95 times in 100."""
    note: Message | None
    """The solver's note on how the estimate was made."""

    @property
    def about(self) -> str:
        """The mean to two figures."""
        return _to_figures(self.mean, 2)

    @property
    def least(self) -> str:
        """The lower end of the range, to three figures."""
        return _to_figures(self.between[0], 3)

    @property
    def most(self) -> str:
        """The upper end of the range, to three figures."""
        return _to_figures(self.between[1], 3)


def _to_figures(number: float | Decimal, figures: int) -> str:
    """Return a number to some figures, as `3,100,000,000`, or as `3.1 × 10¹⁷` if that is too
    long."""
    if number < _IN_FULL_BELOW:
        return f"{float(f'{number:.{figures}g}'):,.0f}"
    mantissa, _, power = f"{number:.{figures - 1}e}".partition("e")
    return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"


def estimate_in(job: Job | None, count: Count) -> Estimate | None:
    """Return the estimate in the job's answer, if there is one and the proven bounds of the count
    allow it. Its range ends at these bounds."""
    answer = answer_in(job, EstimateAnswer)
    if answer is None or not answer.estimate or not answer.between:
        return None
    at_most = _at_most(job, count)
    least = max(answer.between[0], count.value)
    most = answer.between[1] if at_most is None else min(answer.between[1], at_most)
    if not least <= answer.estimate <= most:
        return None
    return Estimate(answer.estimate, (least, most), answer.estimate_note)


def at_most_in(job: Job | None, count: Count) -> str:
    """Return the smaller of the upper bounds that the count and the job's answer have proven,
    rounded up if it is long. Empty if there is none."""
    number = _at_most(job, count)
    if number is None or number < _IN_FULL_BELOW:
        return "" if number is None else f"{number:,}"
    rounded_up = Context(prec=3, rounding=ROUND_CEILING)
    return _to_figures(rounded_up.create_decimal(number), 3)


def _at_most(job: Job | None, count: Count) -> int | None:
    answer = answer_in(job, EstimateAnswer)
    bounds = [each.at_most for each in (count.answer, answer) if each and each.at_most is not None]
    return min(bounds, default=None)


# Difficulty


def measures_in(answer: RateAnswer) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each measure in the answer."""
    for name, title in MEASURES.items():
        number = getattr(answer, name)
        if number is not None:
            percent = f"{100 * number:.3g}%"
            yield str(title), percent if name in _CHANCES else f"{number:.2f}"


# Repairs of boards without a solution


@dataclass(frozen=True, slots=True)
class RepairAdvice:
    """A board's answer to the question "how can it be made solvable?"."""

    puzzle: Board
    answer: RepairAnswer

    @property
    def faults(self) -> list[tuple[Message, Picture | None]]:
        """The faults that rule out a solution, each with a picture that rings its cells.

        The picture is None if a fault is in no particular cell.
        """
        return [
            (fault.message, self._ringed(self.puzzle.position, fault.cells, "fault"))
            for fault in self.answer.diagnosis
        ]

    @property
    def repairs(self) -> list[tuple[Repair, Picture | None]]:
        """The first `MAX_REPAIRS` repairs, each with a picture that rings the changed cells."""
        return [
            (
                repair,
                self._ringed(
                    repair.position, [change.cell for change in repair.changes], "changed"
                ),
            )
            for repair in self.answer.repairs[:MAX_REPAIRS]
        ]

    @property
    def is_all(self) -> bool:
        """Whether no other change of the same size makes the puzzle solvable."""
        return self.answer.is_all and len(self.answer.repairs) <= MAX_REPAIRS

    def _ringed(self, position: str, cells: Iterable[str], style: str) -> Picture | None:
        picture = self.puzzle.kind.editor.draw(position)
        rings = [read_cell(cell) for cell in cells]
        return picture.annotated(rings={style: rings}) if rings else None
