"""The tasks of the help, read from Markdown files.

A file holds the tasks of one audience in one language. The English files stand in this folder, and
translations in the folder `help/` of a language, beside its catalogue. Headings of the second level
are groups of tasks, and those of the third level are tasks. The comment above a task's heading is
its name in addresses, which is the same in all languages. A comment below it lists other words that
readers may search for.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import to_locale
from markdown_it import MarkdownIt
from markdown_it.token import Token

from puzzleclass.language import furigana, languages

ENGLISH = Path(__file__).parent
TEACHERS, STUDENTS = "teachers", "students"

PICTURE = (1100, 660)
"""Width and height of the pictures in pixels. They are made by docs/pictures.py."""

MAX_WORDS = 10
"""The most words of a search that are looked for."""

_GROUP = re.compile(r"^## (.+)$", re.MULTILINE)
_TASK = re.compile(r"^<!-- ([a-z-]+) -->\n### (.+)$(?:\n<!-- also: (.+) -->$)?", re.MULTILINE)
_RUN = re.compile(r"[々㐀-鿿]+|[ァ-ヺー]{2,}|[a-z0-9]{3,}")
"""What counts as a word where no task has all words: Japanese is written without spaces."""
_SMALL_WORDS = {"and", "are", "can", "does", "for", "from", "how", "the", "what", "where", "with"}
_MARKS = re.compile(r"!\[.*?\]\(\S+\)|^ *(?:[-#]+|\d+\.) |[*`|]|^[-| ]+$", re.MULTILINE)
"""The signs of Markdown, and pictures."""
MAX_LETTERS = 120
"""The most letters of a task's text that are shown with a result of a search."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the help."""

    name: str
    """The name in addresses."""
    audience: str
    """Whom the task is for: TEACHERS or STUDENTS."""
    group: str
    title: str
    also: str
    """Other words for the task, which only the search reads."""
    text: str
    """The description in Markdown, without the title."""

    @property
    def shown_title(self) -> str:
        """The title, with readings marked for students."""
        return self._for_readers(self.title)

    @property
    def html(self) -> SafeString:
        """The description as HTML, with readings marked for students."""
        return mark_safe(self._for_readers(_rendered(self.text)))  # noqa: S308 - no raw HTML passes

    def _for_readers(self, text: str) -> str:
        has_readings = self.audience == STUDENTS and furigana.is_on()
        return furigana.annotated(text) if has_readings else text

    def has(self, words: Iterable[str]) -> bool:
        """Return whether every one of the normalized words occurs in the task."""
        text = _normalized(f"{self.title} {self.also} {self.text}")
        return all(word in text for word in words)

    def rank(self, words: Sequence[str]) -> int:
        """Return 0 if one of the normalized words is in the title, 1 if it is in the other words of
        the task, and 2 otherwise."""
        places = (_normalized(self.title), _normalized(self.also), "")
        return next((n for n, text in enumerate(places) if any(w in text for w in words)), 2)

    def excerpt(self, query: str) -> SafeString:
        """Return the line of the text that has the most words of the query, as HTML."""
        words = _normalized(query).split()
        lines = [line.strip() for line in _MARKS.sub("", self.text).splitlines() if line.strip()]
        best = max(lines, key=lambda line: sum(word in _normalized(line) for word in words))
        cut = best if len(best) <= MAX_LETTERS else f"{best[: MAX_LETTERS - 1]}…"
        return mark_safe(self._for_readers(escape(cut)))  # noqa: S308 - escaped


def tasks(audience: str) -> tuple[Task, ...]:
    """Return the audience's tasks in the reader's language, or in English if it has no help."""
    return _read(_file(audience, languages.active()))


def _file(audience: str, language: str) -> Path:
    name = f"{audience}.md"
    folders = [Path(folder, to_locale(language), "help") for folder in settings.LOCALE_PATHS]
    return next((folder / name for folder in folders if (folder / name).exists()), ENGLISH / name)


@cache
def _read(path: Path) -> tuple[Task, ...]:
    return tuple(_parsed(path.stem, path.read_text(encoding="utf-8")))


def _parsed(audience: str, text: str) -> Iterator[Task]:
    _, *groups = _GROUP.split(text)
    for group, content in zip(groups[::2], groups[1::2], strict=True):
        _, *parts = _TASK.split(content)
        rows = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
        for name, title, also, body in rows:
            yield Task(name, audience, group.strip(), title.strip(), also or "", body.strip())


def grouped(found: Iterable[Task]) -> list[tuple[str, list[Task]]]:
    """Return each group of the tasks with its tasks, in the order of the help."""
    return [(group, list(rest)) for group, rest in groupby(found, key=lambda task: task.group)]


def search(found: Iterable[Task], query: str) -> list[Task]:
    """Return the tasks in which all words of the query occur, those with a fitting title first.

    Where there is none, return those in which the most of them occur. Without a word, return all
    tasks in their order.
    """
    found = list(found)
    words = _normalized(query).split()[:MAX_WORDS]
    if not words:
        return found
    hits = [task for task in found if task.has(words)]
    if not hits:
        runs = [run for run in _RUN.findall(_normalized(query)) if run not in _SMALL_WORDS]
        words = runs[:MAX_WORDS]
        counts = [sum(task.has([word]) for word in words) for task in found]
        most = max(counts, default=0) or 1
        hits = [task for task, count in zip(found, counts, strict=True) if count == most]
    return sorted(hits, key=lambda task: task.rank(words))


def _normalized(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


# Markdown


def _picture(tokens: Sequence[Token], place: int, *_: Any) -> str:
    """Return the HTML of a picture. The files are named relative to the Markdown file, so that the
    documentation finds them, too."""
    token = tokens[place]
    width, height = PICTURE
    name = PurePosixPath(str(token.attrs["src"])).name
    return (
        f'<img class="guide-picture" src="{escape(static(f"guide/{name}"))}"'
        f' alt="{escape(token.content)}" width="{width}" height="{height}" loading="lazy">'
    )


def _code(tokens: Sequence[Token], place: int, *_: Any) -> str:
    """Return the HTML of lines of code. Long lines are scrolled, which the keyboard can do only
    where the focus can be."""
    code = escape(tokens[place].content)
    return f'<section class="scroll" tabindex="0"><pre><code>{code}</code></pre></section>\n'


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.renderer.rules |= {  # type: ignore[attr-defined]
    "image": _picture,
    "fence": _code,
    "code_block": _code,
}


def _rendered(text: str) -> str:
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        # The title of the page is the task's heading, so a heading in its text is the next level.
        if token.type.startswith("heading_"):
            token.tag = "h2"
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
