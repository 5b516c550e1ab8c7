"""How well the estimate of skill predicts results, beside the difficulty of the boards alone.

    python -m bench.skill            simulated students, in some seconds
    python -m bench.skill --demo     the students of the demo school, in some minutes

The figures are the log loss of predictions about students that no predictor was fitted to (smaller
is better). Every attempt is predicted before its result is known. "Difficulty alone" is a logistic
regression for each kind, fitted to as many other students. The estimate is the one of the site
(`puzzleclass/practice/skill.py`), whose constants are not fitted.

The simulated students do not follow the model of the estimate. Each has a rate of lapses for every
kind: at that share of the choices that the careful player of `rate` makes at random, the student
does, too. A board of the level D is then solved with the chance 10^(-D x lapses). Lapses become
rarer with every board, and boards differ from their level.
"""

import argparse
import os
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, groupby
from math import exp, log
from statistics import mean
from typing import NamedTuple

from bench.timing import table
from puzzleclass.practice.skill import Skill, chance, scaled, skill_after, skill_at
from puzzleclass.puzzles.worlds import BoardKey, kinds_with_worlds
from solvers.registry import AnyKind, collection

STUDENTS = 400
BOARDS = 40
"""The boards that each simulated student plays."""

ROUND = 5
"""The boards of a kind that follow each other, as in a lesson."""

SLIP = 0.03
"""The chance that a simulated student loses a board without any reason."""


class Result(NamedTuple):
    """The result of an attempt: the kind, the difficulty in log-odds, and whether it was solved."""

    slug: str
    difficulty: float
    is_success: bool


Results = Sequence[Result]
"""The results of a student, in their order."""

Predictor = Callable[[Results], list[float]]
"""A function from a student's results to the chances that were predicted before each of them."""


# Simulated students


