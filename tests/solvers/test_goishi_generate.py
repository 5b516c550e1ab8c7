"""Goishi Hiroi: generated boards have the properties that were asked for."""

import random
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from solvers.contract.boards import make_ask
from solvers.goishi import questions
from solvers.goishi import reference as goishi_reference
from solvers.goishi.generate_kernels import (
    ANNEALING_MEMO,
    UNDECIDED,
    anneal,
    backwards,
    evaluate,
    work,
)
from solvers.goishi.questions import read_known
from solvers.goishi.rules import canonical
from solvers.kind import PuzzleError
from solvers.registry import get_kind
from tests.questions import board_of

KIND = get_kind("goishi")
QUESTION = KIND.questions["generate"]
ask = make_ask(KIND)


def make(drawn: str = "o", **options):
    """Return the answer of the generator for `many` boards, with its options as texts."""
    options = {"many": 1} | options
    told = {name: QUESTION.options[name].read(str(text)) for name, text in options.items()}
    return ask("generate", drawn, **told)


def boards(answer) -> list[str]:
    return [board.position for board in answer.boards]


def stones(board: str) -> int:
    return board.count("o")


@pytest.mark.parametrize(
    ("options", "low", "high"),
    [
        ({"stones": "7..9", "size": "4x5", "solutions": "1", "many": 6}, 1, 1),
        ({"stones": "10", "size": "5x5", "solutions": "1..3", "many": 8, "seed": 7}, 1, 3),
        ({"stones": "12", "size": "5x6", "solutions": "100", "many": 2}, 100, 100),
        ({"stones": "8", "size": "4x4", "solutions": "20..40", "many": 4}, 20, 40),
        ({"stones": "1..3", "size": "3x3", "solutions": "1..9", "many": 3}, 1, 9),
    ],
)
def test_generated_boards_are_as_wanted(options, low, high):
    answer = make(**options)
    assert (answer.value, answer.proven) == (options["many"], True)
    first, _, last = options["stones"].partition("..")
    for board in answer.boards:
        text = board.position
        assert int(first) <= stones(text) <= int(last or first)
        assert "x".join(map(str, KIND.editor.size(text))) == options["size"]
        assert board.solutions == goishi_reference.count_board(text)
        assert low <= board.solutions <= high
        assert KIND.judge(KIND.play_line(KIND.read(text), board.line)).solved
        assert board.level == ask("rate", text).value


def test_known_sizes():
    for order in (
        {"stones": 20, "size": "8x8", "solutions": 1, "many": 3},
        {"stones": 30, "size": "10x10", "solutions": 1},
        {"stones": 36, "size": "10x10", "solutions": 1},
    ):
        for board in boards(make(**order)):
            answer = ask("count", board)
            assert (answer.value, answer.proven) == (1, True)


def test_annealing_goes_on_where_it_stopped_and_keeps_stones_and_groups_alike():
    groups = np.array([[cell, 29 - cell] for cell in range(15)])
    groups = np.hstack([groups, np.full_like(groups, -1)])
    sizes = np.full(15, 2)
    chosen = np.zeros(15, np.bool_)
    chosen[[0, 4, 7]] = True
    taken = np.zeros(30, np.bool_)
    taken[groups[chosen, :2].ravel()] = True
    word, arrays = np.array([7], np.uint64), work(ANNEALING_MEMO)
    miss, lacking = UNDECIDED, 6
    for _ in range(200):
        miss, lacking, _ = anneal(
            groups, sizes, chosen, 6, taken, arrays, 2, 6, word, miss, lacking, 1000
        )
        assert set(np.flatnonzero(taken)) == set(groups[chosen, :2].ravel())
        assert lacking == 12 - taken.sum() >= 0
        if miss == 0 and not lacking:
            break
    assert 2 <= goishi_reference.count_board(board_of(np.flatnonzero(taken), 5, 6)) <= 6


def test_the_same_seed_makes_the_same_boards():
    order = {"stones": "9..12", "size": "5x5", "solutions": "1..5", "many": 4}
    once = boards(make(**order, seed=3))
    assert boards(make(**order, seed=3)) == once
    assert boards(make(**order, seed=4)) != once


def test_no_board_comes_twice_or_is_known():
    order = {"stones": 7, "size": "3x4", "solutions": 1, "many": 4}
    first = boards(make(**order))
    forms = {canonical(KIND.read(board)) for board in first}
    assert len(forms) == len(first)
    turned = " ".join(board[::-1] for board in first[:2])
    others = {
        canonical(KIND.read(board)) for board in boards(make(**order | {"many": 2}, known=turned))
    }
    assert not others & set(read_known(turned))


def test_bands():
    for band in (1, 3):
        answer = make(stones="14..18", size="7x7", solutions="1..4", band=band, many=2)
        assert [board.level for board in answer.boards] == [band] * 2


