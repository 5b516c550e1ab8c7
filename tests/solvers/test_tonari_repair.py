"""Tonari Othello: the smallest changes after which a target can be reached."""

import random

import pytest

from solvers.contract.boards import make_ask
from solvers.tonari import KIND, rules
from tests.solvers.tonari_boards import reached

ask = make_ask(KIND)


def test_repairs_are_the_smallest():
    rng = random.Random(6)
    for _ in range(25):
        position = KIND.start(KIND.sample(rng, 3))
        answer = ask("repair", position)
        nearest = min((white ^ position.white).bit_count() for white in reached(position))
        start_changes = sum(
            rules.wants_white(position, cell) != white
            for cell, white in rules.final_colours(position).items()
        )
        if answer.value is not None:
            assert answer.value == nearest
            for entry in answer.repairs:
                assert ask("count", entry.position).value == entry.solutions
                assert len(entry.changes) == answer.value >= start_changes
                changed = KIND.read(entry.position).white ^ position.white
                for change in entry.changes:
                    cell = KIND.read_move(change.cell)
                    assert changed & position.bit(cell)
                    assert ("White" in str(change.message)) != rules.wants_white(position, cell)


def test_a_reachable_target_needs_no_repair():
    answer = ask("repair", "4x4 11")
    assert answer.value == 0
    assert (answer.diagnosis, answer.repairs, answer.is_all) == ((), (), True)


@pytest.mark.parametrize(
    ("text", "words", "cells", "number", "complete"),
    [
        ("Bbbb/bbbb/bbbb", "An odd number of them will end white", 11, 11, True),
        ("bBbb/bbbb/bbbb/wbbb", "will end white, but the target wants black", 1, 1, True),
        ("Bww/www/wbb", "Wherever the next stone is put", 3, None, True),
        ("Bbbbbb/bbbbbb/bbbbbb/bbbbbb/bbbbbb", "An odd number of them", 29, 20, False),
    ],
)
def test_repairs_say_what_is_wrong_and_where(text, words, cells, number, complete):
    answer = ask("repair", text)
    reason, *_ = answer.diagnosis
    assert words in reason.message.text
    assert len(reason.cells) == cells
    found = answer.repairs
    assert answer.is_all == complete
    if number:
        assert len(found) == number
    counts = [entry.solutions or 0 for entry in found]
    assert counts == sorted(counts, reverse=True) and counts[0]


def test_repairs_that_are_not_counted_in_time_are_given_all_the_same():
    answer = ask("repair", "Bbbb/bbbb/bbbb", count_seconds=0)
    assert len(answer.repairs) == 11
    assert not any(entry.solutions for entry in answer.repairs)


def test_a_target_that_needs_more_changes_says_so():
    text = "Bwwb/wbbb/wbww/bwbw"
    assert ask("repair", text).value > 0
    answer = ask("repair", text, most=0)
    assert (answer.value, answer.proven) == (None, False)
    assert answer.note.values == {"most": 0}
