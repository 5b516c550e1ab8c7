"""Goishi Hiroi: known numbers, invariants, and the solver at its limits."""

import random
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.goishi import count, count_kernels, crowds, kernels, layers, plain, search
from solvers.goishi import reference as goishi_reference
from solvers.goishi.network import State, network
from solvers.kind import IllegalMove
from solvers.picture import Circle, Line, Spot, Text
from solvers.question import finish
from solvers.registry import examples, get_kind
from tests.questions import board_of, full, random_board

KIND = get_kind("goishi")
FULL_5x6 = full(5, 6)
TWENTY = "o.o...../......../.ooo..../o......o/.o.o..../.o....oo/..oo..oo/..oo..oo"


ask = make_ask(KIND)


def boards(rows: int, columns: int) -> Iterator[str]:
    """Yield every board of a size with at least one stone."""
    for bits in range(1, 1 << rows * columns):
        yield board_of({i for i in range(rows * columns) if bits >> i & 1}, rows, columns)


def images(board: str) -> list[str]:
    """Return the eight rotations and reflections of a board."""
    forms = []
    for text in (board, board[::-1]):
        rows = text.split("/")
        for turned in (rows, ["".join(column) for column in zip(*rows)]):
            forms += ["/".join(turned), "/".join(turned[::-1])]
    return forms


@pytest.mark.parametrize(
    ("rows", "columns", "figures"), [(3, 3, [511, 352, 9, 2121]), (3, 4, [4095, 2718, 24, 30834])]
)
def test_all_boards_of_a_size(rows, columns, figures):
    counts = [ask("count", board).value for board in boards(rows, columns)]
    assert [len(counts), sum(map(bool, counts)), counts.count(1), sum(counts)] == figures
    if columns == 3:
        assert counts == [goishi_reference.count_board(board) for board in boards(3, 3)]


def test_all_boards_4x4_one_for_each_shape():
    solvable = unique = total = 0
    for board in boards(4, 4):
        forms = set(images(board))
        if board == min(forms):
            number = ask("count", board).value
            solvable += len(forms) * (number > 0)
            unique += len(forms) * (number == 1)
            total += len(forms) * number
    assert (solvable, unique, total) == (44571, 416, 1314696)


@pytest.mark.parametrize("seed", range(40))
def test_rules_against_their_second_statement(seed):
    rng = random.Random(seed)
    board = random_board(rng, rng.randint(1, 5), rng.randint(4, 6), rng.randint(1, 4 + seed % 6))
    expected = goishi_reference.count_board(board)
    assert brute.count(KIND, KIND.read(board)) == expected
    assert ask("count", board).value == expected


@pytest.mark.parametrize("seed", range(12))
def test_symmetry_and_empty_lines_change_nothing(seed):
    rng = random.Random(seed)
    board = random_board(rng, 5, 6, rng.randint(8, 16))
    expected = ask("count", board)
    for image in images(board):
        answer = ask("count", image)
        assert answer.value == expected.value
        assert sorted(answer.by_move.values()) == sorted(expected.by_move.values())
    rows = board.split("/")
    rows.insert(rng.randint(0, 5), "......")
    column = rng.randint(0, 6)
    spread = "/".join(f"{row[:column]}.{row[column:]}" for row in rows)
    assert ask("count", spread).value == expected.value


@pytest.mark.parametrize("board", [TWENTY, full(4, 4), full(3, 5), "o.oo/.oo./oo.o/o..o"])
def test_by_move_counts_each_next_move(board):
    position = KIND.read(board)
    rng = random.Random(8)
    while moves := list(KIND.moves(position)):
        answer = ask("count", KIND.write(position))
        by_move = answer.by_move
        assert list(by_move) == [KIND.write_move(move) for move in moves]
        assert sum(map(int, by_move.values())) == answer.value
        for move in moves:
            after = ask("count", KIND.write(KIND.play(position, move)))
            assert by_move[KIND.write_move(move)] == after.value
        position = KIND.play(position, rng.choice(moves))


def test_plain_and_compiled_agree():
    rng = random.Random(9)
    for stones in range(1, 19):
        board = random_board(rng, 6, 6, stones)
        net, starts = network(KIND.read(board))
        answer = ask("count", board)
        total, _ = finish(plain.ways(net, starts, 10**9))
        assert total == answer.value
        found = finish(plain.search(net, starts, 10**9))
        assert bool(found) == bool(total)
        assert bool(found) == bool(ask("solve", board).value)


