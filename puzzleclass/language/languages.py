"""The languages of the site, and the differences between them that no catalogue states.

`LANGUAGES` in the settings lists them. `TRAITS` holds what differs between languages apart from
their texts, so that no other module asks for a language by its name.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a language, apart from its texts. The defaults suit most languages."""

    readings: str = ""
    """The code of the variant whose words carry readings; empty for a language without readings."""
    signs: str = "letters"
    """The signs that its readers see on pieces until they choose others: a name of
    `reader.SIGNS`."""
    script: re.Pattern[str] | None = None
    """A pattern that finds a character which, among the languages here, only this one uses."""
    myriads: tuple[tuple[str, str], ...] = ()
    """The names of 10000 ** 0, 10000 ** 1 and so on, each with its reading, if numbers are counted
    so."""


TRAITS = {
    "ja": Traits(
        readings="ja-hrkt",
        signs="kanji",
        script=re.compile(r"[\u3040-\u30ff\u3400-\u9fff]"),
        myriads=(
            ("", ""),
            ("万", "まん"),
            ("億", "おく"),
            ("兆", "ちょう"),
            ("京", "けい"),
            ("垓", "がい"),
        ),
    )
}
"""Language -> its traits. A language that is missing here has the defaults."""

_DEFAULTS = Traits()
_BASES = {traits.readings: code for code, traits in TRAITS.items() if traits.readings}
"""The variant with readings -> its language."""


def translated() -> list[str]:
    """Return the languages of the site that need catalogues: all except that of the sources."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def active() -> str:
    """Return the language of the page, without the variant that carries readings."""
    code = translation.get_language() or settings.LANGUAGE_CODE
    return _BASES.get(code, code)


def traits() -> Traits:
    """Return the traits of the page's language."""
    return TRAITS.get(active(), _DEFAULTS)


def locale() -> Locale:
    """Return Babel's locale for the page's language; English for a language that Babel lacks."""
    return _locale(active())


def date_locale() -> Locale:
    """Return Babel's locale for dates. English ones have the day before the month."""
    name = locale()
    return Locale("en", "GB") if name.language == "en" else name


@lru_cache
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(translation.to_locale(language))
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


def written_in(text: str) -> str:
    """Return the language whose own script the text uses, or an empty string."""
    for code, traits in TRAITS.items():
        if traits.script and traits.script.search(text):
            return code
    return ""


def in_every(text: str) -> frozenset[str]:
    """Return the translations of a text into all languages of the site."""
    return _in_every(text, tuple(dict(settings.LANGUAGES)))


@lru_cache
def _in_every(text: str, languages: tuple[str, ...]) -> frozenset[str]:
    texts = set()
    for language in languages:
        with translation.override(language):
            texts.add(translation.gettext(text))
    return frozenset(texts)


def best_of(wanted: list[str]) -> str:
    """Return the first of the wanted languages that the site has, or the first language of the
    site if it has none of them."""
    for code in wanted:
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGES[0][0]


def preferred(request: HttpRequest) -> str:
    """Return the language that the reader has chosen or the browser prefers.

    A reader who asks for no language of the site gets the first of `LANGUAGES`. Django's own
    middleware would choose `LANGUAGE_CODE`, but that is the language of the sources, in which texts
    are shown that a catalogue lacks.
    """
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return best_of([chosen, *(code for code, _quality in accepted)])
