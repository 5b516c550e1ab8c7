"""Goishi Hiroi: difficulty, hints, lists of solutions and estimates, checked by the rules alone."""

import math
import random

import pytest

from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.goishi import crowds, difficulty, hint, kernels, plain, search
from solvers.goishi import reference as goishi_reference
from solvers.goishi.network import network
from solvers.hint import UNKNOWN
from solvers.question import finish
from solvers.registry import get_kind
from tests.questions import full, random_board

KIND = get_kind("goishi")
STUDY = "o./oo/../oo"
TWENTY = "o.o...../......../.ooo..../o......o/.o.o..../.o....oo/..oo..oo/..oo..oo"
FULL_4x5 = full(4, 5)
UNIQUE = "..o.../o.o.o./oooooo/oo.ooo/.ooooo/..o..."

ask = make_ask(KIND)


def chance(position, choices) -> float:
    """Return the chance to solve the position for a player who chooses evenly among `choices`."""
    if KIND.judge(position).solved:
        return 1.0
    moves = choices(position)
    return sum(chance(KIND.play(position, move), choices) / len(moves) for move in moves)


def not_visibly_dead(position) -> list:
    """Return the moves after which no stone is cut off and the dead ends can still come last.

    This repeats the condition from the position alone. Every other stone must see a stone. At most
    two stones may see others in one direction only, and while there are two, one of them must be
    next.
    """

    def stones_of(position) -> set:
        columns = position.columns
        cells = (divmod(i, columns) for i in range(position.rows * columns))
        return {cell for cell in cells if position.left & position.bit(cell)}

    def dead_ends(stones) -> set:
        return {cell for cell in stones if directions(cell, stones) == 1}

    def directions(cell, stones) -> int:
        return len(
            {
                (r > cell[0], r < cell[0], c > cell[1], c < cell[1])
                for r, c in stones
                if (r == cell[0]) != (c == cell[1])
            }
        )

    kept = []
    forced = dead_ends(stones_of(position)) if position.picked else set()
    for move in KIND.moves(position):
        if len(forced) == 2 and move not in forced:
            continue
        after = KIND.play(position, move)
        stones = stones_of(after)
        following = set(KIND.moves(after))
        ends = dead_ends(stones)
        cut_off = [cell for cell in stones if not directions(cell, stones)]
        few = len(stones) < 2
        open_ends = len(ends) < 2 or (len(ends) == 2 and ends & following)
        if not stones or (following and (few or (not cut_off and open_ends))):
            kept.append(move)
    return kept


def all_moves(position) -> list:
    return list(KIND.moves(position))


@pytest.mark.parametrize("seed", range(30))
def test_the_chances_of_both_players_against_the_rules(seed):
    rng = random.Random(seed)
    board = random_board(rng, 4, 4, rng.randint(3, 10))
    position = KIND.read(board)
    answer = ask("rate", board)
    assert answer.proven
    lucky, careful = chance(position, all_moves), chance(position, not_visibly_dead)
    if not lucky:
        assert (answer.value, answer.solutions) == (None, 0)
        return
    assert answer.solutions == goishi_reference.count_board(board)
    assert answer.random == pytest.approx(lucky, rel=1e-3)
    assert answer.careful == pytest.approx(careful, rel=1e-3)
    level = -math.log10(careful)
    assert answer.careful_level == pytest.approx(level, abs=1e-3)
    assert answer.value == 1 + (level >= 0.7) + (level >= 1.3) + (level >= 2)
    assert 0 < answer.random <= answer.careful <= 1


def test_symmetric_boards_and_games_begun_are_rated_alike():
    for board in ("ooo/ooo/ooo", "o.oo/.oo./oo.o/o..o", "oooo/oooo/oooo | 1,1 1,2"):
        position = KIND.read(board)
        rated = ask("rate", board)
        assert rated.random == pytest.approx(chance(position, all_moves), rel=1e-3)
        assert rated.careful == pytest.approx(chance(position, not_visibly_dead), rel=1e-3)


@pytest.mark.parametrize("most", [40, 10_000])
@pytest.mark.parametrize("board", [FULL_4x5, "oooo/oooo/oooo/oooo | 1,1 1,2"])
def test_dense_boards_are_rated_by_crowds(board, most, monkeypatch):
    monkeypatch.setattr(crowds, "CROWD", most)
    exact, estimated = ask("rate", board), ask("rate", board, memory=100)
    assert not estimated.proven
    assert estimated.careful == pytest.approx(exact.careful, abs=5 * estimated.error, rel=1e-3)
    assert estimated.error < 0.1 * exact.careful
    assert estimated.random == pytest.approx(exact.random, rel=0.5 if most == 40 else 0.05)
    assert (estimated.value, estimated.band) == (exact.value, exact.band)
    assert ask("rate", board, memory=100) == estimated


