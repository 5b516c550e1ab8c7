"""Tonari Othello: everything that is asked beside the counts."""

import random
from itertools import product

import pytest

from solvers.asking import finish
from solvers.kind import PuzzleError
from solvers.tonari import KIND, rules
from solvers.tonari.classes import class_size, flips
from solvers.tonari.layout import mirrors
from solvers.tonari.pixels import PICTURES
from solvers.tonari.rules import Position
from tests import brute


def ask(name, text, **options):
    return finish(KIND.questions[name].ask(KIND, KIND.read(text), **options))


def targets(rows, columns, *starts):
    """Yield every target whose start stones are wanted in the colours they get."""
    bare = KIND.read(f"{rows}x{columns} {' '.join(map(str, starts))}")
    fated = rules.fates(bare)
    free = [cell for cell in bare.cells if cell not in fated]
    fixed = sum(bare.bit(cell) for cell, white in fated.items() if white)
    for colours in product((0, 1), repeat=len(free)):
        white = fixed + sum(bare.bit(cell) for cell, is_white in zip(free, colours) if is_white)
        yield Position(rows, columns, white, bare.starts)


def is_reachable(position):
    return finish(KIND.questions["solve"].ask(KIND, position)).value == 1


# Solve


@pytest.mark.parametrize(("start", "reachable"), [(11, 112), (22, 127)])
def test_reachable_pictures_of_three_by_three(start, reachable):
    assert sum(map(is_reachable, targets(3, 3, start))) == reachable


def test_reachable_pictures_of_four_by_four():
    # Half of the pictures have the wrong parity; every seventh of the others will do.
    chosen = list(targets(4, 4, 11))
    for position in random.Random(1).sample(chosen, 300):
        answer = finish(KIND.questions["solve"].ask(KIND, position))
        counted = finish(KIND.questions["count"].ask(KIND, position))
        assert answer.value == int(counted.value > 0)


def test_large_boards_are_solved_at_once():
    rng = random.Random(2)
    for _ in range(20):
        position = KIND.sample(rng, 8)
        answer = finish(KIND.questions["solve"].ask(KIND, position, nodes=200_000))
        assert answer.proven
        end = KIND.play_line(position, " ".join(answer.moves))
        assert KIND.judge(end).solved == bool(answer.value)


def test_a_search_that_ends_too_early_says_so():
    answer = ask("solve", "8x8 11", nodes=10)
    assert answer.value is None and not answer.proven


# Classes


@pytest.mark.parametrize(("size", "number"), [(3, 2), (4, 12), (5, 235)])
def test_classes_are_those_known_and_add_up(size, number):
    text = f"{size}x{size} 11"
    answer = ask("classes", text)
    assert answer.value == number
    orders = [int(entry["orders"]) for entry in answer.details["classes"]]
    assert orders == sorted(orders, reverse=True)
    # The orientations share nothing with the count: their sizes add up to it.
    assert sum(orders) == ask("count", text).value


def test_classes_of_six_by_six():
    answer = ask("classes", "6x6 11", listed=0)
    assert answer.value == 16502
    assert answer.details["up_to_symmetry"] == 8406
    assert answer.details["classes"] == []


def test_single_class_pictures_of_three_by_three():
    found = [
        finish(KIND.questions["classes"].ask(KIND, position)).value
        for position in targets(3, 3, 11)
    ]
    assert found.count(1) == 56
    assert sum(value > 0 for value in found) == 112


def test_classes_against_all_solutions():
    rng = random.Random(3)
    for _ in range(40):
        position = KIND.sample(rng, 3)
        lines = list(brute.solutions(KIND, position))
        sets = {}
        for line in lines:
            sets.setdefault(flips(position, line), []).append(line)
        answer = finish(KIND.questions["classes"].ask(KIND, position))
        listed = [
            [KIND.read_move(text) for text in entry["moves"].split()]
            for entry in answer.details["classes"]
        ]
        if KIND.judge(position).solved:
            continue
        assert answer.value == len(sets)
        assert {flips(position, line) for line in listed} == set(sets)
        for line in listed:
            assert finish(class_size(position, line)) == len(sets[flips(position, line)])


