"""Readings above kanji, for students who can't read them all yet.

`manage.py messages --compile` writes a second Japanese catalogue, that of the language `ja-hrkt`:
in it each word of `locale/readings.txt` carries its reading, between signs of Unicode's private
use. `FuriganaMiddleware` activates it for who has the switch on, and turns what is marked into
<ruby> in the running text of the finished page; elsewhere (attributes, titles, boards, scripts) it
takes readings away. So what people have typed never gets a reading that may be wrong.
"""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from puzzleclass.http import Middleware

LANGUAGE = "ja-hrkt"
"""Japanese with readings. Django falls back to `ja` for what it has no text for."""

SWITCH = "furigana"
"""The switch in a student's session, and else in a cookie (`on`, `off`)."""

READINGS = Path(__file__).parent / "locale" / "readings.txt"

SOURCES = re.compile(
    r"templates/(play/|practice/|gallery/(gallery|written|_)|home/student|errors/|base|"
    r"_(language|reader)|classes/(join|card_sign_in|_pictures)|"
    r"puzzles/(_(rules|number|editor|drawing|board_size|goal_field|lookahead|pasted)|puzzle_edit))|"
    r"puzzleclass/(play/|practice/|gallery/|classes/join|http\.py|language\.py|templatetags/words)|"
    r"solvers/\w+/(__init__|rules|picture|hint|editor)\.py|solvers/(kind|grid|hint)\.py"
)
"""Where the texts stand that students are shown: each of their words needs a reading."""

_KANJI = re.compile("[一-龥々〆ヶ]+")
_WORD, _READING, _END = "\ue000", "\ue001", "\ue002"
_MARKED = re.compile(f"{_WORD}([^{_WORD}-{_END}]*){_READING}([^{_WORD}-{_END}]*){_END}")
_SIGN = _WORD.encode()[:2]
"""With what the marks begin in UTF-8."""
_SAID = ("text/html", "text/plain", "application/json", "image/svg+xml")
"""Types of the answers that texts of the site stand in."""

_RUN = re.compile(r"([一-龥々〆ヶ0-9]+)\[([ぁ-んー]+)\]")
_TAG = re.compile(r"""(<(?:[^<>"']|"[^"]*"|'[^']*')*>)""")
_PLAIN = re.compile("<(script|style|title|textarea|option|svg|template)\\b")
"""What begins a part of a page in which no markup can stand, or is heard and not read."""

_DAYS = {
    2: "ふつか", 3: "みっか", 4: "よっか", 5: "いつか", 6: "むいか", 7: "なのか", 8: "ようか",
    9: "ここのか", 10: "とおか", 14: "じゅうよっか", 20: "はつか", 24: "にじゅうよっか",
}  # fmt: skip
"""Numbers of days, and days of the month, that are not read as the number and にち."""


def is_on() -> bool:
    """Return whether the page being made is to have readings."""
    return translation.get_language() == LANGUAGE


def mark(word: str, reading: str) -> str:
    """Return the word with a reading that only the middleware sees."""
    return f"{_WORD}{word}{_READING}{reading}{_END}"


@cache
def _words() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds the words of the list, and word -> the word with its readings marked."""
    lines = READINGS.read_text(encoding="utf-8").splitlines()
    tokens = [token for line in lines if not line.startswith("#") for token in line.split()]
    marked, found = {}, []
    for token in tokens:
        word = _RUN.sub(r"\1", token).rstrip("~")
        marked[word] = _RUN.sub(lambda run: mark(run[1], run[2]), token).rstrip("~")
        found.append((word, re.escape(word) + ("(?=[ぁ-ん])" if token.endswith("~") else "")))
    found.sort(key=lambda entry: len(entry[0]), reverse=True)
    return re.compile("|".join(pattern for _word, pattern in found)), marked


def annotated(text: str) -> str:
    """Return a text of the site, the words in it that are known marked with their readings."""
    found, marked = _words()
    return found.sub(lambda match: marked[match[0]], text)


def with_reading(word: str, reading: str) -> str:
    """Return the word, marked with its reading where the page has readings."""
    return mark(word, reading) if is_on() else word


def days(number: int, of_month: bool = False) -> str:
    """Return `6日`, marked with its reading where the page has readings."""
    if not is_on():
        return f"{number}日"
    if number == 1:
        return mark("1日", "ついたち" if of_month else "いちにち")
    if number in _DAYS:
        return mark(f"{number}日", _DAYS[number])
    return f"{number}{mark('日', 'にち')}"


def lacking(text: str) -> list[str]:
    """Return the kanji of a text for which the list has no reading. Where two of its words touch,
    they may be a third one that is read differently: that is lacking, too."""
    words = list(_words()[0].finditer(text))
    touching = [
        first[0] + second[0]
        for first, second in pairwise(words)
        if first.end() == second.start() and _KANJI.match(first[0][-1]) and _KANJI.match(second[0])
    ]
    return [*_KANJI.findall(_MARKED.sub(" ", annotated(text))), *touching]


def plain(text: str) -> str:
    """Return a text without the readings that are marked in it."""
    return _MARKED.sub(r"\1", text)


def with_ruby(page: str) -> str:
    """Return a page whose running text shows the readings that are marked in it."""
    pieces, closing = [], ""
    for piece in _TAG.split(page):
        if not piece.startswith("<"):
            # The reading is for the eye: a screen reader would say every word twice.
            ruby = r'<ruby>\1<rt aria-hidden="true">\2</rt></ruby>'
            shown, count = (plain(piece), 0) if closing else _MARKED.subn(ruby, piece)
            # One element for the text: the boxes of a flexible row would tear words apart.
            pieces.append(f"<span>{shown}</span>" if count else shown)
            continue
        if closing and piece.startswith(closing):
            closing = ""
        elif not closing and (opens := _PLAIN.match(piece)):
            closing = f"</{opens[1]}"
        pieces.append(plain(piece))
    return "".join(pieces)


class FuriganaMiddleware(Middleware):
    """Chooses the catalogue, and ends the marks. Stands below the one that knows the user."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _is_wanted(request):
            with translation.override(LANGUAGE):
                response = self.get_response(request)
        else:
            response = self.get_response(request)
        said = response.get("Content-Type", "").partition(";")[0]
        if isinstance(response, HttpResponse) and said in _SAID and _SIGN in response.content:
            text = response.content.decode(response.charset)
            response.content = with_ruby(text) if said == "text/html" else plain(text)
        return response


def _is_wanted(request: HttpRequest) -> bool:
    """Return whether the reader has the switch on, or the reader's class where it is untouched.

    Teachers read without: what they are shown may be kept, as the name of a puzzle.
    """
    if translation.get_language() != "ja":
        return False
    wish = request.session.get(SWITCH, request.COOKIES.get(SWITCH) == "on")
    return bool(wish) and not getattr(request.user, "is_teacher", False)
