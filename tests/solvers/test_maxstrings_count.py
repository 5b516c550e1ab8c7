"""Max Strings: the numbers of solutions and boards, checked by slow references, and the lists."""

import random

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import PuzzleError
from solvers.maxstrings import KIND, checkerboard, count, forms, maximum, rules, search
from solvers.maxstrings import reference as maxstrings_reference
from solvers.maxstrings.formats import read_position
from solvers.maxstrings.maximum import most_strings
from solvers.maxstrings.mixed import mixed_solutions
from solvers.question import finish
from solvers.solutions import check_lines
from tests.solvers.maxstrings_boards import FORMS, best_form, free, random_boards

ask = make_ask(KIND)


@pytest.mark.parametrize("n", range(1, 15))
def test_the_number_of_best_forms(n):
    assert finish(forms.count_forms(checkerboard.codes_of(free(n, n)), 0)).forms == [FORMS[n - 1]]


def test_counting_by_first_move():
    answer = ask("count", "5x5")
    assert answer.value == 22
    by_move = answer.by_move
    assert len(by_move) == 50
    # Every form has 18 stones, and it is counted at each of them, in either colour.
    assert sum(by_move.values()) == 2 * 18 * 22
    assert by_move["x 1,1"] == by_move["o 5,5"] == ask("count", "5x5 | x 1,1").value


def test_fewest_clues_of_six_by_six():
    board = "....../.-..../.....-/....../.-..../......"
    freed = [board[:at] + "." + board[at + 1 :] for at in range(len(board)) if board[at] == "-"]
    assert sorted(ask("count", text + " 26").value for text in freed) == [7, 12, 22]


