"""Compile all kernels or load them from numba's cache, so that no user waits for them.

`python -m solvers.warm` compiles them at installation. A worker for hints calls `warm()` at its
start, which only loads them.
"""

from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

from solvers.question import finish, within
from solvers.registry import AnyKind, examples, get_kind, kinds
from solvers.rule_tables.boards import read_board
from solvers.rule_tables.questions import QUESTIONS
from solvers.rule_tables.table import Rule, Symbol, Table

COMPILING_SECONDS = 0.2
LOADING_SECONDS = 0.05


@cache
def warm(*names: str) -> None:
    """Ask the compiled questions of every kind once, for a moment each: those with these names, or
    all. A second call does nothing, also in a fork, which so keeps sharing its parent's memory."""
    for kind in kinds().values():
        _answer(kind, 1, LOADING_SECONDS, names)
    _ask_a_table()


def compile_all() -> None:
    """Ask every compiled question about all examples, as large examples need more kernels.

    Kinds are compiled in parallel processes, because numba compiles in one thread.
    """
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        others = pool.submit(_ask_a_table)
        list(pool.map(_compile, kinds()))
        others.result()


def _compile(slug: str) -> None:
    _answer(get_kind(slug), None, COMPILING_SECONDS)


def _ask_a_table() -> None:
    """Ask about a table of rules. Every table uses the same kernels."""
    table = Table({}, (Symbol("-"),), (Rule("board", "loop"),), site="edges")
    board = read_board(table, "1x1")
    for question in QUESTIONS.values():
        finish(question.ask(table, board))


def _answer(kind: AnyKind, most: int | None, seconds: float, names: Collection[str] = ()) -> None:
    texts = [example.position for example in examples(kind)][:most]
    for name, question in kind.questions.items():
        if question.is_compiled and (not names or name in names):
            for text in [question.position] if question.position else texts:
                finish(within(question.ask(kind, kind.read(text)), seconds))


if __name__ == "__main__":
    compile_all()