@pytest.mark.parametrize("board", [full(8, 8), "random", "sparse"])
def test_steps_agree_up_to_the_last_bit_of_a_word(board):
    rng = random.Random(12)
    if board == "random":
        board = random_board(rng, 10, 10, 64)
    elif board == "sparse":
        board = random_board(rng, 19, 19, 64)
    net, starts = network(KIND.read(board))
    ahead = np.array(net.ahead, np.uint64)
    steps = 0
    for _ in range(20):
        state = rng.choice(starts)
        while state.rest:
            tag = int(search.tags([state])[0])
            ways = [kernels.step(ahead, np.uint64(state.rest), tag, d) for d in range(4)]
            following = list(net.successors(state))
            assert [(int(rest), after) for rest, after in ways if after >= 0] == [
                (after.rest, int(tag)) for after, tag in zip(following, search.tags(following))
            ]
            steps += len(following)
            if not following:
                break
            state = rng.choice(following)
    assert steps > 50


def fold(state: State, tables: count_kernels.Tables) -> tuple[int, int]:
    rests, tags = np.array([state.rest], np.uint64), search.tags([state]).astype(np.int64)
    count_kernels.fold(rests, tags, *tables)
    return int(rests[0]), int(tags[0])


def test_states_alike_by_symmetry_are_folded_into_one():
    board = full(8, 8)
    net, starts = network(KIND.read(board))
    symmetries = net.symmetries()
    assert len(symmetries) == 7
    tables = count_kernels.fold_tables(net)
    state = starts[3]
    for _ in range(20):
        folded = set()
        for turn in symmetries:
            rest = sum(1 << turn.stones[i] for i in range(64) if state.rest >> i & 1)
            back = state.back if state.back == 4 else turn.directions[state.back]
            ends = tuple(sorted(turn.stones[end] for end in state.ends))
            image = State(rest, turn.stones[state.stone], back, ends)
            folded.add(fold(image, tables))
        folded.add(fold(state, tables))
        assert len(folded) == 1
        state = next(iter(net.successors(state)))


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_carry_beyond_64_bits(threads, monkeypatch):
    monkeypatch.setattr(layers, "_SHARED_STATES", 1)
    net, starts = network(KIND.read(full(4, 4)))
    count = layers.LayeredCount(net, starts, 1 << 30, 0, threads)
    huge = 2**64 - 1
    for state in count._layer.filled:
        ways = huge * int(state[count_kernels.LOW])
        state[count_kernels.LOW], state[count_kernels.HIGH] = ways & huge, ways >> 64
    assert finish(count.ways()) == 6984 * huge


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_number_of_threads_changes_nothing(threads, monkeypatch):
    rng = random.Random(13)
    boards = [TWENTY, FULL_5x6, ".o./ooo/.o.", *(random_board(rng, 6, 6, 22) for _ in range(5))]
    alone = [ask("count", board, threads=1) for board in boards]
    monkeypatch.setattr(layers, "_SHARED_STATES", 1)
    monkeypatch.setattr(layers, "_BATCHES_PER_CALL", 5)
    monkeypatch.setattr(layers, "_LINKS_PER_ALLOCATION", 6000)
    assert [ask("count", board, threads=threads) for board in boards] == alone


def test_little_memory_leaves_out_first_the_moves_then_the_number():
    board = full(4, 5)
    whole = ask("count", board)
    less = ask("count", board, memory=700_000)
    assert (less.value, less.proven, bool(less.by_move)) == (whole.value, True, False)
    least = ask("count", board, memory=400_000)
    assert not least.proven
    assert 1 < least.value <= whole.value
    assert "memory" in least.note.text
    assert KIND.judge(KIND.play_line(KIND.read(board), " ".join(least.moves))).solved


def test_lower_bounds_on_the_way_are_true(monkeypatch):
    monkeypatch.setattr("solvers.question.PROGRESS_SECONDS", 0.0)
    signs = []
    answer = ask("count", TWENTY, signs)
    bounds = [sign.at_least for sign in signs if sign.note]
    assert bounds == sorted(bounds)
    assert 1 <= bounds[0] <= bounds[-1] <= answer.value == 949
    assert bounds[-1] > 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_calls_and_growth_change_nothing(threads, monkeypatch):
    make_room, sizes = layers.LayeredCount._make_room, []

    def too_little(count, workers, number, size, picked):
        sizes.append(count._following.size)
        size = size if count._slots.size else 1 + size // 8
        return make_room(count, workers, number, size, picked)

    monkeypatch.setattr(layers, "_BATCHES_PER_CALL", 2)
    monkeypatch.setattr(layers, "_LINKS_PER_ALLOCATION", 5000)
    monkeypatch.setattr(layers, "_SHARED_STATES", 1)
    monkeypatch.setattr(layers, "_STATES_PER_REPORT", 300)
    monkeypatch.setattr(layers.LayeredCount, "_make_room", too_little)
    answer = ask("count", FULL_5x6, threads=threads)
    assert answer.value == 97109896
    assert sum(map(int, answer.by_move.values())) == 97109896
    assert answer.states == 3392005
    assert max(sizes) > 10_000