def test_mirror_images_of_classes_count_once():
    assert ask("classes", "4x4 11").details["up_to_symmetry"] == 9
    assert ask("classes", "5x5 11", listed=0).details["up_to_symmetry"] == 134
    assert ask("classes", "Bwww/bwww/wbbw/wwbb").details["up_to_symmetry"] == 1


# The ladder and the study's own search


@pytest.mark.parametrize(
    ("size", "steps", "endings", "up_to_mirror"),
    [
        (3, [304, 82, 42, 4, 2], 2, 2),
        (4, [5813496, 1246202, 952572, 1007, 10], 12, 9),
        (5, [271866672998612, 88035743977907, 66813786295680, 61469419, 203], 227, 131),
    ],
)
def test_the_ladder_is_the_study_s(size, steps, endings, up_to_mirror):
    answer = ask("ladder", f"{size}x{size} 11")
    assert [int(step["value"]) for step in answer.details["steps"]] == steps
    assert answer.value == steps[-1]
    assert answer.details["endings"] == str(endings)
    assert answer.details["endings_up_to_symmetry"] == str(up_to_mirror)


def test_the_study_s_solutions_and_its_mirrored_pair():
    answer = ask("ladder", "4x4 11")
    printed = [
        "12 13 21 22 23 24 31 32 33 42 44",
        "12 13 21 22 23 24 31 32 34 42 43",
        "12 13 21 22 23 24 31 34 33 43 42",
        "12 13 21 22 23 24 34 33 32 41 43",
        "12 13 21 22 31 33 34 24 43 42",
        "12 13 21 22 33 32 34 24 41 43",
        "12 21 22 33 23 14 31 34 43 42",
        "12 21 22 33 23 14 32 34 41 43",
        "12 21 23 14 32 33 34 41 43",
        "22 33 23 13 24 32 31 42 44",
    ]
    assert [line.replace(",", "") for line in answer.details["solutions"]] == printed
    assert answer.details["mirrored"] == [[6, 7]]


@pytest.mark.parametrize("text", ["3x3 11", "3x3 22", "Bwb/wbb/bbb", "Bbb/bbb/bbB", "2x4 11"])
def test_the_ladder_against_the_study_s_own_search(text):
    ladder = [int(step["value"]) for step in ask("ladder", text).details["steps"]]
    assert ladder == [ask("study", text, step=step).value for step in range(1, 6)]


def test_the_study_s_search_counts_all_orders():
    answer = ask("study", "3x3 11", step=0)
    assert answer.value == 304
    assert answer.details["orders"] == "9240"
    assert ask("study", "4x4 11", step=4).value == 1007
    assert ask("study", "4x4 11", step=5).value == 10


def test_a_ladder_too_large_leaves_steps_out(monkeypatch):
    monkeypatch.setattr("solvers.tonari.ladder.MOST_STATES", 300)
    answer = ask("ladder", "4x4 11")
    values = [step["value"] for step in answer.details["steps"]]
    assert values == ["5813496", None, None, "1007", "10"]
    monkeypatch.setattr("solvers.tonari.ladder.MOST_STATES", 20)
    answer = ask("ladder", "4x4 11")
    assert answer.value is None and not answer.proven


# Difficulty


@pytest.mark.parametrize(
    ("size", "lucky", "careful"), [(3, 0.022, 0.60), (4, 0.00033, 0.27), (5, 0.0000021, 0.20)]
)
def test_chances_are_those_known(size, lucky, careful):
    details = ask("rate", f"{size}x{size} 11").details
    assert details["random"] == pytest.approx(lucky, rel=0.03)
    assert details["careful"] == pytest.approx(careful, rel=0.03)


