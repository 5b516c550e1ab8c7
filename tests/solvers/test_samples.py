"""Random solutions: they solve the board, each is equally likely, and chances are never rounded."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from solvers.contract.agreement import boards
from solvers.contract.boards import make_ask
from solvers.maxstrings import checkerboard
from solvers.maxstrings.forms import FormTables, count_forms
from solvers.question import finish
from solvers.registry import get_kind, kinds
from solvers.samples import drawn, sample

DRAWN = 1000

BOARDS = [
    ("goishi", "o.oo/oo.o/oooo"),
    ("goishi", "ooo/ooo/..o | 3,3"),
    ("tonari", "Bbb/bbb/bbb"),
    ("tonari", "Bbb/bbb/bbb | 2,2"),
    ("kikazu", "4/4/4/4 RBKGSNLP"),
    ("kikazu", "3/3/3 2KPL"),
    ("kikazu", "5/5/5/5/5 RBKG2SN2L5P"),
    ("maxstrings", "...../.-.../....# 9"),
    ("maxstrings", "xx./.../... 4"),
    ("maxstrings", "...../...../...../...../..... 17"),
]


def deviation(counts: list[int]) -> float:
    """Return by how many standard deviations chi-square exceeds its mean if all numbers have equal
    chances (Wilson and Hilferty)."""
    freedom, expected = len(counts) - 1, sum(counts) / len(counts)
    chi_square = sum((number - expected) ** 2 for number in counts) / expected
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


@pytest.mark.parametrize(("slug", "text"), BOARDS)
def test_each_solution_is_equally_likely(slug, text):
    kind = get_kind(slug)
    position = kind.read(text)
    every = make_ask(kind)("solutions", position, first=1, limit=10_000)
    ends = {kind.solution(kind.play_line(position, line)): 0 for line in every.solutions}
    assert every.proven and len(ends) > 1
    answer = make_ask(kind)("sample", position, many=DRAWN, seed=5)
    assert answer.value == len(ends) and len(answer.solutions) == len(answer.boards) == DRAWN
    drawn_ends = Counter(kind.solution(kind.play_line(position, line)) for line in answer.solutions)
    assert drawn_ends.keys() <= ends.keys()
    assert abs(deviation([drawn_ends[end] for end in ends])) < 3.3


@pytest.mark.parametrize("slug", ["goishi", "tonari", "kikazu"])
def test_the_way_down_the_counts_favours_no_solution(slug):
    """Without lists every move is drawn."""
    kind = get_kind(slug)
    text = {"goishi": "ooo/ooo", "tonari": "Bbb/bbw", "kikazu": "3/3/3 2KPL"}[slug]
    position = kind.read(text)
    answer = finish(sample(kind, position, many=DRAWN, seed=7, listed=0))
    drawn_ends = Counter(kind.solution(kind.play_line(position, line)) for line in answer.solutions)
    assert len(drawn_ends) == answer.value
    assert abs(deviation([*drawn_ends.values()])) < 3.3


def test_random_boards_have_their_own_solutions():
    for kind in kinds().values():
        for position, _ in zip(boards(kind, random.Random(3), 3), range(30)):
            counted = make_ask(kind)("count", position)
            answer = make_ask(kind)("sample", position, many=3, seed=1)
            if not answer.proven:
                assert not answer.solutions
                continue
            assert counted.proven and answer.value == counted.value
            assert len(answer.solutions) == (3 if counted.value else 0)
            for line in answer.solutions:
                assert kind.judge(kind.play_line(position, line)).solved


def test_a_ticket_of_a_large_number_is_not_rounded():
    """The share of 1 in 2^200 would vanish in floating-point numbers."""

    class Last(random.Random):
        def randrange(self, stop: int) -> int:
            return stop - 1

    assert drawn(Last(), "ab", (2**200, 1)) == "b"
    assert drawn(Last(), "abc", (2**200, 1, 0)) == "b"


def test_tables_of_large_counts_are_exact():
    """The first row's numbers add up to the count, beyond 2^53."""
    codes = checkerboard.codes_of(("." * 8,) * 8)
    tables = FormTables()
    counts = finish(count_forms(codes, 20, tables=tables))
    total = sum(counts.forms)
    assert total > 2**53 and len(tables.moduli) == len(tables.passes)
    rows = checkerboard.snake(codes)
    laid = checkerboard.next_rows(np.ones(8, np.uint8), rows[0])
    assert laid is not None
    costs, ranks, _ = laid
    assert sum(tables.numbers(0, ranks, counts.empty + 20 - costs.astype(np.int64))) == total


def test_the_same_seed_draws_the_same_solutions():
    kind = get_kind("goishi")
    position = kind.read("ooo/ooo/ooo")
    ask = make_ask(kind)
    one, same, other = (ask("sample", position, many=20, seed=seed) for seed in (1, 1, 2))
    assert one.solutions == same.solutions != other.solutions
