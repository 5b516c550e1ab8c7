"""The demo's puzzles, from easy to hard. Each title is the teacher's own, so not translated."""

PUZZLES: tuple[tuple[str, str], ...] = (
    ("はじめの四つ", "oo/oo"),
    ("階段", "oo./.oo"),
    ("研究の例", "o./oo/../oo"),
    ("土の字", ".o./ooo/.o./ooo"),
    ("工の字", "ooo/.o./.o./ooo"),
    ("口の字", "ooo/o.o/ooo"),
    ("七つの石、ただ一つの道", "..oo/..oo/.o.o/...o"),
    ("さかずき", "o.o.o/o...o/o...o/..o../..o../..o.."),
    ("はなれた三つ", "oo.oo/o..../.o.../...../...oo"),
    ("三つの道", "..o.o/o.o../..ooo/.o.../.oo.."),
    ("十の石、ただ一つの道", "..o.o/oooo./....o/oo.../...o."),
    ("日の丸", ".ooo./o...o/o.o.o/o...o/.ooo."),
    ("ちりとり", "ooooooo/......./o..o..o/..o.o../...o..."),
    ("十二の石、十二の道", ".o.o../.o.o.o/.oo.../....o./.oo.oo/......"),
    ("くわがた", ".o...o./..o.o../.oo.oo./..ooo../o.o.o.o"),
    ("ネコの顔", "o.ooo.o/o.....o/.o...o./...o.../oo...oo/..o.o.."),
    ("一本道", "o...o./..o..o/oo...o/.o.o.o/....o./.o.o.o"),
    ("七つの道", "..o..../o.o.o../oo.o.../o.o..../o..o..o/....o.o/o.....o"),
    ("八路の迷路", "..o..oo./o......o/.o....o./.oo.oo../.......o/.o.o.o../o..ooo../.o......"),
    (
        "三十の石",
        ".ooo....../.o......o./o........./.o...oo.o./..oo.....o/...o....../"
        "....o.o.../....oo.o../oo.ooo..../ooo...ooo.",
    ),
)
