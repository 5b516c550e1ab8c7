"""The texts in which boards may be written, the messages about other texts, and what is written."""

import random
import re

import pytest

from solvers.goishi.rules import canonical
from solvers.kind import BadText, IllegalMove
from solvers.registry import get_kind, kinds

STUDY = "o./oo/../oo"
SGFMILL = "3  .  #  .\n2  .  .  o\n1  .  .  .\n   A  B  C"
PACHI = """Move:   2  Komi: 7.5  Handicap: 0  Captures B: 0 W: 0
      A B C
    +-------+
  3 | . X . |
  2 | . . O)|
  1 | . . . |
    +-------+"""
AVALANCHE = """$$c Small avalanche joseki
$$ --------------
$$ | . . . . . . .
$$ | . . . 3 a . .
$$ | . 4 2 X O b .
$$ | . . X O . . .
$$ | . . X O . . .
$$ | . . . 1 . . .
$$ | . . . . . . .
$$ [a|Joseki]"""
"""The example with which go4go.net explains the format."""
LINES = "※一二三四\n01┌┬┬┐\n02├┼●┤\n03├○┼┤\n04└┴┴┘"
BOD = """後手の持駒：なし
  ４ ３ ２ １
+------------+
| ・ ・ ・ ・|一
| ・ 玉 ・ ・|二
| ・ ・ ・ ・|三
| ・ ・ ・ ・|四
+------------+
先手の持駒：金二　歩十
手数＝0  まで"""
CSA = """V2.2
N+Black
P1 *  *  *  *
P2 * +OU *  *
P3 *  *  *  *
P4 *  *  *  *
P+00KI00KI00FU
+"""

DIAGRAM = "   A B C\n 3 . X . 3\n 2 + . O 2     WHITE has captured 0 stones\n 1 . . . 1\n   A B C"

