"""Boards as files: an SVG that needs no style sheet, or a text."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import tinycss2
from django.conf import settings
from django.http import HttpResponse
from django.utils.html import escape
from django.utils.http import content_disposition_header
from tinycss2.ast import Declaration, FunctionBlock, IdentToken, Node, QualifiedRule

from puzzleclass.language.reader import reader, say
from puzzleclass.puzzles.models import Board
from solvers.picture import Picture, to_svg
from solvers.registry import style_sheets

SHEETS = ("base.css", "board.css", "board-squares.css")
"""The style sheets of the site that boards need."""

_LETTERS_SELECTOR = ':root[data-signs="letters"] '
"""The beginning of the selectors for readers who have chosen letters as the signs of pieces."""


def download(content: str, content_type: str, name: str) -> HttpResponse:
    """Return a response that saves the content as a file with this name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def notations_of(board: Board) -> Mapping[str, str]:
    """Return the board's texts in the notations of other programs, by the notation's title."""
    notations = board.kind.notations
    return notations.write(board.start) if notations else {}


def standalone_svg(board: Board) -> str:
    """Return the board as an SVG that carries its colours with it."""
    return to_svg(board.picture, say, head=_style_and_gradients(board.kind_slug, reader().signs))


def share_card(board: Board, picture: Picture, lines: Sequence[str]) -> str:
    """Return an SVG with the picture of the board and lines of text below it, as large as a
    postcard."""
    side, margin, step = 600, 30, 40
    height = side + step * len(lines) + margin
    inside = side - 2 * margin
    place = f'<svg x="{margin}" y="{margin}" width="{inside}" height="{inside}" '
    drawn = to_svg(picture, say, text=False).replace("<svg ", place, 1)
    texts = "".join(
        f'<text x="{side // 2}" y="{side + step * number}" style="font-size:26px;fill:#26221c">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {height}">'
        f"{_style_and_gradients(board.kind_slug, reader().signs)}"
        f'<rect width="{side}" height="{height}" fill="#f7f4ec"/>{drawn}{texts}</svg>'
    )


@cache
def _style_and_gradients(kind_slug: str, signs: str) -> str:
    """Return the light styles of a kind's boards, in CSS that office programs can read.

    They are taken from the site's style sheets, so that a board looks the same on paper. Variables
    and mixed colours are replaced by their values, and rules about pressing are left out.
    """
    static = settings.FILES_DIR / "static"
    sheets = [sheet for sheet in style_sheets() if sheet.stem == kind_slug]
    rules = [
        rule
        for sheet in (*(static / name for name in SHEETS), *sheets)
        for rule in _rules(sheet.read_text("utf-8"))
    ]
    tokens = {
        declaration.name: declaration.value
        for selector, declarations in rules
        if selector == ":root"
        for declaration in declarations
    }
    styles = []
    for selector, declarations in rules:
        if signs == "letters":
            selector = selector.removeprefix(_LETTERS_SELECTOR)
        if selector.startswith((".picture ", ".wood")) and not set(":[>") & set(selector):
            body = " ".join(
                f"{each.name}: {_plain_value(each.value, tokens)};" for each in declarations
            )
            styles.append(f"{selector.removeprefix('.picture ')}{{{body}}}")
    stones = (settings.FILES_DIR / "templates" / "_stones.html").read_text("utf-8")
    gradients = stones[stones.index("<defs>") : stones.index("</defs>")] + "</defs>"
    return f"<style>{' '.join(styles)}</style>{' '.join(gradients.split())}"


def _rules(sheet: str) -> list[tuple[str, list[Declaration]]]:
    """Return the selectors of a style sheet, each with its declarations, except those in @media."""
    return [
        (selector.strip(), tinycss2.parse_blocks_contents(rule.content, True, True))
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        if isinstance(rule, QualifiedRule)
        for selector in tinycss2.serialize(rule.prelude).split(",")
    ]


def _plain_value(value: Iterable[Node], tokens: Mapping[str, list[Node]]) -> str:
    """Return a value with its variables replaced, in keywords that SVG 1.1 and old readers know."""
    return "".join(_in_plain_css(node, tokens) for node in value).strip()


def _in_plain_css(node: Node, tokens: Mapping[str, list[Node]]) -> str:
    match node:
        case FunctionBlock(lower_name="var"):
            return _plain_value(tokens[node.arguments[0].value], tokens)
        case FunctionBlock(lower_name="color-mix"):
            # The first colour is by far the larger share of the mix.
            colours = (each for each in node.arguments if each.type in ("function", "hash"))
            return _plain_value([next(colours)], tokens)
        case FunctionBlock(lower_name="url"):
            return f"url({node.arguments[0].value})"
        case IdentToken(lower_value="transparent"):
            # SVG 1.1 does not know this keyword and would paint black.
            return "none"
        case _:
            return str(node.serialize())
