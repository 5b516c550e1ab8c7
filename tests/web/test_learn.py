"""The studies' pages serve figures that are stored; nothing is solved while somebody waits."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from django.urls import reverse

from puzzleclass.learn import figures
from puzzleclass.learn.figures import GoishiCensus, Run, Stored, store, stored
from puzzleclass.learn.views import STUDIES

ROOT = Path(__file__).parents[2]
KINDS = {study.kind_slug for study in STUDIES}

ADDRESSES = (
    *("/learn/", "/learn/goishi/", "/learn/kikazu/", "/learn/kikazu/boards/?has=K+5,1&piece=G"),
    *("/learn/max-strings/", "/learn/max-strings/?n=19&rows=25&columns=37"),
    *("/learn/max-strings/9.lp?cuts=1", "/learn/tonari/", "/learn/tonari/plain/4/"),
)

ANYWHERE = {"formats", "grid", "kind", "memory", "message", "options", "picture", "registry",
            "rules"}  # fmt: skip
"""Modules of `solvers` and of a kind that read, write, draw, or know the rules or settings."""
WITHOUT_SEARCH = {
    "solvers.kikazu.study": {"always"},
    "solvers.maxstrings.best": {"good_board", "good_form", "_checkered", "_pattern", "_thinned"},
    "solvers.maxstrings.maximum": {"most_strings", "phases"},
    "solvers.maxstrings.study": None,
}
"""Functions beside searches that search nothing: they compare boards, cut a pattern out, look a
maximum up, write the study's programme as a file. None: all of a module."""

VISITS = """
import inspect
import sys
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment
from puzzleclass.accounts.models import User
setup_test_environment()
call_command("migrate", verbosity=0)
teacher = User.objects.create_teacher("sato", "Sato Keiko", "a good password")
called = set()
def note(frame, event, _):
    # Modules and class bodies run when they are loaded; functions are what works.
    is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED and frame.f_code.co_name[0] != "<"
    if event == "call" and is_function and frame.f_code.co_filename.endswith(".py"):
        called.add((frame.f_globals.get("__name__", ""), frame.f_code.co_name))
for user in (None, teacher):
    client = Client()
    if user:
        client.force_login(user)
    for address in sys.argv[1:]:
        for headers in ({}, {"HX-Request": "true"}):
            sys.setprofile(note)
            answer = client.get(address, headers=headers)
            answer.getvalue()
            sys.setprofile(None)
            assert answer.status_code in (200, 302), (address, answer.status_code)
for module, function in sorted(called):
    if module.split(".")[0] in ("solvers", "bench"):
        print(module, function)
assert not {"numba", "bench"} & set(sys.modules), "a web process must not load it"
"""


def test_a_get_of_any_page_solves_nothing_and_loads_no_compiler(tmp_path):
    """In a process of its own, so that nothing is remembered from before."""
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
    if not names or names[-1] in ANYWHERE | KINDS:
        return False
    allowed = WITHOUT_SEARCH.get(module, set())
    return allowed is not None and function not in allowed


def test_every_address_is_visited():
    names = {reverse(study.url_name) for study in STUDIES}
    assert names <= set(ADDRESSES)
    assert len(STUDIES) == 4


def test_discover_lists_all_studies(anonymous):
    text = anonymous.get(reverse("learn")).content.decode()
    for study in STUDIES:
        assert f'href="{reverse(study.url_name)}"' in text


def test_figures_are_stored_as_they_are(tmp_path, monkeypatch):
    kept = stored(GoishiCensus)
    monkeypatch.setattr(figures, "FOLDER", tmp_path / "data")
    store(kept.figures, kept.run)
    (file,) = (tmp_path / "data").iterdir()
    assert file.name == "goishi_census.json"
    assert msgspec.json.decode(file.read_bytes(), type=Stored[GoishiCensus]) == kept
    assert max(map(len, file.read_text().splitlines())) < 220


def test_figures_that_do_not_fit_their_type_are_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    (tmp_path / "run.json").write_text('{"run": {}, "figures": {"command": 5}}')
    figures._stored.cache_clear()
    with pytest.raises(msgspec.ValidationError, match="run"):
        stored(Run)
