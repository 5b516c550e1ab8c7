"""The solvers as a distribution of their own: its requirements and its pytest plugin."""

import ast
import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import solvers
from tests.outside.installed import OUTSIDE

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "packaging/solvers/pyproject.toml").read_text())["project"]


def imported(path: Path) -> set[str]:
    """Return the names of the distributions that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"solvers"}


def test_it_asks_for_what_the_solvers_import_and_for_nothing_else():
    home = Path(solvers.__path__[0])
    contract = {name for path in (home / "contract").rglob("*.py") for name in imported(path)}
    everything = {name for path in home.rglob("*.py") for name in imported(path)}
    optional = PROJECT["optional-dependencies"]
    assert [each.partition("==")[0] for each in optional["tables"]] == ["python-sat"]
    assert set(PROJECT["dependencies"]) == everything - contract - {"pysat"} | {"msgspec"}
    assert set(optional["contract"]) == contract - {"msgspec"}


def test_its_entry_points_are_there():
    for module in PROJECT["entry-points"]["pytest11"].values():
        assert importlib.import_module(module).pytest_addoption


WITHOUT_DJANGO = """
import sys
sys.modules |= dict.fromkeys(("django", "puzzleclass", "celery"))
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def run_plugin(folder: Path, kind: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin as the author of a kind does, in a folder of the author's own and without
    Django."""
    options = (
        "--noconftest",
        "-p",
        "solvers.contract.plugin",
        "-p",
        "no:django",
        "-p",
        "no:cacheprovider",
    )
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_DJANGO, *options, "--kind", kind, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_an_outside_kind_runs_its_contract_tests_without_django(tmp_path):
    (tmp_path / "lightsout").symlink_to(OUTSIDE / "lightsout")
    done = run_plugin(tmp_path, "lightsout", "-k", "styles or pressing or verdict or mandatory")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


@pytest.mark.parametrize("module", ["no.such.module", "json"])
def test_an_invalid_kind_is_refused_in_a_line(tmp_path, module):
    done = run_plugin(tmp_path, module)
    assert done.returncode == 4
    assert f"ERROR: {module} is no puzzle kind" in done.stderr


def test_a_failure_says_what_to_do(tmp_path):
    source = (OUTSIDE / "lightsout" / "__init__.py").read_text()
    (tmp_path / "dim.py").write_text(source.replace("lightsout-lamp", "lamp"))
    done = run_plugin(tmp_path, "dim", "-k", "styles")
    assert done.returncode == 1
    assert "rename the styles ['lamp'] to “lightsout-…”" in done.stdout
