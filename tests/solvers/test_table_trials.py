"""What the workshop says of a board, against the slow reading of the table."""

import random

import pytest
from msgspec.structs import replace as changed

from solvers.grid import write_cell
from solvers.question import finish
from solvers.registry import ready_kinds
from solvers.rule_tables import generate
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, Drawn, read_board
from solvers.rule_tables.generate import NO_SOLUTION, NOTHING_LEFT
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.reading import solutions
from solvers.rule_tables.table import Table, read_table
from tests.solvers.test_table_kinds import random_kind

NUMBER = 120


def cases(seed: int, number: int = NUMBER, *, has_lines: bool = False):
    """Yield kinds of random tables, each with the start of a small board. The workshop has tables
    of cells."""
    rng = random.Random(seed)
    for _ in range(number):
        while (kind := random_kind(rng)).is_lines and not has_lines:
            pass
        yield kind, kind.start(kind.sample(rng, 3))


def without(table: Table, board: Board, name: str) -> tuple[Table, Board]:
    """Return the table without a rule, or the board without something drawn."""
    if name.isdecimal():
        kept = [rule for number, rule in enumerate(table.rules, 1) if number != int(name)]
        return changed(table, rules=tuple(kept)), board
    sections = ("cells", "clues", *RIMS)
    drawn = [Drawn(section, at) for section in sections for at in range(len(board.cells))]
    return table, board.without(next(each for each in drawn if board.place(each) == name))


def number(table: Table, board: Board) -> int:
    return sum(1 for _ in solutions(table, board))


def filled(kind: TableKind, start: TablePosition, moves: tuple[str, ...]):
    end = kind.play_line(start, " ".join(moves))
    return {cell: frozenset(end.letter(cell)) - {EMPTY} for cell in end.board
            if end.board.is_open(cell)}  # fmt: skip


def test_a_trial_tells_the_truth():
    seen = {"none": 0, "some": 0, "idle": 0}
    for kind, start in cases(1):
        table, board = kind.table, start.board
        found = list(solutions(table, board))
        answer = finish(kind.questions["trial"].ask(kind, start))
        if found:
            seen["some"] += 1
            assert filled(kind, start, answer.moves) in found
            assert (answer.other is not None) == (len(found) > 1)
            if answer.other is not None:
                other = filled(kind, start, answer.other)
                assert other in found and other != filled(kind, start, answer.moves)
            names = [str(number) for number in range(1, len(table.rules) + 1)]
            idle = [n for n in names if number(*without(table, board, n)) == len(found)]
            assert list(map(str, answer.idle)) == idle, (table, board)
            seen["idle"] += bool(idle)
        else:
            seen["none"] += 1
            assert answer.rules or answer.drawn
            members = [*map(str, answer.rules), *answer.drawn]
            for name, left in answer.without.items():
                assert name in members
                assert number(*without(table, board, name)) == left, (table, board, name)
    assert min(seen.values()) > 5, seen


def test_what_forbids_a_symbol_forbids_it():
    for kind, start in cases(2, 60):
        table, board = kind.table, start.board
        found = list(solutions(table, board))
        for cell in board:
            if board.sign(cell) != EMPTY:
                continue
            asked = kind.questions["forbidden"].ask(kind, start, cell=write_cell(cell))
            why = finish(asked).why
            for letter in table.filled:
                possible = any(letter in filling[cell] for filling in found)
                assert (letter in why) != possible, (table, board, cell)
            for letter, rules in why.items():
                kept = tuple(table.rules[each - 1] for each in rules)
                rest = solutions(changed(table, rules=kept), board)
                assert not any(letter in filling[cell] for filling in rest), (table, board, rules)


def test_made_one_has_one_solution_and_all_that_was_drawn():
    made = 0
    for kind, start in cases(3, 100, has_lines=True):
        table, board = kind.table, start.board
        answer = finish(kind.questions["complete"].ask(kind, start, seed=1))
        if not answer.boards:
            assert (answer.note.text == NO_SOLUTION) == (number(table, board) == 0)
            continue
        made += 1
        new = read_board(changed(table, draws=(*table.draws, "givens")), answer.boards[0].position)
        assert number(table, new) == 1, (table, board, new)
        assert all(old in (EMPTY, now) for old, now in zip(board.cells, new.cells))
        assert (new.cells.count(WALL), new.rows) == (board.cells.count(WALL), board.rows)
        pairs = zip(board.clues, new.clues or (None,) * len(board.clues))
        assert all(old in (None, now) for old, now in pairs), (table, board, new)
    assert made > 10


def test_making_one_keeps_the_numbers_that_are_compared():
    hitori = ready_kinds()["hitori"]
    kept = 0
    for seed in range(6):
        text = "4x4 clues=1..2/..3./.4../2..1"
        answer = finish(hitori.questions["complete"].ask(hitori, hitori.read(text), seed=seed))
        for board in answer.boards:
            rows = board.position.split("clues=")[1].split("/")
            assert rows[0][0] == "1" and rows[0][3] == "2" and rows[2][1] == "4"
            kept += 1
    assert kept


STARS = "4x4 rooms=aabb/aabb/ccdd/ccdd"


@pytest.mark.parametrize(("name", "text"), [
    ("queens", "5x5"), ("latin", "5x5"), ("sudoku", STARS), ("yin_yang", "4x4"), ("stars", STARS),
])  # fmt: skip
def test_ready_tables_are_made_one(name, text):
    """Where numbers and rooms do not help, given symbols are added."""
    table = ready_kinds()[name].table
    if name == "stars":
        table = changed(table, rules=table.rules[:2])
    kind = TableKind(table)
    answer = finish(kind.questions["complete"].ask(kind, kind.read_start(text), seed=4))
    board = read_board(changed(table, draws=("rooms", "givens")), answer.boards[0].position)
    counted = kind.questions["count"].ask(kind, TablePosition(board, board.cells))
    assert finish(counted).value == 1


def test_making_one_says_why_it_cannot():
    none = TableKind(read_table(
        '{"name": {"en": "x"}, "symbols": [{"letter": "o"}], "draws": ["givens"], "rules": ['
        '{"where": "row", "relation": "exactly", "what": "o", "number": 3}]}'
    ))  # fmt: skip
    answer = finish(none.questions["complete"].ask(none, none.read_start("2x2"), seed=1))
    assert (answer.boards, answer.note.text) == ((), NO_SOLUTION)
    most = TableKind(read_table(
        '{"name": {"en": "x"}, "symbols": [{"letter": "o"}], "rules": ['
        '{"where": "near4", "relation": "most", "what": "o", "number": 0, "who": "o"}]}'
    ))  # fmt: skip
    answer = finish(most.questions["complete"].ask(most, most.read_start("4x4"), seed=1))
    assert (answer.boards, answer.note.text) == ((), NOTHING_LEFT)


def test_making_one_ends_in_time(monkeypatch):
    monkeypatch.setattr(generate, "COMPLETE_SECONDS", 0.0)
    kind = ready_kinds()["latin"]
    answer = finish(kind.questions["complete"].ask(kind, kind.read_start("4x4"), seed=1))
    assert answer.boards or answer.note.text == generate.NOT_IN_TIME
