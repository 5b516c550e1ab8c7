"""Texts in the reader's language and words, and the reader's choices about boards, kept in cookies.

A kind whose pieces bear signs and names (`PlayersWords` in solvers/capabilities.py) can be read in
two ways each: the signs in Japanese or as letters, the names in plain words or in the words that
players use.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from puzzleclass.http import Middleware
from puzzleclass.language import furigana, languages
from solvers.message import Message
from solvers.registry import kinds

SIGNS = {"kanji": gettext_noop("Japanese"), "letters": gettext_noop("Letters")}
"""The choices of signs on the pieces: name -> title."""

WORDS = {"plain": gettext_noop("Everyday names"), "usual": gettext_noop("Formal shogi names")}
"""The choices of names for the pieces: name -> title."""

YEAR_SECONDS = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Reader:
    """The choices of a reader, or the defaults."""

    signs: str
    words: str

    def wording(self, text: str) -> str:
        """Return the English text with the same meaning in the reader's words."""
        return usual_words().get(text, text) if self.words == "usual" else text


_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


def reader() -> Reader:
    """Return the reader of the page being made; outside a request, a reader with the defaults."""
    return _reader.get() or Reader(_usual_signs(), "plain")


@cache
def usual_words() -> Mapping[str, str]:
    """Return plain text -> the players' own text, for all kinds."""
    known = [kind.players_words for kind in kinds().values()]
    return {plain: usual for words in known if words for plain, usual in words.words.items()}


def say(message: Message) -> str:
    """Return the message in the active language and the reader's words, with its fields filled
    in."""
    return speaker()(message)


def speaker() -> Callable[[Message], str]:
    """Return a function like `say` for the many messages of one picture, which looks up each text
    once."""
    wording = reader().wording
    meanings: dict[str, str] = {}

    def say(message: Message) -> str:
        text = meanings.get(message.text)
        if text is None:
            text = meanings[message.text] = gettext(wording(message.text))
        values = message.values
        for value in values.values():
            if isinstance(value, Message):
                spoken = {k: say(v) if isinstance(v, Message) else v for k, v in values.items()}
                return text.format_map(spoken)
        return text.format_map(values)

    return say


def _usual_signs() -> str:
    return languages.traits().signs


class ReaderMiddleware(Middleware):
    """Middleware that activates the reader's language, and reads the cookies of the other choices.

    The response says its language, as Django's own middleware for languages does.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        signs, words = request.COOKIES.get("signs"), request.COOKIES.get("words")
        translation.activate(languages.preferred(request))
        request.LANGUAGE_CODE = translation.get_language()
        token = _reader.set(
            Reader(
                signs if signs in SIGNS else _usual_signs(), words if words in WORDS else "plain"
            )
        )
        try:
            response = self.get_response(request)
        finally:
            _reader.reset(token)
        response.headers.setdefault("Content-Language", translation.get_language() or "")
        return response


def keep_choices(
    request: HttpRequest,
    response: HttpResponse,
    chosen: Mapping[str, str],
    seconds: int | None = YEAR_SECONDS,
) -> None:
    """Keep `language`, `signs`, `words` and `furigana` in the browser. An empty choice is deleted.

    Values that are not among the possible choices are ignored. With `seconds` None, a choice is
    kept until the browser is closed.
    """
    known: dict[str, tuple[str, Mapping[str, object]]] = {
        "language": (settings.LANGUAGE_COOKIE_NAME, dict(settings.LANGUAGES)),
        "signs": ("signs", SIGNS),
        "words": ("words", WORDS),
        furigana.SWITCH: (furigana.SWITCH, dict.fromkeys(("on", "off"))),
    }
    for choice, value in chosen.items():
        cookie, choices = known[choice]
        if value in choices:
            response.set_cookie(
                cookie, value, seconds, httponly=True, samesite="Lax", secure=request.is_secure()
            )
        elif not value:
            response.delete_cookie(cookie)
