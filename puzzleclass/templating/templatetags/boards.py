"""Template tags that draw boards and translate the solvers' messages."""

import json
import re
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import segno
from django import template
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from puzzleclass.language import furigana, languages
from puzzleclass.language.reader import Reader, reader, speaker
from puzzleclass.language.reader import say as say_message
from puzzleclass.seen_kinds import seen_kinds
from solvers.message import Message
from solvers.picture import Picture, looks_svg, to_svg
from solvers.registry import AnyKind, kind_or_missing, style_sheets

register = template.Library()


@register.simple_tag
def all_kinds() -> list[AnyKind]:
    """Return the kinds that the reader of the page sees in menus."""
    return list(seen_kinds().values())


class Titled(Protocol):
    """A board or an assignment, whose title students read."""

    @property
    def title(self) -> str: ...
    @property
    def reading(self) -> str: ...


class Drawable(Protocol):
    """A board of any kind, in the kind's text."""

    @property
    def kind_slug(self) -> str: ...
    @property
    def position(self) -> str: ...


MAX_DRAWN = 2000
"""The most drawn boards of lists that are kept in memory, about 20 MB."""


@register.simple_tag
def board(
    picture: Picture,
    live: bool = False,
    tools: Container[str] = (),
    movable: Container[str] = (),
    axes: bool = False,
    named: bool = False,
) -> SafeString:
    """Return the picture as SVG.

    With `live`, spots can be pressed, for a move or for a tool. With `named`, a screen reader reads
    the names of the spots.
    """
    # Safe: to_svg escapes every text it is given.
    drawn = to_svg(
        picture,
        speaker(),
        live=live,
        named=named,
        tools=tools,
        movable=movable,
        axes=axes,
        text=False,
    )
    return mark_safe(drawn)


@register.simple_tag
def looks(kind: AnyKind) -> SafeString:
    """Return what static/optimistic-ui.js needs to show a press at once.

    The result is empty for a kind without `presses`, whose boards are not foretold.
    """
    if kind.presses is None:
        return SafeString("")
    names = ("rules", "turns", "vacant", "trail", "strokes")
    said = {name: getattr(kind.presses, name) for name in names}
    # Safe: looks_svg escapes its texts.
    drawn = mark_safe(looks_svg(kind.presses.looks, kind.presses.names, speaker()))
    return format_html(
        '<template id="looks" data-presses="{}">{}</template>',
        json.dumps(said, separators=(",", ":")),
        drawn,
    )


@register.simple_tag
def qr_code(text: str) -> SafeString:
    """Return an address as a QR code in SVG."""
    code = segno.make(text, error="m", micro=False)
    # Safe: segno writes modules and no text.
    return mark_safe(code.svg_inline(border=2, omitsize=True, svgclass="qr-code", lineclass=None))


@register.filter
def say(message: Message | str) -> str:
    """Return a solver's message, or a marked English text, in the reader's language."""
    return say_message(message if isinstance(message, Message) else Message(message))


@register.simple_tag
def explained(text: str, kind: AnyKind) -> SafeString:
    """Return a text of a kind in the reader's language. The first of each of its terms is a button
    that shows what the term means."""
    html: str = conditional_escape(say(text))
    sheets = []
    for number, (term, meaning) in enumerate(kind.terms.items()):
        # In English, "string" also stands for "strings".
        match = re.search(re.escape(conditional_escape(say(term))) + "[a-z]*", html, re.IGNORECASE)
        if not match:
            continue
        name = f"term-{number}"
        button = format_html(
            '<button type="button" class="term" popovertarget="{}">{}</button>', name, match[0]
        )
        html = html[: match.start()] + button + html[match.end() :]
        sheets.append(
            format_html('<span popover class="card ask" id="{}">{}</span>', name, say(meaning))
        )
    # Safe: the parts are escaped.
    return mark_safe(html + "".join(sheets))


@register.filter
def as_written(name: str) -> str:
    """Return a name that a user has entered, marked if its script is that of another language.

    Screen readers then read it aloud in the right language.
    """
    language = languages.written_in(name)
    if language in ("", languages.active()):
        return name
    return format_html('<span lang="{}">{}</span>', language, name)


@register.filter
def shown_title(of: Titled) -> str:
    """Return the title of a board or an assignment, with furigana if the reader wants them and the
    teacher has given its reading."""
    if of.reading and furigana.is_on():
        return furigana.text_shown(of.title, of.reading)
    return as_written(of.title)


@register.simple_tag
def kind_styles(kind_slug: str = "") -> SafeString:
    """Return the links to the style sheets of all kinds, or of one kind."""
    sheets = [sheet.name for sheet in style_sheets() if kind_slug in ("", sheet.stem)]
    return format_html_join(
        "\n", '<link rel="stylesheet" href="{}">', ((static(f"kinds/{name}"),) for name in sheets)
    )


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A board as lists show it."""

    svg: SafeString
    facts: tuple[str, ...]


@register.simple_tag
def small_board(board: Drawable) -> Thumbnail:
    """Return a board's picture and facts in the reader's language and words, from a cache."""
    version = kind_or_missing(board.kind_slug).version
    return _drawn_thumbnail(board.kind_slug, version, board.position, get_language(), reader())


@lru_cache(MAX_DRAWN)
def _drawn_thumbnail(
    kind_slug: str, version: int, position: str, language: str, reading: Reader
) -> Thumbnail:
    kind, say = kind_or_missing(kind_slug), speaker()
    start = kind.read(position)
    # Safe: to_svg escapes every text it is given.
    svg = mark_safe(to_svg(kind.draw(start), say, text=False))
    return Thumbnail(svg, tuple(map(say, kind.facts(start))))
