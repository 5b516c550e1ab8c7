"""Texts in Markdown: the help and the pages of the studies.

A package holds its English texts, and the folder of a language their translations, in a folder with
the name of the package: `help/teachers.md` and `locale/ja/help/teachers.md`.
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.translation import to_locale
from markdown_it import MarkdownIt
from markdown_it.token import Token

from puzzleclass.language import languages

PICTURE = (1100, 660)
"""Width and height of the pictures in pixels. They are made by docs/pictures.py."""


def translated(english: Path) -> Path:
    """Return the path of the text in the reader's language, or of the English text."""
    locale, place = to_locale(languages.active()), Path(english.parent.name, english.name)
    paths = [Path(folder, locale, place) for folder in settings.LOCALE_PATHS]
    return next((path for path in paths if path.exists()), english)


def rendered(text: str, *, heading: str = "") -> str:
    """Return the text as HTML without raw HTML from the text. `heading` is the tag of all its
    headings; without it, they keep their levels."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        if heading and token.type.startswith("heading_"):
            token.tag = heading
        # The content security policy forbids styles in the page.
        if token.attrs.pop("style", None):
            token.attrs["class"] = "figure"
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


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


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKDOWN.renderer.rules |= {  # type: ignore[attr-defined]
    "image": _picture,
    "fence": _code,
    "code_block": _code,
}
