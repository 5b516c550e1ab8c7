"""Tonari Othello: all questions except the counts."""

import random
import subprocess
import sys
from itertools import product

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.hint import UNKNOWN
from solvers.kind import PuzzleError
from solvers.question import finish
from solvers.tonari import KIND, rate, rules
from solvers.tonari.bitboard import TARGET, mirrors, own_symmetries
from solvers.tonari.count import class_size, flips
from solvers.tonari.questions import PICTURES
from solvers.tonari.rules import Position, with_attainable_starts
from solvers.tonari.table import Table
from solvers.tonari.targets import TargetScan

ask = make_ask(KIND)


def targets(rows, columns, *starts):
    """Yield every target that wants its start stones in the colours they get."""
    bare = KIND.read(f"{rows}x{columns} {' '.join(map(str, starts))}")
    final_colours = rules.final_colours(bare)
    free = [cell for cell in bare.cells if cell not in final_colours]
    fixed = sum(bare.bit(cell) for cell, white in final_colours.items() if white)
    for colours in product((0, 1), repeat=len(free)):
        white = fixed + sum(bare.bit(cell) for cell, is_white in zip(free, colours) if is_white)
        yield Position(rows, columns, white, bare.starts)


def is_reachable(position):
    return ask("solve", position).value == 1


# Solve


@pytest.mark.parametrize(("start", "reachable"), [(11, 112), (22, 127)])
def test_reachable_pictures_of_three_by_three(start, reachable):
    assert sum(map(is_reachable, targets(3, 3, start))) == reachable


def test_reachable_pictures_of_four_by_four():
    # Half of the pictures have the wrong parity. Every seventh of the others is tested.
    chosen = list(targets(4, 4, 11))
    for position in random.Random(1).sample(chosen, 300):
        assert ask("solve", position).value == int(ask("count", position).value > 0)


def test_large_boards_are_solved_at_once():
    rng = random.Random(2)
    for _ in range(20):
        position = KIND.sample(rng, 8)
        answer = ask("solve", position, nodes=200_000)
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
    orders = [entry.orders for entry in answer.classes]
    assert orders == sorted(orders, reverse=True)
    # The orientations share nothing with the count, and their sizes add up to it.
    assert sum(orders) == ask("count", text).value


def test_classes_of_six_by_six():
    answer = ask("classes", "6x6 11", listed=0)
    assert answer.value == 16502
    assert answer.up_to_symmetry == 8406
    assert answer.classes == ()


def test_single_class_pictures_of_three_by_three():
    found = [ask("classes", position).value for position in targets(3, 3, 11)]
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
        answer = ask("classes", position)
        listed = [
            [KIND.read_move(text) for text in entry.moves.split()] for entry in answer.classes
        ]
        if KIND.judge(position).solved:
            continue
        assert answer.value == len(sets)
        assert {flips(position, line) for line in listed} == set(sets)
        for line in listed:
            assert finish(class_size(position, line)) == len(sets[flips(position, line)])


def test_mirror_images_of_classes_count_once():
    assert ask("classes", "4x4 11").up_to_symmetry == 9
    assert ask("classes", "5x5 11", listed=0).up_to_symmetry == 134
    assert ask("classes", "Bwww/bwww/wbbw/wwbb").up_to_symmetry == 1


def test_classes_are_shown_with_an_order_each():
    answer = ask("classes", "4x4 11")
    entries = answer.classes
    rows = answer.tables[0].rows
    assert [row[1] for row in rows] == [entry.orders for entry in entries]
    assert [row[2].values["moves"] for row in rows] == [entry.moves for entry in entries]
    for entry, board in zip(entries, answer.boards, strict=True):
        line = [KIND.read_move(text) for text in entry.moves.split()]
        stage = KIND.read(board.position)
        # Closed points are left out. When they are filled at the end, the class is the same.
        left = [cell for cell in line if cell not in stage.placed]
        assert left and all(rules.empties_beside(stage, cell) == 0 for cell in left)
        assert flips(KIND.start(stage), [*stage.placed, *left]) == flips(KIND.start(stage), line)
        assert KIND.judge(KIND.play_line(stage, " ".join(map(KIND.write_move, left)))).solved


