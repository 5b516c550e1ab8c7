"""The pytest plugin that runs the contract tests over a kind: `pytest --kind my_package`.

Without a path on the command line, only the contract tests run. A test module that imports the
contract tests runs them over its own `KINDS`, a dictionary of names and kinds.
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

KINDS = pytest.StashKey[dict[str, AnyKind]]()


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
        config.stash[KINDS] = {kind.slug: kind for kind in map(load, modules)}
    except BadKind as fault:
        raise pytest.UsageError(str(fault)) from fault
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(TESTS)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each contract test once for each kind, or for each case in `CASES` that it asks for."""
    if not metafunc.function.__module__.startswith(f"{PACKAGE}.test_"):
        return
    kinds: dict[str, AnyKind]
    kinds = getattr(metafunc.module, "KINDS", None) or metafunc.config.stash.get(KINDS, {})
    asked = set(metafunc.fixturenames) & CASES.keys()
    if not asked:
        metafunc.parametrize("kind", kinds.values(), ids=kinds)
        return
    argument = asked.pop()
    things = [
        pytest.param(kind, thing, id=f"{name}-{label}")
        for name, kind in kinds.items()
        for label, thing in CASES[argument](kind)
    ]
    metafunc.parametrize(("kind", argument), things)


CASES: dict[str, Callable[[AnyKind], list[tuple[str, object]]]] = {
    "question": lambda kind: [(name, name) for name in kind.questions],
    "referenced": lambda kind: [
        (name, name) for name in kind.questions if brute.reference(kind, name)
    ],
    "example": lambda kind: [(each.title, each) for each in examples(kind)],
    "tiny": lambda kind: [(str(at), each) for at, each in enumerate(kind.introduction, 1)],
}
"""The name of a contract test's argument -> a function that returns its cases: title and value."""
