"""The demo's puzzles, from easy to hard. Each title is the teacher's own, so not translated."""

from typing import NamedTuple


class Board(NamedTuple):
    """A puzzle of the demo."""

    title: str
    position: str
    way: str = ""
    """A solution, where simulated students would hardly come upon one."""


BOARDS: dict[str, tuple[Board, ...]] = {
    "goishi": (
        Board("はじめの四つ", "oo/oo"),
        Board("階段", "oo./.oo"),
        Board("研究の例", "o./oo/../oo"),
        Board("土の字", ".o./ooo/.o./ooo"),
        Board("工の字", "ooo/.o./.o./ooo"),
        Board("口の字", "ooo/o.o/ooo"),
        Board("七つの石、ただ一つの道", "..oo/..oo/.o.o/...o"),
        Board("さかずき", "o.o.o/o...o/o...o/..o../..o../..o.."),
        Board("はなれた三つ", "oo.oo/o..../.o.../...../...oo"),
        Board("三つの道", "..o.o/o.o../..ooo/.o.../.oo.."),
        Board("十の石、ただ一つの道", "..o.o/oooo./....o/oo.../...o."),
        Board("日の丸", ".ooo./o...o/o.o.o/o...o/.ooo."),
        Board("ちりとり", "ooooooo/......./o..o..o/..o.o../...o..."),
        Board("十二の石、十二の道", ".o.o../.o.o.o/.oo.../....o./.oo.oo/......"),
        Board("くわがた", ".o...o./..o.o../.oo.oo./..ooo../o.o.o.o"),
        Board("ネコの顔", "o.ooo.o/o.....o/.o...o./...o.../oo...oo/..o.o.."),
        Board("一本道", "o...o./..o..o/oo...o/.o.o.o/....o./.o.o.o"),
        Board("七つの道", "..o..../o.o.o../oo.o.../o.o..../o..o..o/....o.o/o.....o"),
        Board(
            "八路の迷路", "..o..oo./o......o/.o....o./.oo.oo../.......o/.o.o.o../o..ooo../.o......"
        ),
        Board(
            "三十の石",
            ".ooo....../.o......o./o........./.o...oo.o./..oo.....o/...o....../"
            "....o.o.../....oo.o../oo.ooo..../ooo...ooo.",
        ),
    ),
    "tonari": (
        Board("ふたつの段", "Bbbb/bbbb"),
        Board("研究の九マス", "Bbb/bbb/bbb"),
        Board("角の白", "Bbb/bww/bww"),
        Board("旗", "Bbb/www/www"),
        Board("まん中の白", "Bbbb/bwwb/bwwb/bbbb"),
        Board("四路、ただ一つの道", "Bwww/bwww/wbbw/wwbb"),
        Board("四つ星", "Bbbbb/bwbwb/bbbbb/bwbwb/bbbbb"),
        Board("白い輪", "Bbbbb/bwwwb/bwbwb/bwwwb/bbbbb"),
    ),
    "maxstrings": (
        Board("三路盤で六つ", ".../.../...", "o 1,2 o 2,1 x 2,2 o 2,3 x 3,1 x 3,3"),
        Board(
            "四路盤の十二",
            "..../..../..../....",
            "x 1,1 o 1,2 o 1,4 x 2,2 o 2,3 x 2,4 x 3,1 o 3,2 x 3,3 o 4,1 o 4,3 x 4,4",
        ),
        Board(
            "一点をあけて",
            "..../..../...-/.... 12",
            "x 1,1 o 1,2 o 1,4 x 2,2 o 2,3 x 2,4 x 3,1 o 3,2 x 3,3 o 4,1 o 4,3 x 4,4",
        ),
        Board("池のある四路", "..../.#../..../...."),
        Board("黒い角から", "x..../...../...../...../....."),
        Board("十字", "##..##/##..##/....../....../##..##/##..##"),
        Board("六路盤、三つの空点", "....../.-..../.....-/....../.-..../......"),
        Board("六路盤の記録", "6x6 23"),
        Board(
            "七路盤、まん中をあけて", "......./......./...-.../......./......./......./....... 37"
        ),
    ),
    "kikazu": (
        Board("三段の盤に三枚", "S2/3/3 RGP"),
        Board("六枚をならべる", "4/4/4/4 RBKGSN"),
        Board("八種せいぞろい", "4/4/4/4 RBKGSNLP"),
        Board("どこにどの駒", "-2P/1---/-1-1/-1-- RBGSNP"),
        Board("桂馬を六枚", "4/2N1/3N/K3 6N"),
        Board("五段の盤", "5/5/1N2S/1B3/3P1 RKGL"),
        Board("金はどこまで", "2K2/5/5/5/5 8G"),
        Board("四十枚の駒", "3S5/9/3S1S3/9/K4S3/9/9/9/K8 2R2B4G4N4L18P"),
    ),
}
"""Kind -> its puzzles."""