@pytest.mark.parametrize("by", [crowds.WAYS, crowds.CAREFUL])
@pytest.mark.parametrize("is_plain", [False, True])
def test_the_mean_of_small_crowds_is_what_a_crowd_of_all_states_finds(by, is_plain, monkeypatch):
    """Also where hardly a game ends well: this board has one solution."""
    monkeypatch.setattr(crowds, "CROWDS", 150)
    monkeypatch.setattr(kernels, "MAX_STONES", 2 if is_plain else 64)
    for board, most in (
        (UNIQUE, 12),
        ("oooo/oooo/oooo/oooo", 20),
        ("oooo/oooo/oooo/oooo | 1,1 1,2", 9),
    ):
        states, starts = network(KIND.read(board))
        legal = len(all_moves(KIND.read(board)))
        size = "PLAIN_CROWD" if is_plain else "CROWD"
        monkeypatch.setattr(crowds, size, 10**5)
        exact = finish(crowds.estimates(states, starts, legal, by))
        assert exact.ways.mean == pytest.approx(int(ask("count", board).value))
        assert exact.careful.mean == pytest.approx(chance_of(board, "careful"), rel=1e-3)
        assert exact.random.mean == pytest.approx(chance_of(board, "random"), rel=1e-3)
        assert exact.ways.error < 1e-9
        monkeypatch.setattr(crowds, size, most)
        found = finish(crowds.estimates(states, starts, legal, by))
        for few, all_states in zip(
            (found.ways, found.careful, found.random), (exact.ways, exact.careful, exact.random)
        ):
            assert 0 < few.error < all_states.mean
            assert abs(few.mean - all_states.mean) < 5 * few.error


def chance_of(board: str, player: str) -> float:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "MAX_STONES", 64)
        return getattr(ask("rate", board), player)


def test_branching_and_traps():
    line = ask("rate", "ooooo")
    # From either end the moves go straight on. From any other stone every step is lost.
    assert 1 <= line.branching <= 1.5
    assert ask("rate", "o.oo/oo..") == ask("rate", "o.oo/oo..")
    twenty = ask("rate", TWENTY)
    assert 1 < twenty.branching < 3
    assert 0 < twenty.trap_depth < 20
    assert str(twenty.note).startswith("Of 100 tries without a plan 10 succeed; 42, if")


def test_players_who_always_succeed_are_not_called_one_in_one():
    assert ask("rate", "oo/oo").note.text.startswith("Nothing can go wrong")
    line = ask("rate", "oo")
    assert line.note.text.startswith("Nothing can go wrong")


def test_boards_that_can_not_be_rated_say_so(monkeypatch):
    none = ask("rate", ".o./ooo/.o.")
    assert (none.value, none.proven, none.solutions) == (None, True, 0)
    assert ask("rate", "o | 1,1").value == 1
    monkeypatch.setattr(crowds, "PLAIN_CROWD", 100)
    monkeypatch.setattr(crowds, "CROWDS", 3)
    large = ask("rate", full(9, 9))
    assert large.value in (1, 2) and not large.proven
    assert 0 < large.error < large.careful
    monkeypatch.setattr(crowds, "CROWD", 1)
    unknown = ask("rate", UNIQUE, memory=100)
    assert (unknown.value, unknown.proven) == (None, False)
    assert "too large" in unknown.note.text


@pytest.mark.parametrize("seed", range(25))
def test_all_solutions_in_the_order_of_the_rules(seed):
    rng = random.Random(seed)
    board = random_board(rng, 4, 5, rng.randint(1, 11))
    expected = [
        " ".join(map(KIND.write_move, line)) for line in brute.solutions(KIND, KIND.read(board))
    ]
    answer = ask("solutions", board, limit=10_000)
    assert (answer.value, answer.proven, answer.more) == (len(expected), True, False)
    assert list(answer.solutions) == expected
    net, starts = network(KIND.read(board))
    lines = finish(plain.list_solutions(net, starts, 10_000, 10**7))
    assert [" ".join(net.line(line)) for line in lines] == expected


