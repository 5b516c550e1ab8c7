"""Counts by the programs in C++, which share nothing with ours but the rules."""

import random

import pytest

from bench import twins
from solvers.question import finish
from solvers.registry import get_kind

BOARDS = 40
HANDS = ("3K", "KGSN", "RBGP", "2S2N", "2L2P", "RBKGSL2P")


def board_of(kind: str, rng: random.Random) -> str:
    """Return the text of a small random board."""
    rows, columns = rng.randint(3, 4), rng.randint(3, 4)
    if kind == "tonari":
        return f"{rows}x{columns} {rng.randint(1, rows)}{rng.randint(1, columns)}"
    if kind == "kikazu":
        return "/".join([str(columns)] * rows) + f" {rng.choice(HANDS)}"
    stones = rng.sample(range(rows * columns), rng.randint(6, 9))
    signs = ["o" if at in stones else "." for at in range(rows * columns)]
    return "/".join("".join(signs[at : at + columns]) for at in range(0, len(signs), columns))


@pytest.mark.skipif(not twins.COMPILER, reason="needs g++")
@pytest.mark.parametrize("slug", twins.ARGUMENTS)
def test_counts_agree_with_programs_in_another_language(slug, tmp_path):
    program, kind, rng = twins.compiled(slug, tmp_path), get_kind(slug), random.Random(1)
    counts = set()
    for _ in range(BOARDS):
        text = board_of(slug, rng)
        position = kind.read(text)
        counted = finish(kind.questions["count"].ask(kind, position)).value
        written = kind.write(position) if slug == "goishi" else text
        assert twins.count(program, written) == counted, text
        counts.add(counted)
    assert len(counts) > 2