READ = {
    "goishi": [
        ("o.oo/oo..", "o.oo/oo.."),
        ("o.oo\noo..\n", "o.oo/oo.."),
        ("o.oo\r\noo..\r\n", "o.oo/oo.."),
        ("o.oo\roo..", "o.oo/oo.."),
        ("\ufeffo.oo/oo..", "o.oo/oo.."),
        ("  o.oo  \n  oo..  ", "o.oo/oo.."),
        ("O.OO/oO..", "o.oo/oo.."),
        ("ｏ．ｏｏ／ｏｏ．．", "o.oo/oo.."),
        ("●・●●\n●●・・", "o.oo/oo.."),
        ("○.○○/○○..", "o.oo/oo.."),
        ("〇‥〇/_-=", "o.o/..."),
        ("x.xx/XX..", "o.oo/oo.."),
        ("*-**/**--", "o.oo/oo.."),
        ('"o oo"\n"oo  "', "o.oo/oo.."),
        ('"O OO",\n"OO  ",', "o.oo/oo.."),
        ("“o oo”\n“oo  ”", "o.oo/oo.."),
        ("「○　○○」\n「○○　　」", "o.oo/oo.."),
        ('"o.oo"/"oo.."', "o.oo/oo.."),
        ("5\n1 1\n1 3\n1 4\n2 1\n2 3", STUDY),
        ("5\r\n1 1\r\n1 3\r\n1 4\r\n2 1\r\n2 3\r\n", STUDY),
        ("\ufeff５\n１　１\n１　３\n１　４\n２　１\n２　３", STUDY),
        ("5 1 1 1 3 1 4 2 1 2 3", STUDY),
        ("5 / 1 1 / 1 3 / 1 4 / 2 1 / 2 3", STUDY),
        ("o . o o\no o . .", "o.oo/oo.."),
        ("- O\nO O", ".o/oo"),
        ("5\n(1,1) (1,3) (1,4)\n(2,1), (2,3)", STUDY),
        ("5\n0 0\n0 2\n0 3\n1 0\n1 2", STUDY),
        ("5\n1001 901\n1001 903\n1001 904\n1002 901\n1002 903", STUDY),
        ("http://www.kanpen.net/goishi.html?problem=2/3/1_._1/._1_./", "o.o/.o."),
        (
            '<?xml version="1.0"?>\n<puzzle type="goishi"><size row="2" col="2" /><board>'
            '<number r="1" c="1" n="1" /><number r="2" c="1" n="1" /></board>'
            '<answer><picked n="1" r="2" c="1" /></answer></puzzle>',
            "o./o. | 2,1",
        ),
        ("http://www.kanpen.net/goishi.html?pzpr=4/2/8k", "o.oo/o.o."),
        ("kanpen.net/goishi.html?pzpr=/4/2/8k/", "o.oo/o.o."),
        ("https://puzz.link/p?goishi/30/2/vvvvv7vvvvvv", "oo"),
        ("(;GM[1]SZ[3:2]AB[aa][ba][cb]AW[ab])", "oo./o.o"),
        ("4/2/8k", "o.oo/o.o."),
        ("6/2/vv7/", "....../....oo"),
        ("1/7/7", "o"),
        ("1\n7 7", "o"),
        ("o", "o"),
        ("..../.o..", "..../.o.."),
        ("/".join(["o" * 19] * 19), "/".join(["o" * 19] * 19)),
        ("goishi/6/7/vsten1tvo", "....../..oo../.o.o../.o.o../.oooo./...o../......"),
        ("https://puzz.link/p?goishi/4/2/8k", "o.oo/o.o."),
        ("http://pzv.jp/p.html?goishi/4/2/8k", "o.oo/o.o."),
        ("https://puzz.link/p?goishi_edit/4/2/8k", "o.oo/o.o."),
        ("https://puzz.link/p.html?goishi_play/4/2/8k/", "o.oo/o.o."),
        ("p?goishi/4/2/8K", "o.oo/o.o."),
        ("goishi/4/2/8l", "o.oo/o.o."),
        ("goishi/4/2/8n", "o.oo/o.o."),
        ("goishi/5/5/00000", "/".join(["ooooo"] * 5)),
        ("goishi/4/4/vvv0", "..../..../..../...o"),
        ("pzprv3\ngoishi\n2\n4\n0 . 0 0 \n0 . 0 . \n", "o.oo/o.o."),
        ("pzprv3\r\ngoishi\r\n2\r\n4\r\n0 . 0 0 \r\n0 . 0 . \r\n", "o.oo/o.o."),
        ("pzprv3/goishi/2/4/0 . 0 0 /0 . 0 . /", "o.oo/o.o."),
        ("pzprv3\ngoishi\n2\n4\n2 . 0 0 \n1 . 0 . \n", "o.oo/o.o. | 2,1 1,1"),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n", "o.oo/o.o."),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n1 1 0\n2 0 0\n", "o.oo/o.o. | 2,1 1,1"),
        ("2\n2\n1 1 \n1 1 \n", "oo/oo"),
        ("https://puzz.link/p?type=editor&goishi/4/2/8k", "o.oo/o.o."),
        ("https://puzz.link/p?type=player&goishi_play/4/2/8k/", "o.oo/o.o."),
        ("https%3A%2F%2Fpuzz.link%2Fp%3Fgoishi%2F4%2F2%2F8k", "o.oo/o.o."),
        ("https://puzz.link/p?goishi%2F4%2F2%2F8k", "o.oo/o.o."),
        ("https://puzz.link/p?goishi/4/2/8k&frame=5", "o.oo/o.o."),
        ("https://puzz.link/p?goishi/4/2/8k#top", "o.oo/o.o."),
        ("https://puzz.link/p?goishi/4/2/8k=", "o.oo/o.o."),
        ("<https://puzz.link/p?goishi/4/2/8k>", "o.oo/o.o."),
        ("https://puzz.link/p?pzprv3/goishi/2/4/2_._0_0_/1_._0_._/", "o.oo/o.o. | 2,1 1,1"),
        ("https://puzz.link/p?pzprv3/goishi/1/2/0%200%20/", "oo"),
        ("https://puzz.link/p?pzprv3.1/goishi/1/2/0 0 /", "oo"),
        (
            "https://pzplus.tck.mn/p?goishi/6/7/vsten1tvo#",
            "....../..oo../.o.o../.o.o../.oooo./...o../......",
        ),
        ("http://www.kanpen.net/goishi.html?problem=2/3/1_._1/._1_./&x=1", "o.o/.o."),
        ("(SZ[3:2]AB[aa][ba][cb]AW[ab])", "oo./o.o"),
        (SGFMILL, ".o./..o/..."),
        (DIAGRAM, ".o./..o/..."),
        (LINES, "..../..o./.o../...."),
        ("$$ T\n$$ | X _ O\n$$ | . 1 .", "o.o/.o."),
    ],
    "kikazu": [
        ("3/3/3 P", "3/3/3 P"),
        ("3/3/3 1P", "3/3/3 P"),
        ("3/3/3 PR", "3/3/3 RP"),
        ("3/3/3 PPP", "3/3/3 3P"),
        ("3/3/3 RPRPP", "3/3/3 2R3P"),
        ("https://lishogi.org/editor/4/1K2/4/4_b_2G2S2NP_1", "4/1K2/4/4 2G2S2NP"),
        (
            "https://lishogi.org/editor/minishogi/5/5/2K2/5/5_b_2R_1?orientation=gote",
            "5/5/2K2/5/5 2R",
        ),
        ("https://lishogi.org/analysis/4/1K2/4/4_b_2G_1#3", "4/1K2/4/4 2G"),
        ("lishogi.org/editor/standard/4%2F1K2%2F4%2F4_b_2G_1", "4/1K2/4/4 2G"),
        ("https://www.kento-shogi.com/?initpos=4%2F1K2%2F4%2F4%20b%202G%201", "4/1K2/4/4 2G"),
        (BOD, "4/1K2/4/4 2G10P"),
        (BOD.replace("：金二　歩十", "：なし"), "4/4/4/4 K | K 2,2"),
        (f"# ---- Kifu\n手合割：その他\n{BOD}\n先手番", "4/1K2/4/4 2G10P"),
        (BOD.replace("持駒", "持ち駒").replace("\n", "\r\n"), "4/1K2/4/4 2G10P"),
        (CSA, "4/1K2/4/4 2GP"),
        ("'CSA encoding=UTF-8\nV3.0\n$EVENT:x\nP+55OU00HI\n+", "9/9/9/9/4K4/9/9/9/9 R"),
        ("V2.2\nP+55OU00AL\n+", "9/9/9/9/4K4/9/9/9/9 2R2B4G4S4N4L18P"),
        ("P1 *  *  * ,P2 * +KI * ,P3 *  *  * ,P+00FU,+", "3/1G1/3 P"),
        ("3/3/3/3 G2S2N2P1", "3/3/3/3 2G2S2NP"),
        ("3/3/3 R B2", "3/3/3 R2B"),
        ("sfen 9/9/9/9/9/9/9/9/9 b 2R2B 1", "9/9/9/9/9/9/9/9/9 2R2B"),
        ("position sfen 111/3/3 w P", "3/3/3 P"),
        ("3\n1K1\n--1 2P", "3/1K1/--1 2P"),
        ("3\r\n3\r\n3\r\nhand: 2P", "3/3/3 2P"),
        ("・・・\n・玉・\n‐・・\n持駒：　歩2 香", "3/1K1/-2 L2P"),
        ("\ufeff３/３/３　２Ｐ", "3/3/3 2P"),
        ("9/9/4R4/9/9/9/9/9/K8 b - 1", "9/9/9/9/9/9/9/9/9 RK | R 3,5 K 9,1"),
        ("https://a.jp/sfen?sfen=1R1%2F3%2FP2%20b%20-%201&lang=ja", "3/3/3 RP | R 1,2 P 3,1"),
        ("3/R2/-2", "3/3/-2 R | R 2,1"),
        ("R1K/3/3", "3/3/3 RK | R 1,1 K 1,3"),
        ("sfen 3/R2/3 b 2P 1", "3/R2/3 2P"),
        (". . K\n. . .\nR . . 2P", "2K/3/R2 2P"),
        ("・ ・ 王\n・ ・ ・\n飛 ・ ・\n持駒: 歩2", "2K/3/R2 2P"),
        ("3/3/3 2P | P 1,1 - 1,1 P 2,2", "3/3/3 2P | P 1,1 - 1,1 P 2,2"),
        ("3/3/3 2P | P 1,1 P1,1> 2,2", "3/3/3 2P | P 1,1 P1,1> 2,2"),
    ],
    "maxstrings": [
        (DIAGRAM, ".x./..o/..."),
        ("(;GM[1]SZ[3]AB[ba]AW[cb])", ".x./..o/..."),
        ("(;SZ[3]\nC[AB[aa\\]]AB[aa][ba];W[cb](;B[cc])(;B[ac]))", "xx./..o/..x"),
        ("(;SZ[3:2]AB[aa:ba])", "xx./..."),
        ("(;SZ[3];B[aa];W[tt];B[];W[bb])", "x../.o./..."),
        ("(;SZ[3]C[a backslash \\\\]AB[aa])", "x../.../..."),
        ("(;SZ[3];AW[aa];B[ba];B[ab];W[cc])", ".x./x../..o"),
        ("(;SZ[2];B[aa];W[ba];B[ab];W[bb])", ".o/.o"),
        ("(;SZ[3]AB[ba][ab][cb][bc];W[bb])", ".x./x.x/.x."),
        ("Black won (by a lot).\n\n(;GM[1] SZ[2] AddBlack[aa])\n", "x./.."),
        ("(;SZ[2];;AB[aa](;AE[aa]AW[bb])(;AB[ab]))", "../.o"),
        ("(SZ[2]AB[aa])", "x./.."),
        ("( GM[1]\nSZ[2];B[aa])", "x./.."),
        (SGFMILL, ".x./..o/..."),
        ("3  .  #  .\n2  .  .  o\n1  .  .  .", ".x./..o/..."),
        ("   A  B\n2  #  #\n1  o  .", "xx/o."),
        ("# . o\n. # .", "#.o/.#."),
        ("| . # |\n| o . |", ".x/o."),
        (PACHI, ".x./..o/..."),
        ("   A B C\n 3 . X1. 3\n 2 . . O2 2\n 1 . . . 1", ".x./..o/..."),
        ("    a b c\n 3 . X .\n 2 . .(O)\n 1 . . .", ".x./..o/..."),
        ("┌─────┐\n│. X .│\n│. . O│\n└─────┘", ".x./..o"),
        ("┌─●─┐\n│ │ │\n├─┼─○\n│ │ │\n└─┴─┘", ".x./..o/..."),
        (AVALANCHE, "......./...x.../.ooxo../..xo.../..xo.../...x.../......."),
        (
            "$$Wm5 White\n$$ | . 1 2\n$$ | B # Y\n$$ | W @ Q\n$$ | Z . _\n$$ {AR A1 B1}",
            ".ox/xxx/ooo/x.#",
        ),
        ("$$ | . X .\n$$ | O . .", ".x./o.."),
        (LINES, "..../..x./.o../...."),
        ("┏┯┓\n┠●┨\n┗┷○", ".../.x./..o"),
        ("３├●┤\n２├○┤\n１└┴┘", ".x./.o./..."),
        ("(;AB[aa]SZ[2])", "x./.."),
        (". X .\n. . O\n. . . 3", ".x./..o/... 3"),
        (". X .\n\n. . O\n\n. . .", ".x./..o/..."),
        (". X .\n. . O\n. . .\nA B C", ".x./..o/..."),
        ("  abc\n\n3 .X. 3\n\n2 ..O 2\n\n1 ... 1\n\n  abc", ".x./..o/..."),
        ("3 . X .\n2 . . O\n1 . . .", ".x./..o/..."),
        ("A B C D E F G H I\n" + "\n".join(["........."] * 9), "/".join(["........."] * 9)),
    ],
    "tonari": [
        ("Bbb\nbwb\nbbb", "Bbb/bwb/bbb"),
        ("\ufeffＢbb/bwb/bbb\r\n", "Bbb/bwb/bbb"),
        ("B●○/○●●", "Bbw/wbb"),
        ("3x3 11", "Bbb/bbb/bbb"),
        ("3 × 4 22 33", "bbbb/bBbb/bbBb"),
        ("4x4 11 white 13 14 23 24", "Bbww/bbww/bbbb/bbbb"),
        ("２x２ １１", "Bb/bb"),
        ("2x2 11 22 白 11", "Wb/bB"),
        ("2x3\nBbw\nwbb", "Bbw/wbb"),
        ("2x3 B●○/○●●", "Bbw/wbb"),
        ("B b w\nb w b\nb b b", "Bbw/bwb/bbb"),
        ("■■□\n■□■\n■■■\n11", "Bbw/bwb/bbb"),
        ("3x3 ●●○/●○●/●●● 11 33", "Bbw/bwb/bbB"),
        ("⬛️ ⬛️\n⬜ ⬜\n22", "bb/wW"),
        ("黒白\n白黒 11", "Bw/wb"),
    ],
}
"""Kind -> pairs of a text and the canonical text of the position read from it."""

