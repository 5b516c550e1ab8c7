"""How well the estimate of skill predicts results, beside the difficulty of the boards alone.

    python -m bench.skill

The figures are the log loss of predictions (smaller is better) about students to whom nothing was
fitted, and the gain over the difficulty alone with its 95 % confidence interval (a bootstrap over
students). Every attempt is predicted before its result is known. "Difficulty alone" is a logistic
regression for each kind, fitted to other students. The estimates are those of the site
(`puzzleclass/practice/skill.py` and `experience.py`).

The constants were chosen on the seeds 1, 2 and 3. The figures come from other seeds, which had not
been looked at.

The simulated students do not follow the model of the estimate. Each has a rate of lapses for every
kind: at that share of the choices that the careful player of `rate` makes at random, the student
does, too. A board of the level D is then solved with the chance 10^(-D x lapses). Lapses become
rarer with every board, and each board is easier or harder than its level for everybody.
"""

import argparse
import heapq
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import exp, log
from typing import NamedTuple

import django

from bench.timing import table
from puzzleclass.practice.experience import MAX_FIGURES, Experience, Figures, fitted
from puzzleclass.practice.skill import Skill, chance, scaled, skill_after, skill_at
from puzzleclass.puzzles.worlds import kinds_with_worlds
from solvers.registry import AnyKind, CollectedPuzzle, collection

EVALUATED_ON = range(101, 107)
"""The seeds of the results about which the figures are."""

CLASS, CLASSES = 40, 10
"""The simulated students of a class, and the classes that share their figures."""
BOARDS = 40
"""The boards that each simulated student plays."""

ROUND = 5
"""The boards of a kind that follow each other, as in a lesson."""

SLIP = 0.03
"""The chance that a simulated student loses a board without any reason."""


class Result(NamedTuple):
    """The result of an attempt."""

    slug: str
    board: str
    """The fingerprint of the board."""
    difficulty: float
    """The difficulty as it is computed, in log-odds."""
    is_first: bool
    """Whether this is the student's first attempt at the board."""
    is_success: bool


Results = Sequence[Result]
"""The results of a student, in their order."""

Predictor = Callable[[Results], list[float]]
"""A function from a student's results to the chances that were predicted before each of them."""


# Simulated students


class SimulatedStudent:
    """A student who loses boards by lapses."""

    def __init__(self, seed: int, rng: random.Random) -> None:
        self.seed, self.rng = seed, rng
        general = rng.gauss(-0.45, 0.3)
        self.lapses = {
            kind.slug: 10 ** (general + rng.gauss(0, 0.25)) for kind in kinds_with_worlds()
        }

    def solves(self, kind: AnyKind, board: CollectedPuzzle) -> bool:
        """Let the student try a board, and learn from it."""
        # A kind with a score measures the missing points, each of which counts like 0.4 levels.
        surprise = exp(random.Random(f"{self.seed} {board.position}").gauss(0, 0.3))
        level = board.difficulty * (0.4 if kind.score else 1) * surprise
        solved = self.rng.random() < (1 - SLIP) * 10 ** (-level * self.lapses[kind.slug])
        self.lapses[kind.slug] *= 0.99
        return solved


def simulated_results(seed: int, students: int) -> list[Results]:
    """Return the results of simulated students at random boards of the collections.

    Boards surprise the students of a seed alike.
    """
    from puzzleclass.puzzles.models import fingerprint

    rng = random.Random(seed)
    everyone: list[Results] = []
    for _ in range(students):
        student = SimulatedStudent(seed, rng)
        results: list[Result] = []
        played: set[str] = set()
        for number in range(BOARDS):
            if number % ROUND == 0:
                kind = rng.choice(kinds_with_worlds())
            board = rng.choice(collection(kind))
            key, difficulty = fingerprint(kind.slug, board.position), scaled(kind, board.difficulty)
            solved = student.solves(kind, board)
            results.append(Result(kind.slug, key, difficulty, key not in played, solved))
            played.add(key)
        everyone.append(results)
    return everyone


# Predictors


def by_rate(training: Iterable[Results]) -> Predictor:
    """Return a predictor that says the share of all attempts that were solved."""
    successes = [result.is_success for results in training for result in results]
    rate = sum(successes) / len(successes)
    return lambda results: [rate] * len(results)


def by_difficulty(training: Iterable[Results]) -> Predictor:
    """Return a logistic regression of the success on the difficulty, for each kind.

    A kind without results is predicted by the regression of all kinds.
    """
    by_slug: dict[str, list[Result]] = {}
    for results in training:
        for result in results:
            by_slug.setdefault(result.slug, []).append(result)
    lines = {slug: _fitted(results) for slug, results in by_slug.items()}
    of_all = _fitted(chain.from_iterable(by_slug.values()))

    def predict(results: Results) -> list[float]:
        predicted = []
        for result in results:
            intercept, slope = lines.get(result.slug, of_all)
            predicted.append(1 / (1 + exp(-intercept - slope * result.difficulty)))
        return predicted

    return predict


def by_one_skill(results: Results) -> list[float]:
    """Predict by one estimate for all kinds together."""
    return by_skill(Experience())([result._replace(slug="") for result in results])


def by_skill(experience: Experience) -> Predictor:
    """Return a predictor by an estimate for each kind, as the site has it in a class that has
    experienced this."""

    def predict(results: Results) -> list[float]:
        skills: dict[str, Skill] = {}
        predicted = []
        for slug, board, difficulty, _, is_success in results:
            skill = skill_at(slug, skills, experience.beginners)
            felt = experience.felt(slug, board, difficulty)
            predicted.append(chance(skill, felt))
            skills[slug] = skill_after(skill, felt, is_success=is_success)
        return predicted

    return predict


