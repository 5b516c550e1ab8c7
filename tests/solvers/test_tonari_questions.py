"""Tonari Othello: the search for an order, difficulty, hints and lists of solutions."""

import random
import subprocess
import sys

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.hint import UNKNOWN
from solvers.question import Progress, finish
from solvers.tonari import KIND, rate, rules
from solvers.tonari.bitboard import TARGET
from solvers.tonari.table import Table
from tests.solvers.tonari_boards import targets

ask = make_ask(KIND)


def is_reachable(position):
    return ask("solve", position).value == 1


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


def test_a_start_stone_in_a_colour_it_cannot_get_is_named_everywhere():
    reason = "The stone at row 1, column 1 will end black, but the target wants white."
    for name in ("count", "solve", "classes", "ladder", "rate", "plain", "study"):
        for text in ("Wbb/bbb/bbw", "3x3 11 white 11 33"):
            answer = ask(name, text)
            assert not answer.value
            assert str(answer.note).startswith(reason), name


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


def test_a_target_without_a_solution_has_no_difficulty(monkeypatch):
    answer = ask("rate", "Bb/bb/bb")
    assert (answer.value, answer.proven, answer.band) == (None, True, "")
    assert answer.note == rules.obstacle(KIND.read("Bb/bb/bb"))
    # All games of the player are lost here, although there is a solution.
    monkeypatch.setattr(rate, "GAMES", 3)
    hard = KIND.sample(random.Random(0), 5)
    assert is_reachable(hard)
    answer = ask("rate", hard, memory=1000)
    assert (answer.careful, answer.band, answer.proven) == (0.0, "very hard", False)
    monkeypatch.setattr(rate, "find", undecided)
    answer = ask("rate", hard, memory=1000)
    assert (answer.value, answer.proven, answer.band) == (None, False, "")
    assert "not decided in time" in answer.note.text


def undecided(_position):
    yield Progress(0, 1)


def test_large_boards_are_rated_by_playing():
    exact = ask("rate", "5x5 11")
    answer = ask("rate", "5x5 11", memory=1000)
    assert not answer.proven
    assert abs(answer.careful - exact.careful) < 4 * answer.error
    assert answer.random == pytest.approx(exact.random, rel=0.5)


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