REFUSED = {
    "goishi": [
        ("", "The board is empty", None, None),
        (" \r\n\t ", "The board is empty", None, None),
        ("\ufeff", "The board is empty", None, None),
        (".../...", "The board is empty", None, None),
        ("0", "The board is empty", None, None),
        ("o.o/oo", "The length of row 2 is 2, but that of row 1 is 3", 2, None),
        ("o.o/oo./o.oo", "The length of row 3 is 4, but that of row 1 is 3", 3, None),
        ("o.o\n\no.o", "The length of row 2 is 0, but that of row 1 is 3", 2, None),
        ('"oo"\n" "', "The length of row 2 is 1,", 2, None),
        ("6/7/8k", "The length of the board in this address is 2", None, None),
        (
            "kanpen.net/goishi.html?problem=2/2/1_1/",
            "In an address, “problem=” is followed by",
            None,
            None,
        ),
        ('<puzzle type="nurikabe" />', "This is a “nurikabe” puzzle", None, None),
        ("<puzzle>", "This XML is not a board", None, None),
        ('<!DOCTYPE a><puzzle type="goishi" />', "This XML is not a board", None, None),
        (
            '<puzzle type="goishi"><size row="2" col="2"/>'
            '<board><number r="3" c="1"/></board></puzzle>',
            "This XML is not a board",
            None,
            None,
        ),
        ("o.o/o?o", "Line 2, column 2: “?” is neither a stone", 2, 2),
        ("o . o\no ? o", "Line 2, column 3: “?” is neither a stone", 2, 3),
        ("o.o\n o#o", "Line 2, column 3: “#” is neither a stone", 2, 3),
        ('"o o"\n"o?o"', "Line 2, column 3: “?” is neither a stone", 2, 3),
        ("oo1", "“1” is neither a stone", 1, 3),
        ("o o/oo.", "Line 1, column 2: a space is an empty point only between", 1, 2),
        ("●○/..", "Line 1, column 2: two signs stand for stones here, “●” and “○”", 1, 2),
        ("/".join(["o" * 40] * 40), "is 40 × 40", None, None),
        ("o" * 20, "is 1 × 20", None, None),
        ("2000\n1 1", "Number of stones: 2000. At most 361", 1, None),
        ("5\n1 1\n1 3\n1 4\n2 1\n1 3", "Stones 2 and 5 both stand at 1 3", 6, None),
        ("2\n1 1\n01 1", "Stones 1 and 2 both stand at 1 1", 3, None),
        ("2\n1 1\n1 -3", "Line 3: “-3” is not a whole number", 3, None),
        ("2\n1 1\n1 1.5", "Line 3: “1.5” is not a whole number", 3, None),
        ("-2\n1 1\n1 2", "Line 1: “-2” is not a whole number", 1, None),
        ("2\n1 1\n1 99999", "Line 3: 99999 is too large", 3, None),
        ("2\n1 1\n1 " + "9" * 5000, "Line 3: 99999999999999999999… is too large", 3, None),
        ("2\n1 1\n1 25", "is 25 × 1", None, None),
        ("2\n1 1\n1", "Line 3: this coordinate has no partner", 3, None),
        ("3\n1 1\n1 2", "The first number is 3, but", 1, None),
        ("1\n1 1\n1 2", "The first number is 1, but", 1, None),
        ("2000", "Number of stones: 2000", 1, None),
        ("3", "The first number is 3, but", 1, None),
        (BOD, "This is KIF or BOD, the board of shogi programs. It can't be read"),
        (CSA, "This is CSA, the record of shogi programs. It can't be read"),
        ("sfen 4/1K2/4/4 b 2G 1", "This is SFEN, the board of shogi programs."),
        ("https://lishogi.org/editor/4/1K2/4/4_b_2G_1", "This is SFEN, the board of shogi"),
        ("https://puzz.link/p?type=editor&nurikabe/4/2/8k", "This is a “nurikabe” puzzle"),
        ("https://puzz.link/p?pzprv3/nurikabe/4/2/8k", "This is a “nurikabe” puzzle"),
        ("o.o/oo.\n.oo/o..", "Line 2: a second board begins here", 2, None),
        ("(;SZ[2]AB[aa])(;SZ[2]AB[bb])", "This text has 2 game records"),
        ("o" * 20_001, "This text is too long: 20001 characters", None, None),
        ("o.o | 1,1 nonsense", "“nonsense” is not a move", 1, 5),
        ("o.o | 0,1", "“0,1” is not a point", None, None),
        ("o.o | 1,99999999", "“1,99999999” is not a point", None, None),
        ("o.o|", "“|” is neither a stone", 1, 4),
        ("goishi/4/2/8z", "“z” can't be used in this address"),
        ("goishi/4/2/8W", "“w” can't be used in this address"),
        ("goishi/4/2/8", "length of the board in this address is 1, but 2 rows and 4"),
        ("goishi/4/2/8kk", "is 3, but 2 rows and 4 columns need 2"),
        ("goishi/4/2", "is followed by columns/rows/board"),
        ("goishi/four/2/8k", "is followed by columns/rows/board"),
        ("goishi/0/0/", "is followed by columns/rows/board"),
        ("goishi/40/40/" + "0" * 320, "is 40 × 40"),
        ("goishi/4/2/vv", "The board is empty"),
        ("pzprv3\ngoishi\ntwo\n4\n", "Line 3: this line must be the number of rows"),
        ("pzprv3\ngoishi\n2\n4\n0 . 0 0 \n", "Line 6: this line must have 4 points, but it has 0"),
        ("pzprv3\ngoishi\n1\n4\n0 . 0 \n", "Line 5: this line must have 4 points, but it has 3"),
        ("pzprv3\ngoishi\n1\n2\n0 x \n", "Line 5: “x” is neither"),
        ("pzprv3\ngoishi\n1\n2\n1 1 \n", "Line 5: the number 1 appears for the second time"),
        ("pzprv3\ngoishi\n1\n3\n1 3 0 \n", "number 2 is missing"),
        ("pzprv3\ngoishi\n99\n99\n0 ", "is 99 × 99"),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n1 1\n", "Line 5: after the board each line is a picked stone"),
        ("2\n2\n. . \n. . \n", "The board is empty"),
    ],
    "kikazu": [
        ("", "There is no board yet."),
        ("3/3/3", "The hand is empty"),
        ("3/3/3 -", "The hand is empty"),
        ("3/1K1/3 0P", "The hand is empty"),
        ("3/1K1/3 -", "The pieces on the board stay as they are."),
        ("sfen 3/3/3 b - 1", "The hand is empty"),
        ("startpos moves 7g7f", "“moves”"),
        ("3/3 P", "is 2 × 3"),
        ("9/9/9/9/9/9/9/9/9/9 P", "is 10 × 9"),
        ("91/91/91 P", "is 3 × 10"),
        ("3/4/3 P", "The length of row 2 is 4, but that of row 1 is 3", 2, None),
        ("3/1x1/3 P", "Row 2: “x” has no meaning", 2, 2),
        ("3/1Q1/3 P", "Row 2: “Q” has no meaning", 2, 2),
        ("3/1+P1/3 P", "Row 2: “+” marks a promoted piece", 2, 2),
        ("3/1p1/3 P", "the small letter “p” is a piece of the other side", 2, 2),
        ("3/3/3 2Pp", "pieces of the other side"),
        ("3/3/3 2+P", "promoted pieces"),
        ("3/3/3 2P2P", "names “P” twice"),
        ("3/3/3 2PP", "names “P” twice"),
        ("3/3/3 PP2", "names “P” twice"),
        ("https://lishogi.org/editor", "The board can't be read from this address."),
        (BOD.replace(" 玉", "v玉"), "Row 2: a piece of the other side", 5, 5),
        (BOD.replace("玉", "龍"), "Row 2: a promoted piece", 5, 5),
        (BOD.replace("玉", "軍"), "Line 5, column 5: “軍” is no piece of", 5, 5),
        (BOD.replace("| ・ 玉 ・ ・|", "| ・ 玉 ・|"), "The length of row 2 is 3", 5, None),
        (
            BOD.replace("手の持駒：なし", "手の持駒：飛"),
            "Line 1: the other side has pieces",
            1,
            None,
        ),
        (BOD.replace("歩十", "と"), "Line 9, column 10: “と” is not a piece that can", 9, 10),
        (f"{BOD}\n手数----指手---\n   1 ２二金打", "Line 12: moves can't be read", 12, None),
        (f"{BOD}\n{BOD}", "Line 13: a second board begins here", 13, None),
        ("手合割：平手\n先手の持駒：なし", "This record of a shogi game has no board."),
        (CSA.replace("+OU", "-OU"), "Row 2: a piece of the other side", 4, 6),
        (CSA.replace("+OU", "+TO"), "Row 2: a promoted piece", 4, 6),
        (CSA.replace("+OU", "+XX"), "“XX” is no piece of shogi", 4, 6),
        (f"{CSA}\n+2726FU", "Line 9: moves can't be read", 9, None),
        (f"{CSA}\n/\n{CSA}", "Line 9: a second board begins here", 9, None),
        ("V2.2\nPI\n+", "Line 2: this is the beginning of a game", 2, None),
        ("V2.2\nP+55OU00HI\nP-00AL\n+", "Line 3: the other side has pieces in hand", 3, None),
        ("V2.2\nP+55OU55KI00HI\n+", "the square 55 is taken", 2, 7),
        (SGFMILL, "This is a diagram of a Go board. It can't be read"),
        (LINES, "This is a diagram of a Go board. It can't be read"),
        (AVALANCHE, "This is a diagram of a Go board. It can't be read"),
        ("(;SZ[3]AB[aa])", "This is SGF, the record of Go programs."),
        ("3/3/3 2X", "can't be read from “2X” on"),
        ("3/3/3 999P", "can't be read from “999P” on"),
        ("3/3/3 P-1", "can't be read from “-1” on"),
        ("3/3/3 10P", "More pieces are to be placed (10) than squares are free (9)"),
        ("---/---/--1 2P", "More pieces are to be placed (2) than squares are free (1)"),
        ("R1K/3/3 P", "The rook at row 1, column 1 attacks the king at row 1, column 3."),
        ("3/P2/P2 P", "The pawn at row 3, column 1 attacks the pawn at row 2, column 1."),
        ("3/3/3 P | Q 1,1", "is not a move"),
        ("3/3/3 P | P 1", "is not a move"),
        ("3/3/3 P | P1,1 1,2", "is not a move"),
        ("3/3/3 P | P0,1> 1,2", "is not a point"),
    ],
    "maxstrings": [
        ("(;SZ[3]AB[da])", "“da” is not a point of this board. Its size, rows × columns, is 3 × 3"),
        ("(;SZ[3]AB[aa:da])", "“aa:da” is not a point"),
        ("(;SZ[x])", "“x” is not a size"),
        ("(;SZ[25])", "The size of this record's board, rows × columns, is 25 × 25"),
        ("(;SZ[2]B[tt]AB[tt])", "“tt” is not a point"),
        ("(;GM[3]SZ[8])", "another game"),
        ("(;SZ[3]AB[aa]", "breaks off"),
        (
            "(;SZ[3]\nAB;B[aa])",
            "Line 2, column 3: this record can't be read from “;B[aa])” on",
            2,
            3,
        ),
        ("(;SZ[3][AB[aa])", "“AB[aa” is not a size"),
        ("(;AB[aa", "is never closed"),
        ("(;SZ[2];;AB[aa](;AB[ab]))(;SZ[2])", "This text has 2 game records"),
        (SGFMILL.replace("o", "X"), "“#” stands for a black stone", 2, 10),
        (SGFMILL.replace("2  .  .  o\n", ""), "the number 2 should stand here", 2, None),
        (SGFMILL.replace("o", "?"), "Line 2, column 10: “?” is neither a stone", 2, 10),
        ("  A B\n2 X O\n1 X", "The length of row 2 is 1", 3, None),
        (LINES.replace("02├┼●┤\n", ""), "the number 2 should stand here", 3, None),
        ("├┼┤\n├☆┤", "Line 2, column 2: “☆” is neither", 2, 2),
        ("$$ T\n$$ | . X\n$$ | . !", "Line 3, column 8: “!” is neither", 3, 8),
        ("$$ T\n$$ | . X\nO .", "Line 3: each line of this diagram begins with", 3, None),
        ("$$ T\n$$ | . X\n$$W Two\n$$ | . X", "Line 3: a second board begins here", 3, None),
        ("x./..\n.x/..", "Line 2: a second board begins here", 2, None),
        ("x.\n..\n\n.x\n..", "Line 4: a second board begins here", 4, None),
        (BOD, "This is KIF or BOD, the board of shogi programs."),
        (f"(;SZ[19]AB{'[aa:ss]' * 300})", "again and again"),
    ],
    "tonari": [
        ("■□/□■", "There is no start stone yet"),
        ("■□/□■ 13", "There is no point “13” on a board with 2 rows"),
        ("■□/□■ 1", "“1” is not the name of a point"),
        (SGFMILL, "This is a diagram of a Go board. It can't be read"),
        (BOD, "This is KIF or BOD, the board of shogi programs."),
        ("(;SZ[3]AB[aa])", "This is SGF, the record of Go programs."),
        ("Bb/bb\nBb/bb", "Line 2: a second board begins here", 2, None),
    ],
}
"""Kind -> a text and a part of its error message, with the line and the column if they are
named."""


