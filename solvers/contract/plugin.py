"""The pytest plugin that runs the contract tests over a kind: `pytest --kind my_package`.

Without a path on the command line, only the contract tests run. A test module that imports the
contract tests runs them over its own list, `KINDS`.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = "solvers.contract"

pytest.register_assert_rewrite(
    f"{PACKAGE}.agreement", *(f"{PACKAGE}.{path.stem}" for path in TESTS.glob("test_*.py"))
)

from solvers.contract import brute  # noqa: E402  (only now are its assertions rewritten)
from solvers.registry import AnyKind, BadKind, examples, load  # noqa: E402

KINDS = pytest.StashKey[list[AnyKind]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--kind`."""
    parser.getgroup("puzzle kinds").addoption(
        "--kind",
        action="append",
        default=[],
        metavar="MODULE",
        help="run the contract tests over the puzzle kind of a module; may be given several times",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the kinds named by `--kind`, and let pytest collect the contract tests.

    Raise pytest.UsageError if a module is not a kind.
    """
    modules = config.getoption("kind")
    if not modules:
        return
    sys.path.insert(0, str(config.invocation_params.dir))
    try:
        config.stash[KINDS] = [load(module) for module in modules]
    except BadKind as fault:
        raise pytest.UsageError(str(fault)) from fault
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(TESTS)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each contract test once for each kind, or for each case in `CASES` that it asks for."""
    if not metafunc.function.__module__.startswith(f"{PACKAGE}.test_"):
        return
    kinds: list[AnyKind] = getattr(metafunc.module, "KINDS", metafunc.config.stash.get(KINDS, []))
    named = set(metafunc.fixturenames) & CASES.keys()
    if not named:
        metafunc.parametrize("kind", kinds, ids=lambda kind: kind.slug)
        return
    name = named.pop()
    things = [(kind, *thing) for kind in kinds for thing in CASES[name](kind)]
    metafunc.parametrize(
        ("kind", name),
        [(kind, thing) for kind, _label, thing in things],
        ids=[f"{kind.slug}-{label}" for kind, label, _thing in things],
    )


CASES: dict[str, Callable[[AnyKind], list[tuple[str, object]]]] = {
    "question": lambda kind: [(name, name) for name in kind.questions],
    "referenced": lambda kind: [
        (name, name) for name in kind.questions if brute.reference(kind, name)
    ],
    "example": lambda kind: [(each.title, each) for each in examples(kind)],
    "tiny": lambda kind: [(str(at), each) for at, each in enumerate(kind.introduction, 1)],
}
"""The name of a contract test's argument -> a function that returns its cases: title and value."""
