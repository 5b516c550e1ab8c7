"""Reasons: the marked cells make a solution impossible, each of them is needed, and none is fewer.

All of it is checked by the rules alone: against every end of the game in a sequence, and against
every solution of the start in a placement.
"""

import os
import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, islice, product

import pytest

from solvers.answers import Reason
from solvers.contract.agreement import boards
from solvers.contract.boards import make_ask
from solvers.grid import read_cell
from solvers.kikazu import rules as kikazu_rules
from solvers.maxstrings.rules import STONES, Position
from solvers.question import finish
from solvers.reasons import IMPOSSIBLE, impossible_set
from solvers.registry import get_kind, kinds
from solvers.tonari import rules as tonari_rules

NUMBER = int(os.environ.get("FUZZ_REASONS", 100))
SEED = int(os.environ.get("FUZZ_SEED", 11))
SLUGS = ["goishi", "kikazu", "maxstrings", "tonari"]


def ends(kind, position) -> Iterator:
    """Yield the different positions in which no move is left."""
    waiting, seen = [position], set()
    while waiting:
        here = waiting.pop()
        if kind.slug == "goishi":
            state = (here.left, here.picked[-2:])
        else:
            state = (here.occupied, tuple(sorted(tonari_rules.final_colours(here).items())))
        if state in seen:
            continue
        seen.add(state)
        moves = list(kind.moves(here))
        if not moves:
            yield here
        waiting += (kind.play(here, move) for move in moves)


@lru_cache(maxsize=256)
def solved_boards(kind, start) -> list[dict]:
    """Return what stands on each cell in each solution of a start."""
    if kind.slug == "kikazu":
        waiting, solved = {start.board: start}, []
        while waiting:
            _, here = waiting.popitem()
            if kind.judge(here).solved:
                solved.append({cell: piece for piece, cell in here.pieces})
            for move in kind.moves(here):
                after = kind.play(here, move)
                waiting[after.board] = after
        return solved
    free = [
        (row, column)
        for row, letters in enumerate(start.points)
        for column, letter in enumerate(letters)
        if letter in ".s"
    ]
    solved = []
    for letters in product(".xo", repeat=len(free)):
        rows = [list(row) for row in start.now]
        for (row, column), letter in zip(free, letters):
            rows[row][column] = letter
        now = tuple(map("".join, rows))
        if kind.judge(Position(start.points, start.goal, now)).solved:
            solved.append({(r, c): now[r][c] for r in range(len(now)) for c in range(len(now[0]))})
    return solved


def missed_sets(kind, position) -> set[frozenset]:
    """Return, by the rules alone, the elements that each end or solution leaves out."""
    if kind.slug == "goishi":
        places = list(product(range(position.rows), range(position.columns)))
        return {
            frozenset(cell for cell in places if end.left & end.bit(cell))
            for end in ends(kind, position)
        }
    if kind.slug == "tonari":
        return {frozenset(tonari_rules.doomed(end)) for end in ends(kind, position)}
    if kind.slug == "kikazu":
        placed = {move.cell: move.piece for move in kikazu_rules.placed(position)}
    else:
        placed = {
            (row, column): letter
            for row, letters in enumerate(position.now)
            for column, letter in enumerate(letters)
            if letter in STONES and position.points[row][column] not in STONES
        }
    return {
        frozenset(cell for cell, what in placed.items() if solution.get(cell) != what)
        for solution in solved_boards(kind, kind.start(position))
    }


def check_reason(kind, position, reason: Reason | None) -> None:
    missed = missed_sets(kind, position)
    text = kind.write(position)
    if reason is None:
        assert frozenset() in missed, f"no reason for {text}"
        return
    cells = set(map(read_cell, reason.cells))
    assert len(cells) == len(reason.cells) and str(reason.message)
    assert all(cells & left_out for left_out in missed), f"{reason} of {text} can be met"
    assert reason.is_minimal and reason.is_smallest, "these boards are small"
    for cell in cells:
        assert any(cells & left_out == {cell} for left_out in missed), f"{reason} of {text}"
    if cells:
        every = set().union(*missed)
        assert not any(
            all(left_out.intersection(chosen) for left_out in missed)
            for chosen in combinations(every, len(cells) - 1)
        ), f"a smaller reason than {reason} of {text}"


