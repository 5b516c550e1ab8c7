"""The baseline of the benchmark is the poster's algorithm, and its results are right."""

import random
import subprocess
import sys

import pytest

from bench.__main__ import PAGE
from bench.study_goishi import count_in_numba, count_in_python
from solvers.goishi import reference as goishi_reference
from tests.questions import board_of


def test_the_posters_own_example():
    xs, ys = (1, 1, 1, 2, 2), (1, 3, 4, 1, 3)
    assert count_in_python(xs, ys) == count_in_numba(xs, ys) == 5


@pytest.mark.parametrize("stones", range(2, 9))
def test_random_boards(stones):
    rng = random.Random(stones)
    for _ in range(5):
        points = rng.sample([(x, y) for x in range(4) for y in range(4)], stones)
        board = board_of({4 * y + x for x, y in points}, 4, 4)
        xs, ys = zip(*((x, -y) for x, y in points))
        expected = goishi_reference.count_board(board)
        assert count_in_python(xs, ys) == count_in_numba(xs, ys) == expected


@pytest.mark.thorough
def test_the_benchmark_runs():
    """The short form writes nothing. Every part of it is there, and all programs agree."""
    before = PAGE.read_bytes()
    command = [sys.executable, "-m", "bench", "--short"]
    run = subprocess.run(command, cwd=PAGE.parent.parent, capture_output=True, timeout=300)
    assert run.returncode == 0, run.stderr.decode()
    titles = [line for line in run.stdout.decode().splitlines() if line.startswith("## ")]
    for part in (
        "Goishi Hiroi: c",
        "Goishi Hiroi: m",
        "Tonari",
        "Max Strings",
        "Peaceful",
        "A move",
    ):
        assert any(title.startswith(f"## {part}") for title in titles)
    assert PAGE.read_bytes() == before
