"""The contract of kinds, held by kinds of random tables."""

import random

import pytest

from solvers.contract import test_pictures, test_rules, test_texts
from solvers.contract.agreement import check_many
from tests.solvers.test_table_kinds import random_kind

NUMBER = 200
PARTS = 4
IN_TURN = [
    test_pictures.test_every_legal_move_can_be_played_by_pressing,
    test_rules.test_playing_leaves_the_position_as_it_was,
    test_rules.test_a_move_that_is_not_listed_is_refused_or_a_fault,
    test_rules.test_the_verdict_fits_the_moves,
    test_rules.test_the_cells_of_a_move_lie_on_the_board,
]
SLOW = [
    test_pictures.test_predicted_presses_match_the_rules,
    test_rules.test_a_turned_line_of_moves_does_the_same_on_the_turned_board,
    test_texts.test_positions_survive_text,
]
SLOW_EVERY = 20


@pytest.mark.parametrize("part", range(PARTS))
def test_kinds_of_random_tables_keep_the_contract(part):
    """All answers about each kind agree. The other promises are checked in turn, and those that
    take long for a few kinds."""
    rng = random.Random(part)
    for number in range(NUMBER // PARTS):
        kind = random_kind(rng)
        checked = check_many(kind, seed=number, number=1)
        assert len(checked) == 1, kind.table
        promises = [IN_TURN[number % len(IN_TURN)], *(() if number % SLOW_EVERY else SLOW)]
        for promise in promises:
            promise(kind)
