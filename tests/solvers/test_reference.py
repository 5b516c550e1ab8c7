"""The reference of the framework is complete and up to date, and its examples are true."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import solvers
from docs.reference import HERE, MODULES, pages, public

KINDS = {"goishi", "kikazu", "maxstrings", "tonari"}
APPLICATIONS = {"__main__", "warm"}
"""Programs, which have no names for other code."""


def test_every_module_of_the_framework_has_its_page():
    there = {module.name for module in pkgutil.iter_modules(solvers.__path__)}
    wanted = {name for name in there - KINDS - APPLICATIONS if not name.startswith("_template")}
    assert {name.partition(".")[0] for name in MODULES} == wanted


def test_the_pages_say_what_the_docstrings_say():
    kept = {path.name: path.read_text() for path in HERE.glob("*.md")}
    assert kept == pages(), "write them again: python -m docs.reference"


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_says_what_it_is(name):
    for label, item in public(f"solvers.{name}").items():
        assert inspect.getdoc(item), label


@pytest.mark.parametrize("name", MODULES)
def test_its_examples_are_true(name):
    assert doctest.testmod(importlib.import_module(f"solvers.{name}")).failed == 0
