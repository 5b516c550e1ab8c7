"""Tonari Othello: the rules, the texts, and the counts, checked by facts and slow references."""

import random
import threading

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.kind import BadText, IllegalMove
from solvers.question import Execution
from solvers.tonari import KIND, rules
from solvers.tonari.rules import Position

ask = make_ask(KIND)


def all_black(rows, columns, *starts):
    """Return the text of an all-black target. Its starts are named by two digits, as in the
    study."""
    return f"{rows}x{columns} {' '.join(map(str, starts))}"


def twin_count(text, orders=False):
    """Count the orders of a start by putting stones on the complex plane and turning them over.

    This shares no code with the kind. The colours are simulated, not predicted.
    """
    wanted = {
        complex(x, y): sign for y, row in enumerate(text.split("/")) for x, sign in enumerate(row)
    }
    sides = (1, -1, 1j, -1j)
    around = (*sides, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j)

    def search(board):
        empty = [place for place in wanted if place not in board]
        if not empty:
            return orders or all(board[place] == wanted[place].lower() for place in wanted)
        total = 0
        for place in empty:
            if any(place + step in board for step in around):
                after = {**board, place: "b"}
                for step in sides:
                    if place + step in board:
                        after[place + step] = "bw"[board[place + step] == "b"]
                total += search(after)
        return total

    return search({place: "b" for place, sign in wanted.items() if sign.isupper()})


# The rules


@pytest.mark.parametrize(
    "text", ["Bb/bb", "bB/ww", "Bww/bwb", "bBb/wBw", "Bbb/bbb/bbB", "Bww/bww/bww", "BbB/wbw/bBw"]
)
def test_the_rules_against_a_second_statement_of_them(text):
    position = KIND.read(text)
    assert brute.count(KIND, position) == twin_count(text)
    assert brute.orders(KIND, position) == twin_count(text, orders=True)


def test_a_stone_turns_over_its_orthogonal_neighbours():
    # These are the first steps of the study's ninth 4x4 solution.
    position = KIND.read("Bbbb/bbbb/bbbb/bbbb | 1,2 2,1 2,3")
    white = {cell for cell, is_white in rules.colours(position).items() if is_white}
    assert white == set()
    position = KIND.read("Bbbb/bbbb/bbbb/bbbb | 1,2 2,1 2,3 1,4 3,2 3,3")
    white = {cell for cell, is_white in rules.colours(position).items() if is_white}
    assert white == {(1, 2), (2, 1)}
    assert rules.flipped(position) == {(1, 2), (2, 1)}


def test_start_stones_do_not_flip_each_other():
    position = KIND.read("BBb/Bbb/bbb")
    assert not any(rules.colours(position).values())


def test_the_final_colour_of_a_stone_is_settled_when_it_is_put_down():
    rng = random.Random(1)
    for _ in range(50):
        stage = KIND.start(KIND.sample(rng, rng.randint(2, 5)))
        colours = [rules.final_colours(stage)]
        while moves := list(rules.moves(stage)):
            stage = rules.play(stage, rng.choice(moves))
            colours.append(rules.final_colours(stage))
        assert colours[-1] == rules.colours(stage)
        for earlier in colours:
            assert earlier.items() <= colours[-1].items()


def test_a_full_board_shows_its_wrong_stones():
    # 1,2 is put down beside one empty point, 2,2, so it will be turned over once.
    verdict = KIND.judge(KIND.read("Bb/bb | 1,2 2,1 2,2"))
    assert verdict.over and not verdict.solved
    assert [cell for cell, _ in verdict.faults] == [(0, 1), (1, 0)]
    assert KIND.judge(KIND.read("Bb/bb | 2,2 1,2 2,1")).solved


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("1,1", "A stone already stands at row 1, column 1."),
        ("1,2 1,2", "A stone already stands at row 1, column 2."),
        ("3,3", "The point at row 3, column 3 touches no stone, not even at a corner."),
        ("4,1", "There is no point at row 4, column 1: the board has 3 rows and 3 columns."),
    ],
)
def test_illegal_moves_say_why(moves, reason):
    with pytest.raises(IllegalMove) as fault:
        KIND.play_line(KIND.read("Bbb/bbb/bbb"), moves)
    assert str(fault.value) == reason
    assert fault.value.place.cell is not None


