"""The tag `translate` writes what Django's writes, and keeps constant texts for each language."""

import pytest
from django.template import Context, Library, Template
from django.templatetags import i18n
from django.utils import translation

from puzzleclass.pages.templatetags.constant_texts import ConstantText

LANGUAGES = ("en", "ja", "ja-hrkt")
TEXTS = [
    '{% translate "Solved!" %}',
    "{% translate 'Undo' %}",
    '{% translate "100%" %}',
    '{% translate "Less < and &" %}',
    '{% translate "May" context "month" %}',
]
OTHERS = [
    "{% translate name %}",
    '{% translate "Solved!"|upper %}',
    '{% translate "Solved!" as said %}{{ said }}',
    '{% translate "Solved!" noop %}',
    '{% translate "May" context name %}',
]


def written(text: str, language: str, **context: object) -> str:
    with translation.override(language):
        return Template(text).render(Context({"name": "Undo"} | context))


@pytest.mark.parametrize("text", TEXTS + OTHERS)
@pytest.mark.parametrize("autoescape", ["on", "off"])
def test_it_writes_what_djangos_tag_writes(text, autoescape):
    ours = f"{{% autoescape {autoescape} %}}{text}{{% endautoescape %}}"
    theirs = ours.replace("{% translate", "{% djangos")
    for language in LANGUAGES * 2:
        assert written(ours, language) == written("{% load djangos %}" + theirs, language)


@pytest.fixture(autouse=True)
def djangos():
    """Let templates load Django's own tag by another name."""
    from django.template.engine import Engine

    engine, library = Engine.get_default(), Library()
    library.tag("djangos", i18n.do_translate)
    engine.template_libraries["djangos"] = library
    yield
    del engine.template_libraries["djangos"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_constant_text_is_looked_up_once_for_each_language(text):
    [node] = Template(text).nodelist
    assert isinstance(node, ConstantText)
    for language in LANGUAGES * 2:
        with translation.override(language):
            node.render(Context())
    assert set(node.texts) == set(LANGUAGES)


@pytest.mark.parametrize("text", OTHERS)
def test_a_text_that_depends_on_more_is_looked_up_each_time(text):
    assert not any(isinstance(node, ConstantText) for node in Template(text).nodelist)
