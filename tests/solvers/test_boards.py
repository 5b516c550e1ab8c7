"""Texts with several boards, and diagrams of Go programs in every size."""

import random
import time
from itertools import islice

import pytest

from solvers import boards
from solvers.boards import MAX_BOARDS, read_boards, split_boards
from solvers.kind import BadText
from solvers.marks import is_csa, is_go_diagram, is_kif, is_sfen, is_sgf
from solvers.registry import get_kind, kinds
from tests import fuzz

BOD = """後手の持駒：なし
  ３ ２ １
+---------+
| ・ ・ ・|一
| ・ 金 ・|二
| ・ ・ ・|三
+---------+
先手の持駒：飛
"""
CSA = "P1 *  *  *\nP2 * +KI *\nP3 *  *  *\nP+00HI\n+\n"
XML = (
    '<?xml version="1.0"?>\n<puzzle type="goishi"><size row="1" col="2"/><board>'
    '<number r="1" c="1" n="1"/></board></puzzle>\n'
)
LETTERS = "ABCDEFGHJKLMNOPQRST"

TEXTS = {
    "lines with slashes": (
        "goishi",
        "o.oo/oo..\n\noo/o.",
        [(1, "", "o.oo/oo.."), (3, "", "oo/o.")],
    ),
    "addresses with titles": (
        "goishi",
        "問1：https://puzz.link/p?goishi/4/2/8k\n2\thttps://puzz.link/p?type=editor&goishi/4/2/8k",
        [(1, "問1", "o.oo/o.o."), (2, "2", "o.oo/o.o.")],
    ),
    "words above addresses": (
        "goishi",
        "三つの問題\n問1\nhttps://puzz.link/p?goishi/4/2/8k\n問2\ngoishi/4/2/8k",
        [(3, "三つの問題 問1", "o.oo/o.o."), (5, "問2", "o.oo/o.o.")],
    ),
    "blocks with titles": (
        "goishi",
        "Puzzle 1\no.oo\noo..\n\n# 第2問\n●・●●\n●●・・\r\n\r\nooo",
        [(2, "Puzzle 1", "o.oo/oo.."), (6, "第2問", "o.oo/oo.."), (9, "", "ooo")],
    ),
    "pzprv3 files": (
        "goishi",
        "pzprv3\ngoishi\n1\n2\n0 0 \npzprv3.1\ngoishi\n1\n3\n0 . 0 \n",
        [(1, "", "oo"), (6, "", "o.o")],
    ),
    "XML files": ("goishi", XML + XML, [(1, "", "o."), (3, "", "o.")]),
    "games": (
        "maxstrings",
        "(;GN[One \\] two]SZ[2]AB[aa])\n\n(GM[1]SZ[2])",
        [(1, "One ] two", "x./.."), (3, "", "../..")],
    ),
    "diagrams of Sensei's Library": (
        "maxstrings",
        "$$B First\n$$ | . X .\n$$ | O . 1\nWords.\n$$W Second\n$$ | . . 1\n$$ Third\n$$ | . 2",
        [(1, "First", ".x./o.x"), (5, "Second", "..o"), (7, "Third", ".o")],
    ),
    "sizes": ("maxstrings", "2x2\n2x3 2", [(1, "", "../.."), (2, "", ".../... 2")]),
    "equally wide blocks": (
        "maxstrings",
        "...\n.x.\n\n..o\n...",
        [(1, "", ".../.x."), (4, "", "..o/...")],
    ),
    "diagrams with frames": (
        "maxstrings",
        "  A B\n2 # .\n1 . o\n\n  A B\n2 . .\n1 . #",
        [(1, "", "x./.o"), (5, "", "../.x")],
    ),
    "BOD": (
        "kikazu",
        f"表題：甲\n{BOD}{BOD}\n表題：乙\n{BOD}",
        [(1, "甲", "3/1G1/3 R"), (10, "乙", "3/1G1/3 R"), (20, "", "3/1G1/3 R")],
    ),
    "CSA": ("kikazu", f"V2.2\n{CSA}/\n{CSA}", [(1, "", "3/1G1/3 R"), (8, "", "3/1G1/3 R")]),
    "SFEN": (
        "kikazu",
        "4/1K2/4/3- 2G\nsfen 3/3/3 b P 1\n甲 https://lishogi.org/editor/4/1K2/4/4_b_2G_1",
        [(1, "", "4/1K2/4/3- 2G"), (2, "", "3/3/3 P"), (3, "甲", "4/1K2/4/4 2G")],
    ),
    "pictures": ("tonari", "Bbb\nbwb\n\nBb\nbb", [(1, "", "Bbb/bwb"), (4, "", "Bb/bb")]),
    "named points": ("tonari", "2x2 11\n2x2 22", [(1, "", "Bb/bb"), (2, "", "bb/bB")]),
}
"""Name -> kind, text, and the line, the title and the canonical text of each board."""


