"""Tents: solutions that differ only in the pairing of tents and trees are one, as players see them.
Brute force is from the published rules alone."""

import random
from itertools import combinations, permutations

import pytest

from solvers.contract.agreement import check
from solvers.question import finish
from solvers.registry import ready_kinds
from solvers.rule_tables import count as counting
from solvers.rule_tables.boards import Board

TENTS = ready_kinds()["tents"]


def tents_on(board: Board) -> list[set[tuple[int, int]]]:
    """Return the sets of tents: one beside each tree, in some pairing, none touching, and as many
    in rows and columns as the numbers say."""
    trees = [cell for cell in board if board.sign(cell) == "T"]
    found = []
    for tents in combinations([cell for cell in board if board.sign(cell) == "."], len(trees)):
        if any(max(abs(a - c), abs(b - d)) < 2 for (a, b), (c, d) in combinations(tents, 2)):
            continue
        if any(each and each[0] != sum(r == at for r, _ in tents)
               for at, each in enumerate(board.left)):  # fmt: skip
            continue
        if any(each and each[0] != sum(c == at for _, c in tents)
               for at, each in enumerate(board.top)):  # fmt: skip
            continue
        if any(
            all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in zip(trees, order))
            for order in permutations(tents)
        ):
            found.append(set(tents))
    return found


def ask(name: str, text: str):
    return finish(TENTS.questions[name].ask(TENTS, TENTS.read(text)))


@pytest.mark.parametrize(("text", "number"), [
    (".T./T.T/.T.", 1), ("T.T", 0), ("T..T", 0), ("T...T", 1), ("T./..", 2), ("T/./T", 0),
    ("..", 1),
])  # fmt: skip
def test_a_board_has_as_many_solutions_as_sets_of_tents(text, number):
    assert len(tents_on(TENTS.read(text).board)) == number
    assert ask("count", text).value == number
    listed = finish(TENTS.questions["solutions"].ask(TENTS, TENTS.read(text), first=1, limit=50))
    assert (listed.value, len(listed.solutions)) == (number, number)


@pytest.mark.parametrize("is_long", [False, True])
def test_random_boards_have_the_tents_of_the_rules(is_long, monkeypatch):
    """Once by listing a few solutions, and once by counting all."""
    if is_long:
        monkeypatch.setattr(counting, "FEW", 0)
    rng = random.Random(4)
    several = 0
    for _ in range(60):
        rows, columns = rng.choice([(1, 6), (5, 1), (3, 3), (3, 4), (4, 4), (3, 5)])
        cells = "".join(rng.choice("..T") for _ in range(rows * columns))
        if cells.count("T") > 5:
            continue
        text = "/".join(cells[at : at + columns] for at in range(0, len(cells), columns))
        start = TENTS.read(text)
        expected = tents_on(start.board)
        answer = ask("count", text)
        assert (answer.value, answer.proven) == (len(expected), True), text
        several += len(expected) > 1
        for move in TENTS.moves(start) if answer.value else ():
            after = TENTS.play(start, move)
            left = finish(TENTS.questions["count"].ask(TENTS, after)).value
            assert answer.by_move[TENTS.write_move(move)] == left, (text, move)
    assert several > 5


@pytest.mark.parametrize("text", [
    ".T./T.T/.T.", ".T./T.T/.T. | o 2,4", "T...T", "T.T", "T./..", ".T../T.T./.T..",
])  # fmt: skip
def test_all_answers_about_pairings_agree(text):
    check(TENTS, TENTS.read(text))


def test_two_pairings_of_the_same_tents_are_the_same_solution():
    one, two = (TENTS.read(f".T./T.T/.T. | {line}") for line in (
        "o 2,4 o 4,8 o 7,2 o 8,7", "o 2,7 o 4,2 o 8,4 o 7,8"))  # fmt: skip
    assert TENTS.judge(one).solved and TENTS.judge(two).solved
    assert TENTS.solution(one) == TENTS.solution(two)
    assert TENTS.counted_moves(one) == TENTS.counted_moves(two)
