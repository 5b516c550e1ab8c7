"""The expected chance that a student solves a board, and the estimate of the student's skill.

This is the one place that computes the chance. The model is the Elo system in the form that is
usual for exercises (Pelánek, "Applications of the Elo rating system in adaptive educational
systems", 2016): the chance is the logistic function of skill minus difficulty, and every result
moves the skill by the surprise times a step that becomes smaller with the number of results.

The difficulty is not estimated, because it is computed exactly for every board. Kinds measure it in
different units, so what counts is the board's place among the boards of its kind's collection.
docs/decisions/adaptive-practice.md has the figures behind the constants.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cache
from math import exp, log
from typing import NamedTuple

from solvers.answers import RateAnswer
from solvers.registry import AnyKind, collection

TARGET = 0.75
"""The chance of success from which on practice suggests a world."""

SPREAD = 2.0
"""The difference between the hardest and the easiest board of a collection, in log-odds."""

LARGEST_STEP, DECAY, SMALLEST_STEP = 0.5, 0.05, 0.1
"""How far a result moves the skill: the step after n results is LARGEST_STEP / (1 + DECAY n). It
never falls below the smallest step, because students learn."""


class Skill(NamedTuple):
    """An estimate of a student's skill at a kind, in log-odds. No page shows it."""

    value: float
    results: int = 0
    """The number of results in the estimate."""


BEGINNER = Skill(log(TARGET / (1 - TARGET)) - SPREAD / 2)
"""The skill of a student without results, who is expected to solve the easiest boards with the
target chance."""


def chance(skill: Skill, difficulty: float) -> float:
    """Return the expected chance, from 0 to 1, that the student solves a board by themselves.

    >>> round(chance(BEGINNER, -SPREAD / 2), 2)
    0.75
    """
    return 1 / (1 + exp(difficulty - skill.value))


def skill_after(skill: Skill, difficulty: float, *, is_success: bool) -> Skill:
    """Return the estimate after one more result, at a board of this difficulty."""
    step = max(LARGEST_STEP / (1 + DECAY * skill.results), SMALLEST_STEP)
    surprise = is_success - chance(skill, difficulty)
    return Skill(skill.value + step * surprise, skill.results + 1)


def skill_at(slug: str, skills: Mapping[str, Skill], beginners: Mapping[str, float]) -> Skill:
    """Return the skill at a kind.

    `beginners` has the skill with which students of the class begin at a kind; it is `BEGINNER`
    without an entry. At a new kind a student begins as far above it as at the others on average.
    """
    if skill := skills.get(slug):
        return skill

    def beginner(slug: str) -> float:
        return beginners.get(slug, BEGINNER.value)

    above = [skill.value - beginner(other) for other, skill in skills.items()]
    return Skill(beginner(slug) + (sum(above) / len(above) if above else 0))


# Difficulty


def scaled(kind: AnyKind, measured: float) -> float:
    """Return the difficulty in log-odds, from its place among the boards of the collection.

    The collection must not be empty.
    """
    ladder = _ladder(kind)
    place = (bisect_left(ladder, measured) + bisect_right(ladder, measured)) / 2 / len(ladder)
    return SPREAD * (place - 0.5)


def difficulty_of_level(kind: AnyKind, level: int) -> float:
    """Return the difficulty of a board of which only the level in the collection is known."""
    boards = [each.difficulty for each in collection(kind) if each.level == level]
    return scaled(kind, boards[len(boards) // 2])


def collected_difficulty(kind: AnyKind, position: str) -> float | None:
    """Return the difficulty of a board of the kind's collection, or None for any other board."""
    return _collected(kind).get(position)


def measured_difficulty(kind: AnyKind, rating: RateAnswer) -> float | None:
    """Return the difficulty in the unit of the kind's collection; None if it is not known."""
    return rating.missing if kind.score else rating.careful_level


@cache
def _ladder(kind: AnyKind) -> list[float]:
    return sorted(each.difficulty for each in collection(kind))


@cache
def _collected(kind: AnyKind) -> dict[str, float]:
    return {each.position: scaled(kind, each.difficulty) for each in collection(kind)}
