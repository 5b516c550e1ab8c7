"""The sets of small boards, checked by the study's figures and the compiled solvers."""

import pytest

from solvers.contract.boards import make_ask
from solvers.tonari import KIND
from solvers.tonari.plain import endings, layers


@pytest.mark.parametrize(
    ("text", "sets", "lost", "solutions"),
    [
        ("3x3 11", 59, 9, 304),
        ("4x4 11", 1810, 856, 5813496),
        ("2x4 11", None, None, 36),
        ("3x3 11 33", None, None, 328),
    ],
)
def test_all_sets(text, sets, lost, solutions):
    found = layers(KIND.read(text))
    flat = [one for layer in found for one in layer]
    assert found[0][0].futures == solutions
    assert sum(one.ways for one in found[-1]) == solutions
    # Every order passes through each layer once.
    assert {sum(one.ways * one.futures for one in layer) for layer in found} == {solutions}
    if sets:
        assert len(flat) == sets
        assert sum(not one.futures for one in flat) == lost


@pytest.mark.parametrize(("side", "number", "different"), [(3, 2, 2), (4, 12, 9)])
def test_endings_are_those_of_the_ladder(side, number, different):
    position = KIND.read(f"{side}x{side} 11")
    ladder = make_ask(KIND)("ladder", position)
    found = endings(position)
    assert len(found) == number == ladder.endings
    images = {
        board: sum(position.bit(c[::-1]) for c in position.cells if board & position.bit(c))
        for board in found
    }
    assert len({min(pair) for pair in images.items()}) == different
    assert different == ladder.endings_up_to_symmetry
    for line in ladder.solutions:
        assert KIND.play_line(position, line).occupied in found