@pytest.mark.parametrize(("slug", "text", "found"), TEXTS.values(), ids=TEXTS)
def test_every_board_of_a_text_is_read(slug, text, found):
    kind = get_kind(slug)
    read = read_boards(kind, text)
    assert [each.fault for each in read] == [None] * len(found)
    assert [
        (each.text.line, each.text.title, kind.write_start(each.position)) for each in read
    ] == found
    with pytest.raises(BadText):
        kind.read(text)


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("goishi", "o.o\no?o\nooo"),
        ("goishi", "5\n1 1\n1 3\n1 4\n2 1\n2 3"),
        ("goishi", "oxoo\nooo."),
        ("tonari", "■■□/■□■/■■■\n11"),
        ("maxstrings", ". X .\n\n. . O\n\n. . ."),
        ("kikazu", "....\n.王..\n....\n...-\n持駒: 金2"),
        ("goishi", "o.oo/oo.. | 1,1 2,1"),
    ],
)
def test_one_board_is_one(slug, text):
    assert [part.text for part in split_boards(get_kind(slug), text)] == [text]


def test_boards_beside_a_game_are_not_dropped():
    kind = get_kind("maxstrings")
    text = "2x3\n\nA game that I like:\n(;SZ[2])\n\nxo\n..\n"
    assert [(each.text.line, kind.write(each.position)) for each in read_boards(kind, text)] == [
        (1, ".../..."),
        (4, "../.."),
        (6, "xo/.."),
    ]


def test_nothing_is_no_board():
    assert read_boards(get_kind("goishi"), " \n\t\n") == []


@pytest.mark.parametrize(
    ("slug", "text", "number", "place", "says"),
    [
        ("goishi", "oo/o.\noo/o?\n", 2, (2, 5), "Line 2, column 5: “?”"),
        ("goishi", "第1問\noo\n\n第2問\nooo\no?o", 2, (6, 2), "Line 6, column 2: “?”"),
        ("goishi", "oo\n\n\no.o\noxo", 2, (5, 2), "Line 5, column 2: two signs"),
        ("goishi", "問 https://a.jp/p?goishi/4/2/8z\ngoishi/4/2/8k", 1, None, "“z” can't be used"),
        ("goishi", "goishi/4/2/8k\nhttps://lishogi.org/editor/3/3/3_b_P_1", 2, None, "SFEN"),
        ("kikazu", BOD + BOD.replace(" 金", "v金"), 2, (13, 5), "Row 2: a piece of the other"),
        ("maxstrings", "(;SZ[2])\n(;SZ[2]AB[cc])", 2, None, "“cc” is not a point"),
        ("maxstrings", "2x2\n\n  A B\n2 # ?\n1 . o", 2, (4, 5), "Line 4, column 5: “?”"),
    ],
)
def test_the_fault_of_one_board_does_not_hide_the_others(slug, text, number, place, says):
    read = read_boards(get_kind(slug), text)
    assert [each.number for each in read if each.fault] == [number]
    assert len(read) == 2
    faulty = read[number - 1]
    assert says in str(faulty.fault)
    if place:
        assert faulty.place is not None
        assert (faulty.place.line, faulty.place.column) == place


def test_too_many_boards_and_too_long_texts_are_refused():
    kind = get_kind("goishi")
    assert len(read_boards(kind, "oo/o.\n" * MAX_BOARDS)) == MAX_BOARDS
    with pytest.raises(BadText, match="This text has 101 boards"):
        read_boards(kind, "oo/o.\n" * (MAX_BOARDS + 1))
    with pytest.raises(BadText, match="This text is too long"):
        read_boards(kind, "o" * (boards.LONGEST + 1))


