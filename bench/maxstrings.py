"""Max Strings: our maximum and number of best forms beside the integer programme."""

from importlib.util import find_spec

from bench.timing import Length, check, measure, on_threads, ratio, seconds, table
from solvers.answers import BestAnswer
from solvers.maxstrings import KIND, checkerboard, count, forms, maximum, search
from solvers.maxstrings.maximum import most_strings
from solvers.maxstrings.rules import Board
from solvers.maxstrings.study import FORMS, GLPK_SECONDS
from solvers.question import finish, limited

SIDES = (9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
LARGEST = (9, 19, 20)
"""The largest of `SIDES` that is measured, by the length of the run."""
LARGEST_FOR_HIGHS = 13
LARGEST_COUNT = (9, 16, 18)
COUNTED_ON_THREADS = (11, 15, 17)
"""The side of the board that is counted on threads, by the length of the run."""
TURNS = 3
"""How often each number of threads is run."""

POSITIONS = {
    "9x9, nothing on it": "9x9",
    "9x9, five points empty": "........./........./..-...-../........./....-..../........./"
    "..-...-../........./.........",
    "9x9, 6 stones on one checkerboard": "9x9 | x 1,1 o 1,2 x 3,3 o 5,6 x 7,5 o 9,8",
    "9x9, 8 stones in any colours": "9x9 | x 2,2 x 2,7 o 3,3 x 4,8 o 5,5 o 6,2 x 8,4 x 8,8",
    "11x11, 12 stones in any colours": "11x11 | x 2,2 x 2,7 o 3,3 x 4,8 o 5,5 o 6,2 x 8,4 x 8,8 "
    "o 10,10 o 10,3 x 11,6 x 1,10",
    "12x12, three pairs": "12x12 | x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10",
    "15x15, three pairs": "15x15 | x 3,3 x 3,4 o 6,6 o 7,6 x 9,9 x 9,10",
}
TEXT = """## Max Strings: the most strings on a board

The study 連数最大化問題 writes the problem as a 0-1 integer programme and gives it to GLPK
(column “GLPK, the study”: its own figures, on an Intel Core Duo of 2 GHz; for 19 x 19 it gave up
after three days, and CPLEX took 40 days). The same programme, written by
`solvers/maxstrings/study.py`, goes to HiGHS here, one thread, no time limit up to 13 x 13. Ours
(`solvers/maxstrings/checkerboard.py`) goes through the words of the frontier and returns a board
and a proof as well; from 20 x 20 on, where its tables together would take more than 2 GiB, the
number alone. The number of best forms (`forms.py`) is counted in one pass, on as many threads as
the machine has cores; that takes 0.5 GB at 19 x 19 and 1.2 GB at 20 x 20. `python -m bench --long`
measures it from 17 x 17 on; the second table counts on one thread and on two, in turn.
"""

ALL = """## Max Strings: all boards, in all colours

Every legal board counts for itself here (`count.py`), in a search over the states of the row
under way, pruned by what is lost at least. The legal boards are those of the game of Go.
"""
ALL_SIDES = (2, 3, 4, 5, 6, 7, 8)
LARGEST_OF_ALL = (4, 8, 8)
"""The largest of `ALL_SIDES` that is measured, by the length of the run."""
LARGEST_LEGAL = 6

PLAY = """## Max Strings: in the middle of play

The most strings that can still be reached, with the stones that stand (`best`).
"""


def section(length: Length) -> str:
    """Measure, and return the section with its texts and tables."""
    head = ["board", "most", "best forms", "GLPK, the study", "HiGHS", "ours", "HiGHS : ours",
            "counting"]  # fmt: skip
    counted = LARGEST_COUNT[length]
    rows = table(head, [_row(n, n <= counted) for n in SIDES if n <= LARGEST[length]])
    threads = _on_threads(COUNTED_ON_THREADS[length])
    positions = list(POSITIONS)[: len(POSITIONS) if length else 3]
    played = table(["position", "most", "proof by", "time"], list(map(list, map(_play, positions))))
    head = ["board", "most", "boards that reach it", "time", "legal boards", "time"]
    everything = table(head, [_all(n) for n in ALL_SIDES if n <= LARGEST_OF_ALL[length]])
    return f"{TEXT}\n{rows}\n\n{threads}\n\n{ALL}\n{everything}\n\n{PLAY}\n{played}\n"


def _row(n: int, is_counted: bool) -> list[str]:
    board: Board = ("." * n,) * n
    codes = checkerboard.codes_of(board)
    most, our_time = measure(lambda: _most(n, codes))
    check(most, most_strings(n, n))
    highs_time = count_time = None
    if n <= LARGEST_FOR_HIGHS and find_spec("highspy"):
        model = KIND.questions["model"]
        position = KIND.read(f"{n}x{n}")
        answer, highs_time = measure(lambda: finish(model.ask(KIND, position, solver="highs")), 0)
        check(answer.value, most)
    if is_counted:
        number, count_time = measure(lambda: finish(forms.count_forms(codes, 0)))
        check(number.forms[0], FORMS[n - 1])
    best_forms = f"{FORMS[n - 1]:,}" if is_counted else "–"
    return [f"{n}x{n}", str(most), best_forms, seconds(GLPK_SECONDS.get(n)),
            seconds(highs_time), seconds(our_time), ratio(highs_time, our_time),
            seconds(count_time)]  # fmt: skip


def _on_threads(n: int) -> str:
    codes = checkerboard.codes_of(("." * n,) * n)
    tally, times = on_threads(lambda threads: finish(forms.count_forms(codes, 0, threads)), TURNS)
    head = ["board", "best forms", "one thread", "two threads", "one : two"]
    return table(head, [[f"{n}x{n}", f"{tally.forms[0]:,}", *times]])


def _most(n: int, codes: checkerboard.Codes) -> int | None:
    if n > maximum.LARGEST:
        return finish(checkerboard.most_stones(codes))
    best = finish(checkerboard.best_form(codes))
    return best and best.stones


def _all(n: int) -> list[str]:
    most = most_strings(n, n)
    way = finish(search.decision_order(("." * n,) * n))
    reaching, reach_time = measure(lambda: finish(count.count_boards(way, n, n * n - most)))
    legal = legal_time = None
    if n <= LARGEST_LEGAL:
        legal, legal_time = measure(lambda: finish(count.count_boards(way, n, None)))
    return [f"{n}x{n}", str(most), f"{reaching:,}", seconds(reach_time),
            "–" if legal is None else f"{legal:,}", seconds(legal_time)]  # fmt: skip


def _play(name: str) -> tuple[str, str, str, str]:
    position = KIND.read(POSITIONS[name])
    run = KIND.questions["best"].ask
    answer, time = measure(lambda: finish(limited(run(KIND, position), 60, BestAnswer)))
    proof = str(answer.proof).rstrip(".") if answer.proven else "–"
    return name, str(answer.value), proof, seconds(time)
