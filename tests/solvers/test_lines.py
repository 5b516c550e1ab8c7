"""Kinds whose players draw lines: Slitherlink and Masyu."""

import random

import pytest

from solvers import registry
from solvers.kind import IllegalMove
from solvers.picture import Spot
from solvers.question import finish
from solvers.rule_tables import reading
from solvers.rule_tables.boards import read_board
from solvers.rule_tables.count import count

SLITHERLINK, MASYU = (registry.ready_kinds()[name] for name in ("slitherlink", "masyu"))


@pytest.mark.parametrize(
    ("kind", "board", "number"),
    [(SLITHERLINK, "3x3", 213), (SLITHERLINK, "4x4", 9349), (MASYU, "4x4", 213),
     (MASYU, "5x5", 9349), (MASYU, "7x7", 487150371)],
)  # fmt: skip
def test_loops_are_as_many_as_published(kind, board, number):
    """OEIS A140517. Loops over n x n squares are those on a board of n - 1 rows."""
    drawn = read_board(kind.table, board)
    assert finish(count(kind.table, drawn)).value == number
    if number < 10_000:
        assert sum(1 for _ in reading.loops(kind.table, drawn)) == number


def random_board(kind, rng: random.Random) -> str:
    if kind is MASYU:
        rows, columns = rng.randint(2, 5), rng.randint(2, 4)
        return "/".join("".join(rng.choice(".....wb") for _ in range(columns)) for _ in range(rows))
    rows, columns = rng.randint(1, 3), rng.randint(1, 4)
    clues = "/".join("".join(rng.choice("....123") for _ in range(columns)) for _ in range(rows))
    return f"{rows}x{columns} clues={clues}"


@pytest.mark.parametrize("kind", [SLITHERLINK, MASYU], ids=["slitherlink", "masyu"])
def test_counts_and_verdicts_agree_with_the_slow_reading(kind):
    rng = random.Random(3)
    solved = faulty = 0
    for _ in range(80):
        position = kind.read(random_board(kind, rng))
        board = position.board
        loops = [f for f in reading.loops(kind.table, board) if reading.holds(kind.table, board, f)]
        answer = finish(kind.questions["count"].ask(kind, position))
        assert answer.value == len(loops), kind.write(position)
        for move, number in answer.by_move.items():
            row, column = kind.read_move(move).cell
            drawn = kind.play(position, kind.read_move(move)).present
            assert number == sum(
                reading.holds(kind.table, board, f) for f in reading.loops(kind.table, drawn)
            ), f"{kind.write(position)} {row},{column}"
        after = position
        for wrong in rng.sample(free := list(kind.moves(position)), min(len(free), 6)):
            after = kind.play(after, wrong)
            left = [
                f
                for f in reading.loops(kind.table, after.present)
                if reading.holds(kind.table, board, f)
            ]
            verdict = kind.judge(after)
            assert not (verdict.faults and left), kind.write(after)
            faulty += bool(verdict.faults)
        end = kind.play_line(position, " ".join(answer.moves))
        assert kind.judge(end).solved == bool(loops)
        solved += bool(loops)
    assert solved > 15 and faulty > 15


def test_a_line_that_closes_too_early_or_splits_is_a_fault():
    small = "o 1,2 o 2,1 o 2,4 o 4,2"
    closed = SLITHERLINK.read(f"3x3 | {small}")
    assert SLITHERLINK.judge(closed).solved
    two = SLITHERLINK.read(f"3x3 | {small} o 9,8")
    assert "one closed loop" in str(SLITHERLINK.judge(two).faults[0][1])
    split = SLITHERLINK.read("3x3 | o 1,2 o 2,4 o 1,5")
    assert {cell for cell, _ in SLITHERLINK.judge(split).faults} == {(0, 0), (0, 1)}


@pytest.mark.parametrize("move", ["o 3,2", "o 1,1", "o 2,2", "o 99,99", "o 1,3", "o 4,9"])
def test_no_line_is_drawn_where_there_is_no_edge(move):
    position = SLITHERLINK.read("2x2")
    with pytest.raises(IllegalMove) as refused:
        SLITHERLINK.play(position, SLITHERLINK.read_move(move))
    assert str(refused.value) == "No line can be there."
    assert refused.value.place.cell is None


@pytest.mark.parametrize("move", ["o 4,5", "o 5,4", "o 5,6", "o 6,5", "* 1,2", "- 2,1"])
def test_a_refusal_names_the_place_like_the_spot_there(move):
    position = SLITHERLINK.read("2x2 | o 4,5 o 5,4 o 5,6 o 6,5 * 1,2")
    with pytest.raises(IllegalMove) as refused:
        SLITHERLINK.play(position, SLITHERLINK.read_move(move))
    (spot,) = (
        each
        for each in SLITHERLINK.draw(position).shapes
        if isinstance(each, Spot) and (each.row, each.column) == refused.value.place.cell
    )
    assert str(refused.value) == f"{spot.label}: this is so already."


def test_a_screen_reader_hears_where_a_line_is_and_the_numbers_beside_it():
    spots = {
        spot.move: str(spot.label)
        for spot in SLITHERLINK.draw(SLITHERLINK.read("1x2 clues=32 | o 1,2")).shapes
        if hasattr(spot, "label")
    }
    assert spots["- 1,2"] == "A line above row 1, column 1; beside it: 3"
    assert spots["o 2,4"] == "No line to the left of row 1, column 2; beside it: 3 and 2"
    assert spots["o 2,6"] == "No line to the right of row 1, column 2; beside it: 2"
    assert spots["o 3,2"] == "No line below row 1, column 1; beside it: 3"
    pearls = MASYU.draw(MASYU.read("wb")).shapes
    assert [str(spot.label) for spot in pearls if hasattr(spot, "label")] == [
        "No line from row 1, column 1 to the right; beside it: White circle and Black circle"
    ]


@pytest.mark.parametrize("kind", [SLITHERLINK, MASYU], ids=["slitherlink", "masyu"])
def test_arrow_keys_lead_to_every_place(kind):
    """The step of static/board.js: the nearest spot ahead, with what lies aside counted thrice."""
    picture = kind.draw(kind.read(kind.editor.blank(4, 4)))
    spots = [(spot.row, spot.column) for spot in picture.shapes if hasattr(spot, "label")]
    reached, waiting = {spots[0]}, [spots[0]]
    while waiting:
        row, column = waiting.pop()
        for rows, columns in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            ahead = [
                (along + 3 * aside, spot)
                for spot in spots
                for along in [(spot[0] - row) * rows + (spot[1] - column) * columns]
                for aside in [abs((spot[0] - row) * columns) + abs((spot[1] - column) * rows)]
                if along > 0
            ]
            if ahead and (nearest := min(ahead)[1]) not in reached:
                reached.add(nearest)
                waiting.append(nearest)
    assert reached == set(spots)


@pytest.mark.parametrize("kind", [SLITHERLINK, MASYU], ids=["slitherlink", "masyu"])
def test_hints_name_a_rule_and_boards_of_eight_rows_have_one_solution(kind):
    ask = kind.questions["generate"].ask
    made = finish(ask(kind, kind.read(kind.editor.blank(1, 1)), size=8, difficulty="any", many=1,
                      seed=1))  # fmt: skip
    position = kind.read(made.boards[0].position)
    assert finish(kind.questions["count"].ask(kind, position)).value == 1
    easy = kind.read(registry.collection(kind)[0].position)
    hint = finish(kind.questions["hint"].ask(kind, easy, level="next"))
    assert hint.sure and "row" in str(hint.note) and "line" in str(hint.note)
