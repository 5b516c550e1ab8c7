"""Compile all kernels or load them from numba's cache, so that no user waits for them.

`python -m solvers.warm` compiles them, unless that has been done. A worker for hints calls `warm()`
at its start, which only loads them.
"""

import hashlib
import os
import sys
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from solvers.question import finish, within
from solvers.registry import AnyKind, examples, get_kind, kinds
from solvers.rule_tables.boards import read_board
from solvers.rule_tables.kernels import expand
from solvers.rule_tables.questions import QUESTIONS
from solvers.rule_tables.table import Rule, Symbol, Table

COMPILING_SECONDS = 0.2
LOADING_SECONDS = 0.05

FOLDER = Path(__file__).parent
STAMP = "compiled.stamp"
STAMPED = expand
"""A kernel that every installation has. Its folder in numba's cache has the stamp."""


def is_compiled() -> bool:
    """Return whether the kernels have been compiled since the solvers, numba or Python changed."""
    stamp = _stamp()
    return stamp.exists() and stamp.read_text("utf-8") == _digest()


def _stamp() -> Path:
    """Return the file that tells what has been compiled. It is beside numba's files."""
    return Path(STAMPED.stats.cache_path or FOLDER) / STAMP


def _digest() -> str:
    """Return a hash of all sources and of what compiles them."""
    total = hashlib.sha256(f"{sys.version} {version('numba')} {version('numpy')}".encode())
    for path in sorted(FOLDER.rglob("*.py")):
        total.update(f"\0{path.relative_to(FOLDER).as_posix()}\0".encode() + path.read_bytes())
    return total.hexdigest()


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
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=_end_with_parent) as pool:
        others = pool.submit(_ask_a_table)
        list(pool.map(_compile, kinds()))
        others.result()


def _end_with_parent() -> None:
    """Let this process end when the one that started it dies. Otherwise it would wait for ever."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


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


if __name__ == "__main__" and not is_compiled():
    compile_all()
    _stamp().write_text(_digest(), "utf-8")
