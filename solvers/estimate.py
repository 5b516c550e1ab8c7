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
    def note(self) -> Message:
        """A description of the method of the estimate."""
        return Message(
            "Estimated from {probes} random games: about {mean}, ± {percent}%.",
            {
                "probes": self.games,
                "mean": f"{self.mean:.3g}",
                "percent": f"{100 * self.error / self.mean:.1f}" if self.mean else "100",
            },
        )

    def to_answer(self, answer: type[E], value: int | None, **fields: Any) -> E:
        """Return an unproven answer of the given type that contains the estimate."""
        return answer(
            None if value is None else Exact(value),
            proven=False,
            estimate=float(f"{self.mean:.4g}"),
            error=float(f"{self.error:.2g}"),
            estimate_note=self.note,
            **fields,
        )