def test_solutions_come_page_by_page():
    everything = ask("solutions", TWENTY, limit=10_000)
    assert (everything.value, everything.proven) == (949, True)
    lines = everything.solutions
    assert len(set(lines)) == 949
    for line in lines[::50]:
        assert KIND.judge(KIND.play_line(KIND.read(TWENTY), line)).solved
    page = ask("solutions", TWENTY, first=901, limit=100)
    assert (page.solutions, page.value, page.proven) == (lines[900:], 949, True)
    page = ask("solutions", TWENTY, first=101, limit=100)
    assert page.solutions == lines[100:200]
    assert (page.value, page.proven, page.more) == (200, False, True)
    assert ask("solutions", TWENTY, first=950).solutions == ()


def test_more_than_can_be_listed():
    answer = ask("solutions", FULL_4x5, first=9_950, limit=10_000)
    assert (answer.value, answer.proven, answer.more) == (10_000, False, True)
    assert len(answer.solutions) == 51
    assert "More" in answer.note.text or "more" in answer.note.text
    assert ask("solutions", "o | 1,1").solutions == ("",)
    assert ask("solutions", ".o./ooo/.o.").solutions == ()


def test_the_best_next_stone_has_the_most_solutions():
    by_move = ask("count", STUDY).by_move
    move = ask("hint", STUDY).moves[0]
    assert int(by_move[move]) == max(map(int, by_move.values()))


@pytest.mark.parametrize("board", [TWENTY, FULL_4x5, "oooo/oooo/oooo", "o.oo/oo.."])
@pytest.mark.parametrize("is_plain", [False, True])
def test_estimates_are_near_the_count(board, is_plain, monkeypatch):
    count = ask("count", board).value
    if is_plain:  # the method for boards too large for the kernels
        monkeypatch.setattr(kernels, "MAX_STONES", 4)
    monkeypatch.setattr(crowds, "CROWD", 500)
    answer = ask("estimate", board)
    assert not answer.proven
    assert abs(answer.estimate - count) <= 4 * answer.error + 1e-3 * count
    assert answer.error < 0.1 * count
    assert ask("estimate", board) == answer
    assert "Estimated" in answer.estimate_note.text
    assert answer.estimate_note.values["probes"] in (500, 500 * crowds.CROWDS)


def test_estimates_at_their_limits():
    none = ask("estimate", ".o./ooo/.o.")
    assert (none.value, none.proven) == (None, False)
    assert ask("estimate", "o | 1,1").value == 1


def test_the_largest_board_has_bounds_where_two_crowds_are_too_few_for_an_estimate(monkeypatch):
    monkeypatch.setattr(crowds, "PLAIN_CROWD", 20)
    monkeypatch.setattr(crowds, "CROWDS", 2)
    answer = ask("estimate", full(19, 19))
    assert (answer.value, answer.estimate, answer.between) == (1, None, None)
    assert 10**100 < answer.at_most < 10**175


def test_what_is_not_decided_in_its_nodes_is_not_said(monkeypatch):
    monkeypatch.setattr(search, "LIST_NODES", 0)
    listed = ask("solutions", STUDY)
    assert (listed.value, listed.proven, listed.solutions) == (None, False, ())
    assert listed.note.values == {"nodes": 0}
    monkeypatch.setattr(hint, "NODES", 0)
    assert ask("hint", STUDY, level="next") == UNKNOWN


def test_solutions_are_listed_in_one_order_by_both_searches(monkeypatch):
    quick = ask("solutions", TWENTY).solutions
    monkeypatch.setattr(kernels, "MAX_STONES", 10)
    assert ask("solutions", TWENTY).solutions == quick


def test_a_hint_on_a_large_board_leaves_out_the_number(monkeypatch):
    assert ask("hint", STUDY, level="alive").left == 5
    monkeypatch.setattr(hint, "MAX_COUNTED_STONES", 4)
    seen = ask("hint", STUDY, level="alive")
    assert (seen.state, seen.left) == ("live", None)


def test_a_board_is_rated_without_the_quick_search(monkeypatch):
    rated = ask("rate", STUDY)
    monkeypatch.setattr(difficulty, "_SEARCH_NODES", 0)
    assert ask("rate", STUDY).careful_level == rated.careful_level
    none = ask("rate", ".o./ooo/.o.")
    assert (none.solutions, none.band, none.proven) == (0, "", True)
