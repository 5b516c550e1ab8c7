"""Max Strings: the figures of the study, the grids' domination numbers, and slow references."""

import random
import sys
from contextlib import closing
from itertools import islice

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import IllegalMove, PuzzleError
from solvers.maxstrings import KIND, best, checkerboard, count, forms, maximum, rules, search, study
from solvers.maxstrings import reference as maxstrings_reference
from solvers.maxstrings.formats import read_position
from solvers.maxstrings.maximum import most_strings
from solvers.picture import Circle, Spot
from solvers.question import Execution, finish
from solvers.solutions import check_lines

MSP = (0, 2, 6, 12, 18, 26, 37, 48, 61, 76, 92, 109, 129, 149, 172, 196, 221, 248, 277, 308, 340,
       373)  # fmt: skip
"""The maxima for n = 1, 2, ...: OEIS A104519 subtracted from n * n."""

FORMS = (1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540360)

RECTANGLES = {
    (2, 3): 4, (2, 8): 11, (3, 4): 8, (3, 5): 11, (3, 8): 17, (4, 6): 17, (4, 8): 24, (5, 6): 22,
    (5, 8): 29, (6, 8): 36, (7, 10): 53, (8, 12): 72, (9, 13): 88, (12, 13): 118,
}  # fmt: skip

SEVEN = "xo.o.ox/.xoxox./xox.xox/o.oxo.o/xox.xox/.xoxox./xo.o.ox"


ask = make_ask(KIND)


def best_form(board):
    found = finish(checkerboard.best_form(checkerboard.codes_of(board)))
    return found and found.stones


def free(rows: int, columns: int):
    return ("." * columns,) * rows


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


def test_the_studys_three_misprints():
    # The study prints 36 for n = 7, 49 for n = 8 and 169 for n = 15 in its first table.
    verdict = KIND.judge(KIND.read(SEVEN))
    assert (verdict.solved, verdict.score, verdict.faults) == (True, 37, ())
    assert [most_strings(n, n) for n in (7, 8, 15)] == [37, 48, 172]


def test_fewest_clues_of_six_by_six():
    board = "....../.-..../.....-/....../.-..../......"
    freed = [board[:at] + "." + board[at + 1 :] for at in range(len(board)) if board[at] == "-"]
    assert sorted(ask("count", text + " 26").value for text in freed) == [7, 12, 22]


def random_boards(seed: int, number: int, letters: str, largest: int):
    rng = random.Random(seed)
    for _ in range(number):
        rows, columns = rng.randint(1, largest), rng.randint(1, largest)
        yield tuple("".join(rng.choices(letters, k=columns)) for _ in range(rows))


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


def test_the_search_never_does_worse_than_the_form():
    for board in random_boards(4, 40, "....s", 4):
        stones = best_form(board)
        outcome = finish(search.search(board, 0))
        assert outcome.is_complete
        if stones is not None:
            assert outcome.bound == stones


def test_two_black_neighbours_cost_a_string():
    assert ask("best", "xx../..../..../....").value < 12
    assert ask("best", "xo../..../..../....").value == 12
    assert ask("count", "3x5").value == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("20x20", "308"),
        ("1x40", "at most 19"),
        ("0x5", "no board"),
        ("##/##", "no point"),
        ("xo/ox", "row 1, column 1 can never touch"),
        (".../#s#/...", None),
        ("9x9 62", "62 strings can't be reached: a board of this shape holds 61"),
        ("9x9 99999", "too many"),
        ("../.", "row 2"),
        ("..q", "Line 1, column 3"),
        ("... | x 1,4", "no point at row 1, column 4"),
        ("..# | x 1,3", "no point at row 1, column 3"),
        ("x.. | o 1,1", "belongs to the puzzle"),
        ("-.. | o 1,1", "must stay empty"),
        ("... | - 1,1", "no stone"),
        ("... | x 1,1 x 1,1", "already"),
        ("... | y 1,1", "not a move"),
    ],
)
def test_faults_name_place_and_reason(text, fault):
    if fault is None:
        KIND.read(text)
        return
    with pytest.raises(PuzzleError) as raised:
        KIND.read(text)
    assert fault in str(raised.value)


def test_texts_of_all_kinds():
    canonical = "x.o/-#s 2"
    for text in ("X ・ ○\n－ # S\n2", "●.O/-#s 2", "x.o\r\n-#s\r\n2", "ｘ．ｏ／－＃ｓ　２"):
        assert KIND.write(KIND.read(text)) == canonical
    assert KIND.read("3 x 4 8") == KIND.read(".../".replace("...", "....") * 2 + ".... 8")


