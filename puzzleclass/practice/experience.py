"""What classes have experienced at boards: how difficult the boards are for their students.

The difficulty of every board is computed. Results tell three things more: how much a class solves,
how much more difficult its students find the difficult boards, and which boards surprise. This is a
Rasch model with a computed difficulty (De Boeck and Wilson, "Explanatory Item Response Models",
2004). Each of its parameters is pulled towards the value that it has without any results.

The figures are those of the class, and of the classes that share theirs (`BoardFigures`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp
from typing import NamedTuple

from puzzleclass.practice.skill import BEGINNER

MAX_CLASSES = 30
"""The most classes whose shared figures count in another class's experience, the latest first."""

MAX_FIGURES = 600
"""The most rows of figures from which a class's experience is computed: its own first, then those
of the most students."""

ROUNDS = 4
"""The rounds in which the parameters are fitted. Later ones change nothing that matters."""

SPREAD_OF_STARTS, SPREAD_OF_CLASSES, SPREAD_OF_SLOPES, SPREAD_OF_BOARDS = 1.0, 0.5, 0.5, 0.3
"""The standard deviations, in log-odds, within which the parameters are expected: the level of all
classes, that of a class, the slope, and a board."""


class Figures(NamedTuple):
    """How often a board was solved in a class."""

    classroom: int
    slug: str
    board: str
    """The fingerprint of the board."""
    difficulty: float
    students: int
    solved: int


@dataclass(frozen=True, slots=True)
class Experience:
    """What is known about a class's students and boards."""

    beginners: Mapping[str, float] = field(default_factory=dict)
    """The skill with which a student of the class begins at a kind."""
    slopes: Mapping[str, float] = field(default_factory=dict)
    """How much a computed difficulty counts at a kind; 1 without an entry."""
    offsets: Mapping[str, float] = field(default_factory=dict)
    """How much more difficult a board was than computed, by its fingerprint."""

    def felt(self, slug: str, board: str, difficulty: float) -> float:
        """Return the difficulty, in log-odds, that the board has for students."""
        return self.slopes.get(slug, 1) * difficulty + self.offsets.get(board, 0)


def fitted(figures: Iterable[Figures], classroom: int) -> Experience:
    """Return the experience of the class with this primary key from the figures of several."""
    by_slug: dict[str, list[Figures]] = {}
    for each in figures:
        by_slug.setdefault(each.slug, []).append(each)
    beginners: dict[str, float] = {}
    slopes: dict[str, float] = {}
    offsets: dict[str, float] = {}
    for slug, rows in by_slug.items():
        start, of_classes, slope, of_boards = _fitted_kind(rows)
        beginners[slug] = BEGINNER.value + start.get(None, 0) + of_classes.get(classroom, 0)
        # A board that is more difficult by computation never counts as easier.
        slopes[slug] = max(1 + slope.get(None, 0), 0)
        offsets |= {str(board): -easier for board, easier in of_boards.items()}
    return Experience(beginners, slopes, offsets)


Parameters = dict[int | str | None, float]
"""The values of a sort of parameter: of all rows together, by class, or by board."""


def _fitted_kind(rows: list[Figures]) -> tuple[Parameters, ...]:
    """Return what is added to the level, to the level of each class, to the slope, and to the level
    of each board.

    Newton's method takes one sort of parameter after the other.
    """
    sorts: tuple[tuple[list[int | str | None], list[float], float, Parameters], ...] = (
        ([None] * len(rows), [1.0] * len(rows), SPREAD_OF_STARTS, {}),
        ([row.classroom for row in rows], [1.0] * len(rows), SPREAD_OF_CLASSES, {}),
        ([None] * len(rows), [-row.difficulty for row in rows], SPREAD_OF_SLOPES, {}),
        ([row.board for row in rows], [1.0] * len(rows), SPREAD_OF_BOARDS, {}),
    )
    levels = [BEGINNER.value - row.difficulty for row in rows]
    for _ in range(ROUNDS):
        for keys, weights, spread, values in sorts:
            gradients = {key: -values.get(key, 0) / spread**2 for key in keys}
            bends = dict.fromkeys(keys, 1 / spread**2)
            for row, key, weight, level in zip(rows, keys, weights, levels, strict=True):
                p = 1 / (1 + exp(-level))
                gradients[key] += (row.solved - row.students * p) * weight
                bends[key] += row.students * p * (1 - p) * weight**2
            steps = {key: gradients[key] / bends[key] for key in gradients}
            values |= {key: values.get(key, 0) + step for key, step in steps.items()}
            levels = [
                level + steps[key] * weight
                for level, key, weight in zip(levels, keys, weights, strict=True)
            ]
    return tuple(values for *_, values in sorts)
