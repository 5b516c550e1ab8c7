"""The studies' pages serve stored figures, and nothing is solved while somebody waits."""

import os
import platform
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import numba
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse, reverse_lazy
from django.utils import translation

from puzzleclass.language import furigana
from puzzleclass.language.markdown import translated
from puzzleclass.studies import figures, pages
from puzzleclass.studies.figures import FigureRun, GoishiCensus, StoredFigures, store, stored
from puzzleclass.studies.pages import names_in
from puzzleclass.studies.views import KINDS
from tests import prepared

ROOT = Path(__file__).parents[3]
FOLDER = Path(pages.__file__).parent
PAGES = [f"study_{name}" for name in (*KINDS, "results")]

ADDRESSES = (
    *("/learn/", "/learn/goishi/", "/learn/kikazu/", "/learn/kikazu/boards/?has=K+5,1&piece=G"),
    *("/learn/max-strings/", "/learn/max-strings/?n=19&rows=25&columns=37"),
    *("/learn/max-strings/9.lp?cuts=1", "/learn/tonari/", "/learn/tonari/plain/4/"),
    "/learn/new/",
)

ANYWHERE = {"boards", "formats", "go_diagrams", "grid", "kind", "marks", "memory", "message",
            "options", "picture", "records", "registry", "sgf", "rules"}  # fmt: skip
"""Modules of `solvers` and of kinds that only read, write, draw, or know rules or settings."""
WITHOUT_SEARCH = {
    "solvers.kikazu.skeletons": {"always"},
    "solvers.maxstrings.best": {"good_board", "good_form", "_checkered", "_pattern", "_thinned"},
    "solvers.maxstrings.maximum": {"most_strings", "phases"},
    "solvers.maxstrings.study": None,
}
"""Module -> its functions that do not search, although it has searches; None stands for the whole
module. They compare boards, cut out a pattern, look up a maximum, or write the study's programme as
a file."""

VISITS = """
import inspect
import sys
import django
django.setup()
import puzzleclass.urls
assert "numpy" not in sys.modules, "only the views that need it may load it"
from django.test import Client
from django.test.utils import setup_test_environment
from puzzleclass.accounts.models import User
setup_test_environment()
teacher = User.objects.create_teacher("sato", "Sato Keiko", "a good password")
called = set()
def note(frame, event, _):
    # Without a result, Python traces calls and none of the lines.
    # Modules and class bodies run when they are loaded; functions are what works.
    is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED and frame.f_code.co_name[0] != "<"
    if is_function and frame.f_code.co_filename.endswith(".py"):
        called.add((frame.f_globals.get("__name__", ""), frame.f_code.co_name))
for user in (None, teacher):
    client = Client()
    if user:
        client.force_login(user)
    for address in sys.argv[1:]:
        for headers in ({}, {"HX-Request": "true"}):
            sys.settrace(note)
            answer = client.get(address, headers=headers)
            answer.getvalue()
            sys.settrace(None)
            assert answer.status_code in (200, 302), (address, answer.status_code)
for module, function in sorted(called):
    if module.split(".")[0] in ("solvers", "bench"):
        print(module, function)
assert not {"numba", "bench"} & set(sys.modules), "a web process must not load it"
"""


