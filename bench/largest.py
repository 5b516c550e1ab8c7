"""The largest boards that are counted, estimated, drawn and explained, beside other programs."""

from typing import NamedTuple

from bench.goishi import solvable
from bench.single import TWIN, ask
from bench.timing import Length, ratio, seconds, table
from bench.twins import COMPILER
from solvers.goishi import Goishi

OTHERS_LIMIT_SECONDS = (1.0, 5.0, 120.0)
"""The most seconds of another program, by the length of the run."""
SHORT_STRIDE = 4
"""A short run measures one row of so many: each row starts three processes."""


class Row(NamedTuple):
    """A question about a board, and the other program that answers it."""

    kind: str
    name: str
    question: str
    text: str
    other: str = ""
    options: dict[str, int] = {}
    limit: float = 10.0
    """The most seconds of ours, a tenth of that in a short run."""


TEXT = """## The largest boards

Each question is asked in a process of its own, on one thread and on two (`SOLVER_THREADS`), and
beside it another program on one thread: counts in C++ (`bench/twins`: the search of the study for
Peaceful Pieces, and sets in a hash table for Tonari Othello and Goishi Hiroi; 4 GB at most), all
boards by the rules (Max Strings, as the study's integer programme can't place stones of both
colours), Knuth's single random games in compiled code for two seconds (estimates of Goishi Hiroi),
and all solutions by the rules alone (draws). “> 5 s”: it was ended then, or had no more memory. An
estimate stands with its standard error. No other program that we know gives reasons.
"""

BY_RULES, BOARDS = "all solutions by the rules", "all boards by the rules"
DRAWS = {"many": 100}
BOARD_9 = "/".join("9" * 9)
UNIQUE = (
    "...oo.ooo./..o......./.oo....o../o..o.oo.o./oo..o..o../"
    "o..ooo..o./...oooo.o./.oooo.oo../....ooo.../..o...o..o"
)

ROWS = (
    Row("kikazu", "9x9, the whole set", "count", f"{BOARD_9} 2R2B2K4G4S4N4L18P", TWIN),
    Row("kikazu", "9x9, 18 pieces", "count", f"{BOARD_9} 2R2B2K4G4S4N", TWIN),
    Row("kikazu", "9x9, 14 pieces", "count", f"{BOARD_9} 4K3G2S5N", TWIN),
    Row("kikazu", "8x8, 14 pieces", "count", "8/8/8/8/8/8/8/8 3B4N5P2K", TWIN),
    Row("kikazu", "7x7, 23 pieces", "count", "7/7/7/7/7/7/7 R2BK3G3S2N3L8P", TWIN),
    Row("kikazu", "7x7, 27 pieces", "count", "7/7/7/7/7/7/7 2R2B4N17P", TWIN),
    Row("tonari", "5x5, all black", "count", "5x5 11", TWIN),
    Row("tonari", "6x6, all black", "count", "6x6 11", TWIN),
    Row("tonari", "7x7, all black", "count", "7x7 11", TWIN, limit=120.0),
    Row("maxstrings", "12x12, both colours", "best",
        "12x12 | x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10", BOARDS),
    Row("maxstrings", "13x13, both colours", "best",
        "13x13 | x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10", BOARDS),
    Row("goishi", "4x5, full", "count", "/".join(["ooooo"] * 4), TWIN),
    Row("goishi", "6x6, full", "count", "/".join(["oooooo"] * 6), TWIN),
    Row("goishi", "100 draws, 4x5 full", "sample", "/".join(["ooooo"] * 4), BY_RULES, DRAWS),
    Row("kikazu", "100 draws, whole set", "sample",
        f"{BOARD_9} 2R2B2K4G4S4N4L18P", BY_RULES, DRAWS),
    Row("tonari", "100 draws, 4x4", "sample", "4x4 11", BY_RULES, DRAWS),
    Row("maxstrings", "100 draws, 9x9", "sample", "9x9", BY_RULES, DRAWS),
    Row("goishi", "40 on 10x10, 3 picked", "reason", f"{UNIQUE} | 10,10 10,7 9,7"),
    Row("kikazu", "the whole set, a pawn placed", "reason", f"{BOARD_9} 2R2B2K4G4S4N4L18P | P 8,8"),
    Row("tonari", "6x6 all black, 2 placed", "reason", "6x6 11 | 2,2 2,1"),
    Row("maxstrings", "9x9, 2 placed", "reason", "9x9 | o 9,8 o 4,6"),
)  # fmt: skip


def section(length: Length) -> str:
    """Measure, and return the section."""
    head = ["board", "question", "found", "one thread", "two threads", "one : two", "memory",
            "other program", "its time", "it found", "other : ours"]  # fmt: skip
    rows = (*ROWS, *_dense()) if length else ROWS[::SHORT_STRIDE]
    return f"{TEXT}\n{table(head, [_row(row, length) for row in rows])}\n"


def _dense() -> list[Row]:
    return [
        Row("goishi", f"{stones} on {side}x{side}", question, Goishi().write(board), other)
        for stones, side in ((45, 10), (64, 10), (64, 8))
        for board in [solvable(stones, side)]
        for question, other in (("estimate", "random games"), ("rate", ""))
    ]


def _row(row: Row, length: Length) -> list[str]:
    limit = row.limit if length else row.limit / 10
    others_limit = OTHERS_LIMIT_SECONDS[length]
    one, two = (
        ask(row.question, row.kind, row.text, threads, limit, **row.options) for threads in (1, 2)
    )
    other_program = "" if row.other == TWIN and not COMPILER else row.other
    other = ask(other_program, row.kind, row.text, 1, others_limit) if other_program else {}
    our_time, other_time = one.get("seconds"), other.get("seconds")
    both = our_time and two.get("seconds")
    return [
        f"{row.kind} {row.name}",
        row.question,
        one.get("text") or two.get("text") or "–",
        seconds(our_time) if our_time else f"> {limit:g} s",
        seconds(two["seconds"]) if two else f"> {limit:g} s",
        ratio(our_time, two["seconds"]) if both else "–",
        f"{one['megabytes']} MB" if one else "–",
        other_program or "–",
        seconds(other_time) if other_time or not other_program else f"> {others_limit:g} s",
        other.get("text", "–"),
        _times_faster(our_time, other_time, others_limit) if other_program else "–",
    ]


def _times_faster(ours: float | None, other: float | None, limit: float) -> str:
    if not ours:
        return "–"
    return ratio(other, ours) if other else f"> {ratio(limit, ours)}"
