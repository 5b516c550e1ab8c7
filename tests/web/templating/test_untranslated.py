"""A browser that translates a page leaves names, codes and PINs alone (docs/style.md)."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
PERSON = r"[\w.]*\b(?:student|teacher|user|actor|author)\.(?:name|username)|[\w.]*\.username"
CODE = r"[\w.]*classroom\.code|card\.(?:code|pin)"
TAG = r"""<(\w+)((?:[^<>{}"]|"(?:[^"{}]|\{\{[^}]*\}\}|\{%[^%]*%\})*"|\{%[^%]*%\})*)>"""
NUMBER = r"(?:\{\{ [\w.]*number \}\} )?"
FILTER = r"""(?:\|(?:as_written|default:"[^"]*"))?"""
ALONE = re.compile(rf"{TAG}{NUMBER}\{{\{{ (?:{PERSON}|{CODE}){FILTER} \}}\}}</\1>")
SHOWN = re.compile(rf"{TAG}(?:\{{% if furigana %\}})?\{{% name_shown [^%]*(?<!as name) %\}}")


def found(text):
    """Return the elements that hold nothing but a name or a code."""
    return [
        match
        for match in (*ALONE.finditer(text), *SHOWN.finditer(text))
        if match[1] not in ("option", "title", "textarea")
    ]


@pytest.mark.parametrize(
    "text", [path.read_text("utf-8") for path in TEMPLATES], ids=map(str, TEMPLATES)
)
def test_elements_with_names_and_codes_are_not_translated(text):
    translated = [match[0] for match in found(text) if 'translate="no"' not in match[2]]
    assert not translated


def test_there_are_such_elements():
    assert sum(len(found(path.read_text("utf-8"))) for path in TEMPLATES) >= 30