def played(kind, rng: random.Random) -> Iterator:
    """Yield positions of small boards, in which more is set or picked up than elsewhere."""
    for position in boards(kind, rng, 3):
        if kind.slug == "maxstrings":
            free = sum(letter in ".s" for row in position.points for letter in row)
            if free > 6 or kind.judge(position).goal is None:
                continue
        yield position
        for _ in range(rng.randint(1, 4)):
            moves = list(kind.moves(position))
            if not moves:
                break
            position = kind.play(position, rng.choice(moves))
        yield position


@pytest.mark.parametrize("slug", SLUGS)
def test_reasons_agree_with_the_rules_alone(slug):
    kind, reasons = get_kind(slug), 0
    rng = random.Random(f"{SEED} {slug}")
    for position in islice(played(kind, rng), NUMBER):
        reason = make_ask(kind)("reason", position).reason
        # A reason of no cells is about a start without a solution, which has no elements.
        check_reason(kind, position, reason)
        reasons += reason is not None
    assert reasons > NUMBER // 8


WORDS = [
    ("goishi", "oo.o | 1,2 1,1", "unreachable", ["1,4"]),
    ("tonari", "Bbb/bbb | 1,2", "parity", ["1,3", "2,1", "2,2", "2,3"]),
    ("kikazu", "4/4/4 2R | R 1,1 R 1,3", "attack", ["1,1", "1,3"]),
    ("kikazu", "4/4/4/4 RBKGSNLP | B 2,2", "room", ["2,2"]),
    ("kikazu", "1P1/3/3 RK | R 3,3", "squares", ["3,3"]),
    ("goishi", "ooo/.oo/..o | 1,1 1,2", "ends", ["1,3", "2,2", "3,3"]),
    ("maxstrings", ".../... 2 | o 1,1 x 1,2 x 2,1", "liberty", ["1,1", "1,2", "2,1"]),
]


@pytest.mark.parametrize(("slug", "text", "word", "cells"), WORDS)
def test_the_word_of_a_reason(slug, text, word, cells):
    kind = get_kind(slug)
    reason = make_ask(kind)("reason", kind.read(text)).reason
    assert (reason.word, sorted(reason.cells)) == (word, cells)
    assert reason.is_minimal and reason.is_smallest


@pytest.mark.parametrize("text", ["1P1/3/3 RK | R 3,3", "3/1B1/3 K | K 2,1"])
def test_a_reason_of_squares_counts_all_pieces_but_the_marked_and_the_given_ones(text):
    kind = get_kind("kikazu")
    position = kind.read(text)
    reason = make_ask(kind)("reason", position).reason
    marked = len(reason.cells)
    assert reason.word == "squares"
    assert ("besides the marked" in reason.message.text) is bool(marked)
    assert reason.message.values["left"] == sum(kind.start(position).hand) - marked


def test_reviews_tell_the_reason():
    for kind in kinds().values():
        told = 0
        for position in islice(played(kind, random.Random(4)), 60):
            review = make_ask(kind)("review", position)
            if review.why:
                told += 1
                lost = kind.start(position)
                for move in kind.line(position)[: review.value or 0]:
                    lost = kind.play(lost, move)
                check_reason(kind, lost, review.why)
        assert told > 5


def test_a_search_without_an_end_claims_nothing():
    """Undecided sets leave elements that may be needless, and say so."""

    def meet(elements):
        yield from ()
        return IMPOSSIBLE if elements == 0b111 else None

    found = finish(impossible_set(3, meet))
    assert found and (found.elements, found.is_minimal, found.is_smallest) == (0b111, False, False)

    def undecided(elements):
        yield from ()

    assert finish(impossible_set(3, undecided)) is None