def experienced(classes: Sequence[Sequence[Results]]) -> Experience:
    """Return the experience of the first of the classes, if they all share their figures."""
    counted: dict[tuple[int, str, str, float], list[bool]] = {}
    for number, students in enumerate(classes):
        for result in chain.from_iterable(students):
            if result.is_first:
                board = number, result.slug, result.board, result.difficulty
                counted.setdefault(board, []).append(result.is_success)
    rows = [Figures(*board, len(each), sum(each)) for board, each in counted.items()]
    return fitted(heapq.nlargest(MAX_FIGURES, rows, key=lambda row: (row[0] == 0, row.students)), 0)


def _fitted(results: Iterable[Result]) -> tuple[float, float]:
    """Return the intercept and the slope with the smallest log loss, by Newton's method.

    A very small pull to 0 keeps them finite where all results are alike.
    """
    intercept = slope = 0.0
    results = list(results)
    for _ in range(30):
        gradient, bend = [-1e-3 * intercept, -1e-3 * slope], [1e-3, 0.0, 1e-3]
        for result in results:
            x, is_success = result.difficulty, result.is_success
            p = 1 / (1 + exp(-intercept - slope * x))
            gradient[0] += is_success - p
            gradient[1] += (is_success - p) * x
            bend[0] += p * (1 - p)
            bend[1] += p * (1 - p) * x
            bend[2] += p * (1 - p) * x * x
        determinant = bend[0] * bend[2] - bend[1] ** 2
        intercept += (bend[2] * gradient[0] - bend[1] * gradient[1]) / determinant
        slope += (bend[0] * gradient[1] - bend[1] * gradient[0]) / determinant
    return intercept, slope


# Comparison


def losses(everyone: Iterable[Results], predict: Predictor) -> list[list[float]]:
    """Return the log loss of the prediction about each attempt of each student."""
    return [
        [
            -log(max(1e-9, p if result.is_success else 1 - p))
            for p, result in zip(predict(results), results)
        ]
        for results in everyone
    ]


def log_loss(everyone: Sequence[Sequence[float]]) -> float:
    """Return the mean of the losses of all attempts."""
    return sum(map(sum, everyone)) / sum(map(len, everyone))


Losses = dict[str, list[list[float]]]
"""The losses about each attempt of each student, by the name of the predictor."""


def compared(classes: Sequence[Sequence[Results]], held_out: Sequence[Results]) -> Losses:
    """Return the losses of each predictor about the students who are held out.

    They belong to the first of the classes, whose other students are the training.
    """
    training = list(chain.from_iterable(classes))
    predictors = {
        "share solved": by_rate(training),
        ALONE: by_difficulty(training),
        "one skill": by_one_skill,
        "a skill for each kind": by_skill(Experience()),
        "the same, with the class's figures": by_skill(experienced(classes[:1])),
    }
    if len(classes) > 1:
        predictors["the same, with shared figures"] = by_skill(experienced(classes))
    return {name: losses(held_out, predict) for name, predict in predictors.items()}


ALONE = "difficulty alone"


def interval(better: Sequence[Sequence[float]], worse: Sequence[Sequence[float]]) -> list[float]:
    """Return the difference of two mean losses, and the ends of its 95 % confidence interval.

    The interval is that of a bootstrap over students, because attempts of a student are alike.
    """
    sums = [(sum(w) - sum(b), len(b)) for b, w in zip(better, worse, strict=True)]
    rng = random.Random(1)
    means = []
    for _ in range(1000):
        drawn = rng.choices(sums, k=len(sums))
        means.append(sum(gain for gain, _ in drawn) / sum(number for _, number in drawn))
    means.sort()
    return [log_loss(worse) - log_loss(better), means[25], means[974]]


def together(parts: Iterable[Losses]) -> Losses:
    """Return the losses about the students of all parts."""
    joined: Losses = {}
    for part in parts:
        for name, everyone in part.items():
            joined.setdefault(name, []).extend(everyone)
    return joined


def simulated_losses(seed: int) -> Losses:
    """Return the losses about a class of simulated students, in a school of classes."""
    everyone = simulated_results(seed, CLASS * (CLASSES + 1))
    held_out, *others = (everyone[n : n + CLASS] for n in range(0, len(everyone), CLASS))
    return compared(others, held_out)


# The tables


def loss_table(parts: Losses) -> str:
    """Return the table of the losses."""
    rows = []
    for name, everyone in parts.items():
        gain, low, high = interval(everyone, parts[ALONE])
        row = [name, f"{log_loss(everyone):.3f}"]
        rows.append(
            [*row, *(["", ""] if name == ALONE else [f"{gain:+.3f}", f"{low:+.3f} to {high:+.3f}"])]
        )
    return table(["predicted by", "log loss", "gain", "95 %"], rows)


def simulated_tables(seeds: Sequence[int]) -> Iterator[str]:
    """Yield what is printed about simulated students."""
    parts = together(map(simulated_losses, seeds))
    yield f"{len(parts[ALONE])} simulated students with {BOARDS} attempts each."
    yield loss_table(parts)


def main() -> None:
    """Print the tables."""
    argparse.ArgumentParser(prog="python -m bench.skill", description=__doc__).parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")
    django.setup()
    print("\n\n".join(simulated_tables(EVALUATED_ON)))


if __name__ == "__main__":
    main()
