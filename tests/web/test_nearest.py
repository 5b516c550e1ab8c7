"""`make check` runs the tests nearest to a change first, and none after its time is used up."""

import subprocess
from types import SimpleNamespace

import pytest

from tests import nearest
from tests.nearest import ALWAYS, CONTRACT, ROOT, Deadline, changed_files, ranked

TESTS = [
    "tests/solvers/test_contract.py",
    "tests/solvers/test_goishi.py",
    "tests/solvers/test_hint.py",
    "tests/web/test_home.py",
    "tests/web/test_play_hints.py",
    "tests/web/test_play_move.py",
    "tests/web/test_rights.py",
]


@pytest.mark.parametrize(
    ("changed", "first", "left_out"),
    [
        ("puzzleclass/play/hints.py", "tests/web/test_play_hints.py", "tests/web/test_home.py"),
        ("templates/play/_hint.html", "tests/web/test_play_hints.py", "tests/web/test_home.py"),
        ("solvers/goishi/rules.py", "tests/solvers/test_goishi.py", "tests/web/test_home.py"),
        ("tests/web/test_play_move.py", "tests/web/test_play_move.py", CONTRACT),
        ("README.md", "tests/web/test_rights.py", "tests/web/test_home.py"),
    ],
)
def test_the_tests_that_share_words_with_a_change_come_first(changed, first, left_out):
    found = ranked([changed], TESTS)
    assert found[0] == first
    assert left_out not in found
    assert "tests/web/test_rights.py" in found, "it runs after any change"


def test_a_change_in_the_solvers_runs_the_contract_of_the_kinds():
    assert CONTRACT in ranked(["solvers/kikazu/rules.py"], TESTS)


def test_the_files_that_always_run_exist():
    for name in ALWAYS:
        assert (ROOT / "tests" / "web" / f"{name}.py").exists()


def test_no_test_starts_when_the_time_is_used_up(monkeypatch):
    deadline = Deadline(["tests/web/test_home.py"])
    item = SimpleNamespace(path=ROOT / "tests/web/test_home.py")
    monkeypatch.setattr(nearest, "MAX_SECONDS", 1_000_000)
    deadline.pytest_runtest_setup(item)
    monkeypatch.setattr(nearest, "MAX_SECONDS", 0)
    with pytest.raises(pytest.skip.Exception):
        deadline.pytest_runtest_setup(item)
    assert deadline.left_out == {"tests/web/test_home.py": 1}
    assert deadline.begun == 1


def test_commits_edits_and_new_files_are_changes(tmp_path):
    def git(*words: str) -> None:
        subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=b", *words), cwd=tmp_path)

    git("init", "--quiet", "--initial-branch=start")
    for name in ("kept", "edited"):
        (tmp_path / name).write_text("before")
    git("add", ".")
    git("commit", "--quiet", "--message=start")
    git("checkout", "--quiet", "-b", "work")
    (tmp_path / "committed").touch()
    git("add", ".")
    git("commit", "--quiet", "--message=work")
    (tmp_path / "edited").write_text("after")
    (tmp_path / "new").touch()
    assert sorted(changed_files("start", tmp_path)) == ["committed", "edited", "new"]
