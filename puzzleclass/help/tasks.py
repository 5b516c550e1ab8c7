"""The tasks of the help, read from Markdown files.

A file holds the tasks of one audience in one language. Headings of the second level
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
from pathlib import Path

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from puzzleclass.language import furigana
from puzzleclass.language.folding import folded
from puzzleclass.language.markdown import rendered, translated

ENGLISH = Path(__file__).parent
TEACHERS, STUDENTS = "teachers", "students"

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
        """The description as HTML, with readings marked for students.

        The title of the page is the task's heading, so a heading in its text is the next level.
        """
        return mark_safe(self._for_readers(rendered(self.text, heading="h2")))  # noqa: S308 - no raw HTML passes

    def _for_readers(self, text: str) -> str:
        has_readings = self.audience == STUDENTS and furigana.is_on()
        return furigana.annotated(text) if has_readings else text

    def has(self, words: Iterable[str]) -> bool:
        """Return whether every one of the normalized words occurs in the task."""
        text = folded(f"{self.title} {self.also} {self.text}")
        return all(word in text for word in words)

    def rank(self, words: Sequence[str]) -> int:
        """Return 0 if one of the normalized words is in the title, 1 if it is in the other words of
        the task, and 2 otherwise."""
        places = (folded(self.title), folded(self.also), "")
        return next((n for n, text in enumerate(places) if any(w in text for w in words)), 2)

    def excerpt(self, query: str) -> SafeString:
        """Return the line of the text that has the most words of the query, as HTML."""
        words = folded(query).split()
        lines = [line.strip() for line in _MARKS.sub("", self.text).splitlines() if line.strip()]
        best = max(lines, key=lambda line: sum(word in folded(line) for word in words))
        cut = best if len(best) <= MAX_LETTERS else f"{best[: MAX_LETTERS - 1]}…"
        return mark_safe(self._for_readers(escape(cut)))  # noqa: S308 - escaped


def tasks(audience: str) -> tuple[Task, ...]:
    """Return the audience's tasks in the reader's language, or in English if it has no help."""
    return _read(translated(ENGLISH / f"{audience}.md"))


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


def grouped(tasks_in_order: Iterable[Task]) -> list[tuple[str, list[Task]]]:
    """Return each group of the tasks with its tasks, in the order of the help."""
    return [
        (group, list(rest)) for group, rest in groupby(tasks_in_order, key=lambda task: task.group)
    ]


def search(candidates: Iterable[Task], query: str) -> list[Task]:
    """Return the tasks in which all words of the query occur, those with a fitting title first.

    Where there is none, return those in which the most of them occur. Without a word, return all
    tasks in their order.
    """
    candidates = list(candidates)
    words = folded(query).split()[:MAX_WORDS]
    if not words:
        return candidates
    hits = [task for task in candidates if task.has(words)]
    if not hits:
        half = unicodedata.normalize("NFKC", query).casefold()
        runs = [run for run in _RUN.findall(half) if run not in _SMALL_WORDS]
        words = [folded(run) for run in runs[:MAX_WORDS]]
        counts = [sum(task.has([word]) for word in words) for task in candidates]
        most = max(counts, default=0) or 1
        hits = [task for task, count in zip(candidates, counts, strict=True) if count == most]
    return sorted(hits, key=lambda task: task.rank(words))