# The texts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "There is no board yet."),
        ("bbb/bbb/bbb", "There is no start stone yet. Put one or more on the board."),
        ("3x3", "There is no start stone yet. Put one or more on the board."),
        ("3x3 white 11", "There is no start stone yet. Put one or more on the board."),
        ("Bbb/bb", "The length of row 2 is 2, but that of row 1 is 3. All rows must be equally "
                   "long."),
        ("Bbb/bxb", "Line 2, column 2: “x” can't be used here. Allowed signs: b w B W"),
        ("B", "A board of 1x1 is not possible. Boards go from 2x2 to 8x8; solutions can be "
         "counted exactly up to about 6x6."),
        ("9x9 11", "A board of 9x9 is not possible. Boards go from 2x2 to 8x8; solutions can be "
         "counted exactly up to about 6x6."),
        ("0x3 11", "A board of 0x3 is not possible. Boards go from 2x2 to 8x8; solutions can be "
         "counted exactly up to about 6x6."),
        ("3x3\nBbbb/bbbb/bbbb", "The size is given as 3x3, but the target has 3x4."),
        ("9x9 Bbb/bbb/bbb", "The size is given as 9x9, but the target has 3x3."),
        ("4x4 white", "There is no start stone yet. Put one or more on the board."),
        ("10x10 1010", "A board of 10x10 is not possible. Boards go from 2x2 to 8x8; solutions "
                       "can be counted exactly up to about 6x6."),
        ("4x4 111", "“111” is not the name of a point. A name has two digits, the row and then "
                    "the column: 23 is row 2, column 3."),
        ("4x4 1,1", "“1,1” is not the name of a point. A name has two digits, the row and then "
                    "the column: 23 is row 2, column 3."),
        ("4x4 15", "There is no point “15” on a board with 4 rows and 4 columns."),
    ],
)  # fmt: skip
def test_faults_of_texts_are_named(text, reason):
    with pytest.raises(BadText) as fault:
        KIND.read(text)
    assert str(fault.value) == reason


def test_the_editor_paints_targets_under_start_stones():
    editor = KIND.editor
    draft = editor.blank(2, 3)
    assert draft == "bbb/bbb"
    draft = editor.paint(draft, (0, 0), "start")
    draft = editor.paint(draft, (0, 0), "white")
    draft = editor.paint(draft, (1, 2), "white")
    assert draft == "Wbb/bbw"
    assert editor.paint(draft, (0, 0), "white") == "Bbb/bbw"
    assert editor.paint(draft, (0, 0), "black") == "Bbb/bbw"
    assert editor.paint(draft, (0, 0), "start") == "wbb/bbw"


# Faults that are seen without a search


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bBb/bbb/bbb", "The stone at row 1, column 2 will end white, but the target wants black. "
                        "Empty points beside it, each of which will turn it over once: 3."),
        ("Wbb/bbb/bbb", "The stone at row 1, column 1 will end black, but the target wants white. "
                        "Empty points beside it, each of which will turn it over once: 2."),
        ("Bbbb/bbbb/bbbb", "Empty area around row 1, column 2, points: 11. An odd number of them "
                           "will end white, whatever the order, but the target wants 0."),
        ("Bbb/bbb/bbw", "Empty area around row 1, column 2, points: 8. An even number of them "
                        "will end white, whatever the order, but the target wants 1."),
        ("Bww/www/wbb", "Wherever the next stone is put, it will end in the wrong colour."),
    ],
)  # fmt: skip
def test_obstacles_are_put_into_words(text, words):
    position = KIND.read(text)
    assert str(KIND.obstacles.obstacle(position)) == words
    answer = ask("count", text)
    assert answer.value == 0
    assert answer.note == KIND.obstacles.obstacle(position)
    assert ask("solve", text).value == 0


def test_obstacles_are_never_wrong():
    rng = random.Random(2)
    found = 0
    for _ in range(300):
        position = KIND.sample(rng, rng.randint(1, 3))
        while KIND.obstacles.obstacle(position) is None and (moves := list(rules.moves(position))):
            position = rules.play(position, rng.choice(moves))
        if KIND.obstacles.obstacle(position):
            assert brute.solve(KIND, position) == 0
            found += 1
    assert found > 200


def test_doomed_stones_carry_their_reason():
    position = KIND.read("Bbbb/bbbb/bbbb/bbbb | 1,2 2,2")
    assert [cell for cell, _ in KIND.obstacles.doomed(position)] == [(1, 1)]
    assert KIND.obstacles.doomed(KIND.start(position)) == ()


@pytest.mark.parametrize(("size", "reached", "lost"), [(3, 59, 9), (4, 1810, 856)])
def test_positions_without_a_doomed_stone_may_be_lost(size, reached, lost):
    start = KIND.read(all_black(size, size, 11))
    found = {start.occupied: start}
    for position in (queue := [start]):
        for move in rules.moves(position):
            after = rules.play(position, move)
            if after.occupied not in found and not rules.doomed(after):
                found[after.occupied] = after
                queue.append(after)
    assert len(found) == reached
    dead = [p for p in queue if not ask("solve", p).value]
    assert len(dead) == lost
    assert all(rules.obstacle(p) is None or p in dead for p in queue)


# Counts


