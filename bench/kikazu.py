"""Peaceful Pieces: our count beside the study's search."""

import subprocess
import sys

from bench.studies.kikazu import LADDER
from bench.study_kikazu import count_in_python
from bench.timing import Length, check, measure, ratio, seconds, table
from solvers.kikazu import KIND
from solvers.kikazu.formats import write_hand
from solvers.kikazu.rules import Position
from solvers.kikazu.search import problem_of, race
from solvers.kikazu.solutions import all_solutions, forget
from solvers.question import finish

AGAINST_THE_STUDY = (
    (3, 4, "G2S2N2P1"),
    (4, 4, "K3"),
    (4, 4, "R2B2"),
    (4, 4, "R1B1N2G1P4"),
    (4, 4, "R1B1K1G1S1L1P2"),
    (5, 3, "K1G1S1N1L1P1"),
    (5, 5, "R2B2N2P5"),
    (5, 5, "R1B1N1K1G1S2L3P4"),
    (5, 5, "R1B1N1K1G1S2L2P5"),
    (5, 6, "K1R2B2G2S1N3L1P2"),
    (6, 6, "R2B2N4P10"),
    (6, 6, "R1B2N2K1G2S1L3P7"),
    (7, 7, "R2B2N4P17"),
    (7, 7, "R2B2N2K1G3S3L3P8"),
)
"""The columns, rows and pieces for which the study's search ends within a minute."""

OURS_ALONE = (
    (8, 8, "R2B2N2K2G3S4L4P11"),
    (9, 9, "R2B2N4P31"),
    (9, 9, "R2B2N4P32"),
    (9, 9, "R2B2N4P33"),
    (9, 9, "R2B2K2G4S4N4P22"),
    (9, 9, "R2B2K2G4S4N4L4P18"),
    (9, 9, "R2B1K2G4S4N4L4P18"),
    (9, 9, "R2B2K2G4S4N4L4P17"),
    (9, 9, "R2B2K2G4S4N4L3P18"),
)

TEXT = """## Peaceful Pieces: counting all placements

The study (松元隆二, 利かずの駒並べの全解探索, 2014) took 50 hours for the whole set, in compiled
code on a computer of 2014, and 30 minutes for rooks, bishops, knights and 32 pawns.
`bench/study_kikazu.py` is its search written anew from the description, in plain Python. Ours
(`solvers/kikazu/kernels.py`) places rooks, bishops and knights, prunes by how many forward
pieces the columns can still take, chooses the squares of all the others together, and counts
which piece stands where as a coefficient of a product.

“search”: the number alone. “count”: the question as it is asked, with the number of ways for
each move, the symmetric ones and a solution. Mirror images are counted apart; compiled code
warm, the shortest of several runs; both programs agree on every count. “–”: the study's search
does not end within a minute.
"""

WHOLE = "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P"
PUZZLES = 10


def section(length: Length) -> str:
    """Measure, and return the section with its text and tables."""
    finish(KIND.questions["count"].ask(KIND, KIND.read("3/3/3 P")))
    rows = [_row(*size, study=True) for size in AGAINST_THE_STUDY[: None if length else 3]]
    rows += [_row(*size, study=False) for size in OURS_ALONE[: None if length else 1]]
    head = ["board", "pieces", "ways", "study, Python", "search", "count", "study : search"]
    return f"{TEXT}\n{table(head, rows)}\n\n{table(['altogether', 'time'], _altogether())}\n"


def _altogether() -> list[list[str]]:
    start = KIND.read(WHOLE)
    ladder = [KIND.read(text) for text in LADDER]
    new_process = [sys.executable, "-m", "solvers", "kikazu", "count", WHOLE]
    measured = {
        "the whole set counted by a new process, compiled code cached": measure(
            lambda: subprocess.run(new_process, check=True, capture_output=True)
        ),
        "the ladder of small boards, all rows counted": measure(
            lambda: [finish(KIND.questions["count"].ask(KIND, rung)) for rung in ladder]
        ),
        "the whole set's solutions, all listed": measure(
            lambda: finish(all_solutions(start)), forget=forget
        ),
        f"puzzles with one solution from the whole set: {PUZZLES}": measure(
            lambda: finish(KIND.questions["generate"].ask(KIND, start, many=PUZZLES)), forget=forget
        ),
    }
    return [[what, seconds(time)] for what, (_, time) in measured.items()]


def _row(columns: int, rows: int, hand: str, *, study: bool) -> list[str]:
    start = KIND.read(f"{'/'.join([str(columns)] * rows)} {hand}")
    total, search_time = measure(lambda: _search(start))
    answer, count_time = measure(lambda: finish(KIND.questions["count"].ask(KIND, start)))
    study_time = None
    if study:
        study_count, study_time = measure(lambda: count_in_python(start))
        check(study_count, total)
    check(answer.value, total)
    return [
        f"{columns} x {rows}",
        write_hand(start.stock),
        f"{total:,}",
        seconds(study_time),
        seconds(search_time),
        seconds(count_time),
        ratio(study_time, search_time),
    ]


def _search(start: Position) -> int:
    problem = problem_of(start)
    assert problem is not None
    return finish(race(problem)).total
