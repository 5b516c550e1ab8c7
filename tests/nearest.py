"""Run the tests that are nearest to the changed files, for about a minute: `make check`.

    python -m tests.nearest [--base origin/main]

A test file is near a changed file when their names share words: a change in
`puzzleclass/play/hints.py` is near `tests/web/play/test_play_hints.py` first, then near every
`test_play_*` and `test_hint`. The nearest file runs first. The files in `ALWAYS`, which test rules
of the whole project, run in the time that is left.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("web", "jobs", "solvers")
ALWAYS = (
    "test_translations",
    "test_rights",
    "test_every_page",
    "test_query_counts",
    "test_names",
    "test_checks",
)
"""Tests of rules that a change anywhere can break."""
CONTRACT = "tests/solvers/test_contract.py"
"""The tests of the rules that every kind of puzzle keeps."""
COMMON = {"init", "main", "puzzleclass", "solvers", "templates", "static", "tests", "test", "web"}
"""Words of paths that say nothing about what a file is about."""
MAX_SECONDS = 60
"""No test starts when the tests have used this much processor time. On a busy machine they take
longer, but the same tests run."""


def changed_files(base: str, root: Path = ROOT) -> list[str]:
    """Return the paths that differ from where this branch left `base`, new files included."""

    def git(*words: str) -> list[str]:
        run = subprocess.run(("git", *words), cwd=root, capture_output=True, text=True, check=True)
        return run.stdout.splitlines()

    [fork] = git("merge-base", base, "HEAD")
    new = git("ls-files", "--others", "--exclude-standard")
    return [*git("diff", "--name-only", fork), *new]


def words_of(path: str) -> set[str]:
    """Return the words of the folders and the name of a file, without an "s" at their ends."""
    words = re.split(r"[^a-z0-9]+", str(Path(path).with_suffix("")).lower())
    return {word.removesuffix("s") for word in words if word and word not in COMMON}


def near(changed: list[str], test: str) -> int:
    """Return how near a test file is to a change: 0 if no changed file shares a word with it."""
    if test in changed:
        return 100
    its_words = words_of(Path(test).name)
    return max((len(its_words & words_of(path)) for path in changed), default=0)


def ranked(changed: list[str], tests: list[str]) -> list[str]:
    """Return the tests that `make check` runs, the nearest first."""
    always = {f"tests/web/{name}.py" for name in ALWAYS}
    if any(path.startswith("solvers/") for path in changed):
        always.add(CONTRACT)
    ranks = {test: near(changed, test) for test in tests}
    wanted = [test for test in tests if ranks[test] or test in always]
    return sorted(wanted, key=lambda test: -ranks[test])


class Deadline:
    """A pytest plugin that keeps the order of the files, and starts no test after the time is
    up."""

    def __init__(self, files: list[str]) -> None:
        self.files = files
        self.left_out: dict[str, int] = {}
        self.begun = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.files.index(str(item.path.relative_to(ROOT))))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        # The processor time of this process and of the processes that it has started and ended.
        if sum(os.times()[:4]) > MAX_SECONDS:
            file = str(item.path.relative_to(ROOT))
            self.left_out[file] = self.left_out.get(file, 0) + 1
            pytest.skip("no time left")
        self.begun += 1


def main() -> int:
    """Run the nearest tests and return pytest's exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", default="origin/main", help="what the change starts from")
    base = parser.parse_args().base
    try:
        changed = changed_files(base)
    except subprocess.CalledProcessError as error:
        sys.exit(f"git: {error.stderr.strip()}\nName a branch that exists: make check BASE=main")
    folders = [ROOT / "tests" / folder for folder in FOLDERS]
    every = sorted(path for folder in folders for path in folder.rglob("test_*.py"))
    files = ranked(changed, [str(path.relative_to(ROOT)) for path in every])
    print(f"{len(changed)} changed files; their nearest of {len(every)} test files:")
    print("  " + "\n  ".join(files), flush=True)
    deadline = Deadline(files)
    code = pytest.main(["-p", "no:randomly", "-p", "no:xdist", *files], plugins=[deadline])
    for file, count in deadline.left_out.items():
        print(f"left out for lack of time: {count} tests of {file}")
    print(
        "make check leaves out all other tests, and everything in tests/browser,\n"
        "tests/integration and tests/releases. Run make test before you ask for a merge."
    )
    if not deadline.begun:
        sys.exit("make check has not run a single test: this machine is too slow for it.")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
