"""Max Strings: the rules, the texts, the tools and the editor."""

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import IllegalMove, PuzzleError
from solvers.maxstrings import KIND, maximum
from solvers.picture import Circle, Spot

ask = make_ask(KIND)


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