@pytest.mark.thorough
def test_a_get_of_any_page_solves_nothing_and_loads_no_compiler(tmp_path):
    """The test runs in a process of its own, so that nothing is cached."""
    prepared.copy_database_to(tmp_path / "puzzleclass.sqlite3")
    settings = {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings", "DEBUG": "1"}
    visits = subprocess.run(
        (sys.executable, "-c", VISITS, *ADDRESSES),
        cwd=ROOT,
        env=os.environ | settings | {"VAR_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert visits.returncode == 0, visits.stderr
    called = [tuple(line.split()) for line in visits.stdout.splitlines()]
    assert ("solvers.goishi.picture", "draw") in called
    assert [call for call in called if _solves(*call)] == []


def _solves(module: str, function: str) -> bool:
    _package, *names = module.split(".")
    if not names or names[-1] in ANYWHERE | {*KINDS}:
        return False
    allowed = WITHOUT_SEARCH.get(module, set())
    return allowed is not None and function not in allowed


def test_every_address_is_visited():
    assert {reverse(name) for name in PAGES} <= set(ADDRESSES)


def test_discover_lists_all_studies(anonymous):
    text = anonymous.get(reverse("studies")).content.decode()
    for name in PAGES:
        assert f'href="{reverse(name).removeprefix("/learn/")}"' in text


@pytest.mark.parametrize("name", ["index", *KINDS, "results"])
def test_every_language_has_the_same_sections_and_parts(name):
    def shape(language: str) -> tuple[list[str], set[str]]:
        with translation.override(language):
            text = translated(FOLDER / f"{name}.md").read_text(encoding="utf-8")
            return re.findall(r"^<!-- ([a-z]+) -->$|^(#+) ", text, re.MULTILINE), names_in(name)

    assert shape("ja") == shape("en")
    assert translated(FOLDER / f"{name}.md").parent == FOLDER


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("page", PAGES)
def test_no_part_is_missing_or_left_over(client_of, teacher, monkeypatch, page, language):
    """Every name in the text is put in, and every part is used."""
    given: dict[str, object] = {}
    put_in = pages.study_page

    def noted(name: str, parts: pages.Parts) -> pages.StudyPage:
        given.update(parts)
        return put_in(name, parts)

    monkeypatch.setattr(pages, "study_page", noted)
    text = client_of(teacher, language).get(reverse(page)).content.decode()
    name = page.removeprefix("study_")
    assert "{{" not in text and "}}" not in text
    used = names_in(name) | ({f"make.{n}" for n in range(1, 9)} if name == "kikazu" else set())
    assert set(given) - used == set()


@pytest.mark.parametrize("name", ["index", *KINDS, "results"])
def test_the_japanese_texts_have_readings(name):
    with translation.override("ja"):
        text = translated(FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert furigana.kanji_without_reading(text) == []


def test_figures_are_stored_as_they_are(tmp_path, monkeypatch):
    kept = stored(GoishiCensus)
    monkeypatch.setattr(figures, "FOLDER", tmp_path / "data")
    store(kept.figures, kept.run)
    (file,) = (tmp_path / "data").iterdir()
    assert file.name == "goishi_census.json"
    assert msgspec.json.decode(file.read_bytes(), type=StoredFigures[GoishiCensus]) == kept


def test_figures_that_do_not_fit_their_type_are_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    (tmp_path / "figure_run.json").write_text('{"run": {}, "figures": {"command": 5}}')
    figures._stored.cache_clear()
    with pytest.raises(msgspec.ValidationError, match="run"):
        stored(FigureRun)


# Pages cached for guests


def guest(client_of, language: str = "en", **cookies: str):
    client = client_of(None, language)
    client.cookies.load(cookies)
    return client


def plain(answer) -> str:
    """Return the page without the visitor's own token."""
    return re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+', "", answer.content.decode())


@pytest.mark.parametrize("address", [reverse_lazy(name) for name in PAGES])
def test_guests_share_a_page_that_is_made_once(client_of, db, queries_of, address):
    first = guest(client_of).get(address)
    with CaptureQueriesContext(connection) as second:
        again = guest(client_of).get(address)
    assert len(second) == 0
    assert plain(first) == plain(again)


def test_each_guest_has_a_token_of_their_own(client_of, db):
    careful = [Client(enforce_csrf_checks=True) for _ in range(2)]
    for client in careful:
        page = client.get("/learn/tonari/").content.decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        sent = {"csrfmiddlewaretoken": token, "language": "en", "next": "/learn/tonari/"}
        assert client.post("/language/setlang/", sent).status_code == 302


def test_a_kept_page_is_of_its_language_signs_words_and_furigana(client_of, db):
    address = "/learn/kikazu/"
    pages = [
        plain(guest(client_of, language, **cookies).get(address))
        for language in ("en", "ja")
        for cookies in ({}, {"signs": "letters"}, {"signs": "kanji"}, {"furigana": "on"})
    ]
    cache.clear()
    afresh = [
        plain(guest(client_of, language, **cookies).get(address))
        for language in ("en", "ja")
        for cookies in ({}, {"signs": "letters"}, {"signs": "kanji"}, {"furigana": "on"})
    ]
    assert pages == afresh
    assert len(set(pages)) >= 5


def test_nobody_who_has_signed_in_gets_or_leaves_a_kept_page(client_of, teacher, student):
    for user in (teacher, student):
        mine = client_of(user).get("/learn/tonari/").content.decode()
        theirs = guest(client_of).get("/learn/tonari/").content.decode()
        again = client_of(user).get("/learn/tonari/").content.decode()
        assert user.name in mine and user.name in again and user.name not in theirs


def test_a_query_of_a_visitors_own_is_not_kept(client_of, db):
    page = guest(client_of).get("/learn/goishi/?from=mallory").content.decode()
    assert "mallory" in page
    assert "mallory" not in guest(client_of).get("/learn/goishi/").content.decode()


def test_the_runs_of_a_page_are_looked_up_together(teacher_client, queries_of):
    assert queries_of(teacher_client, "/learn/tonari/") < 8


def test_a_run_of_figures_says_when_and_with_what_it_was_made():
    made = FigureRun.of("python -m bench.studies", 12.345)
    assert (made.command, made.seconds) == ("python -m bench.studies", 12.3)
    assert made.date == date.today().isoformat()
    assert (made.python, made.numba) == (platform.python_version(), numba.__version__)