@pytest.mark.parametrize("shape", [shape for shape in questions.SHAPES if shape != "drawn"])
def test_shapes(shape):
    allowed = set(questions.shape_points(shape, 7, 7))
    assert (shape == "rectangle") == (len(allowed) == 49)
    for row, column in allowed:
        assert {(6 - row, column), (row, 6 - column), (column, row)} <= allowed
    (board,) = boards(make(stones=9, size="7x7", shape=shape))
    assert all(
        (r, c) in allowed
        for r, row in enumerate(board.split("/"))
        for c, sign in enumerate(row)
        if sign == "o"
    )


def test_a_drawn_shape():
    drawn = "oooo./o..oo/o...o/ooooo"
    for board in boards(make(drawn, shape="drawn", stones=8, many=3)):
        assert len(board) == len(drawn)
        assert all(mask == "o" for sign, mask in zip(board, drawn) if sign == "o")


SYMMETRIES = {
    "half-turn": lambda rows: [row[::-1] for row in rows[::-1]],
    "left-right": lambda rows: [row[::-1] for row in rows],
    "up-down": lambda rows: rows[::-1],
    "diagonal": lambda rows: ["".join(column) for column in zip(*rows)],
    "quarter-turn": lambda rows: ["".join(column) for column in zip(*rows[::-1])],
}


@pytest.mark.parametrize("look", SYMMETRIES)
def test_symmetric_looks(look):
    for board in boards(make(stones="8..13", size="5x5", look=look, solutions="2..40", many=2)):
        rows = board.split("/")
        assert SYMMETRIES[look](rows) == rows
        assert goishi_reference.count_board(board) % 2 == 0


def test_a_symmetric_look_of_more_boards_than_can_be_listed():
    options = {"stones": "18..20", "size": "7x7", "look": "half-turn", "solutions": "1..5000"}
    [board] = boards(make(**options, many=1, seed=2))
    rows = board.split("/")
    assert SYMMETRIES["half-turn"](rows) == rows
    assert 18 <= board.count("o") <= 20
    assert 1 <= ask("count", board).value <= 5000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {"stones": 10, "size": "3x3"},
            "More stones are wanted (10) than the shape has points (9)",
        ),
        ({"stones": 10, "look": "left-right", "solutions": 1}, "a multiple of 2"),
        ({"stones": 10, "look": "half-turn", "solutions": 3}, "a multiple of 2"),
        ({"stones": 12, "look": "quarter-turn", "solutions": "1..3"}, "none from 1 to 3"),
        ({"stones": 12, "look": "quarter-turn", "solutions": "5..7"}, "a multiple of 4"),
        ({"stones": "2..6", "solutions": 1}, "2 to 6 stones never has exactly one"),
        ({"stones": 9, "size": "6x6", "look": "half-turn"}, "can't hold this number"),
        ({"stones": 9, "size": "5x6", "look": "diagonal"}, "needs a square board"),
        ({"stones": 3, "solutions": 100}, "So few stones"),
        ({"stones": 5, "size": "3x3", "shape": "drawn"}, "than the shape has points (1)"),
        ({"stones": "5..3"}, "wrong order"),
        ({"shape": "heart"}, "not possible here"),
        ({"known": "o.?"}, "neither a stone"),
    ],
)
def test_impossible_options_are_refused_at_once(options, says):
    with pytest.raises(PuzzleError) as fault:
        make(**options)
    assert says in str(fault.value)


@pytest.mark.parametrize("look", SYMMETRIES)
@pytest.mark.parametrize("side", [3, 4, 5])
def test_what_divides_the_number_of_solutions_of_symmetric_boards(look, side):
    points = questions.shape_points("rectangle", side, side)
    groups = questions.symmetric_groups(look, points, side, side)
    chosen = [
        [cell for group in some for cell in group]
        for number in range(1, 5)
        for some in combinations(groups, number)
    ]
    for cells in random.Random(5).sample(chosen, min(200, len(chosen))):
        board = board_of({side * row + column for row, column in cells}, side, side)
        count = goishi_reference.count_board(board)
        assert count % questions.SOLUTIONS_DIVISOR[look] == 0 if len(cells) > 1 else count == 1


def test_no_board_of_two_to_six_stones_has_exactly_one_solution():
    # A solvable board has at most one more row and column, taken together, than stones.
    for rows, columns in ((1, 6), (2, 5), (3, 4)):
        for stones_of in range(2, 7):
            for cells in combinations(range(rows * columns), stones_of):
                assert goishi_reference.count_board(board_of(cells, rows, columns)) != 1


