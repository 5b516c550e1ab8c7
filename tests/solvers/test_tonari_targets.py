"""Tonari Othello: all targets of a board, and generated targets."""

import random

import pytest

from solvers.contract.boards import make_ask
from solvers.kind import PuzzleError
from solvers.tonari import KIND, rules
from solvers.tonari.bitboard import mirrors, own_symmetries
from solvers.tonari.questions import PICTURES
from solvers.tonari.rules import Position, with_attainable_starts
from solvers.tonari.targets import TargetScan
from tests.solvers.tonari_boards import reached, targets

ask = make_ask(KIND)


@pytest.mark.parametrize(
    ("text", "pictures", "reachable", "one_order", "one_class"),
    [
        ("3x3 11", 512, 112, 4, 56),
        ("3x3 22", 512, 127, 0, 0),
        ("4x4 11", 65536, 14164, 2, 520),
        ("4x4 22", 65536, 16320, 0, 0),
    ],
)
def test_reachable_pictures_are_those_known(text, pictures, reachable, one_order, one_class):
    answer = ask("targets", text)
    assert answer.proven
    numbers = [row[1] for row in answer.tables[0].rows]
    assert numbers == [pictures, pictures // 2, reachable, one_order, one_class]
    assert answer.value == reachable


@pytest.mark.parametrize("text", ["3x3 12", "2x4 11", "3x3 11 33", "3x3 11 12", "2x3 11 23"])
def test_reachable_pictures_against_the_rules(text):
    start = KIND.read(text)
    assert ask("targets", text).value == len(reached(start))


@pytest.mark.thorough
def test_scanned_orders_are_the_counts():
    for text in ("3x4 11", "3x4 22 31"):
        start = with_attainable_starts(KIND.read(text))
        free = [start.bit(c) for c in start.cells if not start.starts & start.bit(c)]
        for least, most in ((1, 1), (5, 40), (41, 10**6)):
            scan = TargetScan(start, free, least, most, random.Random(most))
            found = {target.white for targets in scan.run() for target in targets}
            images = list(own_symmetries(Position(start.rows, start.columns, 0, start.starts)))
            for target in targets(start.rows, start.columns, *text.split()[1:]):
                orders = ask("count", KIND.write(target)).value
                white = [c for c in target.cells if rules.wants_white(target, c)]
                alike = {sum(map(target.bit, map(image, white))) for image in images}
                first = all(target.white <= other for other in alike)
                assert (target.white in found) == (least <= orders <= most and first)


def test_too_many_targets_are_refused():
    with pytest.raises(PuzzleError, match="up to 24 empty points"):
        KIND.questions["targets"].refuse_impossible(KIND.read("6x6 11"))
    with pytest.raises(PuzzleError, match="up to 24 empty points"):
        ask("targets", "6x6 11")


def is_symmetric(position) -> bool:
    """Return whether the target of a 4x4 board is one of its own mirror images."""
    white = {cell for cell in position.cells if rules.wants_white(position, cell)}
    return any(white == set(map(image, white)) for image in mirrors(4, 4))


def test_generated_targets_are_as_ordered():
    for wanted in (
        {"orders": [100, 1000]},
        {"classes": "one"},
        {"look": "symmetric"},
        {"difficulty": "very hard"},
    ):
        answer = ask("generate", "4x4 11", many=3, seed=5, **wanted)
        assert answer.value == 3
        for entry in answer.boards:
            position = KIND.read(entry.position)
            assert position.starts == 1
            orders = ask("count", entry.position).value
            assert orders == entry.solutions
            least, most = wanted.get("orders", [1, orders])
            assert least <= orders <= most
            assert entry.band == wanted.get("difficulty", entry.band)
            if "classes" in wanted:
                assert ask("classes", entry.position).value == 1
            if "look" in wanted:
                assert is_symmetric(position)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("3x3 11", [{"Bww/bww/bww", "Bbb/www/www"}, {"Bww/bbw/www", "Bbw/wbw/www"}]),
        ("4x4 11", [{"Bwww/bwww/wbbw/wwbb", "Bbww/wwbw/wwbb/wwwb"}]),
        ("4x4 22", []),
    ],
)
def test_all_pictures_with_one_order_are_found(text, known):
    for seed in (1, 2):
        answer = ask("generate", text, many=5, orders=[1, 1], seed=seed)
        found = [entry.position for entry in answer.boards]
        # The answer has one of each pair of mirror images, and proves that there are no others.
        assert len(found) == len(known) and answer.proven
        assert all(any(position in pair for position in found) for pair in known)
        assert "All targets of this board" in answer.note.text