def test_a_board_without_a_goal_asks_for_the_most_there_can_be():
    def goal(text):
        return maximum.goal_of(KIND.read(text))

    assert goal("19x19") == 277
    assert goal("4x4 9") == 9
    assert goal("..../.-../..../....") == 11
    assert goal("xo/..") == goal("2x2")
    assert goal("x.x/.../xo.") == goal("x.x/.../xo.")
    assert goal("xx./.../...") is None
    wide = "." * 12 + "/" + "/".join(["." * 11 + "-"] * 11)
    assert goal(wide) is None
    for name in ("count", "hint", "rate", "review"):
        answer = ask(name, wide)
        assert (answer.value, answer.proven) == (None, False)
        assert "how many strings" in answer.note.text
    assert ask("count", wide + " 100").value >= 1


def test_several_ways_to_write_one_solution():
    """Other colours and longer strings make no new solution."""
    one = KIND.read("3x3 1 | x 1,1")
    others = ("3x3 1 | o 1,1", "3x3 1 | x 1,1 x 1,2", "3x3 1 | x 1,2 x 1,1 x 2,2")
    assert {KIND.solution(KIND.read(text)) for text in others} == {KIND.solution(one)}
    assert KIND.solution(KIND.read("3x3 1 | x 1,2")) != KIND.solution(one)


def test_pressing_a_point_goes_through_its_colours():
    position = KIND.read("2x2")
    for expected in ("x 1,1", "o 1,1", "- 1,1", "x 1,1"):
        move = next(s.move for s in KIND.draw(position).shapes if isinstance(s, Spot))
        assert move == expected
        position = KIND.play(position, KIND.read_move(move))


def test_tools_do_what_they_say():
    position = KIND.read("2x3 | x 1,1 o 1,2")

    def pressed(tool):
        shapes = KIND.tools.draw(position, tool).shapes
        open_spots = [s for s in shapes if isinstance(s, Spot) and not s.is_closed]
        return {(s.row, s.column): s.move[0] for s in open_spots}

    free_points = dict.fromkeys([(0, 2), (1, 0), (1, 1), (1, 2)], "x")
    assert pressed("x") == {(0, 0): "-", (0, 1): "x", **free_points}
    assert pressed("-") == {(0, 0): "-", (0, 1): "-"}
    form = {(0, 2): "x", (1, 0): "o", (1, 1): "x", (1, 2): "o"}
    assert pressed("form") == {(0, 0): "-", (0, 1): "-", **form}
    assert set(KIND.tools.names(position)) == {"cycle", "form", "x", "o", "-"}


def test_strings_without_a_liberty_are_shown_and_nothing_is_captured():
    position = KIND.read("2x2 | x 1,1 o 1,2 o 2,1")
    verdict = KIND.judge(position)
    assert [cell for cell, _ in verdict.faults] == [(0, 0)]
    assert (verdict.score, verdict.solved) == (2, False)
    rings = [s for s in KIND.draw(position).shapes if isinstance(s, Circle) and s.style == "fault"]
    assert len(rings) == 1
    assert KIND.judge(KIND.play(position, KIND.read_move("- 2,1"))).faults == ()


def test_fixed_points_refuse_moves_and_offer_none():
    position = KIND.read("x-s/#..")
    spots = [s for s in KIND.draw(position).shapes if isinstance(s, Spot)]
    assert {(s.row, s.column) for s in spots if not s.is_closed} == {(0, 2), (1, 1), (1, 2)}
    for text in ("o 1,1", "x 1,2", "x 2,1"):
        with pytest.raises(IllegalMove):
            KIND.play(position, KIND.read_move(text))


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


def test_a_draft_carries_its_goal():
    editor, score = KIND.editor, KIND.score
    draft = editor.blank(4, 4)
    assert score.goal(draft) == ""
    fewer = score.with_goal(draft, "11")
    assert (score.goal(fewer), KIND.read(fewer).goal) == ("11", 11)
    assert score.with_goal(fewer, "") == draft
    assert editor.size(fewer) == (4, 4)
    assert editor.resize(fewer, 4, 5) == "...../...../...../..... 11"
    assert editor.paint(fewer, (0, 0), "hole").startswith("#...")
    with pytest.raises(PuzzleError, match="13 strings can't be reached"):
        KIND.read(score.with_goal(draft, "13"))
    with pytest.raises(PuzzleError):
        editor.paint(draft, (4, 0), "black")


def test_the_editor_says_what_is_known_of_larger_boards():
    with pytest.raises(PuzzleError, match="The maximum on 20×20 is known all the same: 308"):
        KIND.editor.blank(20, 20)


@pytest.mark.parametrize(
    ("text", "optimum"),
    [
        ("19x19", 277),
        ("9x9 50", 61),
        ("..../.#../..../....", 11),
        ("s.../..../..../....", 12),
        # Two black neighbours and a corner that no form has can be decided only by a search.
        ("xx../..../..../....", None),
        ("ss.../s..../...../...../.....", None),
        ("/".join(["." * 11 + "-"] * 12), None),
    ],
)
def test_the_optimum_that_is_known_at_once(text, optimum):
    assert KIND.score.optimum(KIND.read(text)) == optimum
    if optimum is not None and "19" not in text:
        assert ask("best", text).value == optimum


