"""Template tags that draw boards and speak the solvers' messages."""

import json
import re
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache

import segno
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from puzzleclass.language import Reader, reader, speaker
from puzzleclass.language import say as say_message
from puzzleclass.puzzles.models import Board
from solvers.message import Message
from solvers.picture import Picture, looks_svg, to_svg
from solvers.registry import AnyKind, get_kind, style_sheets

register = template.Library()

DRAWN = 2000
"""Boards of lists that are kept drawn: some 20 MB."""


@register.simple_tag
def board(
    picture: Picture,
    live: bool = False,
    tools: Container[str] = (),
    movable: Container[str] = (),
    axes: bool = False,
) -> SafeString:
    """Return the picture as SVG; `live` spots can be pressed, for a move or one of the tools."""
    # Safe: to_svg escapes every text it is given.
    drawn = to_svg(
        picture, speaker(), live=live, tools=tools, movable=movable, axes=axes, text=False
    )
    return mark_safe(drawn)


@register.simple_tag
def looks(kind: AnyKind) -> SafeString:
    """Return what a browser needs to show a press at once, for static/looks.js; empty for a kind
    that foretells nothing."""
    if kind.presses is None:
        return SafeString("")
    said = {
        "rules": kind.presses.rules,
        "turns": kind.presses.turns,
        "vacant": kind.presses.vacant,
        "carried": kind.presses.carried,
        "back": kind.presses.back,
        "trail": kind.presses.trail,
    }
    # Safe: looks_svg escapes its texts.
    drawn = mark_safe(looks_svg(kind.presses.looks))
    return format_html(
        '<template id="looks" data-presses="{}">{}</template>', json.dumps(said), drawn
    )


@register.simple_tag
def qr_code(text: str) -> SafeString:
    """Return the text, an address, as a QR code in SVG."""
    code = segno.make(text, error="m", micro=False)
    # Safe: segno writes modules and no text.
    return mark_safe(code.svg_inline(border=2, omitsize=True, svgclass="qr-code", lineclass=None))


@register.filter
def say(message: Message | str) -> str:
    """Return a solver's message, or a marked English text, in the reader's language."""
    return say_message(message if isinstance(message, Message) else Message(message))


@register.filter
def as_written(name: str) -> str:
    """Return a name that somebody gave, marked as Japanese where it is and the page is not: so it
    is read aloud as it should be."""
    if get_language() == "ja" or not _JAPANESE.search(name):
        return name
    return format_html('<span lang="ja">{}</span>', name)


_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@register.simple_tag
def kind_styles() -> list[str]:
    """Return the style sheets of all kinds, as static files are named."""
    return [f"kinds/{sheet.name}" for sheet in style_sheets()]


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A board as lists show it."""

    svg: SafeString
    facts: tuple[str, ...]


@register.simple_tag
def small_board(board: Board) -> Thumbnail:
    """Return a board's picture and facts, in the reader's language and words; kept once drawn."""
    version = get_kind(board.kind_slug).version
    return _drawn(board.kind_slug, version, board.position, get_language(), reader())


@lru_cache(DRAWN)
def _drawn(
    kind_slug: str, version: int, position: str, language: str, reading: Reader
) -> Thumbnail:
    kind, say = get_kind(kind_slug), speaker()
    start = kind.read(position)
    # Safe: to_svg escapes every text it is given.
    svg = mark_safe(to_svg(kind.draw(start), say, text=False))
    return Thumbnail(svg, tuple(map(say, kind.facts(start))))