# All targets of a board


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


# The ladder and the study's own search


@pytest.mark.parametrize(
    ("size", "steps", "pairs", "endings", "up_to_mirror"),
    [
        (3, [304, 82, 42, 4, 2], 0, 2, 2),
        (4, [5813496, 1246202, 952572, 1007, 10], 1, 12, 9),
        (5, [271866672998612, 88035743977907, 66813786295680, 61469419, 203], 72, 227, 131),
    ],
)
def test_the_ladder_is_the_study_s_step_by_step(size, steps, pairs, endings, up_to_mirror):
    signs = []
    answer = ask("ladder", f"{size}x{size} 11", signs)
    assert [step.value for step in answer.steps] == steps
    assert answer.value == steps[-1]
    assert (answer.endings, answer.endings_up_to_symmetry) == (endings, up_to_mirror)
    shown, true = answer.tables
    assert [row[2] for row in shown.rows] == steps
    # The study's printed number minus its mirrored pairs is the true number.
    assert [row[1] for row in true.rows] == [steps[-1], pairs, endings, up_to_mirror]
    assert [len(sign.found.tables[0].rows) for sign in signs if sign.found] == [1, 2, 3]


@pytest.mark.parametrize("text", ["3x3 11", "3x3 22", "Bwb/wbb/bbb", "Bbb/bbb/bbB", "2x4 11"])
def test_the_ladder_against_the_study_s_own_search(text):
    ladder = [step.value for step in ask("ladder", text).steps]
    assert ladder == [ask("study", text, step=step).value for step in range(1, 6)]


def test_the_study_s_search_counts_all_orders():
    answer = ask("study", "3x3 11", step=0)
    assert (answer.value, answer.orders) == (304, 9240)
    assert [row[1] for row in answer.tables[0].rows][:2] == [304, 9240]
    assert ask("study", "4x4 11", step=4).value == 1007
    last = ask("study", "4x4 11", step=5)
    assert last.value == 10
    found, boards, seconds = (row[1] for row in last.tables[0].rows)
    assert (found, boards) == (10, 1080) and seconds > 0


def test_a_ladder_too_large_leaves_steps_out(monkeypatch):
    monkeypatch.setattr("solvers.tonari.ladder.MEMORY", 12_000)
    answer = ask("ladder", "4x4 11")
    values = [step.value for step in answer.steps]
    assert values == [5813496, None, None, 1007, 10]
    assert "memory" not in answer.note.text
    (name, _, number) = answer.tables[0].rows[1]
    assert (name.text, number.text) == ("Diagonal", "not counted")
    monkeypatch.setattr("solvers.tonari.ladder.MEMORY", 0)
    answer = ask("ladder", "4x4 11")
    assert answer.value is None and not answer.proven


def test_the_mirrored_pair_is_drawn():
    answer = ask("ladder", "4x4 11")
    six, seven = (KIND.read(board.position) for board in answer.boards)
    assert (KIND.write_line(six), KIND.write_line(seven)) == answer.solutions[5:7]
    assert seven.occupied == sum(seven.bit(cell[::-1]) for cell in six.cells if
                                 six.occupied & six.bit(cell))  # fmt: skip


@pytest.mark.parametrize(
    ("size", "reached", "lost"), [(3, 59, 9), (4, 1810, 856), (5, 275169, 180378)]
)
def test_sets_without_a_doomed_stone_may_be_lost(size, reached, lost):
    answer = ask("plain", f"{size}x{size} 11")
    assert [row[1] for row in answer.tables[0].rows[2:]] == [reached, lost]


def test_plain_keeps_no_more_sets_than_it_may(monkeypatch):
    monkeypatch.setattr("solvers.tonari.plain.KEPT", 500)
    answer = ask("plain", "4x4 11")
    assert answer.value == 5813496
    assert answer.lost is None


def test_a_start_stone_in_a_colour_it_cannot_get_is_named_everywhere():
    reason = "The stone at row 1, column 1 will end black, but the target wants white."
    for name in ("count", "solve", "classes", "ladder", "rate", "plain", "study"):
        for text in ("Wbb/bbb/bbw", "3x3 11 white 11 33"):
            answer = ask(name, text)
            assert not answer.value
            assert str(answer.note).startswith(reason), name