def forms_of(board):
    """Return the number of stones of every checkerboard form, computed from its definition."""
    points = [cell for cell in rules.cells(board) if board[cell[0]][cell[1]] != "#"]
    sizes = []
    for bits in range(1 << len(points)):
        stones = {cell for at, cell in enumerate(points) if bits >> at & 1}
        allowed = all(
            board[r][c] == "." or (board[r][c] == "-") == ((r, c) not in stones) for r, c in points
        )
        if allowed and all(
            any(near in points and near not in stones
                for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
            for r, c in stones
        ):  # fmt: skip
            sizes.append(len(stones))
    return sizes


def test_forms_against_all_patterns():
    for board in random_boards(1, 150, "......ss-#", 3):
        sizes = forms_of(board)
        most = max(sizes, default=None)
        assert maximum.most_stones(board) == best_form(board) == most
        found = finish(forms.count_forms(checkerboard.codes_of(board), 2))
        if most is None:
            assert found.forms == [0, 0, 0]
        else:
            assert found.forms == [sizes.count(most - slack) for slack in range(3)]


def test_wider_forms_against_plain_python():
    for board in random_boards(2, 60, ".......s-#", 7):
        assert maximum.most_stones(board) == best_form(board)


ROOMS = (*("..#..#..#..", "..#..#..#..", "#" * 11) * 6, "..#..#..#..")
"""Rooms of four points, two of them empty in one of six ways, and rooms of two points."""


def test_several_threads_count_the_same(monkeypatch):
    monkeypatch.setattr(forms, "_SINGLE_THREAD_WORDS", 0)
    boards = [*random_boards(6, 20, ".......s-#", 7), ROOMS, free(12, 12)]
    for board in boards:
        codes = checkerboard.codes_of(board)
        one, several = (finish(forms.count_forms(codes, 2, threads)) for threads in (1, 3))
        assert one == several


def test_exact_numbers_beyond_a_machine_word():
    answer = ask("count", "/".join(ROOMS) + " 52")
    assert answer.value == 6**24 * 2**4
    found = finish(forms.count_forms(checkerboard.codes_of(ROOMS), 1))
    # With one stone fewer, one room has one stone on four points, or none on two points.
    assert found.forms == [answer.value, 24 * 4 * 6**23 * 2**4 + 4 * 6**24 * 2**3]


@pytest.mark.parametrize(("n", "legal", "reaching"), [(2, 57, 32), (3, 12675, 32)])
def test_all_boards_of_the_smallest_sizes(n, legal, reaching):
    ends = list(maxstrings_reference.completions(KIND, KIND.read(f"{n}x{n}")))
    verdicts = [KIND.judge(end) for end in ends]
    assert sum(not verdict.faults for verdict in verdicts) == legal
    assert sum(verdict.solved for verdict in verdicts) == reaching


LEGAL = (1, 57, 12675, 24318165, 414295148741)
REACHING = (32, 32, 4, 44, 680, 4, 104, 64, 8)
"""The numbers for n = 2, 3, ...; those of 9 and 10 come from our own search only."""


@pytest.mark.parametrize("n", range(1, 6))
def test_the_number_of_legal_boards(n):
    assert ask("positions", f"{n}x{n}").legal == LEGAL[n - 1]


@pytest.mark.parametrize("n", range(2, 11))
def test_the_number_of_boards_that_reach_the_maximum(n):
    way = finish(search.decision_order(free(n, n)))
    limit = n * n - most_strings(n, n)
    assert finish(count.count_boards(way, n, limit)) == REACHING[n - 2]


def test_all_boards_against_the_rules():
    for board in random_boards(5, 40, "......xos-#", 3):
        try:
            start = read_position("/".join(board) + " 1")
        except PuzzleError:
            continue
        ends = [KIND.judge(end) for end in maxstrings_reference.completions(KIND, start)]
        answer = ask("positions", start)
        assert answer.value == sum(verdict.solved for verdict in ends), board
        assert answer.legal == sum(verdict.is_score_valid for verdict in ends), board


def test_boards_too_large_for_every_position(monkeypatch):
    monkeypatch.setattr(count, "MAX_STATES", 100)
    for text in ("12x12 20", "6x6 20"):
        answer = ask("positions", text)
        assert (answer.value, answer.proven) == (None, False)
        assert "too large" in answer.note.text


@pytest.mark.parametrize("seed", range(25))
def test_solutions_against_all_boards(seed):
    start = KIND.sample(random.Random(seed), 3)
    answer = ask("solutions", start, limit=10_000)
    if answer.value is None:
        assert answer.note
        return
    ends = [KIND.play_line(start, line) for line in answer.solutions]
    assert all(KIND.judge(end).solved for end in ends)
    assert len({KIND.solution(end) for end in ends}) == len(ends) == answer.value
    assert answer.value == maxstrings_reference.count(KIND, start)


COLOURED = {
    # Both colours fit no checkerboard. The second board asks for the most strings.
    "o./../#./-x 4": 2,
    "xx./.../... 1": 59,
    # Only the colour that fits leaves a solution.
    "x../.../...": 7,
    "x../.../... | x 1,2": 0,
    "x../.../... | o 1,2": 3,
    # The two stones may have one colour and share a liberty.
    "ss. 1": 1,
    "...s/...s/...s 8": 2,
    "#s../ss.s/...s 7": 2,
}


@pytest.mark.parametrize(
    "text",
    # Brute force takes half a minute for boards of twelve squares.
    [pytest.param(text, marks=[pytest.mark.thorough] * (len(text) > 12)) for text in COLOURED],
)
def test_solutions_with_clues_of_both_colours(text):
    position = KIND.read(text)
    counted, listed = ask("count", position), ask("solutions", position, limit=100)
    assert counted.proven and listed.proven
    assert counted.value == listed.value == COLOURED[text]
    assert maxstrings_reference.count(KIND, position) == COLOURED[text]
    assert bool(ask("hint", position).value) == bool(COLOURED[text])


def test_without_a_goal_clues_of_both_colours_are_not_called_unsolvable():
    text = "o./../#./-x"
    assert ask("best", text).value == 4
    for question in ("count", "solutions", "hint", "rate", "groups"):
        answer = ask(question, text)
        assert (answer.value, answer.proven) == (None, False), question
    assert "how many strings" in ask("count", text).note.text
    # No board at all is legal: the stone in the middle can't have both colours.
    text = "xso/#.#"
    assert ask("best", text).value is None
    assert [ask(question, text).value for question in ("count", "solutions", "groups")] == [0, 0, 0]


def test_the_numbers_on_the_board_tell_the_colours_apart():
    by_move = ask("count", "x../.../...").by_move
    assert (by_move["x 1,2"], by_move["o 1,2"]) == (0, 3)
    for move, number in by_move.items():
        assert ask("count", f"x../.../... | {move}").value == number


def test_mixed_solutions_against_the_forms():
    """On boards on which all solutions are forms, both ways to count them agree."""
    compared = 0
    for board in random_boards(3, 120, "......xos-#", 5):
        codes = checkerboard.codes_of(board)
        best = best_form(board)
        if best is None or not maximum.are_forms(board):
            continue
        forms_counted = sum(finish(forms.count_forms(codes, 2)).forms)
        mixed = finish(mixed_solutions(board, best - 2))
        assert mixed.number == forms_counted
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("n", range(1, 12))
def test_as_many_are_listed_as_are_counted(n):
    answer = ask("solutions", f"{n}x{n}", limit=10_000)
    assert (answer.value, answer.proven) == (FORMS[n - 1], True)
    assert len(set(answer.solutions)) == FORMS[n - 1]


@pytest.mark.parametrize("text", ["3x6 13", "6x3 13", "xo.../...../..#../.s... 12"])
def test_solutions_of_any_shape(text):
    answer, counted = ask("solutions", text, limit=10_000), ask("count", text)
    assert answer.value == counted.value == len(set(answer.solutions)) > 0
    page = ask("solutions", text, first=2, limit=3)
    assert page.solutions == answer.solutions[1:4]
    assert page.more == (answer.value > 4)


def test_more_than_can_be_listed(monkeypatch):
    monkeypatch.setattr("solvers.solutions.MAX_SOLUTIONS", 500)
    answer = ask("solutions", "6x6 20", limit=10_000)
    assert (answer.value, answer.proven, answer.more) == (500, False, True)
    assert "more than" in answer.note.text


def test_solutions_that_are_not_listed(monkeypatch):
    assert ask("solutions", ".s./sss/.s. 5").value == 0
    text = "xx..../....../....../....../....../...... 8"
    monkeypatch.setattr("solvers.maxstrings.mixed.MAX_STATES", 1000)
    listed, counted = ask("solutions", text), ask("count", text)
    assert (listed.value, listed.proven, listed.solutions) == (None, False, ())
    assert (counted.value, counted.proven) == (1, False)
    assert "too many boards" in listed.note.text and "too many boards" in counted.note.text
    assert KIND.judge(KIND.play_line(KIND.read(text), " ".join(counted.moves))).solved
    monkeypatch.setattr("solvers.maxstrings.solutions.MAX_ROWS", 10)
    answer = ask("solutions", "6x6")
    assert (answer.value, answer.proven) == (None, False)
    assert "reached no answer" in answer.note.text


def test_a_line_that_solves_nothing_is_never_shown():
    with pytest.raises(RuntimeError, match="no solution"):
        finish(check_lines(KIND, KIND.read("2x2 2"), ["x 1,1 x 2,2", "x 1,1"]))


def test_a_goal_out_of_reach_has_no_solutions_in_any_colours():
    listed = ask("solutions", "xx./.../... 6")
    assert (listed.value, listed.proven, listed.solutions) == (0, True, ())


def test_a_count_without_memory_shows_one_board():
    answer = ask("count", "5x5 14", memory=1)
    assert (answer.value, answer.proven, answer.most) == (1, False, 18)
    assert "memory" in answer.note.text
    assert KIND.judge(KIND.play_line(KIND.read("5x5 14"), " ".join(answer.moves))).solved
