"""The texts of a kind outside of this project, and their readings, stay in its folder."""

import shutil
import sys

import pytest
from babel.messages.mofile import read_mo

from puzzleclass.language import furigana
from puzzleclass.language.languages import TRAITS
from puzzleclass.operations.management.commands import messages
from solvers import registry
from tests.outside.installed import OUTSIDE

SHARED = "Draw on the board what you place."
"""A text of the project that the kind below has too."""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return the folder of an installed kind that is outside of this project."""
    home = tmp_path / "lamps"
    shutil.copytree(OUTSIDE / "lightsout", home, ignore=shutil.ignore_patterns("*.mo", "__pyc*"))
    for path in home.rglob("*.py"):
        path.write_text(path.read_text().replace("lightsout", "lamps"))
    code = home / "__init__.py"
    code.write_text(f"{code.read_text()}\nSHARED = gettext_noop({SHARED!r})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(registry.VARIABLE, "lamps")
    registry.find_kinds.cache_clear()
    yield home
    registry.find_kinds.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "lamps"]:
        del sys.modules[name]


def test_its_texts_stand_in_its_own_catalogue_and_leave_ours_alone(home):
    fresh = messages.merged(messages.collected(), "ja")
    own = fresh.pop(home)
    assert own.get("Lit lamp").string == "ついているランプ"
    # A text that the project translates need not be translated again.
    assert own.get(SHARED).string == fresh[messages.SITE].get(SHARED).string
    assert own.get(SHARED).locations == [("__init__.py", None)]
    assert not fresh[messages.SITE].get("Lit lamp")
    for catalog in fresh.values():
        for entry in catalog:
            assert all((messages.ROOT / path).is_file() for path, _line in entry.locations)


def test_its_readings_come_from_its_own_list(home):
    catalog = messages.untouched(messages.collected()[home], "ja")
    catalog.get("Lit lamp").string = "点灯中のランプ"
    messages.write(home, "ja", catalog)
    lacking = [text for text in messages.without_reading() if "点灯中" in text]
    assert lacking and all(str(home) in text for text in lacking)
    (home / furigana.KIND_READINGS).write_text("点灯中[てんとうちゅう]\n")
    assert not [text for text in messages.without_reading() if "点灯中" in text]
    assert "点灯中" not in furigana.READINGS.read_text()
    messages.compile_catalogues(home)
    with messages.catalogue(home, TRAITS["ja"].readings).with_suffix(".mo").open("rb") as file:
        compiled = read_mo(file).get("Lit lamp").string
    assert compiled == furigana.mark("点灯中", "てんとうちゅう") + "のランプ"
