"""The project uses only names of libraries that their documentation promises."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzleclass
import solvers

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("puzzleclass", "solvers", "bench", "docs", "tests")

DOCUMENTED = {
    # Python: named tuples, `os._exit`, the proxies of `multiprocessing.Manager`.
    *("_replace", "_fields", "_asdict", "_make", "_exit", "_getvalue"),
    # Django: models and their managers.
    *("_meta", "_state", "_db", "_default_manager", "_base_manager"),
}
"""Names with an underscore that a documentation explains."""

JUSTIFIED = {
    # Playwright's loop is hidden from Django, which refuses to work beside one that runs.
    ("tests/browser/conftest.py", "_set_running_loop")
}
"""Private names of a library that stay, each with its file."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name.strip("_") != ""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return dict(sources())


def own_names(trees: dict[str, ast.Module]) -> Iterator[str]:
    """Yield the names that the project defines: functions, classes, variables and attributes."""
    for tree in trees.values():
        for node in ast.walk(tree):
            match node:
                case (
                    ast.FunctionDef(name=name)
                    | ast.AsyncFunctionDef(name=name)
                    | ast.ClassDef(name=name)
                ):
                    yield name
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    yield name
                case ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name(id="self" | "cls")):
                    yield name
                case ast.alias(asname=str(name)):
                    yield name


def test_no_private_name_of_a_library_is_used(trees):
    own = {*own_names(trees)}
    used = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=name) if is_private(name) and name not in own:
                    used.add((path, name))
                case ast.ImportFrom(module=str(module), names=names):
                    if module.partition(".")[0] not in FOLDERS:
                        parts = [*module.split("."), *(each.name for each in names)]
                        used |= {(path, each) for each in parts if is_private(each)}
                case ast.Import(names=names):
                    parts = [part for each in names for part in each.name.split(".")]
                    used |= {(path, each) for each in parts if is_private(each)}
    found = {(path, name) for path, name in used if name not in DOCUMENTED}
    assert found - JUSTIFIED == set()


OVERRIDABLE = {
    # Django documents it for storages.
    ("puzzleclass.static_files", "_save")
}
"""Module and name of methods with an underscore that a library asks its users to write."""

MADE_BY_PYTHON = ("abc", "enum", "typing", "django.db.models.enums", "prometheus_client")


def classes() -> Iterator[type]:
    """Yield the classes of all modules that can be imported without starting something."""
    for package in (puzzleclass, solvers):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if "migrations" in found.name or found.name.endswith(("__main__", "workbook_reader")):
                continue
            module = importlib.import_module(found.name)
            for each in vars(module).values():
                if isinstance(each, type) and each.__module__ == found.name:
                    yield each


def test_no_private_method_of_a_library_is_overridden():
    overridden = set()
    for own in classes():
        for base in own.__mro__[1:]:
            if base.__module__.partition(".")[0] in ("puzzleclass", "solvers", "builtins"):
                continue
            if base.__module__.startswith(MADE_BY_PYTHON):
                continue
            shared = vars(own).keys() & vars(base).keys()
            private = {each for each in shared if is_private(each)} - DOCUMENTED - {"_abc_impl"}
            overridden |= {(own.__module__, each) for each in private}
    assert overridden - OVERRIDABLE == set()
