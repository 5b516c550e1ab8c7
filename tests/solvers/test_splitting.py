"""Counting in parts: nothing is lost and nothing counted twice."""

import multiprocessing
import random
from dataclasses import replace

import pytest
from solvers.asking import finish

from solvers.kind import Answer, Progress, PuzzleError
from solvers.registry import get_kind
from solvers.splitting import ask_in_parts, combine, parts, together

KIND = get_kind("goishi")
FULL_4x4 = "oooo/oooo/oooo/oooo"
FULL_9x9 = "/".join(["o" * 9] * 9)


def ask(text: str, **options):
    return finish(KIND.questions["count"].ask(KIND, KIND.read(text), **options))


def boards():
    rng = random.Random(3)
    for _ in range(15):
        chosen = set(rng.sample(range(30), rng.randint(2, 16)))
        yield "/".join("".join(".o"[6 * r + c in chosen] for c in range(6)) for r in range(5))
    yield from (FULL_4x4, "ooo/o.o/ooo", f"{FULL_4x4} | 1,1 1,2", "o", "o | 1,1", ".o./ooo/.o.")


@pytest.mark.parametrize("number", [1, 2, 3, 50])
def test_the_parts_add_up(number):
    for board in boards():
        position = KIND.read(board)
        asked = parts(KIND, "count", position, number)
        assert 1 <= len(asked) <= number
        starts = [move for part in asked for move in part.get("first", ())]
        assert len(set(starts)) == len(starts)
        whole = combine(KIND, "count", [ask(board, **part) for part in asked])
        alone = ask(board)
        assert (whole.value, whole.proven) == (alone.value, True)
        assert whole.details.get("by_move") == alone.details["by_move"]
        assert bool(whole.moves) == bool(alone.moves)


def test_symmetric_starts_stay_together():
    for part in parts(KIND, "count", KIND.read(FULL_4x4), 3):
        cells = {KIND.read_move(move) for move in part["first"]}
        assert {(3 - row, column) for row, column in cells} == cells
        assert {(column, row) for row, column in cells} == cells


def test_one_part_unproven_leaves_a_lower_bound():
    board = "/".join(["ooooo"] * 4)
    some, others = parts(KIND, "count", KIND.read(board), 2)
    whole = combine(KIND, "count", [ask(board, **some), ask(board, memory=150_000, **others)])
    assert not whole.proven
    assert ask(board, **some).value < whole.value <= 89524
    assert "memory" in whole.details["note"]["text"]
    assert abs(whole.details["estimate"] - 89524) <= 4 * whole.details["error"]


def test_parts_without_an_estimate_leave_none():
    cut_off = Answer(7, proven=False)
    estimated = Answer(5, proven=False, details={"estimate": 60.0, "error": 3.0})
    assert "estimate" not in combine(KIND, "count", [cut_off, estimated]).details
    both = combine(KIND, "count", [estimated, replace(estimated, value=6)])
    assert (both.value, both.details["estimate"], both.details["error"]) == (11, 120.0, 6.0)


def test_a_question_that_does_not_split_is_one_part():
    assert parts(KIND, "solve", KIND.read(FULL_4x4), 2) == [{}]


def test_two_processes():
    signs = []
    run = ask_in_parts(KIND, "count", KIND.read(FULL_4x4), {}, 2)
    answer = finish(run, signs.append)
    assert (answer.value, answer.proven) == (6984, True)
    assert KIND.judge(KIND.play_line(KIND.read(FULL_4x4), " ".join(answer.moves))).solved
    assert (signs[-1].done, signs[-1].at_least) == (signs[-1].total, 6984)
    assert "2 of 2" in str(signs[-1].note)


def test_a_stop_ends_the_processes():
    run = ask_in_parts(KIND, "count", KIND.read(FULL_9x9), {}, 2)
    next(run)
    assert len(multiprocessing.active_children()) == 2
    run.close()
    assert not multiprocessing.active_children()


def test_a_killed_process_is_told():
    run = ask_in_parts(KIND, "count", KIND.read(FULL_9x9), {}, 2)
    next(run)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(PuzzleError, match="ended before it was done"):
        finish(run)
    assert not multiprocessing.active_children()


def test_progress_adds_up():
    seen = [Progress(1, 4, at_least=5), Answer(2**70), None, Progress(0, 0)]
    whole = together(seen)
    assert (whole.done, whole.total, whole.at_least) == (1250, 4000, 2**70 + 5)
    assert str(whole.note).endswith("Parts at work: 2. Finished: 1 of 4.")
