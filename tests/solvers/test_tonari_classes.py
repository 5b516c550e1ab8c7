"""Tonari Othello: the orders of a target in classes, checked by the counts and the rules."""

import random

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.question import finish
from solvers.tonari import KIND, rules
from solvers.tonari.count import class_size, flips
from tests.solvers.tonari_boards import targets

ask = make_ask(KIND)


@pytest.mark.parametrize(("size", "number"), [(3, 2), (4, 12), (5, 235)])
def test_classes_are_those_known_and_add_up(size, number):
    text = f"{size}x{size} 11"
    answer = ask("classes", text)
    assert answer.value == number
    orders = [entry.orders for entry in answer.classes]
    assert orders == sorted(orders, reverse=True)
    # The orientations share nothing with the count, and their sizes add up to it.
    assert sum(orders) == ask("count", text).value


def test_classes_of_six_by_six():
    answer = ask("classes", "6x6 11", listed=0)
    assert answer.value == 16502
    assert answer.up_to_symmetry == 8406
    assert answer.classes == ()


def test_single_class_pictures_of_three_by_three():
    found = [ask("classes", position).value for position in targets(3, 3, 11)]
    assert found.count(1) == 56
    assert sum(value > 0 for value in found) == 112


def test_classes_against_all_solutions():
    rng = random.Random(3)
    for _ in range(40):
        position = KIND.sample(rng, 3)
        lines = list(brute.solutions(KIND, position))
        sets = {}
        for line in lines:
            sets.setdefault(flips(position, line), []).append(line)
        answer = ask("classes", position)
        listed = [
            [KIND.read_move(text) for text in entry.moves.split()] for entry in answer.classes
        ]
        if KIND.judge(position).solved:
            continue
        assert answer.value == len(sets)
        assert {flips(position, line) for line in listed} == set(sets)
        for line in listed:
            assert finish(class_size(position, line)) == len(sets[flips(position, line)])


def test_mirror_images_of_classes_count_once():
    assert ask("classes", "4x4 11").up_to_symmetry == 9
    assert ask("classes", "5x5 11", listed=0).up_to_symmetry == 134
    assert ask("classes", "Bwww/bwww/wbbw/wwbb").up_to_symmetry == 1


def test_classes_are_shown_with_an_order_each():
    answer = ask("classes", "4x4 11")
    entries = answer.classes
    rows = answer.tables[0].rows
    assert [row[1] for row in rows] == [entry.orders for entry in entries]
    assert [row[2].values["moves"] for row in rows] == [entry.moves for entry in entries]
    for entry, board in zip(entries, answer.boards, strict=True):
        line = [KIND.read_move(text) for text in entry.moves.split()]
        stage = KIND.read(board.position)
        # Closed points are left out. When they are filled at the end, the class is the same.
        left = [cell for cell in line if cell not in stage.placed]
        assert left and all(rules.empties_beside(stage, cell) == 0 for cell in left)
        assert flips(KIND.start(stage), [*stage.placed, *left]) == flips(KIND.start(stage), line)
        assert KIND.judge(KIND.play_line(stage, " ".join(map(KIND.write_move, left)))).solved