# Difficulty


@pytest.mark.parametrize(
    ("size", "lucky", "careful"), [(3, 0.022, 0.60), (4, 0.00033, 0.27), (5, 0.0000021, 0.20)]
)
def test_chances_are_those_known(size, lucky, careful):
    rated = ask("rate", f"{size}x{size} 11")
    assert rated.random == pytest.approx(lucky, rel=0.03)
    assert rated.careful == pytest.approx(careful, rel=0.03)


def chances(position, careful):
    """Return the chances of both players, computed by the rules alone."""
    moves = list(KIND.moves(position))
    if not moves:
        return float(KIND.judge(position).solved)
    after = [KIND.play(position, move) for move in moves]
    if careful:
        after = [stage for stage in after if not KIND.obstacles.doomed(stage)]
    return sum(chances(stage, careful) for stage in after) / len(after) if after else 0.0


def test_chances_against_the_rules():
    rng = random.Random(4)
    for _ in range(40):
        position = KIND.sample(rng, rng.randint(1, 3))
        rated = ask("rate", position)
        assert rated.random == pytest.approx(chances(position, careful=False))
        expected = 0.0 if KIND.obstacles.doomed(position) else chances(position, careful=True)
        assert rated.careful == pytest.approx(expected)


def test_the_careful_player_s_chance_without_closed_points():
    rng = random.Random(8)
    for _ in range(60):
        position = KIND.sample(rng, rng.randint(2, 4))
        table = Table(position, TARGET)
        if rules.doomed(position) or not finish(table.reach()):
            continue
        careful = ask("rate", position).careful
        assert finish(rate.chances(table))[1] == pytest.approx(careful)


def test_large_boards_are_rated_by_playing():
    exact = ask("rate", "5x5 11")
    answer = ask("rate", "5x5 11", memory=1000)
    assert not answer.proven
    assert abs(answer.careful - exact.careful) < 4 * answer.error
    assert answer.random == pytest.approx(exact.random, rel=0.5)


# Generated and repaired targets


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
    monkeypatch.setattr("solvers.tonari.generate.MOST_CLIMBED", 30)
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


def test_repairs_are_the_smallest():
    rng = random.Random(6)
    for _ in range(25):
        position = KIND.start(KIND.sample(rng, 3))
        answer = ask("repair", position)
        nearest = min((white ^ position.white).bit_count() for white in reached(position))
        start_changes = sum(
            rules.wants_white(position, cell) != white
            for cell, white in rules.final_colours(position).items()
        )
        if answer.value is not None:
            assert answer.value == nearest
            for entry in answer.repairs:
                assert ask("count", entry.position).value == entry.solutions
                assert len(entry.changes) == answer.value >= start_changes
                changed = KIND.read(entry.position).white ^ position.white
                for change in entry.changes:
                    cell = KIND.read_move(change.cell)
                    assert changed & position.bit(cell)
                    assert ("White" in str(change.message)) != rules.wants_white(position, cell)


def reached(position):
    """Return the pictures in which some order from the start ends, as sets of white cells."""
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


def test_a_reachable_target_needs_no_repair():
    answer = ask("repair", "4x4 11")
    assert answer.value == 0
    assert (answer.diagnosis, answer.repairs, answer.is_all) == ((), (), True)


@pytest.mark.parametrize(
    ("text", "words", "cells", "number", "complete"),
    [
        ("Bbbb/bbbb/bbbb", "An odd number of them will end white", 11, 11, True),
        ("bBbb/bbbb/bbbb/wbbb", "will end white, but the target wants black", 1, 1, True),
        ("Bww/www/wbb", "Wherever the next stone is put", 3, None, True),
        ("Bbbbbb/bbbbbb/bbbbbb/bbbbbb/bbbbbb", "An odd number of them", 29, 20, False),
    ],
)
def test_repairs_say_what_is_wrong_and_where(text, words, cells, number, complete):
    answer = ask("repair", text)
    reason, *_ = answer.diagnosis
    assert words in reason.message.text
    assert len(reason.cells) == cells
    found = answer.repairs
    assert answer.is_all == complete
    if number:
        assert len(found) == number
    counts = [entry.solutions or 0 for entry in found]
    assert counts == sorted(counts, reverse=True) and counts[0]


