"""Max Strings: the most strings of a board, checked by the study and by domination numbers."""

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import PuzzleError
from solvers.maxstrings import KIND, best, checkerboard, maximum, rules, study, transfer
from solvers.maxstrings.formats import read_position
from solvers.maxstrings.maximum import most_strings
from solvers.question import Execution, finish
from tests.solvers.maxstrings_boards import FORMS, MSP, SEVEN, best_form, free, random_boards

ask = make_ask(KIND)

RECTANGLES = {
    (2, 3): 4, (2, 8): 11, (3, 4): 8, (3, 5): 11, (3, 8): 17, (4, 6): 17, (4, 8): 24, (5, 6): 22,
    (5, 8): 29, (6, 8): 36, (7, 10): 53, (8, 12): 72, (9, 13): 88, (12, 13): 118,
}  # fmt: skip


@pytest.mark.parametrize("n", range(1, 16))
def test_the_maximum_of_squares(n):
    answer = ask("best", f"{n}x{n}")
    assert (answer.value, answer.proven) == (MSP[n - 1], True)
    end = KIND.play_line(KIND.read(f"{n}x{n}"), " ".join(answer.moves))
    assert KIND.judge(end).score == answer.value
    assert KIND.judge(end).solved


def test_the_formula_for_large_squares():
    assert tuple(most_strings(n, n) for n in range(1, 23)) == MSP


@pytest.mark.parametrize(("sides", "most"), RECTANGLES.items())
def test_the_maximum_of_rectangles(sides, most):
    assert best_form(free(*sides)) == best_form(free(*sides[::-1])) == most


def test_the_table_of_known_maxima():
    for shorter in range(1, 13):
        costs = checkerboard.last_costs(shorter)
        for longer in range(1, 20):
            costs = checkerboard.row_step(costs, (checkerboard.ANY,) * shorter)
            if longer >= shorter:
                gamma = costs[checkerboard.rank_of_ones(shorter)]
                assert shorter * longer - gamma == most_strings(shorter, longer)
                assert most_strings(longer, shorter) == most_strings(shorter, longer)


def test_thin_boards_of_any_length():
    for width in range(1, 16):
        costs, lifted = checkerboard.last_costs(width), 0
        seen = {}
        gammas = []
        while (costs.tobytes()) not in seen:
            seen[costs.tobytes()] = len(gammas), lifted
            costs = checkerboard.row_step(costs, (checkerboard.ANY,) * width)
            if costs.max() < checkerboard.IMPOSSIBLE:
                lifted += int(costs.min())
                costs -= costs.min()
            gammas.append(int(costs[checkerboard.rank_of_ones(width)]) + lifted)
        # From here on the same costs recur for ever, each time higher by the same amount.
        first, before = seen[costs.tobytes()]
        period, rise = len(gammas) - first, lifted - before
        while len(gammas) < 300:
            gammas.append(gammas[-period] + rise)
        for length, gamma in enumerate(gammas, 1):
            assert width * length - gamma == most_strings(width, length), (width, length)


def test_the_studys_three_misprints():
    # The study prints 36 for n = 7, 49 for n = 8 and 169 for n = 15 in its first table.
    verdict = KIND.judge(KIND.read(SEVEN))
    assert (verdict.solved, verdict.score, verdict.faults) == (True, 37, ())
    assert [most_strings(n, n) for n in (7, 8, 15)] == [37, 48, 172]


def test_positions_that_reach_the_maximum():
    """The stones have any colours here. The rules accept every optimum found."""
    for board in random_boards(3, 60, "...xo-#s", 5):
        try:
            position = read_position("/".join(board))
        except PuzzleError:
            continue
        answer = ask("best", position)
        assert answer.proven
        if answer.value is not None:
            end = KIND.play_line(position, " ".join(answer.moves))
            assert KIND.judge(end).score == answer.value
            assert not KIND.judge(end).faults
            assert not rules.missing_stones(end)


def test_the_transfer_never_does_worse_than_the_form():
    for board in random_boards(4, 40, "....s", 6):
        stones = best_form(board)
        outcome = finish(transfer.best_board(board))
        assert (outcome.board is None) == (outcome.bound == -1)
        if stones is not None:
            assert outcome.bound == stones


def test_two_black_neighbours_cost_a_string():
    assert ask("best", "xx../..../..../....").value < 12
    assert ask("best", "xo../..../..../....").value == 12
    assert ask("count", "3x5").value == 1


def test_good_boards_of_any_size():
    for rows, columns in ((1, 1), (1, 7), (4, 4), (9, 9), (16, 25), (22, 22), (50, 50)):
        stands = best.good_form(rows, columns)
        board = tuple(
            "".join("xo"[(r + c) % 2] if stone else "." for c, stone in enumerate(line))
            for r, line in enumerate(stands)
        )
        assert not list(rules.faults(board))
        assert 0 <= most_strings(rows, columns) - rules.score(board) <= 3


def test_the_studys_tables():
    wrong = {
        (number, n)
        for number, table in enumerate((study.FIRST_TABLE, study.SECOND_TABLE, study.FIGURES))
        for n, printed in table.items()
        if printed != MSP[n - 1]
    }
    assert wrong == {(0, 7), (0, 8), (0, 15), (1, 7), (1, 8)}
    assert study.FORMS[: len(FORMS)] == FORMS


