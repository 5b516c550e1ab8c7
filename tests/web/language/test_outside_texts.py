"""The texts of a kind outside of this project, and their readings, stay in its folder."""

import io
import shutil
import sys

import pytest
from babel.messages.mofile import read_mo
from django.core.management import call_command

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


@pytest.fixture
def alone(home, tmp_path, monkeypatch):
    """Let the command know this kind and an empty site only. Return the folder of the kind."""
    monkeypatch.setattr(messages, "SOURCES", ())
    monkeypatch.setattr(messages, "SITE", tmp_path / "site")
    monkeypatch.setattr(messages, "kind_folders", lambda: [home])
    return home


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


def test_its_readings_come_from_its_own_list(alone):
    catalog = messages.untouched(messages.collected()[alone], "ja")
    catalog.get("Lit lamp").string = "点灯中のランプ"
    messages.write(alone, "ja", catalog)
    lacking = [text for text in messages.without_reading() if "点灯中" in text]
    assert lacking and all(str(alone) in text for text in lacking)
    (alone / furigana.KIND_READINGS).write_text("点灯中[てんとうちゅう]\n")
    assert not [text for text in messages.without_reading() if "点灯中" in text]
    assert "点灯中" not in furigana.READINGS.read_text()
    messages.compile_catalogues(alone)
    with messages.catalogue(alone, TRAITS["ja"].readings).with_suffix(".mo").open("rb") as file:
        compiled = read_mo(file).get("Lit lamp").string
    assert compiled == furigana.mark("点灯中", "てんとうちゅう") + "のランプ"


# The command


def run_messages(*options: str) -> tuple[str, str]:
    """Return what the command writes to its standard output and to its standard error."""
    out, error = io.StringIO(), io.StringIO()
    call_command("messages", *options, stdout=out, stderr=error)
    return out.getvalue(), error.getvalue()


def test_the_command_lists_what_is_missing_and_compiles(alone, monkeypatch):
    said, faults = run_messages()
    assert (f"ja: not translated: {SHARED}\n" in said, faults) == (True, "")
    assert not messages.SITE.exists()  # A folder without texts gets no catalogue.
    source = messages.catalogue(alone, "ja")
    entry = f'msgid "{SHARED}"\nmsgstr '
    source.write_text(source.read_text().replace(f'{entry}""', f'{entry}"謎"'))
    said, _faults = run_messages()
    assert "not translated" not in said and f"no reading: 謎: 謎 ({alone}" in said
    with source.with_suffix(".mo").open("rb") as file:
        assert read_mo(file).get(SHARED).string == "謎"
    # A new language lacks so many texts that only a few of them are listed.
    shutil.rmtree(alone / "locale")
    monkeypatch.setattr(messages, "MAX_LISTED", 1)
    said, _faults = run_messages()
    number = len(messages.collected()[alone])
    assert said.count("not translated: ") == 1 and f"ja: {number} texts are not" in said


def test_only_catalogues_older_than_their_sources_are_compiled(alone):
    run_messages()
    compiled = messages.catalogue(alone, "ja").with_suffix(".mo")
    compiled.write_bytes(b"kept")
    run_messages("--compile")
    assert compiled.read_bytes() == b"kept"


def test_djangos_own_messages_have_readings_in_the_catalogue_of_the_site(alone):
    source = messages.catalogue(messages.SITE, "ja")
    source.parent.mkdir(parents=True)
    source.write_text('msgid ""\nmsgstr ""\n\nmsgid "Board"\nmsgstr "盤"\n')
    run_messages("--compile")
    found = []
    for language in ("ja", TRAITS["ja"].readings):
        with messages.catalogue(messages.SITE, language).with_suffix(".mo").open("rb") as file:
            entry = read_mo(file).get("This field is required.")
            found.append(entry and entry.string)
    plain, with_readings = found
    assert plain is None and furigana.annotated("必須") in with_readings


def test_a_kind_that_cannot_be_written_is_told_and_a_site_that_cannot_stops(alone, monkeypatch):
    shutil.rmtree(alone / "locale")
    (alone / "locale").write_text("no folder")
    _said, faults = run_messages()
    assert faults.startswith(f"{alone}: ")
    monkeypatch.setattr(messages, "ROOT", messages.SITE)
    monkeypatch.setattr(messages, "SOURCES", (".",))
    messages.catalogue(messages.SITE, "ja").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        run_messages("--compile")
