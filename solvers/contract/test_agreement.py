"""Tests that all answers about a position agree with each other and with the rules alone."""

import os

from solvers.contract.agreement import check_many
from solvers.registry import AnyKind

POSITIONS = int(os.environ.get("FUZZ_ANSWERS", 60))
"""The random positions of each kind. `make fuzz` checks more."""
SEED = int(os.environ.get("FUZZ_SEED", 1))


def test_answers_agree_with_each_other_and_with_the_rules(kind: AnyKind) -> None:
    checked = check_many(kind, seed=SEED, number=POSITIONS)
    assert len(checked) == POSITIONS, "too few samples are small enough for brute force"
    compared = {
        "hint": sum(each.is_hinted for each in checked),
        "solutions": sum(each.is_listed for each in checked),
        "groups": sum(each.is_grouped for each in checked),
    }
    for name, number in compared.items():
        assert number or name not in kind.questions or "solutions" not in kind.questions, (
            f"“{name}” was never decided on {POSITIONS} small positions"
        )
