"""How hard a puzzle is, as a solver has measured it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from puzzleclass.jobs.models import Job
from solvers.message import Message

QUESTION = "rate"

BANDS = ("easy", "medium", "hard", "very hard")
"""The names that all kinds give their bands."""

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
        """1 for the easiest band to 4 for the hardest; 0 when it is not known."""
        return BANDS.index(self.band) + 1 if self.band in BANDS else 0

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
