"""The tasks of the help, read from Markdown files.

A file holds the tasks of one audience in one language. The English files stand in this folder, and
translations in the folder `help/` of a language, beside its catalogue. Headings of the second level
are groups of tasks, and those of the third level are tasks. The comment above a task's heading is
its name in addresses, which is the same in all languages.
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

MOST_WORDS = 10
"""The most words of a search that are looked for."""

_GROUP = re.compile(r"^## (.+)$", re.MULTILINE)
_TASK = re.compile(r"^<!-- ([a-z-]+) -->\n### (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the help."""

    name: str
    """The name in addresses."""
    audience: str
    """Whom the task is for: TEACHERS or STUDENTS."""
    group: str
    title: str
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

    def has(self, words: Sequence[str]) -> bool:
        """Return whether every one of the normalized words occurs in the title or the text."""
        text = _normalized(f"{self.title} {self.text}")
        return all(word in text for word in words)


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
        for name, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            yield Task(name, audience, group.strip(), title.strip(), body.strip())


def grouped(found: Iterable[Task]) -> list[tuple[str, list[Task]]]:
    """Return each group of the tasks with its tasks, in the order of the help."""
    return [(group, list(rest)) for group, rest in groupby(found, key=lambda task: task.group)]


def search(found: Iterable[Task], query: str) -> list[Task]:
    """Return the tasks in which all words of the query occur, those with a fitting title first.

    Without a word, return all tasks in their order.
    """
    words = _normalized(query).split()[:MOST_WORDS]
    hits = [task for task in found if task.has(words)]
    if not words:
        return hits
    return sorted(hits, key=lambda task: not any(w in _normalized(task.title) for w in words))


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


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.renderer.rules["image"] = _picture  # type: ignore[attr-defined]


def _rendered(text: str) -> str:
    return str(_MARKDOWN.render(text))
