"""Goishi Hiroi: the faults of a board, and the fewest changes that make it solvable."""

import random
from functools import partial
from itertools import combinations

import pytest

from solvers.contract.boards import make_ask
from solvers.goishi import reference as goishi_reference
from solvers.goishi import repair
from solvers.kind import PuzzleError
from solvers.registry import get_kind
from tests.questions import board_of, full, random_board

KIND = get_kind("goishi")


ask = partial(make_ask(KIND), "repair")


def flipped(board: str, cells) -> str:
    rows = [list(row) for row in board.split("/")]
    for row, column in cells:
        rows[row][column] = "o" if rows[row][column] == "." else "."
    return "/".join(map("".join, rows))


def mended(board: str, flips: int) -> dict[str, int]:
    """Return every solvable board that differs by this many flips, with its number of solutions."""
    rows, columns = KIND.editor.size(board)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    boards = [flipped(board, chosen) for chosen in combinations(cells, flips)]
    counts = {other: goishi_reference.count_board(other) for other in boards if "o" in other}
    return {other: count for other, count in counts.items() if count}


@pytest.mark.parametrize("seed", range(25))
def test_the_fewest_changes_against_the_rules(seed):
    rng = random.Random(seed)
    board = random_board(rng, 4, 4, rng.randint(2, 8))
    answer = ask(board)
    assert answer.proven
    repairs = answer.repairs
    if goishi_reference.count_board(board):
        assert (answer.value, repairs, answer.diagnosis) == (0, (), ())
        return
    assert answer.diagnosis
    for flips in range(1, answer.value):
        assert not mended(board, flips)
    expected = mended(board, answer.value)
    found = {entry.position: entry.solutions for entry in repairs}
    assert found.items() <= expected.items()
    assert answer.is_all == (len(found) == len(expected))
    assert len(found) == min(len(expected), repair.MAX_REPAIRS)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    for entry in repairs:
        cells = [KIND.read_move(change.cell) for change in entry.changes]
        assert flipped(board, cells) == entry.position
        for change, (row, column) in zip(entry.changes, cells):
            is_stone = board.split("/")[row][column] == "o"
            assert str(change.message).startswith("Take" if is_stone else "Add")


@pytest.mark.parametrize(
    ("board", "says", "cells"),
    [
        ("oo./oo./..o", "No other stone stands in the row", ["3,3"]),
        ("oo.../oo.../...oo/...oo/...oo", "2 groups without a way", ["1,1", "1,2", "2,1", "2,2"]),
        (".o./ooo/.o.", "4 stones is a dead end", ["1,2", "2,1", "2,3", "3,2"]),
        ("oo../oo../o.../.oo.", None, None),
    ],
)
def test_the_diagnosis_names_the_stones(board, says, cells):
    assert goishi_reference.count_board(board) == 0 or says is None
    diagnosis = ask(board).diagnosis
    if says:
        found = [entry for entry in diagnosis if says in str(entry.message)]
        assert list(found[0].cells) == cells


def test_a_diagnosis_is_never_made_of_a_board_with_a_solution():
    from solvers.goishi.network import network

    for bits in range(1, 1 << 9):
        board = board_of({point for point in range(9) if bits >> point & 1}, 3, 3)
        net, _ = network(KIND.read(board))
        if goishi_reference.count_board(board):
            assert list(repair.diagnose(net)) == []


def test_where_nothing_is_seen_a_search_has_proven_it():
    rng = random.Random(1)
    searched = 0
    while not searched:
        board = random_board(rng, 4, 5, 9)
        if not goishi_reference.count_board(board):
            texts = [entry.message.text for entry in ask(board).diagnosis]
            searched += texts == ["All ways were searched: none picks up every stone."]


def test_at_its_limits(monkeypatch):
    with pytest.raises(PuzzleError, match="up to 61 stones"):
        ask(full(8, 8))
    # Four stones on the diagonal form two more groups than one, two or three flips can join.
    far = ask(
        "o......../........./..o....../........./....o..../........./......o../........./........o"
    )
    assert far.proven
    monkeypatch.setattr(repair, "MAX_EXAMINED", 10)
    hurried = ask("o......./......../......../...o..../......../......../......../.......o")
    assert (hurried.value, hurried.proven, hurried.is_all) == (None, False, False)


def test_a_board_is_never_mended_by_taking_every_stone():
    answer = ask("o./.o")
    assert answer.value == 1
    assert answer.repairs and all("o" in each.position for each in answer.repairs)


def test_a_search_without_an_answer_is_no_diagnosis(monkeypatch):
    rng = random.Random(1)
    while goishi_reference.count_board(board := random_board(rng, 4, 5, 9)) or "All ways" not in (
        ask(board).diagnosis[0].message.text
    ):
        pass
    monkeypatch.setattr(repair, "NODES", 1)
    [entry] = ask(board).diagnosis
    assert entry.message.text.startswith("The search reached no answer")
