"""Everything public in the solvers says what it is."""

import importlib
import inspect
import pkgutil

import pytest

import solvers

MODULES = [
    module.name
    for module in pkgutil.walk_packages(solvers.__path__, "solvers.")
    if not module.name.endswith("__main__")
] + ["solvers.__main__"]


@pytest.mark.parametrize("name", MODULES)
def test_public_names_have_docstrings(name):
    module = importlib.import_module(name)
    assert module.__doc__
    for label, item in vars(module).items():
        if label.startswith("_") or getattr(item, "__module__", None) != name or not callable(item):
            continue
        if not isinstance(item, type):
            assert inspect.getdoc(item), f"{name}.{label}"
            continue
        assert item.__doc__, f"{name}.{label}"
        for method, function in vars(item).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                # A method that overrides a documented one may leave it at that.
                assert inspect.getdoc(getattr(item, method)), f"{name}.{label}.{method}"