def test_a_count_on_several_threads_can_be_stopped(monkeypatch):
    monkeypatch.setattr("solvers.question.PROGRESS_SECONDS", 0.0)
    before = set(threading.enumerate())
    run = KIND.questions["count"].ask(KIND, KIND.read(full(6, 6)), threads=3)
    while len(set(threading.enumerate()) - before) < 2:
        next(run)
    run.close()
    assert set(threading.enumerate()) <= before


def test_more_stones_than_a_machine_word(monkeypatch):
    for board in (full(8, 8), full(5, 13), full(15, 15)):
        answer = ask("solve", board)
        assert answer.value == 1
        assert KIND.judge(KIND.play_line(KIND.read(board), " ".join(answer.moves))).solved
    monkeypatch.setattr(crowds, "PLAIN_CROWD", 20)
    bound = ask("count", board, memory=1_000_000)
    assert not bound.proven
    assert bound.value >= 1
    # Crowds of 20 states are too few for an estimate of more than 200 stones.
    assert bound.estimate is None and bound.error is None


def test_large_boards_are_counted_in_plain_python(monkeypatch):
    monkeypatch.setattr(kernels, "MAX_STONES", 10)
    answer = ask("count", TWENTY)
    assert answer.value == 949
    assert ask("solve", TWENTY).value == 1
    assert ask("count", ".o./ooo/.o.").value == 0


def test_restarts_keep_the_outcome(monkeypatch):
    monkeypatch.setattr(search, "FIRST_ATTEMPT_NODES", 3)
    rng = random.Random(10)
    outcomes = []
    for stones in (6, 8, 9, 10, 12) * 8:
        board = random_board(rng, 5, 5, stones)
        outcomes.append(ask("solve", board).value)
        assert outcomes[-1] == bool(goishi_reference.count_board(board))
    assert set(outcomes) == {0, 1}


def test_an_undecided_search_says_so():
    answer = ask("solve", TWENTY, nodes=5)
    assert (answer.value, answer.proven, answer.moves) == (None, False, ())
    assert answer.note.values == {"nodes": 5}


def test_a_solved_position_has_one_solution():
    for text in ("o | 1,1", "oo | 1,2 1,1"):
        assert ask("count", text).value == ask("solve", text).value == 1
        assert ask("review", text).value == 0


def test_review_of_a_line():
    line = "o./oo/../oo | 4,2 4,1"
    answer = ask("review", line)
    assert (answer.value, answer.left) == (1, (5, 0, 0))
    alive = ask("review", "o./oo/../oo | 1,1 2,1")
    assert (alive.value, alive.left) == (0, (5, 2, 2))
    never = ask("review", ".o./ooo/.o. | 1,2 2,2")
    assert (never.value, never.proven, never.left) == (None, True, (0,) * 3)
    hurried = ask("review", "o./oo/../oo | 1,1 2,1", count_seconds=0)
    assert (hurried.value, hurried.left) == (0, (None,) * 3)


@pytest.mark.parametrize(
    ("board", "moves", "move", "reason"),
    [
        ("o.o/.o.", "", "1,2", "There is no stone at row 1, column 2."),
        ("o.o/.o.", "", "9,9", "There is no stone at row 9, column 9."),
        ("o.o/.o.", "1,1", "1,1", "has already been picked up"),
        ("o.o/.o.", "1,1", "2,2", "not in line with the last one"),
        ("ooo", "1,1", "1,3", "Another stone lies on the way, at row 1, column 2."),
        ("o.oo", "1,3 1,4", "1,1", "You may not turn straight back."),
        ("o/o/o", "2,1 1,1", "3,1", "You may not turn straight back."),
    ],
)
def test_an_illegal_move_says_why(board, moves, move, reason):
    position = KIND.play_line(KIND.read(board), moves)
    with pytest.raises(IllegalMove, match=reason) as fault:
        KIND.play(position, KIND.read_move(move))
    in_the_way = (0, 1) if "on the way" in reason else KIND.read_move(move)
    assert fault.value.place.cell == in_the_way


