"""The study pages: texts in Markdown, with figures, tables and pictures put in by name.

A text names a part as `{{ name }}`. A number or a word stands in a sentence, a tuple fills the
cells of a table's row, and a list of tuples its rows. A picture, or another part in HTML, has a
paragraph of its own. The comment above a heading is its name in addresses. Text below a heading of
the fourth level is folded, up to the next heading or line.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from puzzleclass.charts import written
from puzzleclass.language import furigana
from puzzleclass.language.markdown import rendered, translated
from puzzleclass.language.reader import speaker
from puzzleclass.studies.figures import FigureRun
from solvers.message import Message
from solvers.picture import Picture, to_svg

Parts = Mapping[str, object]
"""The name of a part in the text -> a value, a tuple of values, a list of tuples, or HTML."""

_FOLDER = Path(__file__).parent
_SECTION = re.compile(r"^<!-- ([a-z]+) -->\n## (.+)$", re.MULTILINE)
_NAME = re.compile(r"\{\{ ([\w.]+) \}\}")
_HTML = re.compile(r"<p>\{\{ ([\w.]+) \}\}</p>|\{\{ ([\w.]+) \}\}")
_FOLDED = re.compile(r"<h4>(.*?)</h4>(.*?)(?:<hr />|(?=<h[34]>)|\Z)", re.DOTALL)
_ROW = re.compile(r"(?<=<tr>\n)<td>(.*?)</td>")


class StudySection(NamedTuple):
    """A part of a page with a heading."""

    name: str
    title: str
    html: SafeString


class StudyPage(NamedTuple):
    """The text of a study in the reader's language."""

    title: str
    lead: SafeString
    sections: tuple[StudySection, ...]


def show_study(
    request: HttpRequest, name: str, parts: Parts, *, charts: Iterable[object] = ()
) -> HttpResponse:
    """Return the page of a study with its parts put in."""
    context = {"name": name, "page": study_page(name, parts), "charts": list(charts)}
    return render(request, "studies/study.html", context)


def study_page(name: str, parts: Parts) -> StudyPage:
    """Return the page of this name. Raise KeyError if the text names a part that is not there."""
    everything = {**_verdicts(), **parts}
    title, lead, sections = _read(translated(_FOLDER / f"{name}.md"), furigana.is_on())
    return StudyPage(
        title,
        _with_parts(lead, everything),
        tuple(
            StudySection(each, head, _with_parts(text, everything)) for each, head, text in sections
        ),
    )


def names_in(name: str) -> set[str]:
    """Return the names of the parts in the text of a study."""
    return set(_NAME.findall(translated(_FOLDER / f"{name}.md").read_text(encoding="utf-8")))


@lru_cache
def _read(path: Path, has_readings: bool) -> tuple[str, str, list[tuple[str, str, str]]]:
    """Return the title of a text, what stands before its first section, and its sections."""
    text = path.read_text(encoding="utf-8")
    head, *rest = _SECTION.split(furigana.annotated(text) if has_readings else text)
    title, _line, lead = head.removeprefix("# ").partition("\n")
    return title, lead, list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))


def _with_parts(text: str, parts: Parts) -> SafeString:
    def value(found: re.Match[str]) -> str:
        part = parts[found[1]]
        return found[0] if isinstance(part, SafeString | Picture) else _written(part)

    def html(found: re.Match[str]) -> str:
        part = parts[found[1] or found[2]]
        return figure(part) if isinstance(part, Picture) else str(part)

    # Tables scroll sideways on small screens. The first cell of a row is its heading.
    page = rendered(_NAME.sub(value, text))
    page = page.replace("<table>", '<section class="scroll" tabindex="0">\n<table class="numbers">')
    page = page.replace("</table>", "</table>\n</section>").replace("<th", '<th scope="col"')
    page = page.replace('<th scope="col"ead', "<thead")
    page = _ROW.sub(r'<th scope="row">\1</th>', page)
    page = _FOLDED.sub(r"<details><summary>\1</summary>\2</details>", page)
    # Safe: no raw HTML passes the renderer, and the parts are safe.
    return mark_safe(_HTML.sub(html, page))  # noqa: S308


def _written(part: object) -> str:
    """Return a value as Markdown: cells and rows of a table as they continue a line."""
    if isinstance(part, list):
        return " |\n| ".join(map(_written, part))
    if isinstance(part, tuple):
        return " | ".join(map(_written, part))
    return written(part)  # type: ignore[arg-type]


# Parts


def _verdicts() -> dict[str, SafeString]:
    badge = '<span class="badge {}">{}</span>'
    return {
        "right": format_html(badge, "ok", _("Right")),
        "wrong": format_html(badge, "bad", _("Error in the text")),
        "misprint": format_html(badge, "bad", _("misprint")),
        "slip": format_html(badge, "bad", _("slip")),
    }


def figure(picture: Picture, *, scrolls: bool = False) -> SafeString:
    """Return a picture in the form of a part. On small screens, a wide one scrolls."""
    # Safe: to_svg escapes every text it is given.
    drawn = mark_safe(to_svg(picture, speaker(), text=False))  # noqa: S308
    if scrolls:
        return format_html('<section class="scroll wide" tabindex="0">{}</section>', drawn)
    return format_html("<figure>{}</figure>", drawn)


class GalleryBoard(NamedTuple):
    """A board in a gallery."""

    picture: Picture
    title: str | Message = ""
    text: str | Message = ""
    solved: Picture | None = None
    """A solution, folded below the board."""
    puzzle: str = ""
    """The text of the puzzle that teachers can make of the board."""
    is_marked: bool = False


class Blank(NamedTuple):
    """The empty board that the editor opens with, and its brush."""

    slug: str
    board: str
    brush: str


GOISHI = Blank("goishi", "...../...../...../...../.....", "stone")
KIKAZU = Blank("kikazu", "9/9/9/9/9/9/9/9/9 -", "rook")


def gallery(
    request: HttpRequest, boards: Iterable[GalleryBoard], blank: Blank | None = None
) -> SafeString:
    """Return a list of boards side by side."""
    context = {"boards": list(boards), "blank": blank}
    return render_to_string("studies/_gallery.html", context, request)


def stepper(name: str, frames: Iterable[Mapping[str, object]]) -> SafeString:
    """Return at most seven pictures, of which one is shown at a time."""
    return render_to_string("studies/_stepper.html", {"name": name, "frames": list(frames)})


def charts_side_by_side(charts: Iterable[object]) -> SafeString:
    """Return charts, which the page must also have as JSON."""
    return render_to_string("studies/_charts.html", {"charts": list(charts)})


def run(made: FigureRun) -> SafeString:
    """Return a line that says when and how figures were computed."""
    return render_to_string("studies/_run.html", {"run": made})
