"""Questions about boards of all sorts: without a solution, with one, with many, with empty lines,
and of one row or column. Every answer ends well, and a reason names what is on the board."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from solvers.kind import BadText
from solvers.question import finish, within
from solvers.registry import ready_kinds
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, read_board
from solvers.rule_tables.contradictions import explain
from solvers.rule_tables.count import count
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.table import Rule, Symbol, Table
from tests.solvers.test_table_kinds import random_kind

TABLES, SEED = int(os.environ.get("FUZZ_TABLES", 0)), os.environ.get("FUZZ_SEED", "")
KINDS = 300 if TABLES else 40
PARTS = 4
SECONDS = 20.0
ASKED = ("trial", "hint", "review", "count")
NONOGRAM = Table(
    {"en": "test"}, (Symbol("x"),), (Rule("line", "runs", "x", "clue"),), draws=("rim",)
)
READY = ready_kinds()


def boards(kind: TableKind, rng: random.Random) -> Iterator[TablePosition]:
    """Yield starts of a kind: random ones, empty ones, and narrow ones, with lines that have the
    number 0 at their edges."""
    yield kind.start(kind.sample(rng, 3))
    for rows, columns in ((1, rng.randint(1, 4)), (rng.randint(2, 4), 1), (2, 2)):
        start = kind.begin(read_board(kind.table, f"{rows}x{columns}"))
        for board in (start.board, decorated(kind, start.board, rng)):
            with suppress(BadText):  # Other kinds have larger boards, or one number in each room.
                yield kind.read_start(kind.write_start(kind.begin(board)))


def decorated(kind: TableKind, board: Board, rng: random.Random) -> Board:
    """Return a board with what its author may draw there."""
    draws, size = kind.table.draws, board.rows * board.columns
    if "givens" in draws:
        signs = EMPTY * 3 + kind.table.given
        board = replace(board, cells="".join(rng.choice(signs) for _ in range(size)))
    if "clues" in draws:
        board = replace(board, clues=tuple(rng.choice((None, 0, 1, 1, 2)) for _ in range(size)))
    if "rooms" in draws:
        board = replace(board, rooms="".join(rng.choice("ab") for _ in range(size)))
    if "rim" in draws:
        sides = zip(RIMS, (board.rows, board.rows, board.columns, board.columns))
        board = board.with_rims({
            side: tuple(rng.choice(((), (0,), (1,), (2,))) for _ in range(many))
            if side in kind.table.sides else ()
            for side, many in sides
        })  # fmt: skip
    return board


def names_on(board: Board) -> set[str]:
    """Return the names of all that the author has drawn."""
    named = {"goal"} if board.goal is not None else set()
    for at, sign in enumerate(board.cells):
        if sign not in (EMPTY, WALL):
            named.add(f"cells {at // board.columns + 1},{at % board.columns + 1}")
    for at, number in enumerate(board.clues):
        if number is not None:
            named.add(f"clues {at // board.columns + 1},{at % board.columns + 1}")
    for side in RIMS:
        named |= {f"{side} {at + 1}" for at, each in enumerate(getattr(board, side)) if each}
    return named


def check(kind: TableKind, position: TablePosition) -> str:
    """Ask everything about a start. Return how many solutions it has, in a word."""
    board, text = position.board, kind.write(position)
    numbers = set(range(1, len(kind.table.rules) + 1))
    answers = {name: finish(within(kind.questions[name].ask(kind, position), SECONDS))
               for name in ASKED if name in kind.questions}  # fmt: skip
    answers["explain"] = finish(within(explain(kind.table, board), SECONDS))
    for name in ("trial", "explain"):
        answer = answers[name]
        if answer is None:
            continue
        assert {*answer.rules} <= numbers, (text, answer)
        assert {*answer.drawn} <= names_on(board), (text, answer)
        assert {*answer.without} <= {*map(str, answer.rules), *answer.drawn}, (text, answer)
    counted = answers["count"]
    if counted is None or not counted.proven:
        return "unknown"
    if answers["explain"]:
        assert answers["explain"].value == counted.value, text
    if answers["trial"]:
        assert (answers["trial"].value is None) == bool(counted.value), text
        assert (answers["trial"].other is not None) == (counted.value > 1), text
    if answers["hint"]:
        assert bool(answers["hint"].value) == bool(counted.value), text
    assert answers["review"] is None or answers["review"].left in ((counted.value,), (None,)), text
    return "none" if not counted.value else "one" if counted.value == 1 else "many"


@pytest.mark.parametrize("name", READY)
def test_answers_about_boards_of_ready_kinds_agree(name):
    kind = READY[name]
    rng = random.Random(f"{SEED}{name}")
    asked = Counter[str]()
    for _ in range(6 if TABLES else 1):
        for position in boards(kind, rng):
            asked[check(kind, position)] += 1
    assert sum(asked.values()) >= 3, asked


@pytest.mark.parametrize("part", range(PARTS))
def test_answers_about_boards_of_random_tables_agree(part):
    rng = random.Random(f"{SEED} {part}")
    asked = Counter[str]()
    for _ in range(KINDS // PARTS):
        kind = random_kind(rng)
        for position in boards(kind, rng):
            asked[check(kind, position)] += 1
    assert min(asked["none"], asked["one"], asked["many"]) >= 1, asked


@pytest.mark.parametrize(
    ("board", "number"),
    [("3x3 left=0,3,0", 1), ("1x4 left=0", 1), ("3x1 top=0", 1), ("2x2 left=0,0 top=1,", 0)],
)
def test_a_line_with_the_number_0_is_empty(board, number):
    assert finish(count(NONOGRAM, read_board(NONOGRAM, board))).value == number
    why = finish(explain(NONOGRAM, read_board(NONOGRAM, board)))
    assert bool(why.drawn) == (number == 0)


@pytest.mark.parametrize("name, board", [
    ("hitori", "2x2 clues=11/11"), ("hitori", "3x3 clues=111/111/111"),
    ("dominoes", "2x4 clues=1141/1313"),
])  # fmt: skip
def test_rules_that_compare_numbers_in_squares_name_none_at_the_edge(name, board):
    why = finish(explain(READY[name].table, READY[name].read_start(board).board))
    assert (why.value, why.drawn) == (0, ()) and why.rules