def chances(position, careful):
    """The chance by the rules alone."""
    moves = list(KIND.moves(position))
    if not moves:
        return float(KIND.judge(position).solved)
    after = [KIND.play(position, move) for move in moves]
    if careful:
        after = [stage for stage in after if not KIND.doomed(stage)]
    return sum(chances(stage, careful) for stage in after) / len(after) if after else 0.0


def test_chances_against_the_rules():
    rng = random.Random(4)
    for _ in range(40):
        position = KIND.sample(rng, rng.randint(1, 3))
        details = finish(KIND.questions["rate"].ask(KIND, position)).details
        assert details["random"] == pytest.approx(chances(position, careful=False))
        expected = 0.0 if KIND.doomed(position) else chances(position, careful=True)
        assert details["careful"] == pytest.approx(expected)


def test_large_boards_are_rated_by_playing():
    exact = ask("rate", "5x5 11").details
    answer = ask("rate", "5x5 11", memory=1000)
    assert not answer.proven
    assert abs(answer.details["careful"] - exact["careful"]) < 4 * answer.details["error"]
    assert answer.details["random"] == pytest.approx(exact["random"], rel=0.5)


# Hints


@pytest.mark.parametrize(
    ("moves", "state", "keep"),
    [
        ("", "live", None),
        ("2,2 3,3 4,4", "live", None),
        ("1,2 2,2", "doomed", 1),
        ("1,2 2,2 1,3", "doomed", 1),
    ],
)
def test_hints_know_the_three_states(moves, state, keep):
    answer = ask("hint", f"Bbbb/bbbb/bbbb/bbbb | {moves}" if moves else "4x4 11")
    assert answer.details["state"] == state
    if state == "live":
        assert answer.value == 1
        assert answer.moves[0] in answer.details["region"]
    else:
        assert answer.value == 0
        assert answer.details["keep"] == keep


def test_hints_never_lie():
    rng = random.Random(5)
    states = set()
    for _ in range(120):
        position = KIND.sample(rng, 3)
        while moves := list(rules.moves(position)):
            if rng.random() < 0.2:
                break
            kept = [move for move in moves if rules.keeps_target(position, move)]
            position = rules.play(position, rng.choice(kept or moves))
        answer = finish(KIND.questions["hint"].ask(KIND, position))
        state = answer.details["state"]
        states.add(state)
        assert answer.value == brute.solve(KIND, position) == int(state == "live")
        assert (state == "doomed") == bool(rules.doomed(position))
        if answer.moves:
            assert brute.solve(KIND, KIND.play(position, KIND.read_move(answer.moves[0])))
        if state != "live" and answer.details["keep"] is not None:
            keep = answer.details["keep"]
            stages = [KIND.start(position)]
            for move in position.placed:
                stages.append(rules.play(stages[-1], move))
            assert brute.solve(KIND, stages[keep]) == 1
            assert brute.solve(KIND, stages[keep + 1]) == 0
    assert states == {"live", "trapped", "doomed"}


# New and mended targets


def test_generated_targets_are_as_ordered():
    for wish in (
        {"orders": [100, 1000]},
        {"classes": "one"},
        {"look": "symmetric"},
        {"difficulty": "very hard"},
    ):
        answer = ask("generate", "4x4 11", many=3, seed=5, **wish)
        assert answer.value == 3
        for entry in answer.details["boards"]:
            position = KIND.read(entry["position"])
            assert position.starts == 1
            orders = ask("count", entry["position"]).value
            assert str(orders) == entry["solutions"]
            least, most = wish.get("orders", [1, orders])
            assert least <= orders <= most
            assert entry["band"] == wish.get("difficulty", entry["band"])
            if "classes" in wish:
                assert ask("classes", entry["position"]).value == 1
            if "look" in wish:
                assert any(
                    all(
                        rules.wants_white(position, cell)
                        == rules.wants_white(position, image(cell))
                        for cell in position.cells
                    )
                    for image in mirrors(4, 4)
                )


