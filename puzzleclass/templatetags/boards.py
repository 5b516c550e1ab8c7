"""Template tags that draw boards and speak the solvers' messages."""

from collections.abc import Container

import segno
from django import template
from django.utils.safestring import SafeString, mark_safe

from puzzleclass.language import say as say_message
from puzzleclass.language import speaker
from solvers.message import Message
from solvers.picture import Picture, to_svg
from solvers.registry import style_sheets

register = template.Library()


@register.simple_tag
def board(
    picture: Picture, live: bool = False, tools: Container[str] = (), movable: Container[str] = ()
) -> SafeString:
    """Return the picture as SVG; `live` spots can be pressed, for a move or one of the tools."""
    # Safe: to_svg escapes every text it is given.
    return mark_safe(to_svg(picture, speaker(), live=live, tools=tools, movable=movable))


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


@register.simple_tag
def kind_styles() -> list[str]:
    """Return the style sheets of all kinds, as static files are named."""
    return [f"kinds/{sheet.name}" for sheet in style_sheets()]
