"""Numbers that a class has answered, on a line."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from puzzleclass.puzzles.answers import short


class PlacedEstimate(NamedTuple):
    """An answer on a number line."""

    x: int
    label_y: int
    """The height of its label. Labels of neighbours have different heights."""
    number: str
    times: int
    first: int
    """How many gave it in the first round, while the second is shown."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class NumberLine:
    """Estimates on a number line with a logarithmic scale, from the smallest to the largest."""

    estimates: list[PlacedEstimate]
    truth: tuple[int, str] | None
    """The place of the true number, and the number; None until it is shown, and where an estimate
    is right."""

    WIDTH: ClassVar[int] = 560

    @classmethod
    def of(
        cls, answers: Counter[str], truth: int | None, first: Counter[str] | None = None
    ) -> "NumberLine":
        """Return the estimates of a round, and those of the `first` round below them."""
        before = Counter() if first is None else first
        numbers = sorted(int(answer) for answer in answers | before)
        ends = [*numbers, *([] if truth is None else [truth])] or [0]
        least, most = math.log1p(min(ends)), math.log1p(max(ends))

        def place(number: int) -> int:
            share = (math.log1p(number) - least) / (most - least) if most > least else 0.5
            return 40 + round((cls.WIDTH - 80) * share)

        estimates = [
            PlacedEstimate(
                place(number),
                30 + 18 * (at % 3),
                short(number),
                answers[str(number)],
                before[str(number)],
                number == truth,
            )
            for at, number in enumerate(numbers)
        ]
        is_named = truth is None or truth in numbers
        return cls(estimates, None if truth is None or is_named else (place(truth), short(truth)))