def test_repairs_that_are_not_counted_in_time_are_given_all_the_same():
    answer = ask("repair", "Bbbb/bbbb/bbbb", count_seconds=0)
    assert len(answer.repairs) == 11
    assert not any(entry.solutions for entry in answer.repairs)


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


# The memory that a question takes


def test_no_question_about_five_by_five_takes_a_gigabyte():
    script = (
        "from bench.tonari import peak\n"
        "for name in ('count', 'orders', 'solve', 'hint', 'ladder', 'classes', 'rate', 'repair'):\n"
        "    print(name, peak(name, '5x5 11'), flush=True)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    peaks = dict(line.split() for line in said.stdout.splitlines())
    assert len(peaks) == 8
    assert all(50 < int(megabytes) < 1024 for megabytes in peaks.values()), peaks


# Solutions


@pytest.mark.parametrize("seed", range(30))
def test_all_solutions_in_the_order_of_the_rules(seed):
    position = KIND.sample(random.Random(seed), 3)
    if seed % 2 and (moves := list(KIND.moves(position))):
        position = KIND.play(position, moves[-1])
    expected = [" ".join(map(KIND.write_move, line)) for line in brute.solutions(KIND, position)]
    answer = ask("solutions", position, limit=10_000)
    assert (answer.value, answer.proven, answer.more) == (len(expected), True, False)
    assert list(answer.solutions) == expected


def test_solutions_come_page_by_page():
    everything = ask("solutions", "5x5 11", limit=10_000)
    assert (everything.value, everything.proven, everything.more) == (10_000, False, True)
    assert "more than" in everything.note.text
    page = ask("solutions", "5x5 11", first=101, limit=50)
    assert page.solutions == everything.solutions[100:150]
    assert (page.value, page.proven, page.more) == (150, False, True)


def test_solutions_need_memory():
    answer = ask("solutions", "6x6 11", memory=100_000)
    assert (answer.value, answer.proven, answer.solutions) == (None, False, ())
    assert "memory" in answer.note.text


def test_the_generator_says_how_many_targets_exist():
    options = KIND.questions["generate"].options
    told = {"size": "3x4", "orders": "1", "many": "10"}
    answer = ask(
        "generate", KIND.read("3x4 11"), **{n: options[n].read(t) for n, t in told.items()}
    )
    assert (answer.value, answer.proven) == (3, True)
    assert "Exactly 3 of them fit the conditions" in str(answer.note)


def test_orders_need_memory():
    answer = ask("orders", "8x8 28", memory=50_000)
    assert (answer.value, answer.proven, answer.moves) == (0, False, ())
    assert "memory" in answer.note.text


def test_what_a_search_does_not_decide_is_not_said(monkeypatch):
    monkeypatch.setattr("solvers.tonari.hint.NODES", 0)
    assert ask("hint", "Bb/bb", level="next") == UNKNOWN
    monkeypatch.setattr("solvers.tonari.repair.NODES", 0)
    answer = ask("repair", "Bb/bb", most=0)
    assert (answer.value, answer.proven, answer.is_all) == (None, False, False)
    [entry] = answer.diagnosis
    assert entry.message.text == "No order that ends in this target was found in time."


def test_a_hint_on_a_board_with_many_free_points_leaves_out_the_number(monkeypatch):
    assert ask("hint", "Bb/bb", level="alive").left == ask("count", "Bb/bb").value
    monkeypatch.setattr("solvers.tonari.hint.COUNTED", 2)
    seen = ask("hint", "Bb/bb", level="alive")
    assert (seen.state, seen.left) == ("live", None)


def test_a_target_that_needs_more_changes_says_so():
    text = "Bwwb/wbbb/wbww/bwbw"
    assert ask("repair", text).value > 0
    answer = ask("repair", text, most=0)
    assert (answer.value, answer.proven) == (None, False)
    assert answer.note.values == {"most": 0}
