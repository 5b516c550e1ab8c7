"""Tonari Othello: the study's own search, its steps one after another, and the plain program."""

import pytest

from solvers.contract.boards import make_ask
from solvers.tonari import KIND

ask = make_ask(KIND)


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
