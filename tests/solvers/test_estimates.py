"""The range of an estimate contains the number 95 times in 100, and there is none of a bad sample.
`make fuzz` tries more boards."""

import os
import random

from solvers.estimate import RandomEstimate
from solvers.goishi import KIND as GOISHI
from solvers.goishi import crowds
from solvers.kikazu import KIND as KIKAZU
from solvers.kikazu.estimate import random_games
from solvers.kikazu.search import problem_of
from solvers.question import finish

BOARDS = 200 if "FUZZ_ANSWERS" in os.environ else 30
SEED = os.environ.get("FUZZ_SEED", "1")


def is_covered(estimate: RandomEstimate, number: int) -> bool:
    least, most = estimate.between
    return least <= number <= most


def test_ranges_of_goishi_agree_with_the_counts(monkeypatch):
    monkeypatch.setattr(crowds, "CROWD", 30)
    rng = random.Random(f"{SEED} goishi")
    covered = known = 0
    while known < 200:
        cells = rng.sample(range(36), 17)
        rows = ["".join("o" if 6 * r + c in cells else "." for c in range(6)) for r in range(6)]
        start = GOISHI.read("/".join(rows))
        number = finish(GOISHI.questions["count"].ask(GOISHI, start)).value
        answer = finish(GOISHI.questions["estimate"].ask(GOISHI, start))
        if not number or answer.proven or not answer.between or not answer.error:
            continue
        known += 1
        least, most = answer.between
        covered += least <= number <= most
    assert 0.91 * known <= covered, (covered, known)


def test_ranges_of_kikazu_agree_with_the_counts():
    rng = random.Random(f"{SEED} kikazu")
    covered = known = 0
    while known < BOARDS:
        hand = "".join(f"{n}{p}" if n > 1 else p for p in "RBKGSNLP" if (n := rng.randint(0, 2)))
        start = KIKAZU.read(f"5/5/5/5/5 {hand or '-'}")
        number = finish(KIKAZU.questions["count"].ask(KIKAZU, start)).value
        problem = problem_of(start)
        if not number or problem is None:
            continue
        estimate = finish(random_games(problem, 30_000))
        if not estimate.is_known or not estimate.error:
            continue
        known += 1
        covered += is_covered(estimate, number)
    assert 0.85 * known <= covered, (covered, known)


def test_a_sample_that_does_not_know_its_error_makes_no_estimate():
    board = "7/7/7/7/7/7/7 R2BK3G3S2N3L8P"
    answer = finish(KIKAZU.questions["estimate"].ask(KIKAZU, KIKAZU.read(board)))
    assert (answer.value, answer.estimate, answer.between) == (None, None, None)
    assert "Too few" in str(answer.note or answer.estimate_note) and answer.at_most
    assert not RandomEstimate(0.0, 0.0, 300_000).is_known
