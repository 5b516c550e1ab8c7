"""How long the engine of tables takes, in seconds of one core.

python -m bench.table_figures live 6     a live answer on boards of 6 x 6: every ready kind and 100
                                         random tables, each on a blank board
python -m bench.table_figures exact      exact counts of large boards
python -m bench.table_figures unique 8   a board of 8 x 8 with one solution for every ready kind,
                                         and its count
"""

import random
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from solvers.options import ANY
from solvers.question import Run, finish
from solvers.rule_tables.boards import EMPTY, WALL, Board, read_board
from solvers.rule_tables.count import count
from solvers.rule_tables.kind_answers import FRONTIER_BYTES
from solvers.rule_tables.model import model
from solvers.rule_tables.numbers import numbers_of
from solvers.rule_tables.ready import ready_kinds
from solvers.rule_tables.rooms import boxes
from solvers.rule_tables.search import listing
from solvers.rule_tables.table import Rule, Symbol, Table
from tests.solvers.random_tables import random_table

RANDOM_TABLES = 100
MAX_SECONDS = 20.0
"""The longest that a question is waited for."""
P95 = 0.95
CLUED = ("slitherlink", "light_up", "kurodoko", "heyawake")
"""The kinds of which a generated board of 10 x 10 is counted."""

SUDOKU = ".......1./4......../.2......./....5.4.7/..8...3../..1.9..../3..4..2../.5.1...../...8.6..."
"""A board of 17 givens from the list of Gordon Royle."""
SUDOKU_25 = (2, 25)
"""A seed of the generator of Sudoku 9×9, and how many givens its board has."""
LARGEST, WALLS, NUMBERS = 14, 0.18, 0.5
"""The rows of the largest board of Light Up, the share of walls, and of walls with a number."""


def _cells(text: str, *rules: Rule, letters: str = "o", least: int = 0) -> tuple[Table, Board]:
    table = Table({}, tuple(map(Symbol, letters)), rules, each=(least, 1))
    return table, read_board(table, text)


def exact() -> Iterator[tuple[str, Table, Board]]:
    """Yield large boards whose exact counts are known."""
    ready = {name: kind.table for name, kind in ready_kinds().items()}
    yield "queens 11", ready["queens"], read_board(ready["queens"], "11x11")
    yield "Yin-Yang 8", ready["yin_yang"], read_board(ready["yin_yang"], "8x8")
    apart = Rule("near8", "most", "o", 0, "o")
    yield "two stars 10", *_cells("10x10", Rule("line", "exactly", "o", 2), apart)
    yield "Slitherlink 8, empty", ready["slitherlink"], read_board(ready["slitherlink"], "8x8")
    different = Rule("line", "different"), Rule("room", "different")
    text = SUDOKU + " rooms=" + "/".join("/".join([row] * 3) for row in
                                         ("aaabbbccc", "dddeeefff", "ggghhhiii"))  # fmt: skip
    yield "Sudoku 17 givens", *_cells(text, *different, letters="123456789", least=1)
    yield "Sudoku 6, empty", ready["sudoku_6"], Board(6, 6, EMPTY * 36, boxes(6))
    seed, givens = SUDOKU_25
    board = generated("sudoku_9", 9, seed)
    assert len(board.cells) - board.cells.count(EMPTY) == givens
    yield f"Sudoku {givens} givens", ready["sudoku_9"], board
    yield "Light Up 14, clued", ready["light_up"], light_up(ready["light_up"])
    for name in CLUED:
        yield f"{name} 10, clued", ready[name], generated(name, 10, 1)


def generated(name: str, size: int, seed: int) -> Board:
    """Return a board with one solution that the generator makes for a ready kind."""
    kind = ready_kinds()[name]
    start = kind.read(kind.editor.blank(1, 1))
    ask = kind.questions["generate"].ask
    made = finish(ask(kind, start, size=size, difficulty=ANY, many=1, seed=seed))
    return kind.read(made.boards[0].position).board


def light_up(table: Table) -> Board:
    """Return a board for Light Up of the largest size, with numbers that a solution allows."""
    rng = random.Random(1)
    signs = "".join(WALL if rng.random() < WALLS else EMPTY for _ in range(LARGEST**2))
    board = Board(LARGEST, LARGEST, signs)
    made = model(table, board)
    (values,), _ = finish(listing(made, 1))
    filling = {site: made.values[at][values[at]] for at, site in enumerate(made.sites)}
    numbers = dict(numbers_of(table, board, filling, rng))
    kept = {cell: number for cell, number in numbers.items() if rng.random() < NUMBERS}
    return replace(board, clues=tuple(map(kept.get, board)))


def timed(run: Run[Any]) -> tuple[float, Any]:
    """Return the seconds that a question takes, and its answer, or None after `MAX_SECONDS`."""
    began = time.process_time()
    with closing(run):
        try:
            while time.process_time() - began < MAX_SECONDS:
                next(run)
        except StopIteration as end:
            return time.process_time() - began, end.value
    return time.process_time() - began, None


def boards(size: int) -> Iterator[tuple[str, Table, Board]]:
    """Yield a blank board for every ready kind that has this size, and for random tables."""
    cells = "." * (size * size)
    for name, kind in ready_kinds().items():
        if size <= min(kind.editor.largest):
            rooms = boxes(size) if "rooms" in kind.table.draws else ""
            yield name, kind.table, Board(size, size, cells, rooms)
    rng = random.Random(1)
    for number in range(RANDOM_TABLES):
        yield f"random {number}", random_table(rng), Board(size, size, cells, boxes(size))


def live(size: int) -> None:
    """Print the seconds of live answers: the median, the 95th of 100, and the slowest."""
    seconds = {}
    for name, table, board in boards(size):
        seconds[name], _ = timed(count(table, board, FRONTIER_BYTES))
    for title, names in (
        ("ready kinds", [name for name in seconds if not name.startswith("random")]),
        ("random tables", [name for name in seconds if name.startswith("random")]),
        ("both", [*seconds]),
    ):
        order = sorted(names, key=seconds.__getitem__)
        middle, late = order[len(order) // 2], order[int(P95 * (len(order) - 1))]
        print(f"{title} {size}x{size}: median {seconds[middle]:.2f}, p95 {seconds[late]:.2f}, "
              f"slowest {seconds[order[-1]]:.2f} ({order[-1]})")  # fmt: skip


def unique(size: int, wanted: list[str]) -> None:
    """Print the seconds in which a board is made and counted, for every ready kind."""
    for name, kind in ready_kinds().items():
        if size > min(kind.editor.largest) or (wanted and name not in wanted):
            continue
        ask = kind.questions["generate"].ask
        start = kind.read(kind.editor.blank(1, 1))
        took, made = timed(ask(kind, start, size=size, difficulty=ANY, many=1, seed=1))
        print(f"{name} {size}x{size}: made in {took:.2f}", end="")
        if made and made.boards:
            board = kind.read(made.boards[0].position).board
            took, answer = timed(count(kind.table, board, FRONTIER_BYTES))
            print(f", counted in {took:.2f}: {answer and answer.value}", end="")
        print(flush=True)


def main(mode: str, size: str = "6", *names: str) -> None:
    """Print figures, and the most memory that they took."""
    timed(count(*_cells("3x3")))  # Loads the compiled code.
    if mode == "live":
        live(int(size))
    elif mode == "unique":
        unique(int(size), [*names])
    else:
        for name, table, board in exact():
            took, answer = timed(count(table, board))
            value = answer and (answer.value if answer.proven else f"at least {answer.value}")
            print(f"{name}: {took:.2f}, {value}", flush=True)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main(*sys.argv[1:])
