"""The reference of the framework names every module, and the examples in docstrings are true."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import solvers

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference.md"
MODULES = re.findall(r"automodule:: solvers\.(\S+)", PAGE.read_text())
KINDS = {"goishi", "kikazu", "maxstrings", "tonari"}
APPLICATIONS = {"__main__", "warm"}
"""Programs, which have no names for other code."""


def test_the_reference_names_every_module_of_the_framework():
    there = {module.name for module in pkgutil.iter_modules(solvers.__path__)}
    wanted = {name for name in there - KINDS - APPLICATIONS if not name.startswith("_template")}
    assert {name.partition(".")[0] for name in MODULES} == wanted


@pytest.mark.parametrize("name", MODULES)
def test_its_examples_are_true(name):
    assert doctest.testmod(importlib.import_module(f"solvers.{name}")).failed == 0
