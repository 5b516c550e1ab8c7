"""Counts in C++ that share nothing with ours, to measure ours against a compiled language.

Each is the plain method that a good programmer writes first: the search of the study (Peaceful
Pieces), or sets in a hash table (Goishi Hiroi, Tonari Othello).
"""

import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from solvers.kikazu.rules import PIECES
from solvers.registry import get_kind

COMPILER = shutil.which("g++")
MEMORY = 4 << 30
"""The most bytes of a program."""


def _hand(text: str) -> list[str]:
    start = get_kind("kikazu").read(text)
    hand = "".join(f"{many}{piece}" for piece, many in zip(PIECES, start.hand) if many)
    return [str(start.rows), str(start.columns), hand]


ARGUMENTS: dict[str, Callable[[str], list[str]]] = {
    "goishi": lambda text: [text],
    "tonari": str.split,
    "kikazu": _hand,
}
"""The slug of a kind -> what its program takes of the text of a board without moves."""


def compiled(kind: str, folder: Path) -> Path:
    """Compile the program of a kind for this processor, and return its path in the folder."""
    assert COMPILER
    program = folder / kind
    source = Path(__file__).with_name(f"{kind}.cpp")
    command = (COMPILER, "-std=c++20", "-O3", "-march=native", "-o", str(program), str(source))
    subprocess.run(command, check=True)
    return program


def count(program: Path, text: str) -> int | None:
    """Return what a compiled program counts on a board, or None if it needs more memory than
    `MEMORY`."""
    ended = subprocess.run(
        [program, *ARGUMENTS[program.name](text)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    return None if ended.returncode else int(ended.stdout)
