"""How kinds are found: in the folder, by a setting, by an entry point."""

import sys

import pytest

from solvers import registry
from tests.outside.installed import OUTSIDE, install


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A path on which the outside kind lies, and a registry that looks anew."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    monkeypatch.delenv(registry.VARIABLE, raising=False)
    registry.kinds.cache_clear()
    yield
    registry.kinds.cache_clear()


OURS = ["goishi", "kikazu", "maxstrings", "tonari"]


def test_the_kinds_of_the_project_are_its_folders():
    assert list(registry.kinds()) == OURS


def test_a_setting_names_others(monkeypatch):
    monkeypatch.setenv(registry.VARIABLE, " lightsout , solvers._template_placement")
    assert list(registry.kinds()) == [*OURS[:2], "lightsout", "maxstrings", "queens", "tonari"]


def test_an_installed_distribution_brings_its_own(monkeypatch, tmp_path):
    install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "lightsout" in registry.kinds()


def test_what_is_no_kind_is_named(monkeypatch):
    for module in ("no.such.module", "json"):
        registry.kinds.cache_clear()
        monkeypatch.setenv(registry.VARIABLE, module)
        with pytest.raises(registry.BadKind, match=f"^{module} is no puzzle kind"):
            registry.kinds()


def test_no_two_kinds_have_one_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "another", sys.modules["solvers.goishi"])
    monkeypatch.setenv(registry.VARIABLE, "another")
    with pytest.raises(registry.BadKind, match="another kind is called “goishi”"):
        registry.kinds()


def test_what_lies_in_the_folders():
    kind = registry.get_kind("goishi")
    assert registry.examples(kind) and registry.demo_boards(kind)
    assert {sheet.name for sheet in registry.style_sheets()} >= {"kikazu.css", "tonari.css"}
