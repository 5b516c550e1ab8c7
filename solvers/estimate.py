"""Estimates of a number of solutions from random games.

The product of the choices of a game that solves the board, else 0, has that number as its mean
(Knuth, Mathematics of Computation 29, 1975).
"""

import math
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from solvers.answers import EstimateAnswer, Exact
from solvers.message import Message

E = TypeVar("E", bound=EstimateAnswer)

LARGEST_ERROR = 0.1
"""The largest standard error, as a share of the mean, of which a sample says enough. It is 1 / √n
for n games of equal results. If few games or a few large results make up the mean, the sample does
not know its own error."""
WIDTH = 2.2
"""The standard errors on each side of the mean, on a logarithmic scale, between which the number
lies 95 times in 100. It is that of 12 independent samples (Student's t with 11 degrees of
freedom)."""


@dataclass(frozen=True, slots=True)
class RandomEstimate:
    """The mean of random games and its standard error."""

    mean: float
    error: float
    games: int

    @classmethod
    def of(cls, total: float, squares: float, games: int) -> Self:
        """Return the estimate from the sum of the results of all games and that of their
        squares."""
        mean = total / games
        variance = max(0.0, squares / games - mean * mean)
        return cls(mean, math.sqrt(variance / games), games)

    @property
    def is_known(self) -> bool:
        """Whether the sample supports an estimate."""
        return self.mean > 0 and self.error <= LARGEST_ERROR * self.mean

    @property
    def value(self) -> int | None:
        """The rounded estimate. Without one, a single game that solves the board is a solution."""
        if not self.mean:
            return None
        return max(1, round(self.mean)) if self.is_known else 1

    @property
    def between(self) -> tuple[float, float]:
        """The numbers between which the number of solutions lies 95 times in 100."""
        factor = math.exp(WIDTH * self.error / self.mean)
        return self.mean / factor, self.mean * factor

    @property
    def note(self) -> Message:
        """A description of the method of the estimate, or why there is none."""
        if not self.is_known:
            return Message(
                "Too few of {probes} random games solve the board for an estimate.",
                {"probes": self.games},
            )
        least, most = self.between
        return Message(
            "Estimated from {probes} random games: about {mean}, 95 times in 100 between {least} "
            "and {most}.",
            {
                "probes": self.games,
                "mean": f"{self.mean:.3g}",
                "least": f"{least:.3g}",
                "most": f"{most:.3g}",
            },
        )

    def to_answer(self, answer: type[E], value: int | None, **fields: Any) -> E:
        """Return an unproven answer of the given type that contains the estimate."""
        return answer(
            None if value is None else Exact(value),
            proven=False,
            estimate=float(f"{self.mean:.4g}") if self.is_known else None,
            error=float(f"{self.error:.2g}") if self.is_known else None,
            between=self.between if self.is_known else None,
            estimate_note=self.note,
            **fields,
        )