def test_a_large_board_without_solution_is_known_at_once():
    answer = ask("count", all_black(8, 7, 11))
    assert answer.value == 0 and answer.proven
    assert set(answer.by_move.values()) == {0}


def test_six_by_six_is_counted_exactly():
    assert ask("count", all_black(6, 6, 11)).value == 118336849922288954573577512


@pytest.mark.parametrize(
    ("size", "value"), [(3, 9240), (4, 19157271840), (5, 173685694594426318080)]
)
def test_all_orders_are_counted_exactly(size, value):
    answer = ask("orders", all_black(size, size, 11))
    rows = answer.tables[0].rows
    assert answer.value == sum(orders for _, orders in rows) == value
    assert str(rows[0][0]) == "Black to row 1, column 2"


def test_all_orders_do_not_depend_on_the_target():
    assert ask("orders", "Wwb/bwb/bbw").value == 9240
    assert ask("orders", "Wwb/bwb/bbw | 1,2 2,1").value == brute.orders(
        KIND, KIND.read("Bbb/bbb/bbb | 1,2 2,1")
    )


def test_continuations_are_those_known():
    four, five = all_black(4, 4, 11), all_black(5, 5, 11)
    assert ask("count", four).by_move == {"1,2": 2034812, "2,1": 2034812, "2,2": 1743872}
    position = KIND.write(KIND.read(four))
    answer = ask("count", f"{position} | 2,2 3,3 4,4")
    assert answer.value == 236544
    live = {move: value for move, value in answer.by_move.items() if value}
    assert live == {"2,3": 118272, "3,2": 118272}
    assert ask("count", f"{position} | 1,2 2,2").value == 0
    assert ask("count", f"{KIND.write(KIND.read(five))} | 2,2 3,3").value == 179942775526656


def test_counts_in_mid_game_against_the_plain_recurrence():
    rng = random.Random(3)
    for _ in range(60):
        rows, columns = rng.choice([(3, 4), (4, 3), (2, 6), (4, 4), (3, 3)])
        starts = sum(1 << bit for bit in rng.sample(range(rows * columns), rng.randint(1, 3)))
        position = Position(rows, columns, 0, starts)
        while moves := list(rules.moves(position)):
            position = rules.play(position, rng.choice(moves))
        white = sum(position.bit(cell) for cell, is_w in rules.colours(position).items() if is_w)
        line = position.placed[: rng.randint(0, len(position.placed))]
        position = Position(rows, columns, white, starts, line)
        answer = ask("count", position)
        assert answer.value == ask("plain", position).value, KIND.write(position)
        for move, value in answer.by_move.items():
            after = rules.play(position, KIND.read_move(move))
            assert value == ask("plain", after).value


def test_a_count_too_large_for_the_memory_ends_with_a_lower_bound():
    answer = ask("count", all_black(6, 6, 11), memory=50_000)
    assert not answer.proven
    assert 10**10 < answer.value < 118336849922288954573577512
    end = KIND.play_line(KIND.read(all_black(6, 6, 11)), " ".join(answer.moves))
    assert KIND.judge(end).solved
    assert "memory" in answer.note.text


def test_lower_bounds_are_bounds(monkeypatch):
    monkeypatch.setattr("solvers.question.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solvers.tonari.table.SLICE", 500)
    signs = []
    answer = ask("count", all_black(6, 6, 11), signs)
    assert answer.value == 118336849922288954573577512
    assert 0 < max(sign.at_least for sign in signs) <= answer.value


@pytest.mark.parametrize("text", [all_black(5, 5, 11), all_black(5, 5, 33), all_black(4, 5, 11)])
@pytest.mark.parametrize("name", ["count", "orders"])
def test_threads_find_the_same(monkeypatch, name, text):
    monkeypatch.setattr("solvers.tonari.table.SLICE", 500)
    monkeypatch.setattr("solvers.tonari.table.CHUNK", 7)
    alone = ask(name, text, threads=1)
    for threads in (2, 3, 8):
        assert ask(name, text, threads=threads) == alone


def test_threads_share_the_memory_of_one():
    bound = 200_000
    for threads in (1, 4):
        answer = ask("count", all_black(6, 6, 11), memory=bound, threads=threads)
        assert not answer.proven
        # A state takes 8 bytes for its key at least.
        assert 1000 < answer.states < bound / 8


def test_a_cancelled_count_ends_its_threads(monkeypatch):
    monkeypatch.setattr("solvers.question.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solvers.tonari.count.LARGE", 36)
    before = set(threading.enumerate())
    run = KIND.questions["count"].ask(KIND, KIND.read(all_black(6, 6, 11)), threads=3)
    most = 0
    for sign in Execution(run):
        most = max(most, len(set(threading.enumerate()) - before))
        if sign.done * 2 > sign.total:
            break
    assert 0 < most <= 2
    assert set(threading.enumerate()) <= before
