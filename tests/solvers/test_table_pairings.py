"""Pairs of symbols, as in Tents: a solution is the set of tents, whichever pairs it has.

Brute force is from the published rules alone.
"""

import random
from itertools import combinations, permutations

import pytest

from solvers.contract.agreement import check
from solvers.question import finish
from solvers.registry import ready_kinds
from solvers.rule_tables import count as counting
from solvers.rule_tables.boards import Board
from solvers.rule_tables.contradictions import explain

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


def random_text(rng: random.Random) -> str:
    """Return a board with at most five trees, every other one with numbers."""
    while True:
        rows, columns = rng.choice([(1, 6), (5, 1), (3, 3), (3, 4), (4, 4), (3, 5)])
        cells = "".join(rng.choice("..T") for _ in range(rows * columns))
        if cells.count("T") <= 5:
            break
    text = "/".join(cells[at : at + columns] for at in range(0, len(cells), columns))
    if rng.random() < 0.5:
        return text
    sides = (("left", rows), ("top", columns))
    return " ".join([text, *(f"{side}=" + ",".join(rng.choice(["", "", "0", "1", "1", "2"])
                                                   for _ in range(many))
                             for side, many in sides)])  # fmt: skip


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
    several = none = 0
    for _ in range(60):
        text = random_text(rng)
        start = TENTS.read(text)
        expected = tents_on(start.board)
        answer = ask("count", text)
        assert (answer.value, answer.proven) == (len(expected), True), text
        several += len(expected) > 1
        none += not expected
        for move in TENTS.moves(start) if expected else ():
            with_it = sum(move.cell in tents for tents in expected)
            assert answer.by_move[TENTS.write_move(move)] == with_it, (text, move)
        listed = ask_all(text)
        assert sorted(map(sorted, listed)) == sorted(map(sorted, expected)), text
    assert several > 5
    assert none > 5


def ask_all(text: str) -> list[set[tuple[int, int]]]:
    """Return the listed solutions as sets of tents, each of which the rules of the page accept."""
    page = finish(TENTS.questions["solutions"].ask(TENTS, TENTS.read(text), first=1, limit=500))
    found = []
    for line in page.solutions:
        end = TENTS.play_line(TENTS.read(text), line)
        assert TENTS.judge(end).solved, (text, line)
        found.append({move.cell for move in end.line})
    return found


@pytest.mark.parametrize("text", [
    ".T./T.T/.T.", ".T./T.T/.T. | o 1,1", "T...T", "T.T", "T./..", ".T../T.T./.T..",
])  # fmt: skip
def test_all_answers_about_pairings_agree(text):
    check(TENTS, TENTS.read(text))


def test_random_positions_are_solved_exactly_by_the_sets_of_the_rules():
    """The verdict tries all pairs by augmenting paths, and the brute force all orders."""
    rng = random.Random(5)
    solved = at_fault = 0
    for _ in range(300):
        start = TENTS.read(random_text(rng))
        sets = tents_on(start.board)
        free = list(TENTS.moves(start))
        tents = [*sets[0]] if sets and rng.random() < 0.4 else []
        picked = [m for m in free if m.cell in tents] or rng.sample(free, rng.randint(0, len(free)))
        end = start
        for move in picked[:5]:
            end = TENTS.play(end, move)
        verdict = TENTS.judge(end)
        assert verdict.solved == ({move.cell for move in end.line} in sets), TENTS.write(end)
        assert not (verdict.solved and verdict.faults)
        live = any({move.cell for move in end.line} <= each for each in sets)
        assert not (live and verdict.faults), TENTS.write(end)
        solved += verdict.solved
        at_fault += bool(verdict.faults)
    assert solved > 30
    assert at_fault > 30


def test_trees_that_can_never_have_tents_contradict_the_rule_of_pairs():
    answer = finish(explain(TENTS.table, TENTS.read("TT/T.").board))
    assert (answer.value, answer.rules) == (0, (1,))
