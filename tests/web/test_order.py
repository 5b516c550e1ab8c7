"""Tests run in random order. A seed repeats the order, and files that wait are mixed with the
others."""

import subprocess
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import WAITING, pytest_collection_modifyitems

ROOT = Path(__file__).parents[2]


def arranged(*files: str, seed: int | None = None) -> list[tuple[str, int]]:
    """Return the tests of these files, one file per text, as (file, number) in the order of their
    run."""
    items = [SimpleNamespace(path=Path(file), number=n) for n, file in enumerate(files)]
    config = SimpleNamespace(getoption=lambda name, default: seed)
    pytest_collection_modifyitems(config, items)
    return [(str(item.path), item.number) for item in items]


def test_a_file_keeps_its_tests_together():
    assert arranged(*"ababa") == [("a", 0), ("a", 2), ("a", 4), ("b", 1), ("b", 3)]
    shuffled = arranged(*"abcd" * 5, seed=1)
    assert len(list(groupby(file for file, _ in shuffled))) == 4


def test_every_order_of_the_tests_of_a_file_can_come():
    orders = {tuple(arranged(*"aaaa", seed=seed)) for seed in range(500)}
    assert len(orders) == 24


def test_two_files_that_calculate_follow_each_file_that_waits():
    files = [*"abcde", "browser/f", "integration/g", "browser/h"]
    for seed in (None, 1):
        names = [file for file, _ in arranged(*files, seed=seed)]
        waits = [Path(file).parent.name in WAITING for file in names]
        assert waits == [True, False, False, True, False, False, True, False]
        assert names[0] == "integration/g"


@pytest.fixture
def collected(tmp_path) -> Callable[[int], list[str]]:
    """Return a function that returns the names of eight tests in two files in the order of a
    seed."""
    for name in ("test_one.py", "test_two.py"):
        tests = "".join(f"def test_{number}(): pass\n" for number in range(4))
        (tmp_path / name).write_text(tests)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    def collected(seed: int) -> list[str]:
        options = ["-q", "--collect-only", f"--randomly-seed={seed}", "--rootdir", tmp_path]
        plugins = ["-p", "tests.conftest", "-p", "no:django", "-p", "no:cacheprovider"]
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *plugins, tmp_path],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"--randomly-seed={seed}" in run.stdout, "the seed is not printed"
        return [line for line in run.stdout.splitlines() if "::" in line]

    return collected


def test_the_seed_that_is_printed_repeats_the_order(collected):
    orders = [collected(seed) for seed in (1, 1, 12345)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    assert len(orders[0]) == 8
