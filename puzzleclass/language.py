"""Texts in the reader's language and words, and how the reader likes boards: kept in cookies.

A kind whose pieces bear signs and names (`PlayersWords` in solvers/capabilities.py) can be read
in two ways each: signs in Japanese or as letters, names in plain words or in those that players
use.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext, gettext_noop
from django.views.decorators.http import require_POST

from puzzleclass import furigana
from puzzleclass.http import Middleware
from solvers.message import Message
from solvers.registry import kinds

SIGNS = {"kanji": gettext_noop("Japanese"), "letters": gettext_noop("Letters")}
"""What stands on a piece: name -> title."""

WORDS = {"plain": gettext_noop("Plain"), "usual": gettext_noop("As players say")}
"""What the pieces are called: name -> title."""

A_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Reader:
    """What the reader has chosen, or the default."""

    signs: str
    words: str

    def wording(self, text: str) -> str:
        """Return the English text that says the same in the reader's words."""
        return usual_words().get(text, text) if self.words == "usual" else text


_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


def reader() -> Reader:
    """Return the reader of the page being made; outside of a request one without a choice."""
    return _reader.get() or Reader(_usual_signs(), "plain")


@cache
def usual_words() -> Mapping[str, str]:
    """Return plain text -> the players' own, of all kinds."""
    known = [kind.players_words for kind in kinds().values()]
    return {plain: usual for words in known if words for plain, usual in words.words.items()}


def say(message: Message) -> str:
    """Return the message in the active language and the reader's words, its fields filled."""
    return speaker()(message)


def speaker() -> Callable[[Message], str]:
    """Return a `say` for the many messages of one picture: it looks each text up once."""
    wording = reader().wording
    found: dict[str, str] = {}

    def say(message: Message) -> str:
        text = found.get(message.text)
        if text is None:
            text = found[message.text] = gettext(wording(message.text))
        values = message.values
        for value in values.values():
            if isinstance(value, Message):
                said = {k: say(v) if isinstance(v, Message) else v for k, v in values.items()}
                return text.format_map(said)
        return text.format_map(values)

    return say


def _usual_signs() -> str:
    return "kanji" if (get_language() or "").startswith("ja") else "letters"


class ReaderMiddleware(Middleware):
    """Reads the cookies. Stands below the one that knows the language."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        signs, words = request.COOKIES.get("signs"), request.COOKIES.get("words")
        token = _reader.set(
            Reader(
                signs if signs in SIGNS else _usual_signs(), words if words in WORDS else "plain"
            )
        )
        try:
            return self.get_response(request)
        finally:
            _reader.reset(token)


def reader_in_templates(request: HttpRequest) -> dict[str, object]:
    """Return what templates need: the reader, and what there is to choose from."""
    return {"reader": reader(), "signs": SIGNS, "words": WORDS, "furigana": furigana.is_on()}


@require_POST
def set_reader(request: HttpRequest) -> HttpResponse:
    """Keep a choice, and lead back to the page that it was made on."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    names = ("signs", "words", furigana.SWITCH)
    chosen = {name: request.POST[name] for name in names if request.POST.get(name)}
    if request.user.is_authenticated and furigana.SWITCH in chosen:
        # The computer may be everybody's.
        request.session[furigana.SWITCH] = chosen.pop(furigana.SWITCH) == "on"
    keep_choices(request, response, chosen)
    return response


def keep_choices(
    request: HttpRequest,
    response: HttpResponse,
    chosen: Mapping[str, str],
    seconds: int | None = A_YEAR,
) -> None:
    """Keep `language`, `signs`, `words` and `furigana` in the browser; an empty one is forgotten.

    What is none of those there are is left out. `seconds` None: until the browser is closed.
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
