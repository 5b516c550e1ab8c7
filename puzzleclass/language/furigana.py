"""Furigana: readings above kanji, for students who can't read them all yet.

A language that has readings names a variant for them (`Traits.readings`; `ja-hrkt` for Japanese),
and `manage.py messages --compile` writes a second catalogue for it. In that catalogue, each word of
`locale/readings.txt` carries its reading between characters of Unicode's private use area.
`FuriganaMiddleware` activates this catalogue for readers who have switched furigana on. In the
running text of the finished page it turns the marked readings into <ruby>; elsewhere (attributes,
titles, boards, scripts) it removes them. Therefore a text that people have typed never gets a
reading, which might be wrong.
"""

import re
import unicodedata
from contextlib import AbstractContextManager, nullcontext
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from puzzleclass.http import Middleware
from puzzleclass.language import languages

SWITCH = "furigana"
"""The name of the switch in a signed-in user's session, and for others of a cookie (`on`,
`off`)."""

READINGS = Path(__file__).parents[1] / "locale" / "readings.txt"
"""The list of readings of this project, for its own texts and for those of all kinds."""

KIND_READINGS = Path("locale", "readings.txt")
"""The path, in the folder of a kind, of the readings of words that only the kind's texts have."""

SOURCES = re.compile(
    r"templates/(play/|practice/|workshop/|help/|gallery/(gallery|written|_)|errors/|base|bare|form\.|page|_(changes|crumbs|furigana|language|pages|reader|stones)|"
    r"home/(student|welcome|own_records|offline|_(head|masthead|outbox|own_records_link|search_dialog|steps|stored_page))|calendars/calendar|accounts/(door|_ended|_idle)|"
    r"school_accounts/(_buttons|connect|failed|unknown)|classes/(join|card_sign_in|_pictures|_back_to_pin)|stats/_face|"
    r"lessons/(_(answers|case_tree|come_in|dead_end|frame|head|now|number_line|own_|question\.|reasons|scene_none|screen)|look_back|own_found|question(_over)?\.)|"
    r"puzzles/(_(rules|number|editor|drawing|board_size|formats|goal_|lookahead|pasted|player|size_field|square_sizes|turn)|puzzle_edit))|"
    r"puzzleclass/(play/(?!needs)|practice/|workshop/|gallery/|classes/join|assignments/pace|lessons/(models|questions|outcomes)|http\.py|errors\.py|language/|templating/templatetags/words|school_accounts/(adapter|arrival))|"
    r"solvers/(rule_tables/|\w+/(__init__|rules|picture|hint|editor)\.py|(kind|grid|hint|missing)\.py)"
)
"""The sources of texts that students are shown. Each word in them needs a reading."""

_KANJI = re.compile("[一-龥々〆ヶ]+")
_WORD, _READING, _END = "\ue000", "\ue001", "\ue002"
_MARKED = re.compile(f"{_WORD}([^{_WORD}-{_END}]*){_READING}([^{_WORD}-{_END}]*){_END}")
_MARK_START = _WORD.encode()[:2]
"""The bytes with which each mark begins in UTF-8."""
_TEXT_TYPES = ("text/html", "text/plain", "application/json", "image/svg+xml")
"""The content types of responses that contain texts of the site."""

_KANJI_OR_NOT = re.compile("[一-龥々〆ヶ]+|[^一-龥々〆ヶ]+")
_KANA = re.compile("[ぁ-んー]+")
_TO_HIRAGANA = {ord("ァ") + n: ord("ぁ") + n for n in range(ord("ヶ") - ord("ァ"))}

_RUN = re.compile(r"([一-龥々〆ヶ0-9]+)\[([ぁ-んー]+)\]")
_TAG = re.compile(r"""(<(?:[^<>"']|"[^"]*"|'[^']*')*>)""")
_PLAIN = re.compile("<(script|style|title|textarea|option|svg)\\b")
"""The start of an element that can contain no `<ruby>`."""

_DAYS = {
    2: "ふつか", 3: "みっか", 4: "よっか", 5: "いつか", 6: "むいか", 7: "なのか", 8: "ようか",
    9: "ここのか", 10: "とおか", 14: "じゅうよっか", 20: "はつか", 24: "にじゅうよっか",
}  # fmt: skip
"""The numbers of days, and days of the month, that are not read as the number and にち."""


def is_on() -> bool:
    """Return whether the page being made is to have readings."""
    return translation.get_language() == languages.traits().readings