@pytest.mark.parametrize(
    ("slug", "text", "written"), [(slug, *row) for slug, rows in READ.items() for row in rows]
)
def test_texts_that_are_read(slug, text, written):
    kind = get_kind(slug)
    assert kind.write(kind.read(text)) == written


@pytest.mark.parametrize(
    ("slug", "text", "says", "place"),
    [(slug, text, says, at) for slug, rows in REFUSED.items() for text, says, *at in rows],
)
def test_faults_are_named(slug, text, says, place):
    with pytest.raises(BadText) as fault:
        get_kind(slug).read(text)
    assert says in str(fault.value)
    assert len(str(fault.value)) < 250
    if place:
        assert [fault.value.place.line, fault.value.place.column] == place


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("kikazu", "4 P"),
        ("kikazu", "3/1/3 P"),
        ("kikazu", "---/---/--1 2P"),
        ("maxstrings", "(;SZ[1]AB[bb])"),
        ("maxstrings", "(;SZ[25:1])"),
    ],
)
def test_one_of_a_thing_is_no_plural(slug, text):
    with pytest.raises(BadText) as fault:
        get_kind(slug).read(text)
    assert not re.search(r"\b1 (rows|columns|squares|points|pieces)\b", str(fault.value))


@pytest.mark.parametrize(
    "text",
    [
        "pzprv3\ngoishi\n1\n4\n1 0 2 0 \n",
        "pzprv3\ngoishi\n2\n2\n1 . \n. 2 \n",
        "1\n4\n1 1 1 1 \n1 0 1\n2 0 2\n3 0 0\n",
        "1\n4\n1 1 . . \n1 0 9\n",
    ],
)
def test_an_order_against_the_rules_is_refused(text):
    with pytest.raises(IllegalMove, match="breaks the rules at number"):
        get_kind("goishi").read(text)


