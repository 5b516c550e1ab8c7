"""Every public name in the solvers has a docstring."""

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
        if label.startswith("test_"):  # The name of a contract test is its description.
            continue
        if not isinstance(item, type):
            assert inspect.getdoc(item), f"{name}.{label}"
            continue
        assert item.__doc__, f"{name}.{label}"
        for method, function in vars(item).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                # A method that overrides a documented one needs no docstring.
                assert inspect.getdoc(getattr(item, method)), f"{name}.{label}.{method}"