@pytest.mark.parametrize(("n", "text"), list(enumerate(study.BOARDS, 1)))
def test_the_best_boards(n, text):
    board = tuple(text.split("/"))
    assert (len(board), len(board[0])) == (n, n)
    assert not list(rules.faults(board))
    assert rules.score(board) == most_strings(n, n)
    if n <= 15:
        stands = finish(checkerboard.best_form(checkerboard.codes_of(free(n, n)))).board
        assert tuple(tuple(letter in "xo" for letter in row) for row in board) == stands


@pytest.mark.parametrize("text", [".ox.x/oxoox/x...x/o.xo./o..xo", "xx.o./xo.xo/ox..x/.oxx./.oooo"])
def test_the_two_lemmas_step_by_step(text):
    board = tuple(text.split("/"))
    score = rules.score(board)
    for single in study.to_single_stones(board):
        assert (rules.score(single), list(rules.faults(single))) == (score, [])
    assert all(len(string.cells) == 1 for string in rules.strings(single))
    for turned in study.to_checkerboard(single):
        assert (rules.score(turned), list(rules.faults(turned))) == (score, [])
    assert maximum.phases(turned) == [0] and turned != single


def test_wide_boards_in_any_colours_are_answered_with_their_gap():
    text = "17x17 | x 6,6 x 6,7 x 6,8 x 7,7"
    answer = ask("best", text)
    end = KIND.play_line(KIND.read(text), " ".join(answer.moves))
    verdict = KIND.judge(end)
    assert (verdict.score, verdict.faults) == (answer.value, ())
    assert not answer.proven
    assert 215 <= answer.value < answer.at_most == 220
    assert answer.note.values == {"most": 220}
    counted = ask("count", text.replace("17x17", "17x17 200"))
    assert (counted.value, counted.proven) == (1, False)
    assert ask("count", text).value == 0
    assert ask("count", text).proven


@pytest.mark.parametrize(
    ("size", "most", "reason"),
    [([30, 40], 936, best.FORMULA), ([2, 50], 74, best.PERIOD), ([8, 12], 72, best.FORMS_COMPARED)],
)
def test_the_question_of_any_size(size, most, reason):
    answer = ask("large", "1x1", size=size)
    assert (answer.value, answer.source) == (most, reason)
    board = tuple(answer.board.split("/"))
    assert [len(board), len(board[0])] == size
    assert not list(rules.faults(board))
    assert rules.score(board) == answer.drawn == most - answer.gap
    assert 0 <= answer.gap <= 3
    (file,) = answer.files
    assert file.text.split("\n") == list(board)


def test_the_maximum_without_a_board():
    for n in range(1, 14):
        assert finish(checkerboard.most_stones(checkerboard.codes_of(free(n, n)))) == MSP[n - 1]
    assert finish(checkerboard.most_stones(checkerboard.codes_of(("ss.", "s..", "...")))) is None


def test_signs_of_life_carry_a_lower_bound():
    position = KIND.read("/".join(["." * 15] * 8 + ["." * 14 + "-"] + ["." * 15] * 6))
    signs = []
    answer = ask("best", position, signs)
    bounds = {sign.at_least for sign in signs} - {None}
    assert len(bounds) == 1 and 100 < bounds.pop() <= answer.value


def test_best_says_when_the_goal_is_out_of_reach():
    stars = "/".join(["#" + "." * 12] + ["." * 13] * 12)
    note = ask("best", stars + " 134").note
    assert note.values == {"goal": 134, "most": ask("best", stars).value}
    assert "can't be reached" in note.text


def test_boards_of_twelve_and_more_with_clues_in_any_colours():
    pairs = "x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10"
    for size, most in ((12, 105), (13, 123)):
        text = f"{size}x{size} | {pairs}"
        answer = ask("best", text)
        assert (answer.value, answer.proven, answer.proof) == (most, True, best.TRANSFER)
        end = KIND.play_line(KIND.read(text), " ".join(answer.moves))
        assert (KIND.judge(end).score, KIND.judge(end).faults) == (most, ())


def test_bounds_are_known_before_all_boards_are_compared():
    position = KIND.read("13x13 | x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10")
    signs = [*Execution(KIND.questions["best"].ask(KIND, position))]
    assert int(signs[0].found.at_most) == 129
    last = signs[-1]
    assert 115 <= last.at_least <= 123 <= int(last.found.at_most) <= 129
    # These are no bounds of the number of solutions.
    signs = [*Execution(KIND.questions["count"].ask(KIND, position))]
    assert all(sign.at_least is sign.found is None for sign in signs)


def test_a_transfer_with_too_many_cases_leaves_a_gap(monkeypatch):
    texts = (".-.s/.oo./xs.o", "xx../..../..../....", "o.x./-.os/xs../x...")
    exact = [ask("best", text).value for text in texts]
    monkeypatch.setattr(transfer, "MAX_TABLES", 1)
    answers = [ask("best", text) for text in texts]
    for answer, value in zip(answers, exact, strict=True):
        assert answer.value <= value <= (answer.value if answer.proven else answer.at_most)
        assert rules.score(tuple(answer.board.split("/"))) == answer.value
    assert not all(answer.proven for answer in answers)
