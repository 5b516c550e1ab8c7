"""Max Strings: hints, reviews, generated puzzles, difficulty and the integer programme."""

import sys
from contextlib import closing
from itertools import islice

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import PuzzleError
from solvers.maxstrings import KIND, rules
from solvers.question import Execution
from tests.solvers.maxstrings_boards import SEVEN

ask = make_ask(KIND)


def test_hints_tell_the_truth():
    live = ask("hint", "5x5 | x 2,2")
    assert (live.value, live.state, live.reach) == (1, "live", 18)
    (move,) = live.moves
    assert move.split()[1] in live.region
    assert ask("hint", f"5x5 | x 2,2 {move}").value == 1
    lost = ask("hint", "5x5 | x 1,1 x 1,2 o 3,3")
    assert (lost.value, lost.state, lost.keep) == (0, "trapped", 1)
    assert lost.reach == ask("best", "5x5 | x 1,1 x 1,2 o 3,3").value == 17
    dead = ask("hint", "2x2 | x 1,1 o 1,2 x 2,2 o 2,1")
    assert (dead.value, dead.reach, dead.keep) == (0, None, 2)
    assert ask("hint", "xx./.../... 6").keep is None


def test_hints_lead_to_the_goal():
    position = KIND.read("6x6 26")
    while not KIND.judge(position).solved:
        answer = ask("hint", position)
        position = KIND.play_line(position, answer.moves[0])
    assert ask("hint", KIND.write(position)).value == 1


def test_the_review_finds_the_losing_move():
    assert ask("review", "5x5 | x 1,1 x 1,2 o 3,3").value == 2
    assert ask("review", "5x5 | x 1,1 o 1,2 o 3,3").value == 3
    assert ask("review", "5x5 | x 1,1 o 1,2 x 3,3").value == 0
    assert ask("review", "5x5 | x 1,1 x 1,2 - 1,2").value == 0
    assert ask("review", "xx./.../... 6 | x 3,3").value is None


@pytest.mark.parametrize("style", ["empty", "stones", "last"])
def test_generated_puzzles_have_one_solution_and_no_spare_clue(style):
    answer, again = (ask("generate", "5x6", style=style, many=2, seed=3, holes=2) for _ in range(2))
    assert answer == again
    assert answer.value == len(answer.boards) == 2
    for puzzle in answer.boards:
        start = KIND.read(puzzle.position)
        assert KIND.write(start).count("#") == 2
        assert ask("count", start).value == 1
        assert ask("best", puzzle.position).value == start.goal
        clues = [(r, c) for r, c in rules.cells(start.points) if start.points[r][c] in "-s"]
        assert len(clues) == puzzle.clues or style == "last"
        for row, column in clues:
            rows = [list(letters) for letters in start.points]
            rows[row][column] = "."
            text = "/".join(map("".join, rows)) + f" {start.goal}"
            assert ask("count", text).value > 1


def test_options_that_cannot_be_met_are_refused_before_anything_waits():
    question = KIND.questions["generate"]
    question.refuse_impossible(KIND.read("12x19"))
    for text, options, fault in (
        ("5x5", {"holes": 25}, "Points to be taken out: 25. The board has only 25."),
        ("13x13", {}, "up to 12"),
        ("xx./.../...", {}, "one checkerboard"),
    ):
        with pytest.raises(PuzzleError, match=fault):
            question.refuse_impossible(KIND.read(text), **options)
        with pytest.raises(PuzzleError, match=fault):
            ask("generate", text, **options)


def test_puzzles_of_a_difficulty():
    answer = ask("generate", "5x5", band="medium", many=2, seed=2)
    assert [puzzle.band for puzzle in answer.boards] == ["medium"] * 2


def test_difficulty_grows_with_the_goal():
    missing = [ask("rate", f"6x6 {goal}").missing for goal in (22, 24, 26)]
    assert missing == sorted(missing)
    assert ask("rate", "6x6 20").band == "easy"
    assert ask("rate", "xx./.../... 5").band == ""


def values_of(lp, text):
    """Return the rows of an LP file that a checkerboard form violates."""
    stones = {
        f"x_{r}_{c}": int(letter in "xo")
        for r, row in enumerate(text.split("/"), 1)
        for c, letter in enumerate(row, 1)
    }
    rows = lp.split("Subject To")[1].split("Bounds")[0].replace("\n   ", " ").splitlines()
    broken = []
    for row in filter(None, rows):
        terms, relation, bound = row.partition("<=") if "<=" in row else row.partition(">=")
        words = terms.split(":")[1].split()
        total = sum(int(f"{a}1") * stones[b] for a, b in zip(words[::2], words[1::2]))
        if not (total <= int(bound) if relation == "<=" else total >= int(bound)):
            broken.append(row.split(":")[0].strip())
    return broken


def test_the_integer_programme():
    answer = ask("model", "7x7", cuts="yes")
    assert (answer.variables, answer.rows) == (49, 51)
    (file,) = answer.files
    assert file.name == "max-strings-7x7-cuts.lp"
    lp = file.text
    assert max(map(len, lp.splitlines())) < 255
    assert values_of(lp, SEVEN) == []
    full = "/".join(["xoxoxox"] * 7)
    assert len(values_of(lp, full)) == 49
    given = ask("model", "x-./s.#")
    assert [line for line in given.files[0].text.splitlines() if " = " in line] == [
        " x_1_1 = 1",
        " x_1_2 = 0",
        " x_2_1 = 1",
    ]
    assert "x_2_3" not in given.files[0].text
    for text, fault in (("6x7", "square"), ("x../.../...", "square"), ("xx./.../...", "fit one")):
        with pytest.raises(PuzzleError, match=fault):
            ask("model", text, cuts="yes")


def test_highs_agrees():
    pytest.importorskip("highspy")
    for text, options in (("5x5", {}), ("6x6", {"cuts": "yes"}), ("x-../..s./#...", {})):
        answer = ask("model", text, solver="highs", **options)
        assert answer.value == ask("best", text).value
        end = KIND.play_line(KIND.read(text), " ".join(answer.moves))
        assert KIND.judge(end).score == answer.value
    assert ask("model", "ss.../s..../...../...../.....", solver="highs").value is None


def test_highs_is_missed_with_a_word(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(PuzzleError, match="HiGHS is not installed"):
        ask("model", "3x3", solver="highs")


def test_highs_shows_its_bounds_while_it_runs():
    pytest.importorskip("highspy")
    run = KIND.questions["model"].ask(KIND, KIND.read("11x11"), solver="highs")
    shown = (sign for sign in Execution(run) if sign.found.at_most is not None)
    with closing(shown):
        with_bounds = list(islice(shown, 5))
    assert len(with_bounds) == 5
    for sign in with_bounds:
        assert sign.at_least <= 92 <= sign.found.at_most
        assert sign.found.files[0].name == "max-strings-11x11.lp"


def test_puzzles_are_generated_on_the_board_that_is_passed():
    answer = ask("generate", "4x5", many=1)
    assert KIND.editor.size(answer.boards[0].position) == (4, 5)
    given = ask("generate", "x.../..../..../....", many=1)
    assert given.boards[0].position.startswith("x")
