"""What leaves the site as a file: a board as an SVG that needs no style sheet, or a text."""

from collections.abc import Iterable, Mapping
from functools import cache

import tinycss2
from django.conf import settings
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from tinycss2.ast import Declaration, FunctionBlock, IdentToken, Node, QualifiedRule

from puzzleclass.language import reader, say
from puzzleclass.puzzles.models import Board
from solvers.picture import to_svg
from solvers.registry import style_sheets

_FOR_LETTERS = ':root[data-signs="letters"] '
"""Before the rules for readers of letters."""


def download(content: str, content_type: str, name: str) -> HttpResponse:
    """Return the content as a file to be saved under this name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def notations_of(board: Board) -> Mapping[str, str]:
    """Return the board as other programs write it: the notation's title -> the text."""
    notations = board.kind.notations
    return notations.write(board.start) if notations else {}


def standalone_svg(board: Board) -> str:
    """Return the board as an SVG that carries its colours with it."""
    return to_svg(board.picture, say, head=_head(board.kind_slug, reader().signs))


@cache
def _head(kind_slug: str, signs: str) -> str:
    """Return the site's own styles for a kind's boards, light, in CSS that office programs read.

    Taken from its style sheets, so that a board looks the same on paper: variables and mixed
    colours are filled in, and rules that are about pressing left out.
    """
    static = settings.BASE_DIR / "static"
    sheets = [sheet for sheet in style_sheets() if sheet.stem == kind_slug]
    rules = [
        rule
        for sheet in (static / "app.css", static / "board.css", *sheets)
        for rule in _rules(sheet.read_text())
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
            selector = selector.removeprefix(_FOR_LETTERS)
        if selector.startswith((".picture ", ".wood")) and not set(":[>") & set(selector):
            body = " ".join(f"{each.name}: {_plain(each.value, tokens)};" for each in declarations)
            styles.append(f"{selector.removeprefix('.picture ')}{{{body}}}")
    stones = (settings.BASE_DIR / "templates" / "_stones.html").read_text()
    gradients = stones[stones.index("<defs>") : stones.index("</defs>")] + "</defs>"
    return f"<style>{' '.join(styles)}</style>{' '.join(gradients.split())}"


def _rules(sheet: str) -> list[tuple[str, list[Declaration]]]:
    """Return the selectors of a style sheet and what they declare, but for what is in @media."""
    return [
        (selector.strip(), tinycss2.parse_blocks_contents(rule.content, True, True))
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        if isinstance(rule, QualifiedRule)
        for selector in tinycss2.serialize(rule.prelude).split(",")
    ]


def _plain(value: Iterable[Node], tokens: Mapping[str, list[Node]]) -> str:
    """Return a value with its variables filled in, in words that SVG 1.1 and old readers know."""
    return "".join(_in_plain_css(node, tokens) for node in value).strip()


def _in_plain_css(node: Node, tokens: Mapping[str, list[Node]]) -> str:
    match node:
        case FunctionBlock(lower_name="var"):
            return _plain(tokens[node.arguments[0].value], tokens)
        case FunctionBlock(lower_name="color-mix"):
            # The first colour is by far the greater part.
            colours = (each for each in node.arguments if each.type in ("function", "hash"))
            return _plain([next(colours)], tokens)
        case FunctionBlock(lower_name="url"):
            return f"url({node.arguments[0].value})"
        case IdentToken(lower_value="transparent"):
            # No paint in SVG 1.1: there it would come out black.
            return "none"
        case _:
            return str(node.serialize())
