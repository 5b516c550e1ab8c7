"""How kinds are found: in the folder, by a setting, and by an entry point."""

import random
import sys

import pytest

from solvers import registry
from solvers.editor import LONGEST_SIDE
from solvers.kind import BadText
from solvers.picture import to_svg
from solvers.symmetry import Symmetry
from tests.outside.installed import OUTSIDE, install


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Return a path that has the outside kind, with a registry that searches again."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    monkeypatch.delenv(registry.VARIABLE, raising=False)
    registry.find_kinds.cache_clear()
    yield
    registry.find_kinds.cache_clear()


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


@pytest.mark.parametrize("module", ["no.such.module", "json", "broken", "unfinished", "unkind"])
def test_an_invalid_kind_is_left_out_and_named(monkeypatch, tmp_path, caplog, module):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "broken.py").write_text("KIND = 1 / 0")
    (tmp_path / "unkind.py").write_text("KIND = 'goishi'")
    code = "from solvers.missing import MissingKind\n\nKIND = MissingKind('x')\ndel KIND.title\n"
    (tmp_path / "unfinished.py").write_text(code)
    monkeypatch.setenv(registry.VARIABLE, f"{module},lightsout")
    assert list(registry.kinds()) == sorted([*OURS, "lightsout"])
    [fault] = registry.faults()
    assert str(fault).startswith(f"{module} is no puzzle kind")
    assert str(fault) in caplog.text


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ("0", "version 0 of the interface of kinds, but this is version 1: update the kind"),
        ("2", "but this is version 1: update the site"),
        ("", "does not state its interface = 1"),
    ],
)
def test_a_kind_of_another_interface_is_left_out(monkeypatch, tmp_path, declared, fault):
    source = (OUTSIDE / "lightsout" / "__init__.py").read_text()
    line = f"interface = {declared}" if declared else "pass"
    (tmp_path / "oldlamps.py").write_text(source.replace("interface = 1", line))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "oldlamps", raising=False)
    monkeypatch.setenv(registry.VARIABLE, "oldlamps")
    assert list(registry.kinds()) == OURS
    assert fault in str(registry.faults()[0])


def test_no_two_kinds_have_one_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "another", sys.modules["solvers.goishi"])
    monkeypatch.setenv(registry.VARIABLE, "another")
    assert list(registry.kinds()) == OURS
    assert "another kind is called “goishi”" in str(registry.faults()[0])


def test_a_kind_that_is_not_installed_has_a_stand_in():
    kind = registry.kind_or_missing("gone")
    position = kind.read("ab/cd | 1,1 Q 2,2")
    assert kind.write(position) == "ab/cd | 1,1 Q 2,2"
    assert kind.cell_of(kind.line(position)[1]) == (1, 1)
    assert "ab" in to_svg(kind.draw(position)) and not list(kind.moves(position))
    assert registry.kind_or_missing("goishi") is registry.get_kind("goishi")


def test_the_stand_in_keeps_what_is_stored_and_makes_nothing_new():
    kind = registry.kind_or_missing("gone")
    position = kind.read("abc/de | 1,1 Q 1,2")
    start = kind.start(position)
    assert kind.write(start) == kind.write_start(position) == "abc/de"
    assert kind.cells_of("pass") == ((0, 0),)
    assert kind.editor.size("abc/de") == (2, 3)
    assert max(kind.editor.size("/".join(["x" * 9999] * 9999))) == LONGEST_SIDE
    turned = Symmetry(2, 3, left_right=True)
    assert kind.turned(position, Symmetry(2, 3)) == start and kind.turned(position, turned) is None
    assert kind.turned_move("1,1", turned) == "1,1"
    for make in (
        lambda: kind.sample(random.Random(1), 3),
        lambda: kind.editor.blank(2, 2),
        lambda: kind.editor.resize("abc/de", 3, 3),
        lambda: kind.editor.paint("abc/de", (0, 0), ""),
        lambda: kind.editor.draw("abc/de"),
    ):
        with pytest.raises(BadText, match="not installed"):
            make()


def test_files_in_the_folders_are_found():
    kind = registry.get_kind("goishi")
    assert registry.examples(kind) and registry.demo_boards(kind)
    assert {sheet.name for sheet in registry.style_sheets()} >= {"kikazu.css", "tonari.css"}