def test_all_pictures_with_one_order_are_found():
    three = ask("generate", "3x3 11", many=3, orders=[1, 1])
    assert three.value == 2 and not three.proven  # Four, and two without mirror images.
    four = ask("generate", "4x4 11", many=1, orders=[1, 1], seed=3)
    known = {"Bwww/bwww/wbbw/wwbb", "Bbww/wwbw/wwbb/wwwb"}
    assert {entry["position"] for entry in four.details["boards"]} <= known


def test_targets_are_shown_as_they_are_found():
    run = KIND.questions["generate"].ask(KIND, KIND.read("4x4 11"), many=3, size=[3, 5])
    shown = []
    answer = finish(run, lambda sign: shown.append(len(sign.details.get("boards", []))))
    assert set(shown) >= {1, 2, 3}
    for entry in answer.details["boards"]:
        assert KIND.editor.size(entry["position"]) == (3, 5)


def test_the_same_seed_gives_the_same_targets():
    first, again, other = (
        ask("generate", "5x5 11", many=3, seed=seed).details for seed in (1, 1, 2)
    )
    assert first == again != other
    positions = [entry["position"] for entry in first["boards"]]
    assert len(set(positions)) == 3


@pytest.mark.parametrize("name", ["heart", "7", "A", "smile"])
def test_pictures_are_changed_as_little_as_needed(name):
    answer = ask("generate", "6x6 11", many=1, look=name)
    (entry,) = answer.details["boards"]
    position = KIND.read(entry["position"])
    assert ask("solve", entry["position"]).value == 1
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
    assert differences <= 4  # Three, and the start stone's own colour.


@pytest.mark.parametrize(
    ("text", "wish", "reason"),
    [
        ("3x3 11", {"look": "A"}, "The picture needs 5 rows and 3 columns; the board is smaller."),
        ("3x3 11", {"size": [1, 5]}, "A board of 1x5 is not possible. Boards go from 2x2 to 8x8; "
                                     "solutions can be counted exactly up to about 6x6."),
        ("6x6 11", {"orders": [1, 1]}, "On this board too many orders are possible for choosing "
                                       "by their number or by difficulty. That goes up to 30 empty "
                                       "points; here there are 35."),
    ],
)  # fmt: skip
def test_wishes_that_cannot_be_fulfilled_are_refused(text, wish, reason):
    with pytest.raises(PuzzleError) as fault:
        ask("generate", text, **wish)
    assert str(fault.value) == reason


def test_repairs_are_the_smallest():
    rng = random.Random(6)
    for _ in range(25):
        position = KIND.start(KIND.sample(rng, 3))
        answer = finish(KIND.questions["repair"].ask(KIND, position))
        nearest = min((white ^ position.white).bit_count() for white in reached(position))
        fates = sum(
            rules.wants_white(position, cell) != white
            for cell, white in rules.fates(position).items()
        )
        if answer.value is not None:
            assert answer.value == nearest
            for entry in answer.details["targets"]:
                assert ask("solve", entry["position"]).value == 1
                assert len(entry["changed"]) == answer.value >= fates


def reached(position):
    """Return the pictures that some order from the start ends in, as sets of white cells."""
    found = set()
    stack = [position]
    while stack:
        stage = stack.pop()
        after = [rules.play(stage, move) for move in rules.moves(stage)]
        stack += after
        if not after:
            white = [cell for cell, is_white in rules.colours(stage).items() if is_white]
            found.add(sum(map(stage.bit, white)))
    return found


def test_what_needs_no_repair_is_left():
    answer = ask("repair", "4x4 11")
    assert answer.value == 0
    assert answer.details["targets"] == [{"position": "Bbbb/bbbb/bbbb/bbbb", "changed": []}]


def test_pictures_fit_their_frames():
    for rows in PICTURES.values():
        assert len({len(row) for row in rows}) == 1
        assert set("".join(rows)) <= set("o.")
