"""Tonari Othello: our count beside the study's own search."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.timing import Length, check, measure, on_threads, ratio, seconds, table
from solvers.question import finish
from solvers.tonari import Tonari
from solvers.tonari.ladder import last_step
from solvers.warm import warm

KIND = Tonari()

RUNS = (1, 5, 5)
"""How often each number of threads is run, by the length of the run. The shortest time counts."""

TEXT = """## Tonari Othello

The study となりオセロ (2010) searches stone by stone and reports 2,593,202 s (30 days) for all
orders of 4x4, 730 s for those that end all black, 416 s for the last figure (203) of 5x5. Its
search stands in `solvers/tonari/study.py`, written anew in Python with its history kept as a
list. “Sets in Python” is `solvers/tonari/plain.py`: orders that fill the same cells are added
up. Ours (`solvers/tonari/table.py`) counts each empty area for itself, folds symmetries, and sees
the parity of each area. All boards start in the corner; compiled
code warm, on as many threads as there are cores, the shortest of several runs; all programs
agree. One thread and two are measured by turns. “–”: not measured, because it takes longer than a
minute or so.
"""


def section(length: Length) -> str:
    """Measure, and return the section with its text and tables."""
    warm()
    sides = (3, 4, 5, 6, 7) if length else (3, 4)
    parts = [TEXT, _all_orders(sides), _all_black(sides), _last_figure(sides[:3]),
             _threads(length), _others(), _memory(length)]  # fmt: skip
    return "\n".join(parts) + "\n"


def _ask(name: str, text: str, **options: object) -> tuple[Any, float]:
    return measure(partial(_answer, name, text, **options))


def _answer(name: str, text: str, **options: object) -> Any:
    return finish(KIND.questions[name].ask(KIND, KIND.read(text), **options))


def _all_orders(sides: Sequence[int]) -> str:
    rows = []
    for size in sides:
        ours, our_time = _ask("orders", f"{size}x{size} 11")
        study_time = None
        if size == 3:
            study, study_time = _ask("study", "3x3 11", step=0)
            check(study.orders, ours.value)
        times = [seconds(study_time), seconds(our_time), ratio(study_time, our_time)]
        rows.append([f"{size}x{size}", f"{ours.value:,}", f"{ours.states:,}", *times])
    head = ["board", "all orders", "situations", "study's search", "ours", "study : ours"]
    return table(head, rows) + "\n"


def _all_black(sides: Sequence[int]) -> str:
    rows = []
    for size in sides:
        ours, our_time = _ask("count", f"{size}x{size} 11")
        study_time = plain_time = None
        if size == 3:
            study, study_time = _ask("study", "3x3 11", step=1)
            check(study.value, ours.value)
        if size < 6:
            plain, plain_time = _ask("plain", f"{size}x{size} 11")
            check(plain.value, ours.value)
        times = [seconds(time) for time in (study_time, plain_time, our_time)]
        rows.append([f"{size}x{size}", f"{ours.value:,}", f"{ours.states:,}", *times,
                     ratio(study_time, our_time), ratio(plain_time, our_time)])  # fmt: skip
    head = ["board", "orders to all black", "situations", "study's search", "sets in Python",
            "ours", "study : ours", "sets in Python : ours"]  # fmt: skip
    return table(head, rows) + "\n"


def _last_figure(sides: Sequence[int]) -> str:
    rows = []
    for size in sides:
        position = KIND.read(f"{size}x{size} 11")

        def ours(position=position):
            layers = last_step(position)
            finish(layers.run())
            return layers

        layers, our_time = measure(ours)
        study, study_time = _ask("study", f"{size}x{size} 11")
        check(study.value, len(list(layers.lines())))
        rows.append([f"{size}x{size}", f"{study.value}", seconds(study_time), seconds(our_time),
                     ratio(study_time, our_time)])  # fmt: skip
    head = ["board", "study's last figure", "study's search", "ours", "study : ours"]
    return table(head, rows) + "\n"


def _threads(length: Length) -> str:
    """Count on one thread and on two in turn, so that other work slows both down alike."""
    rows = []
    boards = ("6x6 11", "8x7 11") if length else ("5x5 11", "6x6 11")
    for name, text in zip(("count", "orders"), boards):

        def ask(threads: int, name: str = name, text: str = text) -> Any:
            return _answer(name, text, threads=threads)

        answer, times = on_threads(ask, RUNS[length])
        rows.append([f"{name} {text}", f"{answer.states:,}", *times])
    head = ["question", "situations", "1 thread", "2 threads", "1 thread : 2 threads"]
    return table(head, rows) + "\n"


def _others() -> str:
    rows = []
    for name in ("count", "orders", "solve", "classes", "ladder", "rate", "repair", "hint"):
        times = [seconds(_ask(name, f"{size}x{size} 11")[1]) for size in (3, 4, 5)]
        rows.append([name, *times])
    head = ["question, all black", "3x3", "4x4", "5x5"]
    return table(head, rows) + "\n"


def _memory(length: Length) -> str:
    """Return a table of the memory that each question about 5x5 takes in a process of its own.

    The figures include Python and the compiled code.
    """
    rows = []
    for name in list(KIND.questions)[: None if length else 1]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            rows.append([name, f"{pool.submit(peak, name, '5x5 11').result()} MB"])
    return table(["5x5, all black", "largest memory"], rows) + "\n"


def peak(name: str, text: str) -> int:
    """Answer the question, and return the most memory that this process has taken, in MB."""
    _answer(name, text)
    # With `getrusage`, a process would inherit the peak of the one that started it.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) >> 10