def test_places_of_picked_stones_are_passed():
    assert KIND.judge(KIND.read("oooo/.oo. | 1,2 2,2 2,3 1,3 1,4")).over
    assert (0, 0) in KIND.moves(KIND.read("oooo/.oo. | 1,2 2,2 2,3 1,3"))


def test_the_picture_tells_the_story():
    picture = KIND.draw(KIND.read("oo.o/.o.o | 1,1 1,2"))
    styles = [shape.style for shape in picture.shapes if isinstance(shape, Circle | Line | Text)]
    assert styles.count("picked") == styles.count("stone current") == 1
    assert styles.count("path last") == 1
    numbers = [shape.text for shape in picture.shapes if isinstance(shape, Text)]
    assert numbers == ["1", "2"]
    spots = {shape.move: shape for shape in picture.shapes if isinstance(shape, Spot)}
    assert set(spots) == {"1,4", "2,2", "2,4"}
    shown = {move: spot.shapes[0].style for move, spot in spots.items()}
    assert shown == {"1,4": "stone next", "2,2": "stone next", "2,4": "stone"}
    assert str(spots["2,4"].label) == "Stone at row 2, column 4"
    assert picture.text == "...o\n.o.o"
    assert "Stones left: 3 of 5" in str(picture.title)


def test_star_points_stand_where_they_do_on_go_boards():
    def stars(side: int) -> list[tuple[int, int]]:
        shapes = KIND.draw(KIND.read(full(side, side))).shapes
        return sorted(
            (int(shape.y // 40) + 1, int(shape.x // 40) + 1)
            for shape in shapes
            if isinstance(shape, Circle) and shape.style == "hoshi"
        )

    assert stars(9) == [(3, 3), (3, 7), (5, 5), (7, 3), (7, 7)]
    assert stars(13) == [(4, 4), (4, 10), (7, 7), (10, 4), (10, 10)]
    assert len(stars(19)) == 9
    assert stars(8) == []


def test_examples_are_many_and_different():
    positions = [example.position for example in examples(KIND)]
    assert len(set(positions)) == len(positions) >= 12


def test_the_editor_sets_and_takes_away():
    editor = KIND.editor
    draft = editor.blank(2, 3)
    assert draft == ".../..."
    draft = editor.paint(draft, (1, 2), "stone")
    assert draft == ".../..o"
    assert editor.paint(draft, (1, 2), "stone") == ".../..."
    assert editor.paint(draft, (1, 2), "clear") == ".../..."
    assert editor.paint(draft, (0, 0), "clear") == draft
    assert editor.resize(draft, 3, 4) == "..../..o./...."
    assert editor.resize(draft, 1, 2) == ".."
    assert list(editor.brushes) == ["stone", "clear"]
    assert editor.largest == (15, 15)


@pytest.mark.parametrize(
    ("board", "number"), [("o", 1), ("oo", 2), ("o.o/...", 2), ("o./.o", 0), ("oo./..o", 0)]
)
def test_boards_of_few_stones(board, number, monkeypatch):
    for most in (kernels.MAX_STONES, 0):
        monkeypatch.setattr(kernels, "MAX_STONES", most)
        answer = ask("count", board)
        assert (answer.value, answer.proven, bool(answer.moves)) == (number, True, bool(number))


def test_a_count_shows_a_solution_even_if_the_quick_search_found_none(monkeypatch):
    monkeypatch.setattr(count, "_FIRST_SEARCH_NODES", 0)
    answer = ask("count", TWENTY)
    assert answer.value == 949
    assert KIND.judge(KIND.play_line(KIND.read(TWENTY), " ".join(answer.moves))).solved
    assert ask("count", ".o./ooo/.o.").value == 0


def test_a_review_that_is_not_decided_says_so(monkeypatch):
    monkeypatch.setattr("solvers.review.SEARCH_SECONDS", 0)
    answer = ask("review", "o./oo/../oo | 1,1 2,1")
    assert (answer.value, answer.proven, answer.left) == (None, False, (None,) * 3)
    assert answer.note.text.startswith("The search reached no answer")


def test_the_plain_list_ends_with_its_nodes():
    board, starts = network(KIND.read(TWENTY))
    assert finish(plain.list_solutions(board, starts, 10, 30)) is None
    assert len(finish(plain.list_solutions(board, starts, 10, 1_000_000))) == 10