def test_the_verdict_tells_score_and_goal():
    verdict = KIND.judge(KIND.read("4x4 11 | x 1,1 o 1,2"))
    assert (verdict.score, verdict.goal, verdict.solved) == (2, 11, False)


def test_wide_boards_in_any_colours_are_answered_with_their_gap():
    text = "13x13 | x 6,6 x 6,7 x 6,8 x 7,7"
    answer = ask("best", text)
    end = KIND.play_line(KIND.read(text), " ".join(answer.moves))
    verdict = KIND.judge(end)
    assert (verdict.score, verdict.faults) == (answer.value, ())
    assert not answer.proven
    assert 123 <= answer.value < answer.at_most == 127
    assert answer.note.values == {"most": 127}
    counted = ask("count", text.replace("13x13", "13x13 120"))
    assert (counted.value, counted.proven) == (1, False)
    assert ask("count", text).value == 0
    assert ask("count", text).proven


# All boards, in all colours

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
    monkeypatch.setattr(count, "MOST_STATES", 100)
    for text in ("12x12 20", "6x6 20"):
        answer = ask("positions", text)
        assert (answer.value, answer.proven) == (None, False)
        assert "too large" in answer.note.text


# Any size


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
    bounds = {sign.at_least for sign in signs[1:]}
    assert len(bounds) == 1 and 100 < bounds.pop() <= answer.value


def test_best_says_when_the_goal_is_out_of_reach():
    stars = "/".join(["#" + "." * 12] + ["." * 13] * 12)
    note = ask("best", stars + " 134").note
    assert note.values == {"goal": 134, "most": ask("best", stars).value}
    assert "can't be reached" in note.text


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


# Solutions


@pytest.mark.parametrize("seed", range(25))
def test_solutions_against_all_boards(seed):
    start = KIND.sample(random.Random(seed), 3)
    answer = ask("solutions", start, limit=10_000)
    if answer.value is None:
        assert answer.note
        return
    ends = [end for end in maxstrings_reference.completions(KIND, start) if KIND.judge(end).solved]
    stones = [sum(letter in "xo" for row in end.now for letter in row) for end in ends]
    single = [end for end, n in zip(ends, stones) if KIND.judge(end).score == n]
    listed = [KIND.solution(KIND.play_line(start, line)) for line in answer.solutions]
    assert len(listed) == answer.value
    assert sorted(listed) == sorted({KIND.solution(end) for end in single})


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
    monkeypatch.setattr("solvers.solutions.MOST", 500)
    answer = ask("solutions", "6x6 20", limit=10_000)
    assert (answer.value, answer.proven, answer.more) == (500, False, True)
    assert "more than" in answer.note.text


def test_solutions_that_are_not_listed(monkeypatch):
    clash = ask("solutions", "xx./.../... 1")
    assert (clash.value, clash.proven, clash.solutions) == (None, False, ())
    assert "one checkerboard" in clash.note.text
    assert ask("solutions", ".s./sss/.s. 2").value == 0
    monkeypatch.setattr("solvers.maxstrings.solutions.MOST_ROWS", 10)
    answer = ask("solutions", "6x6")
    assert (answer.value, answer.proven) == (None, False)
    assert "reached no answer" in answer.note.text


def test_a_line_that_solves_nothing_is_never_shown():
    with pytest.raises(RuntimeError, match="no solution"):
        finish(check_lines(KIND, KIND.read("2x2 2"), ["x 1,1 x 2,2", "x 1,1"]))


def test_a_goal_out_of_reach_has_no_solutions_in_any_colours():
    listed = ask("solutions", "xx./.../... 6")
    assert (listed.value, listed.proven, listed.solutions) == (0, True, ())


def test_a_search_with_too_many_states_leaves_a_gap(monkeypatch):
    texts = ("xx./.../...", "xx../..../..../....", "xx.../....x/...../....x")
    exact = [ask("best", text).value for text in texts]
    monkeypatch.setattr(search, "MOST_STATES", 3)
    answers = [ask("best", text) for text in texts]
    for answer, value in zip(answers, exact, strict=True):
        assert answer.value <= value <= (answer.value if answer.proven else answer.at_most)
        assert rules.score(tuple(answer.board.split("/"))) == answer.value
    assert not all(answer.proven for answer in answers)


def test_a_count_without_memory_shows_one_board():
    answer = ask("count", "5x5 14", memory=1)
    assert (answer.value, answer.proven, answer.most) == (1, False, 18)
    assert "memory" in answer.note.text
    assert KIND.judge(KIND.play_line(KIND.read("5x5 14"), " ".join(answer.moves))).solved