def by_class(request: HttpRequest, wanted: bool | None) -> AbstractContextManager[object]:
    """Return a context in which a page is made for a visitor who is about to join a class.

    The page has readings if the class wants them and the visitor has not chosen yet.
    """
    readings = languages.traits().readings
    if not (readings and wanted) or SWITCH in request.COOKIES or request.user.is_authenticated:
        return nullcontext()
    return translation.override(readings)


def mark(word: str, reading: str) -> str:
    """Return the word marked with a reading, which the middleware shows or removes."""
    return f"{_WORD}{word}{_READING}{reading}{_END}"


def readings_for(home: Path | None = None) -> list[Path]:
    """Return the lists of readings for the texts of a folder: the project's list, then the folder's
    own."""
    own = [home / KIND_READINGS] if home and (home / KIND_READINGS).exists() else []
    return [READINGS, *(path for path in own if path != READINGS)]


@cache
def _words(*lists: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern that finds the words of the lists, and word -> the word with its readings
    marked."""
    lines = [line for path in lists for line in path.read_text(encoding="utf-8").splitlines()]
    tokens = [token for line in lines if not line.startswith("#") for token in line.split()]
    marked, words = {}, []
    for token in tokens:
        word = _RUN.sub(r"\1", token).rstrip("~")
        marked[word] = _RUN.sub(lambda run: mark(run[1], run[2]), token).rstrip("~")
        words.append((word, re.escape(word) + ("(?=[ぁ-ん])" if token.endswith("~") else "")))
    words.sort(key=lambda entry: len(entry[0]), reverse=True)
    return re.compile("|".join(pattern for _word, pattern in words)), marked


def annotated(text: str, home: Path | None = None) -> str:
    """Return a text of the site, or of the kind in the folder `home`, with the known readings
    marked.

    Kanji that stand together get a reading only if one word of the lists covers all of them. A word
    inside a compound is often read differently, and so is a word behind a digit that it does not
    include.
    """
    words, marked = _words(*readings_for(home))

    def with_readings(match: re.Match[str]) -> str:
        word = match[0]
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        is_cut = (
            (_is_kanji(word[0]) and _is_kanji(before))
            or (_is_kanji(word[-1]) and _is_kanji(after))
            or (word[0].isdigit() and before.isdigit())
        )
        return word if is_cut else marked[word]

    return words.sub(with_readings, text)


def _is_kanji(sign: str) -> bool:
    return _KANJI.match(sign) is not None


def with_reading(word: str, reading: str) -> str:
    """Return the word, marked with its reading if the page has readings."""
    return mark(word, reading) if is_on() else word


def name_with_reading(name: str, reading: str) -> str:
    """Return a person's name, marked with its reading even if the page has no other readings.

    The family name and the given name are marked one by one if both texts are in two parts. A part
    in kana stays as it is.
    """
    names, readings = name.split(), reading.split()
    if len(names) != len(readings):
        names, readings = [name], [reading]
    pairs = zip(names, readings, strict=True)
    return " ".join(mark(n, r) if r and _KANJI.search(n) else n for n, r in pairs)


def name_shown(name: str, reading: str) -> str:
    """Return a person's name, marked with its reading if the page has readings."""
    return name_with_reading(name, reading) if is_on() else name


def text_shown(text: str, reading: str) -> str:
    """Return a text that somebody has typed, with its reading marked if the page has readings.

    A reading that does not fit the text is left out: it is that of an earlier text.
    """
    parts = _aligned(text, reading) if is_on() else None
    return "".join(mark(*part) if all(part) else part[0] for part in parts) if parts else text


def fits(text: str, reading: str) -> bool:
    """Return whether the text has kanji, and can be read like this.

    >>> fits("小さな橋 2", "ちいさなはし 2"), fits("小さな橋", "おおきなはし")
    (True, False)
    """
    return bool(_aligned(text, reading))


Parts = tuple[tuple[str, str], ...]
"""The parts of a text, each with its reading; the reading of a part without kanji is empty."""


@lru_cache(maxsize=1000)
def _aligned(text: str, reading: str) -> Parts | None:
    """Return the parts of the text with their readings.

    Return None if the reading, which is in kana, does not fit the text or is empty. Where several
    divisions are possible, the one with about two kana for each kanji is taken.

    >>> _aligned("小さな橋", "ちいさなはし")
    (('小', 'ちい'), ('さな', ''), ('橋', 'はし'))
    """
    return _aligned_with(" ", text, reading) or _aligned_with("", text, reading)


def _aligned_with(sign: str, text: str, reading: str) -> Parts | None:
    """Return the parts if text and reading agree when each sign and space counts as `sign`."""
    kana_text = _hiragana(reading, sign)
    # The best parts so far, after their cost, by the number of characters that they take.
    ways: dict[int, tuple[int, Parts]] = {0: (0, ())}
    for part in _KANJI_OR_NOT.findall(text):
        longer: dict[int, tuple[int, Parts]] = {}
        for start, (cost, parts) in ways.items():
            if _KANJI.match(part):
                kana = _KANA.match(kana_text, start)
                for end in range(start + 1, kana.end() + 1 if kana else 0):
                    way = (
                        cost + abs(end - start - 2 * len(part)),
                        (*parts, (part, kana_text[start:end])),
                    )
                    longer[end] = min(way, longer.get(end, way))
            elif kana_text.startswith(plain := _hiragana(part, sign), start):
                longer[start + len(plain)] = cost, (*parts, (part, ""))
        ways = longer
    _cost, best = ways.get(len(kana_text), (0, ()))
    return best if any(kana for _part, kana in best) else None


def _hiragana(text: str, sign: str) -> str:
    """Return a text in hiragana as far as it is in kana. Numbers do not tell texts apart."""
    hiragana = unicodedata.normalize("NFKC", text).translate(_TO_HIRAGANA).casefold()
    return re.sub(r"[0-9]+", "0", re.sub(r"\W+", sign, hiragana))


def days(number: int, of_month: bool = False) -> str:
    """Return `6日`, marked with its reading if the page has readings."""
    if not is_on():
        return f"{number}日"
    if number == 1:
        return mark("1日", "ついたち" if of_month else "いちにち")
    if number in _DAYS:
        return mark(f"{number}日", _DAYS[number])
    return f"{number}{mark('日', 'にち')}"


def kanji_without_reading(text: str, home: Path | None = None) -> list[str]:
    """Return the kanji without a reading in a text of the site, or of the kind in the folder
    `home`.

    Two words that touch may form a third word that is read differently. Therefore they are also
    returned, as one word.
    """
    words = list(_words(*readings_for(home))[0].finditer(text))
    touching = [
        first[0] + second[0]
        for first, second in pairwise(words)
        if first.end() == second.start() and _KANJI.match(first[0][-1]) and _KANJI.match(second[0])
    ]
    return [*_KANJI.findall(_MARKED.sub(" ", annotated(text, home))), *touching]


def plain(text: str) -> str:
    """Return a text without the readings that are marked in it."""
    return _MARKED.sub(r"\1", text)


def with_ruby(page: str) -> str:
    """Return a page with the marked readings shown in its running text."""
    pieces, closing = [], ""
    for piece in _TAG.split(page):
        if not piece.startswith("<"):
            # The reading is only for the eye, because a screen reader would say every word twice.
            ruby = r'<ruby>\1<rt aria-hidden="true">\2</rt></ruby>'
            html, count = (plain(piece), 0) if closing else _MARKED.subn(ruby, piece)
            # The text becomes one element, because the boxes of a flexible row would tear words
            # apart.
            pieces.append(f"<span>{html}</span>" if count else html)
            continue
        if closing and piece.startswith(closing):
            closing = ""
        elif not closing and (opens := _PLAIN.match(piece)):
            closing = f"</{opens[1]}"
        pieces.append(plain(piece))
    return "".join(pieces)


class FuriganaMiddleware(Middleware):
    """Middleware that chooses the catalogue and replaces the marks.

    It stands below the middleware that knows the user.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _is_wanted(request):
            with translation.override(languages.traits().readings):
                response = self.get_response(request)
        else:
            response = self.get_response(request)
        content_type = response.get("Content-Type", "").partition(";")[0]
        if (
            isinstance(response, HttpResponse)
            and content_type in _TEXT_TYPES
            and _MARK_START in response.content
        ):
            text = response.content.decode(response.charset)
            response.content = with_ruby(text) if content_type == "text/html" else plain(text)
        return response


def _is_wanted(request: HttpRequest) -> bool:
    """Return whether the reader of a page that can have readings has them on and is no teacher.

    A student's session begins with the setting of the class. Teachers read without furigana,
    because a text that they are shown may be stored, such as the name of a puzzle.
    """
    if not languages.traits().readings:
        return False
    wish = request.session.get(SWITCH, request.COOKIES.get(SWITCH) == "on")
    return bool(wish) and not getattr(request.user, "is_teacher", False)