@pytest.mark.parametrize("slug", kinds())
def test_boards_written_one_after_another_are_read(slug):
    kind = get_kind(slug)
    rng = random.Random(slug)
    starts = [kind.sample(rng, rng.randint(2, 5)) for _ in range(20)]
    starts = [start for start in starts if "/" in kind.write_start(start)]
    canonical = "\n".join(map(kind.write_start, starts))
    assert [each.position for each in read_boards(kind, canonical)] == starts
    if kind.notations is None:
        return
    titles = kind.notations.write(starts[0]) if slug != "kikazu" else {"SFEN": ""}
    for title in titles:
        written = [
            (start, texts[title])
            for start in starts
            if (texts := kind.notations.write(start)).get(title)
        ]
        read = read_boards(kind, "\n\n".join(text.strip("\n") for _, text in written))
        assert [kind.canonical(each.position) for each in read] == [
            kind.canonical(start) for start, _ in written
        ], title


@pytest.mark.parametrize(("black", "white", "gap"), [("#", "o", 2), ("X", "O", 1)])
def test_every_diagram_of_a_go_program_keeps_its_stones(black, white, gap):
    """The layout is that of Sgfmill's `render_board` and of GNU Go: two-digit numbers from 10 rows
    on, and the letters without I below the board."""
    kind, rng = get_kind("maxstrings"), random.Random(14)
    blank = " " * gap
    for number in range(200):
        side = 1 + number % 19
        rows = [[rng.choice("..xo") for _ in range(side)] for _ in range(side)]
        for row in rows[::2]:
            row[rng.randrange(side)] = "."
        shown = [
            f"{side - r:{2 if side > 9 else 1}d}"
            + "".join(blank + {"x": black, "o": white, ".": "."}[sign] for sign in row)
            for r, row in enumerate(rows)
        ]
        beside = " " * (2 if side > 9 else 1)
        shown.append(beside + "".join(blank + letter for letter in LETTERS[:side]))
        text = "\n".join(shown)
        assert is_go_diagram(text), text
        try:
            position = kind.read(text)
        except BadText as fault:
            assert "can never touch an empty point" in str(fault)
        else:
            assert position.points == tuple(map("".join, rows)), text


@pytest.mark.parametrize("slug", kinds())
def test_no_board_of_a_kind_looks_like_a_format_that_it_does_not_read(slug):
    kind, rng = get_kind(slug), random.Random(slug)
    for _ in range(300):
        text = kind.write_start(kind.sample(rng, rng.randint(1, 8)))
        for written in (text, text.replace("/", "\n")):
            assert not any(test(written) for test in (is_sgf, is_go_diagram, is_kif, is_csa))
            assert slug == "kikazu" or not is_sfen(written)


@pytest.mark.parametrize(
    "piece",
    ["(", "(;", "[(", "o/o\n", "goishi", "a\n", "http", "P1 *\n", "+---+\n", "$$ a\n", "\n", "a/",
     "o\n\n", "1 ", "(;C[", "pzprv3\n", " / ", "9x9\n", "<?xml\n", "a_b ", "goishi/1/1/", "A\t"],
)  # fmt: skip
@pytest.mark.parametrize("slug", ["goishi", "kikazu"])
def test_hostile_texts_take_a_moment_only(slug, piece):
    text = (piece * boards.LONGEST)[: boards.LONGEST]
    before = time.thread_time()
    split_boards(get_kind(slug), text)
    assert time.thread_time() - before < 5


@pytest.mark.parametrize("slug", kinds())
def test_any_text_is_boards_or_faults(slug):
    kind, rng = get_kind(slug), random.Random(29)
    words = [*fuzz.words_of(kind), "$$", "(;", "\n\n", "+---+", "先手の持駒：", "P1 * ", "/", "┼"]
    for text in ["words are not a board\n" * 3000, *islice(fuzz.texts(rng, words), 1000)]:
        try:
            read = read_boards(kind, text)
        except BadText:
            continue
        for board in read:
            if board.position is None:
                assert str(board.fault)
                assert board.place is not None
                assert board.place.line is None or board.place.line <= 1 + len(text.splitlines())
            else:
                assert kind.read(kind.write(board.position)) == board.position