@pytest.mark.parametrize("slug", kinds())
@pytest.mark.parametrize(
    "text",
    [
        "https://puzz.link/p?nurikabe/5/5/g1h",
        "https://pzv.jp/p.html?nurikabe/v:/5/5/g1h",
        "http://www.kanpen.net/nurikabe.html?problem=5/5/",
        "http://www.kanpen.net/nurikabe.html?pzpr=5/5/g1h",
        "nurikabe/5/5/g1h",
        "pzprv3/nurikabe/2/2/. . /. . /",
        "pzprv3\nnurikabe\n2\n2\n. .\n. .",
    ],
)
def test_every_kind_names_another_puzzle(slug, text):
    with pytest.raises(BadText, match="This is a “nurikabe” puzzle"):
        get_kind(slug).read(text)


@pytest.mark.parametrize("slug", kinds())
def test_every_kind_says_that_it_reads_no_pages(slug):
    with pytest.raises(BadText, match="can't be read from this address"):
        get_kind(slug).read("https://example.org/boards/5")


@pytest.mark.parametrize("slug", kinds())
def test_notations_and_samples_are_read_again(slug):
    kind, rng = get_kind(slug), random.Random(slug)
    for _ in range(100):
        start = kind.sample(rng, rng.randint(1, 6))
        assert kind.read(kind.write(start)) == start
        for text in kind.notations.write(start).values() if kind.notations else ():
            again = kind.start(kind.read(text))
            # Some of Goishi Hiroi's formats can't express an empty rim.
            assert again == start or slug == "goishi"


def test_everything_written_of_goishi_is_read_again():
    kind = get_kind("goishi")
    rng = random.Random(4)
    for _ in range(60):
        position = kind.sample(rng, rng.randint(1, 8))
        for _ in range(rng.randint(0, 4)):
            if moves := list(kind.moves(position)):
                position = kind.play(position, rng.choice(moves))
        exports = kind.notations.write(position)
        assert len(exports) == 6
        for title, text in exports.items():
            again = kind.read(text)
            if "x and y" in title:
                assert canonical(again) == canonical(position)
            else:
                assert kind.start(again) == kind.start(position), title
            if "pzprv3" in title or "Kanpen" in title:
                assert again == position
