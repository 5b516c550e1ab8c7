"""The style names that boards are drawn with: the shared ones, and those that belong to a kind.

A style is a CSS class of the page, so two kinds that use one name recolour each other. Therefore
the name of each style of a kind begins with its slug and a hyphen (`tonari-playable`), and
`static/<slug>.css` in the folder of the kind colours it. The names in `SHARED` belong to the
framework. The site colours them for all kinds, and its scripts move or count some of them. A shape
may have several styles, separated by spaces: `black maxstrings-lit`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

SHARED: Mapping[str, str] = {
    # The background
    "board": "the board; white with a black edge on paper",
    "grid": "lines along the rows and columns",
    "hoshi": "the dots of a Go or shogi board",
    "hole": "a missing cell of the board; grey on paper",
    "press": "the transparent area that takes presses",
    # Stones
    "stone": "a black stone; an empty circle for a number on paper",
    "black": "a black stone that stays black on paper",
    "white": "a white stone",
    "next": "added to a stone that can be taken",
    "picked": "the mark where a stone was taken",
    "current": "where the last move was made",
    "order": "the number of a move",
    "path": "the line from one move to the next",
    "last": "added to the last line of the path",
    "placed": "added to a stone that was just set, to animate it",
    "flipped": "added to a stone that was just turned over, to animate it",
    "odd": "added in every other position, so that the animation starts again",
    # Pieces with a sign, and the pieces in hand
    "koma": "a shogi piece",
    "given": "added to a clue",
    "gone": "added to a piece in hand of which none is left",
    "kanji": "the Japanese sign of a piece, for readers who chose it",
    "letter": "the letter of a piece, for readers who chose it",
    "stand": "the background of a place for pieces in hand",
    "held": "added to the place for pieces in hand whose piece is taken up",
    "number": "the number of pieces in hand that are left",
    "taken-up": "the background of a cell whose piece is taken up",
    # Squares of tables of rules
    "wall": "a square that is a wall; grey on paper",
    "border": "the border of two rooms",
    "sign": "a letter or digit on a square",
    "clue": "a number of the puzzle, which lies above its square",
    "rim": "a number of the puzzle beside the board",
    "red": "a red square",
    "blue": "a blue square",
    "green": "a green square",
    "yellow": "a yellow square",
    "domino": "a domino, below its numbers",
    "tent": "a tent",
    "door": "the door of a tent",
    "tree": "the leaves of a tree",
    "trunk": "the trunk of a tree",
    "cross": "a mark where no line is",
    "pin": "the mark of a symbol that belongs to the puzzle",
    # Marks
    "label": "a number or word on a cell",
    "long": "added to a label that needs small letters",
    "none": "added to a label which tells that nothing is left",
    "fault": "a ring around a fault",
    "hit": "a ring around an attacked cell in an illustration",
    "doomed": "a ring around a cell that can't end well any more",
    "changed": "a ring around a difference",
    # On the boards of an introduction, which are to be understood without words
    "way": "an arrow to where a move can lead or to what it changes",
    "preview": "added to a stone as it will be after the move",
    "bond": "a line that joins stones which belong together",
    "count": "a number that counts what the goal asks for",
}
"""The name of a shared style -> its purpose."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{")
_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
_KEYFRAMES = re.compile(r"@keyframes\s+([\w-]+)")
_BETWEEN = re.compile(r",(?![^(]*\))")


def unknown_styles(slug: str, styles: Iterable[str]) -> set[str]:
    """Return the style names that are neither shared nor the kind's own.

    >>> sorted(unknown_styles("tonari", ["black placed", "tonari-playable", "dot"]))
    ['dot']
    """
    names = {name for style in styles for name in style.split()}
    return {name for name in names - SHARED.keys() if not name.startswith(f"{slug}-")}


def uncoloured_styles(slug: str, styles: Iterable[str], sheet: str) -> set[str]:
    """Return a kind's own style names that its style sheet does not colour.

    >>> uncoloured_styles("row", ["row-dot", "stone"], ".picture .row-stone { fill: red; }")
    {'row-dot'}
    """
    names = {name for style in styles for name in style.split()}
    return {name for name in names if name.startswith(f"{slug}-")} - {*_CLASS.findall(sheet)}


def foreign_rules(slug: str, sheet: str) -> list[str]:
    """Return the selectors and animations of a kind's style sheet that affect more than its own
    styles.

    >>> foreign_rules("row", ".picture .row-dot { fill: red; } .picture .cross { fill: blue; }")
    ['.picture .cross']
    >>> foreign_rules("row", "@keyframes turn { to { r: 9; } } @keyframes row-in { 5% { r: 1; } }")
    ['@keyframes turn']
    >>> foreign_rules("row", "@import 'a.css'; @media print { .row-dot { fill: red; } }")
    []
    """
    return list(_foreign_rules(slug, _COMMENT.sub("", sheet)))


def _foreign_rules(slug: str, sheet: str) -> Iterator[str]:
    own = f"{slug}-"
    for prelude in _RULE.findall(sheet):
        prelude = prelude.rpartition(";")[2].strip()
        if name := _KEYFRAMES.match(prelude):
            if not name[1].startswith(own):
                yield prelude
            continue
        if prelude.startswith("@") or re.fullmatch(r"(?:from|to|[\d.]+%|[\s,])+", prelude):
            continue
        for selector in map(str.strip, _BETWEEN.split(prelude)):
            if not any(name.startswith(own) for name in _CLASS.findall(selector)):
                yield selector