class SimulatedStudent:
    """A student who loses boards by lapses."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        general = rng.gauss(-0.45, 0.3)
        self.lapses = {
            kind.slug: 10 ** (general + rng.gauss(0, 0.25)) for kind in kinds_with_worlds()
        }

    def solves(self, kind: AnyKind, measured: float) -> bool:
        """Let the student try a board of this measured difficulty, and learn from it."""
        # A kind with a score measures the missing points, each of which counts like 0.4 levels.
        level = measured * (0.4 if kind.score else 1) * exp(self.rng.gauss(0, 0.3))
        solved = self.rng.random() < (1 - SLIP) * 10 ** (-level * self.lapses[kind.slug])
        self.lapses[kind.slug] *= 0.99
        return solved


def simulated_results(seed: int, students: int = STUDENTS) -> list[Results]:
    """Return the results of simulated students at random boards of the collections."""
    rng = random.Random(seed)
    everyone = []
    for _ in range(students):
        student, results = SimulatedStudent(rng), []
        for number in range(BOARDS):
            if number % ROUND == 0:
                kind = rng.choice(kinds_with_worlds())
            measured = rng.choice(collection(kind)).difficulty
            solved = student.solves(kind, measured)
            results.append(Result(kind.slug, scaled(kind, measured), solved))
        everyone.append(results)
    return everyone


def chosen_and_solved(seed: int, students: int = STUDENTS) -> list[list[bool]]:
    """Return whether each simulated student solved each of the boards that practice chose."""
    from puzzleclass.practice.choice import BoardChoice, Played, difficulty_of

    rng, now = random.Random(seed), datetime.now(UTC)
    everyone = []
    for _ in range(students):
        student, solved = SimulatedStudent(rng), []
        skills: dict[str, Skill] = {}
        played: dict[BoardKey, Played] = {}
        for number in range(BOARDS):
            if number % ROUND == 0:
                kind = rng.choice(kinds_with_worlds())
                measured = {each.position: each.difficulty for each in collection(kind)}
            board = BoardChoice(skills, played, {}, now).next_board(kind)
            assert board is not None, "a practice of which every board rests"
            solved.append(student.solves(kind, measured[board.position]))
            played[board.key] = Played(now, solved[-1])
            skill = skill_at(kind.slug, skills)
            skills[kind.slug] = skill_after(skill, difficulty_of(board), is_success=solved[-1])
        everyone.append(solved)
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
        for slug, difficulty, _ in results:
            intercept, slope = lines.get(slug, of_all)
            predicted.append(1 / (1 + exp(-intercept - slope * difficulty)))
        return predicted

    return predict


def by_one_skill(results: Results) -> list[float]:
    """Predict by one estimate for all kinds together."""
    return by_skill([result._replace(slug="") for result in results])


def by_skill(results: Results) -> list[float]:
    """Predict by an estimate for each kind, as the site does."""
    skills: dict[str, Skill] = {}
    predicted = []
    for slug, difficulty, is_success in results:
        skill = skill_at(slug, skills)
        predicted.append(chance(skill, difficulty))
        skills[slug] = skill_after(skill, difficulty, is_success=is_success)
    return predicted


def _fitted(results: Iterable[Result]) -> tuple[float, float]:
    """Return the intercept and the slope with the smallest log loss, by Newton's method.

    A very small pull to 0 keeps them finite where all results are alike.
    """
    intercept = slope = 0.0
    results = list(results)
    for _ in range(30):
        gradient, bend = [-1e-3 * intercept, -1e-3 * slope], [1e-3, 0.0, 1e-3]
        for _, x, is_success in results:
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


def log_loss(everyone: Iterable[Results], predict: Predictor) -> float:
    """Return the mean log loss of the predictions about all attempts of these students."""
    losses = [
        -log(max(1e-9, p if result.is_success else 1 - p))
        for results in everyone
        for p, result in zip(predict(results), results)
    ]
    return sum(losses) / len(losses)


def compared(training: Sequence[Results], held_out: Sequence[Results]) -> dict[str, float]:
    """Return the log loss of each predictor about the students who are held out."""
    predictors = {
        "share solved": by_rate(training),
        "difficulty alone": by_difficulty(training),
        "difficulty and one skill": by_one_skill,
        "difficulty and a skill for each kind": by_skill,
    }
    return {name: log_loss(held_out, predict) for name, predict in predictors.items()}


# The demo


def demo_results() -> list[Results]:
    """Make the demo school in the empty database, and return the results of its students."""
    from puzzleclass.demo.school import make_demo
    from puzzleclass.jobs import runner
    from puzzleclass.jobs.models import Job
    from puzzleclass.practice.counting import ended_attempts, results_of, with_facts

    make_demo()
    for job in Job.objects.filter(question="rate"):
        runner.run(job.pk)
    attempts = with_facts(ended_attempts()).order_by("student", "last_at", "pk")
    own = groupby(attempts, key=lambda attempt: attempt.student_id)
    return [[Result(*each) for each in results_of(list(tried))] for _, tried in own]


# The tables


def simulated_tables() -> Iterator[str]:
    """Yield what is printed about simulated students."""
    yield f"{STUDENTS} simulated students with {BOARDS} attempts each."
    yield _losses(compared(simulated_results(1), simulated_results(2)))
    solved = chosen_and_solved(3)
    rows = []
    for first, last in ((0, 5), (5, 10), (10, 20), (20, BOARDS)):
        share = mean(mean(each[first:last]) for each in solved)
        rows.append([f"{first + 1} to {last}", f"{share:.0%}"])
    yield table(["boards that practice chose", "solved"], rows)


def demo_tables() -> Iterator[str]:
    """Yield what is printed about the demo school."""
    everyone = demo_results()
    yield (
        f"{len(everyone)} students with {sum(map(len, everyone))} attempts. Each half of them is "
        "predicted by what was fitted to the other half."
    )
    halves = everyone[::2], everyone[1::2]
    parts = [compared(*halves), compared(*reversed(halves))]
    yield _losses({name: mean(part[name] for part in parts) for name in parts[0]})


def _losses(losses: Mapping[str, float]) -> str:
    return table(["predicted by", "log loss"], [[name, f"{n:.3f}"] for name, n in losses.items()])


def main() -> None:
    """Print the tables. The site runs on a scratch database."""
    parser = argparse.ArgumentParser(prog="python -m bench.skill", description=__doc__)
    parser.add_argument("--demo", action="store_true", help="the students of the demo school")
    is_demo = parser.parse_args().demo
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "puzzleclass.settings",
            "VAR_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print("\n\n".join(demo_tables() if is_demo else simulated_tables()))


if __name__ == "__main__":
    main()