def test_few_orders_go_with_other_options():
    answer = ask("generate", "4x4 11", many=100, orders=[1, 100], classes="one")
    assert answer.proven
    alone = [
        entry.position
        for entry in ask("generate", "4x4 11", many=100, orders=[1, 100]).boards
        if ask("classes", entry.position).value == 1
    ]
    assert sorted(entry.position for entry in answer.boards) == sorted(alone)
    symmetric = ask("generate", "4x4 11", many=9, orders=[1, 1000], look="symmetric")
    assert symmetric.proven
    for entry in symmetric.boards:
        assert is_symmetric(KIND.read(entry.position))


def test_a_picture_that_does_not_fit_the_options_is_given_up_at_its_end():
    answer = ask("generate", "5x5 11", look="heart", orders=[1, 1])
    assert (answer.value, answer.proven) == (0, True)
    assert "This picture was tried everywhere" in answer.note.text


def test_a_difficulty_out_of_reach_is_explained(monkeypatch):
    monkeypatch.setattr("solvers.tonari.generate.MAX_CLIMBED", 30)
    monkeypatch.setattr("solvers.tonari.generate.RESTART_AFTER", 10)
    answer = ask("generate", "5x5 11", many=1, difficulty="easy")
    assert (answer.value, answer.proven) == (0, False)
    values = answer.note.values
    assert (values["least"], values["most"]) == ("500", "1000")
    assert 0 <= int(values["hardest"]) <= int(values["easiest"]) < 500


def test_targets_are_shown_as_they_are_found():
    signs = []
    answer = ask("generate", "4x4 11", signs, many=3, size=[3, 5])
    assert {len(sign.found.boards) for sign in signs} >= {1, 2, 3}
    for entry in answer.boards:
        assert KIND.editor.size(entry.position) == (3, 5)


def test_the_same_seed_gives_the_same_targets():
    first, again, other = (ask("generate", "5x5 11", many=3, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    positions = [entry.position for entry in first.boards]
    assert len(set(positions)) == 3


@pytest.mark.parametrize("name", ["heart", "7", "A", "smile"])
def test_pictures_are_changed_as_little_as_needed(name):
    answer = ask("generate", "6x6 11", many=1, look=name)
    (entry,) = answer.boards
    position = KIND.read(entry.position)
    assert ask("solve", entry.position).value == 1
    rows = PICTURES[name]
    differences = min(
        sum(
            (
                0 <= r - down < len(rows)
                and 0 <= c - right < len(rows[0])
                and rows[r - down][c - right] == "o"
            )
            != (rules.wants_white(position, (r, c)) != inverse)
            for r, c in position.cells
        )
        for down in range(7 - len(rows))
        for right in range(7 - len(rows[0]))
        for inverse in (False, True)
    )
    assert differences <= 4  # Three points, and the start stone's own colour.


@pytest.mark.parametrize(
    ("text", "wanted", "reason"),
    [
        ("3x3 11", {"look": "A"}, "The picture needs 5 rows and 3 columns; the board is smaller."),
        ("3x3 11", {"size": [1, 5]}, "A board of 1x5 is not possible. Boards go from 2x2 to 8x8; "
                                     "solutions can be counted exactly up to about 6x6."),
        ("6x6 11", {"orders": [1, 1]}, "This board has too many orders to choose puzzles by the "
                                       "number of solutions or by difficulty. That is possible "
                                       "with up to 30 empty points; this board has 35."),
    ],
)  # fmt: skip
def test_options_that_cannot_be_met_are_refused(text, wanted, reason):
    with pytest.raises(PuzzleError) as fault:
        ask("generate", text, **wanted)
    assert str(fault.value) == reason


def test_pictures_fit_their_frames():
    for rows in PICTURES.values():
        assert len({len(row) for row in rows}) == 1
        assert set("".join(rows)) <= set("o.")


@pytest.mark.parametrize(
    ("name", "texts"), [("size", ["", "4x5"]), ("orders", ["", "1", "5..100"]), ("look", ["heart"])]
)
def test_options_come_back_as_they_were_written(name, texts):
    option = KIND.questions["generate"].options[name]
    assert [option.write(option.read(text)) for text in texts] == texts


def test_the_generator_says_how_many_targets_exist():
    options = KIND.questions["generate"].options
    told = {"size": "3x4", "orders": "1", "many": "10"}
    answer = ask(
        "generate", KIND.read("3x4 11"), **{n: options[n].read(t) for n, t in told.items()}
    )
    assert (answer.value, answer.proven) == (3, True)
    assert "Exactly 3 of them fit the conditions" in str(answer.note)
