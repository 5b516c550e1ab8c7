"""Templates obey the layers of the packages, as the imports of Python do (pyproject.toml).

A template belongs to the app after which its folder is named. Those outside of a folder, and the
pages about errors, are frames of all pages and belong to `templating`.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from django.template import engines
from django.template.base import Lexer, TokenType
from django.urls import URLPattern, get_resolver

from puzzleclass.templating import slots

ROOT = Path(__file__).parents[3]
TEMPLATES = {str(f.relative_to(ROOT / "templates")): f for f in ROOT.glob("templates/**/*.html")}
FRAMES = {"", "errors"}
FRONT_PAGE = "home"
"""Every page may link to the front page, whose address never changes."""
NAMES_A_TEMPLATE = {"include", "extends"}
NAMES_A_PAGE = {"url": 0, "crumbs": 0, "post_button": 1}
"""A tag -> the place among its arguments of the URL name."""


class Reference(NamedTuple):
    """What a template, or Python code, needs."""

    place: str
    app: str
    what: str
    needed_app: str


@cache
def ranks() -> dict[str, int]:
    """Return package -> the number of its layer, counted from below."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = contracts["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in found if "those below it" in each["name"])
    return {
        name.strip(): rank
        for rank, layer in enumerate(reversed(layers))
        for name in re.split(r"[|:]", layer)
    }


def app_of(template: str) -> str:
    folder = template.rpartition("/")[0]
    return "templating" if folder in FRAMES else folder


@cache
def app_of_page() -> dict[str, str]:
    """Return URL name -> the app that answers. Pages of other distributions are left out."""
    apps: dict[str, str] = {}

    def walk(patterns: list) -> None:
        for pattern in patterns:
            if not isinstance(pattern, URLPattern):
                walk(pattern.url_patterns)
            elif pattern.name and pattern.callback.__module__.startswith("puzzleclass."):
                apps[pattern.name] = pattern.callback.__module__.split(".")[1]

    walk(get_resolver().url_patterns)
    return apps


@cache
def app_of_library() -> dict[str, str]:
    """Return the name of a library of tags -> its app."""
    libraries = engines["django"].engine.libraries
    return {
        name: module.split(".")[1]
        for name, module in libraries.items()
        if module.startswith("puzzleclass.")
    }


def references(place: str, source: str) -> Iterator[Reference]:
    """Yield what a template takes from our apps."""
    app = app_of(place)
    for token in Lexer(source).tokenize():
        if token.token_type != TokenType.BLOCK:
            continue
        tag, *words = token.split_contents()
        where = f"{place}:{token.lineno}"
        literals = [word.strip("\"'") if word[0] in "\"'" else None for word in words]
        if tag in NAMES_A_TEMPLATE and literals[0]:
            yield Reference(where, app, literals[0], app_of(literals[0]))
        elif tag in NAMES_A_PAGE:
            page = literals[NAMES_A_PAGE[tag]]
            if page in app_of_page() and page != FRONT_PAGE:
                yield Reference(where, app, page, app_of_page()[page])
        elif tag == "load":
            for library in app_of_library().keys() & set(words):
                yield Reference(where, app, library, app_of_library()[library])


def upward(found: Iterator[Reference]) -> list[str]:
    """Return those that need an app of a higher layer, or another app of the same layer."""
    rank = ranks()
    return [
        f"{each.place} ({each.app}) needs {each.what} ({each.needed_app})"
        for each in found
        if each.needed_app != each.app and rank[each.needed_app] >= rank[each.app]
    ]


def test_templates_need_nothing_of_a_higher_layer():
    faults = []
    for place, file in TEMPLATES.items():
        faults += upward(references(place, file.read_text(encoding="utf-8")))
    assert faults == []


@pytest.mark.parametrize(
    "source",
    [
        '{% url "student" 1 %}',
        '{% include "stats/_week.html" %}',
        '{% extends "home/student.html" %}',
        "{% load play %}",
        '{% crumbs "gallery" _("Create a puzzle") %}',
        '{% post_button _("Unlink") "student_account_unlink" 1 2 %}',
        '{% if a %}{% url "bin" as back %}{% endif %}',
    ],
)
def test_a_reference_to_a_higher_layer_is_found(source):
    assert len(upward(references("classes/example.html", source))) == 1
    assert upward(references("home/example.html", source)) == []


def rendered() -> Iterator[Reference]:
    """Yield the templates that Python code names."""
    for file in ROOT.glob("puzzleclass/*/**/*.py"):
        app = file.relative_to(ROOT / "puzzleclass").parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in TEMPLATES:
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                yield Reference(where, app, node.value, app_of(node.value))


def test_code_renders_no_template_of_a_higher_layer():
    assert sum(1 for _ in rendered()) > 100
    assert upward(rendered()) == []


def test_every_slot_is_shown_and_filled():
    shown = set()
    for file in TEMPLATES.values():
        for token in Lexer(file.read_text(encoding="utf-8")).tokenize():
            if token.token_type == TokenType.BLOCK and token.contents.startswith("slot "):
                shown.add(token.split_contents()[1].strip('"'))
    assert shown == set(slots.filled_slots())


def test_every_template_is_used():
    named = " ".join(
        file.read_text(encoding="utf-8")
        for folder in ("puzzleclass", "solvers", "templates")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".py", ".html")
    )
    assert [name for name in TEMPLATES if f'"{name}"' not in named] == []


def test_general_styles_name_no_kind():
    kinds = [folder.name for folder in (ROOT / "solvers").iterdir() if (folder / "static").exists()]
    assert kinds
    word = re.compile("|".join(kinds))
    studies = {"studies-pictures.css", "studies-stepper.css"}
    general = [file for file in ROOT.glob("static/*.css") if file.name not in studies]
    assert [file.name for file in general if word.search(file.read_text(encoding="utf-8"))] == []
