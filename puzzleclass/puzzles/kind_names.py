"""Kinds of puzzles by every name that people use for them, and by names of kinds that are not here.

The names are those of Nikoli and puzz.link, of Simon Tatham's collection and of newspapers.
"""

from functools import cache
from typing import NamedTuple

from django.utils.translation import override

from puzzleclass.classes.kind_choice import named_kinds
from puzzleclass.language.folding import folded
from puzzleclass.language.reader import say
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import AnyKind, collection, examples

LANGUAGES = ("en", "ja")
SHORTEST = 2
"""The fewest characters by which a name is found."""

ALSO = {
    "battleships": "Battleship, Solitaire Battleships, Yubotu, 戦艦, 軍艦, かんたい",
    "dominoes": "Dominosa, Domino hunt, ドミノさがし",
    "goishi": "Goishi Hiroi, Hiroimono, ひろいもの, peg solitaire",
    "heyawake": "Rooms, Divided rooms",
    "hitori": "Hitori ni shite kure, Singles, ひとり",
    "kikazu": "chess, shogi, 将棋, チェス",
    "kings": "Kings problem, キング",
    "kurodoko": "Kuromasu, Range, 黒マスはどこだ",
    "latin": "Latin square, Unequal, ラテン方格",
    "light_up": "Akari, Bijutsukan, あかり, ライトアップ",
    "lights_out": "Lights Out, Flip, ライトアウト",
    "magic": "Magic square, 魔法陣, まほうじん",
    "map_colouring": "Map coloring, Four colours, Four colors, 四色問題",
    "masyu": "Mashu, Pearl, 真珠",
    "maxstrings": "Go, Strings, 囲碁, いご",
    "mines": "Minesweeper, マインスイーパー, 地雷",
    "mosaic": "Fill-a-Pix, Mosaik, ぬり絵",
    "queens": "Eight Queens, N queens, LinkedIn Queens, エイトクイーン, クイーンズ",
    "skyscrapers": "Towers, ビルディング, まてんろう",
    "slitherlink": "Loopy, Fences, Slither Link, ぐるぐる",
    "stars": "Star Battle, Two not touch, Starbattle, 星の戦い",
    "sudoku_9": "Sudoku, Number Place, Solo, ナンプレ, ナンバープレース, すうどく",
    "takuzu": "Binairo, Binary puzzle, Tango, Unruly, Tic-Tac-Logic, バイナイロ, 二進数",
    "tents": "Tents and Trees, Camping, テントと木, キャンプ",
    "tonari": "Othello, Reversi, リバーシ",
    "yin_yang": "Yin and yang, Shiromaru-Kuromaru, 陰陽, いんよう",
}
"""The name of a kind -> other names for it."""

NEAREST = {
    "kurodoko": "Nurikabe, ぬりかべ, Tapa, タパ, Hurdle",
    "slitherlink": "Hashi, Hashiwokakero, Bridges, 橋をかけろ, ハシ, Simple Loop, Castle Wall",
    "heyawake": "Shikaku, 四角に切れ, LITS, Norinori, のりのり, Aqre",
    "mosaic": "Nonogram, Picross, お絵かきロジック, イラストロジック, ピクロス, Aquarium",
    "map_colouring": "Fillomino, フィルオミノ, Ripple Effect, 波及効果",
    "skyscrapers": "Futoshiki, 不等式, Kropki",
    "magic": "Kakuro, カックロ, KenKen, 賢くなるパズル, Calcudoku",
    "sudoku_9": "Killer Sudoku, Jigsaw Sudoku, Hexadoku",
    "masyu": "Numberlink, ナンバーリンク, Flow Free, Yajilin, ヤジリン",
    "queens": "Knights, ナイト",
}
"""The name of a kind -> names of kinds that are not here and resemble it."""


def boards_of(kind: AnyKind) -> list[str]:
    """Return the boards of the kind's collection from easy to hard, or else its examples."""
    collected = collection(kind)
    return [each.position for each in collected] or [each.position for each in examples(kind)]


def shown_board(kind: AnyKind) -> Puzzle:
    """Return a board that shows what the kind is: one in the middle of its collection. It is not
    stored."""
    boards = boards_of(kind)
    return Puzzle(kind_slug=kind.slug, position=boards[len(boards) // 2])


class NamedKind(NamedTuple):
    """A kind that a word names."""

    name: str
    kind: AnyKind
    missing: str = ""
    """The name of a kind that is not here, if this is only the nearest one."""


@cache
def _names() -> tuple[tuple[str, str, str], ...]:
    """Return (folded name, name of the kind, missing kind) for all names."""
    rows = []
    for name, kind in named_kinds().items():
        for language in LANGUAGES:
            with override(language):
                rows.append((folded(say(kind.name)), name, ""))
        for other in ALSO.get(name, "").split(", "):
            rows.append((folded(other), name, ""))
        for other in filter(None, NEAREST.get(name, "").split(", ")):
            rows.append((folded(other), name, other))
    return tuple(row for row in rows if row[0])


def kinds_named(text: str) -> list[NamedKind]:
    """Return the kinds whose names contain the text in any language. Those that are called exactly
    so come first, then those whose names begin so.

    Where none is called so, return the kinds that are nearest to the one that is meant.
    """
    word = folded(text)
    if len(word) < SHORTEST:
        return []
    rows = [row for row in _names() if word in row[0]]
    rows = [row for row in rows if not row[2]] or rows
    rows.sort(key=lambda row: (row[0] != word, not row[0].startswith(word)))
    kinds: dict[str, NamedKind] = {}
    for _known, name, missing in rows:
        kinds.setdefault(name, NamedKind(name, named_kinds()[name], missing))
    return list(kinds.values())
