"""The marks by which texts of other programs are recognised, before anything in them is read.

A kind that reads such a text names its format in `Kind.reads`. Of a text that it can't read, a kind
says at least what the text is (`other_format`).
"""

import re
from collections.abc import Collection, Mapping

from solvers.message import Message, gettext_noop

SGF, GO_DIAGRAM, KIF, CSA, SFEN = "sgf", "go", "kif", "csa", "sfen"

NAMES: Mapping[str, str] = {
    SGF: gettext_noop("SGF, the record of Go programs"),
    GO_DIAGRAM: gettext_noop("a diagram of a Go board"),
    KIF: gettext_noop("KIF or BOD, the board of shogi programs"),
    CSA: gettext_noop("CSA, the record of shogi programs"),
    SFEN: gettext_noop("SFEN, the board of shogi programs"),
}
"""Format -> its name, marked for translation."""

GAME = re.compile(r"\(\s*(?:;|(?=[A-Za-z]{0,20}[A-Z][a-z]{0,20}\s{0,9}\[))")
"""The beginning of a game in SGF. Some programs leave out the `;` before its first node."""

SENSEI = "$$"
"""The beginning of each line of a diagram of Sensei's Library."""

JUNCTIONS = "┌┬┐├┼┤└┴┘┏┯┓┠┨┗┷┛┳┻┣┫╋╂┿╔╤╗╟╢╚╧╝╦╩╠╣╬╪╫"
"""The characters by which the points of a Go board are drawn."""

_LETTERS = ("ABCDEFGHJKLMNOPQRST", "ABCDEFGHIJKLMNOPQRS")
NUMBERED = re.compile(r"\s*([0-9]{1,2})(?:\s*[|│]|\s)\s*([^\s0-9].*)")
"""A row of a Go diagram with its number before it."""

KIF_FRAME = re.compile(r"\s*\+-{3,}\+\s*")
"""The line above and below the board in KIF and BOD."""
KIF_HAND = re.compile(r"\s*(先手|下手|後手|上手)の持ち?駒\s*:?\s*(.*)")
_KIF_ROW = re.compile(r"\s*\|[^|]*\|\s*[一二三四五六七八九]\s*")
_KIF_MOVES = re.compile(r"\s*(?:手数-+指手|[0-9]{1,3}\s+(?:[1-9][一二三四五六七八九]|同)|[▲△▼▽])")
_CSA_LINE = re.compile(r"V[0-9](?:\.[0-9])?|'CSA encoding=\S+|P[1-9](?:[ +\-].*)|PI.*|[PN][+\-].*")
_CSA_BOARD = re.compile(
    r"P[1-9](?: ?\*|[+\-](?:FU|KY|KE|GI|KI|OU|HI|KA|TO|NY|UM|RY)).*|P[+\-][0-9]{2}[A-Z]{2}.*|PI.*"
)
_SFEN = re.compile(
    r"(?<![1-9A-Za-z+])[1-9A-Za-z+]{1,20}(?:/[1-9A-Za-z+]{1,20}){2,8}[\s_]+[bw][\s_]"
)
_SHOGI_PAGE = re.compile(r"(?:https?://)?(?:www\.)?lishogi\.org/|\S*[?&](?:sfen|initpos)=")


def is_sgf(text: str) -> bool:
    """Return whether a text contains a game in SGF. Other text may stand before it."""
    return bool(GAME.search(text))


def is_lettering(line: str) -> bool:
    """Return whether a line consists of the columns' letters, with or without the letter I."""
    letters = "".join(line.split()).upper()
    return bool(letters) and any(each.startswith(letters) for each in _LETTERS)


def is_go_diagram(text: str) -> bool:
    """Return whether a text is a diagram of a Go board: of Sensei's Library, drawn with lines, or
    in a frame of letters, numbers or bars."""
    if text.startswith(SENSEI) or any(sign in JUNCTIONS for sign in text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or any(map(KIF_HAND.match, lines)):
        return False
    rows = [line for line in lines if not is_lettering(line)]
    if len(rows) < len(lines) and any(sign in ".·・･+" for row in rows for sign in row):
        return True
    if len(rows) > 1 and all(map(NUMBERED.fullmatch, rows)):
        return True
    if "|" not in text:
        return False
    barred = [line.strip() for line in lines if not is_rule(line)]
    return bool(barred) and all(len(row) > 2 and row[0] == row[-1] == "|" for row in barred)


def is_rule(line: str) -> bool:
    """Return whether a line of a diagram with bars is the edge above or below the board."""
    return bool(re.fullmatch(r"\s*[+*|]?[-=─━═]{2,}[+*|]?\s*", line))


def is_kif(text: str) -> bool:
    """Return whether a text is a board or a record of shogi in KIF, BOD or KI2."""
    lines = text.split("\n")
    return any(
        pattern.match(line) for pattern in (KIF_HAND, _KIF_ROW, _KIF_MOVES) for line in lines
    )


def is_csa(text: str) -> bool:
    """Return whether a text is a record of shogi in CSA."""
    lines = [line.strip() for line in text.replace(",", "\n").split("\n") if line.strip()]
    return (
        bool(lines)
        and any(map(_CSA_BOARD.fullmatch, lines))
        and all(_CSA_LINE.fullmatch(line) or line[0] in "$+-%T'/" for line in lines)
    )


def is_sfen(text: str) -> bool:
    """Return whether a text is a board of shogi in SFEN, or an address that contains one."""
    first = text.split("\n", 1)[0].strip()
    return bool(_SFEN.search(first) or _SHOGI_PAGE.match(first))


_MARKS = {SGF: is_sgf, KIF: is_kif, CSA: is_csa, SFEN: is_sfen, GO_DIAGRAM: is_go_diagram}


def other_format(text: str, known: Collection[str]) -> Message | None:
    """Return what to say about a text in a format of another program that the kind does not read;
    None for any other text. `known` has the formats that the kind reads."""
    for name, is_format in _MARKS.items():
        if is_format(text):
            if name in known:
                return None
            return Message(
                "This is {format}. It can't be read as a puzzle of this kind.",
                {"format": Message(NAMES[name])},
            )
    return None
