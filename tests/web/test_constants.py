"""The tags `translate`, `static`, `url` and `include` write what Django's write, and keep
constants."""

import pytest
from django.template import Context, Library, Template, defaulttags, loader_tags
from django.template.engine import Engine
from django.templatetags import i18n
from django.templatetags import static as static_tags
from django.utils import translation

from puzzleclass.pages.templatetags.constants import ConstantAddress, ConstantText

LANGUAGES = ("en", "ja", "ja-hrkt")
TEXTS = [
    '{% translate "Solved!" %}',
    "{% translate 'Undo' %}",
    '{% translate "100%" %}',
    '{% translate "Less < and &" %}',
    '{% translate "May" context "month" %}',
]
OTHER_TEXTS = [
    "{% translate name %}",
    '{% translate "Solved!"|upper %}',
    '{% translate "Solved!" as said %}{{ said }}',
    '{% translate "Solved!" noop %}',
    '{% translate "May" context name %}',
]
ADDRESSES = ['{% static "app.css" %}', "{% static 'vendor/htmx.min.js' %}", '{% url "home" %}']
OTHER_ADDRESSES = [
    "{% static file %}",
    '{% static "app.css" as address %}{{ address }}',
    '{% static "app"|add:".css" %}',
    "{% url page %}",
    '{% url "play" 5 %}',
    '{% url "play" pk=5 %}',
    '{% url "home" as address %}{{ address }}',
    '{% url "nowhere" as address %}{{ address }}',
]
PARTS = [
    '{% include "_stones.html" %}',
    '{% include "_copied_field.html" with value=name only %}',
    "{% include part %}",
    '{% include "_stones"|add:".html" %}',
]
DJANGOS = {
    "translate": i18n.do_translate,
    "static": static_tags.do_static,
    "url": defaulttags.url,
    "include": loader_tags.do_include,
}
VALUES = {"name": "Undo", "file": "app.css", "page": "home", "part": "_stones.html"}


@pytest.fixture(autouse=True)
def djangos():
    """Let templates load Django's own tags by other names."""
    engine, library = Engine.get_default(), Library()
    for name, tag in DJANGOS.items():
        library.tag(f"djangos_{name}", tag)
    engine.template_libraries["djangos"] = library
    yield
    del engine.template_libraries["djangos"]


def written(text: str, language: str) -> str:
    with translation.override(language):
        return Template(text).render(Context(VALUES))


@pytest.mark.parametrize("text", TEXTS + OTHER_TEXTS + ADDRESSES + OTHER_ADDRESSES + PARTS)
@pytest.mark.parametrize("autoescape", ["on", "off"])
def test_a_tag_writes_what_djangos_tag_writes(text, autoescape):
    ours = f"{{% autoescape {autoescape} %}}{text}{{% endautoescape %}}"
    theirs = "{% load djangos %}" + ours.replace(
        "{% " + text.split()[1], f"{{% djangos_{text.split()[1]}"
    )
    for language in LANGUAGES * 2:
        assert written(ours, language) == written(theirs, language)


@pytest.mark.parametrize("text", TEXTS)
def test_a_constant_text_is_looked_up_once_for_each_language(text):
    [node] = Template(text).nodelist
    assert isinstance(node, ConstantText)
    for language in LANGUAGES * 2:
        with translation.override(language):
            node.render(Context())
    assert set(node.texts) == set(LANGUAGES)


@pytest.mark.parametrize("text", ADDRESSES)
def test_a_constant_address_is_looked_up_once(text):
    [node] = Template(text).nodelist
    assert isinstance(node, ConstantAddress)
    address = node.render(Context())
    assert node.render(Context()) is address


@pytest.mark.parametrize("text", OTHER_TEXTS + OTHER_ADDRESSES)
def test_what_depends_on_more_is_looked_up_each_time(text):
    constants = ConstantText, ConstantAddress
    assert not any(isinstance(node, constants) for node in Template(text).nodelist)


def test_a_template_may_include_itself():
    text = '{{ n }}{% if n %}{% include "list.html" with n=n|add:-1 %}{% endif %}'
    engine = Engine(
        loaders=[("django.template.loaders.locmem.Loader", {"list.html": text})],
        builtins=["puzzleclass.pages.templatetags.constants"],
    )
    assert engine.get_template("list.html").render(Context({"n": 3})) == "3210"


def test_an_included_template_is_looked_up_once():
    template = Template('{% include "_stones.html" %}')
    [node] = template.nodelist
    template.render(Context())
    kept = node.template.found
    template.render(Context())
    assert node.template.found is kept is not None
