"""The number of a puzzle's solutions, as far as it is known, and how a board shows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import get_language

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.puzzles import estimates
from puzzleclass.puzzles.asking import ask_about, can_ask, job_about
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.message import Message
from solvers.picture import Picture

QUESTION = "count"

_UNITS = {"ja": (10_000, ("万", "億", "兆", "京", "垓")), "en": (1000, ("K", "M", "B", "T"))}
"""Language -> how many of a unit make one of the next, and the units' names."""

MOST_LISTED = 10_000
"""More solutions are counted, but not listed."""

_EXACT_BELOW = 10_000


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
        return self._details.get("limit") == "time"

    @property
    def note(self) -> Message | None:
        """The solver's own words on why it did not come to the end."""
        return self.job.remark

    @cached_property
    def by_move(self) -> dict[str, int]:
        """First move -> how many solutions begin with it. Empty when that was not counted."""
        return {move: int(number) for move, number in self._details.get("by_move", {}).items()}

    @property
    def up_to_mirror(self) -> str:
        """The number when a solution and its mirror image count once; empty where not counted."""
        return self._details.get("up_to_mirror", "") if self.value > 1 else ""

    @property
    def is_hopeless(self) -> bool:
        """There is certainly no solution."""
        return self.proven and not self.value

    @property
    def can_be_estimated(self) -> bool:
        """It is not known exactly, and there is a solver that estimates it."""
        return not self.proven and can_ask(self.puzzle, estimates.QUESTION)

    @property
    def can_be_listed(self) -> bool:
        """There are several solutions, few enough for a list, and a solver that lists them."""
        return self.proven and 1 < self.value <= MOST_LISTED and can_ask(self.puzzle, "solutions")

    @property
    def pictures(self) -> list[tuple[Message | None, Picture]]:
        """The board, each first move bearing the number of solutions that begin with it.

        Where moves begin with what is taken in the hand, one for each such tool, with its title.
        """
        kind, start = self.puzzle.kind, self.puzzle.start
        begun = {move.partition(" ")[0] for move in self.by_move}
        tools = {tool: title for tool, title in kind.tools(start).items() if tool in begun}
        return [
            (title, label_moves(kind.draw_with(start, tool), self.by_move))
            for tool, title in (tools or {"": None}).items()
        ]

    @property
    def _details(self) -> Mapping[str, object]:
        return self.job.answer["details"]


def known_counts(puzzles: Iterable[Puzzle]) -> dict[int, Count]:
    """Return puzzle pk -> count, for those of the puzzles that have been counted. One query."""
    by_key = {}
    for puzzle in puzzles:
        key = job_key(puzzle.kind_slug, QUESTION, puzzle.position)
        by_key.setdefault(key, []).append(puzzle)
    done = Job.objects.filter(key__in=by_key, state=Job.State.DONE)
    return {puzzle.pk: Count(puzzle, job) for job in done for puzzle in by_key[job.key]}


def ask_for_count(user: User, puzzle: Puzzle) -> Job:
    """Have the solutions counted; also once more, when the last count stopped at its limit."""
    return ask_about(user, puzzle, QUESTION)


def count_job(user: User, puzzle: Puzzle) -> Job | None:
    """Return the count's job as far as the user may see it."""
    return job_about(user, puzzle, QUESTION)


def label_moves(picture: Picture, numbers: Mapping[str, int]) -> Picture:
    """Return the picture with a number on each move; all small if one is long, zeros set apart."""
    some = {move: short(number) for move, number in numbers.items() if number}
    none = {move: "0" for move, number in numbers.items() if not number}
    is_long = any(len(text) > 3 for text in some.values())
    picture = picture.with_labels(some, "label long" if is_long else "label")
    return picture.with_labels(none, "label none")


def short(number: int) -> str:
    """Return a number in at most six signs in the active language, rounded down.

    >>> short(1_234_567)
    '1.2M'
    """
    if number < _EXACT_BELOW:
        return str(number)
    step, units = _UNITS["ja" if get_language() == "ja" else "en"]
    power = 0
    while step ** (power + 1) <= number:
        power += 1
    if power > len(units):
        digits = str(number)
        return f"{digits[0]}e{len(digits) - 1}"
    tenths = number * 10 // step**power
    amount = f"{tenths / 10:g}" if tenths < 100 else str(tenths // 10)
    return amount + units[power - 1]