@pytest.mark.parametrize(
    ("size", "most", "board"),
    [
        ("5x5", 15, ".ooo./..oo./.ooo./oo.oo/.ooo."),
        ("6x6", 21, "..o.../o.o.o./oooooo/oo.ooo/.ooooo/..o..."),
        ("7x7", 25, "..o..../.oooo.o/oo.oo.o/.....o./ooooooo/o..oo../..o.oo."),
        (
            "10x10",
            42,
            "....o...oo/...o...oo./..oo.o..oo/.......ooo/.oo.o..oo./"
            "..o.o.oooo/..o.o.oo.o/..o...oo.o/o.....o.o./..o.o.oo.o",
        ),
    ],
)
def test_the_most_stones_that_are_known_to_have_exactly_one_solution(size, most, board):
    assert ("x".join(map(str, KIND.editor.size(board))), stones(board)) == (size, most)
    answer = ask("count", board)
    assert (answer.value, answer.proven) == (1, True)
    assert KIND.judge(KIND.play_line(KIND.read(board), " ".join(answer.moves))).solved
    taken = np.array([sign == "o" for sign in board.replace("/", "")])
    assert evaluate(taken, KIND.editor.size(board)[1], work(), 1, 10**7)[:2] == (1, True)


def test_a_single_stone_may_have_any_look():
    (board,) = make(stones="1..9", size="3x3", look="quarter-turn", solutions=1, many=1).boards
    assert (board.position.count("o"), board.solutions) == (1, 1)


def test_all_boards_are_examined_where_there_are_few():
    none = make(stones="8..12", size="6x6", look="quarter-turn", solutions="2..5")
    assert (none.value, none.proven, none.note.values["looked"]) == (0, True, 36 + 84)
    texts = [board_of(cells, 3, 3) for n in range(1, 10) for cells in combinations(range(9), n)]
    unique = {
        canonical(KIND.read(text)) for text in texts if goishi_reference.count_board(text) == 1
    }
    answer = make(stones="1..9", size="3x3", solutions=1, many=20)
    assert {canonical(KIND.read(board)) for board in boards(answer)} == unique
    assert (answer.value, answer.proven) == (len(unique), True)


def test_many_stones_on_few_free_points_are_listed_at_once():
    answer = make(stones="34..35", size="6x6", solutions="1..9")
    assert (answer.value, answer.proven, answer.note.values["looked"]) == (0, True, 630 + 36)


def test_fewer_boards_than_wanted_are_reported(monkeypatch):
    monkeypatch.setattr("solvers.goishi.generate.NODES_PER_BOARD", 100_000)
    answer = make(stones=40, size="10x10", solutions=1, many=5)
    assert not answer.proven
    assert answer.value == len(answer.boards) < 5
    assert answer.note.values == {"found": answer.value, "many": 5}


def test_boards_appear_as_they_are_found():
    told = {"many": 3, "stones": [9, 9], "size": [5, 5]}
    signs = []
    answer = ask("generate", "o", signs, **told)
    numbers = [len(sign.found.boards) for sign in signs]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 3
    assert signs[-1].found.boards == answer.boards


def test_the_quick_count_against_the_rules():
    rng = random.Random(6)
    arrays = work()
    for _ in range(200):
        cells = rng.sample(range(20), rng.randint(1, 12))
        taken = np.zeros(20, np.bool_)
        taken[cells] = True
        board = board_of(cells, 4, 5)
        expected = goishi_reference.count_board(board)
        assert evaluate(taken, 5, arrays, 1 << 40, 10**6)[:2] == (expected, True)
        if expected > 2:
            count, exact, _ = evaluate(taken, 5, arrays, 2, 10**6)
            assert (exact, count > 2) == (False, True)


def test_boards_made_backwards_have_a_solution():
    word = np.array([12345], np.uint64)
    made = 0
    for stones_wanted in range(1, 25):
        taken = np.zeros(42, np.bool_)
        if backwards(np.ones(42, np.bool_), 6, 7, stones_wanted, word, taken):
            board = board_of(np.flatnonzero(taken), 6, 7)
            assert stones(board) == stones_wanted
            assert ask("solve", board).value == 1
            made += 1
    assert made > 15


@pytest.mark.parametrize("board", ["o.oo/oo../..o.", "oo./.o./..o"])
def test_the_same_puzzle_has_one_canonical_text(board):
    rows = board.split("/")
    images = [board, "/".join(row[::-1] for row in rows), "/".join(map("".join, zip(*rows)))]
    images.append("/".join([rows[0], "." * len(rows[0]), *rows[1:], "." * len(rows[0])]))
    images.append("/".join(row[0] + "." + row[1:] for row in rows))
    assert len({canonical(KIND.read(image)) for image in images}) == 1


def test_impossible_options_are_known_without_a_solver():
    program = (
        "import sys; from solvers.registry import get_kind; from solvers.kind import PuzzleError\n"
        "kind = get_kind('goishi'); asked = kind.questions['generate']\n"
        "try: asked.refuse_impossible(kind.read('o'), stones=[9, 9], size=[2, 2])\n"
        "except PuzzleError as error: print(error)\n"
        "print('numba' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout == "More stones are wanted (9) than the shape has points (4).\nFalse\n", (
        said.stderr
    )
