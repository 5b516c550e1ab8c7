"""The template backend of the site."""

from datetime import date

import pytest
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template
from django.utils import translation

from puzzleclass.pages.template_backend import PlainNumbers


def rendered(source: str, **context: object) -> str:
    return engines["django"].from_string(source).render(context)


def test_integers_are_written_as_they_are_in_every_language(settings):
    settings.USE_THOUSAND_SEPARATOR = True
    for language in ("en", "ja", "de"):
        with translation.override(language):
            assert rendered("{{ n }}", n=1234567) == "1234567"


def test_filters_know_the_language():
    with translation.override("ja"):
        assert (
            rendered('{{ day|date:"SHORT_DATE_FORMAT" }}', day=date(2026, 11, 24)) == "2026/11/24"
        )
    with translation.override("de"):
        assert rendered("{{ n|floatformat:1 }}", n=2.5) == "2,5"
        assert rendered("{{ n|intcomma }}", n=1234567) == "1.234.567"


def test_a_missing_template_is_named():
    assert isinstance(engines["django"], PlainNumbers)
    with pytest.raises(TemplateDoesNotExist, match=r"^no\.html$"):
        get_template("no.html")
    with pytest.raises(TemplateDoesNotExist, match=r"^no\.html$"):
        rendered('{% include "no.html" %}')
