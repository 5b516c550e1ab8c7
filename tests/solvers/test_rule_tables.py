"""Tables of rules: counts that others have published, and the slow reading of random tables."""

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import permutations

import pytest
from msgspec.structs import replace

from solvers.kikazu import KIND as KIKAZU
from solvers.kind import BadText
from solvers.question import finish, within
from solvers.rule_tables import reading
from solvers.rule_tables.areas import PRESETS, beside
from solvers.rule_tables.boards import RIMS, Board, Drawn, read_board, write_board
from solvers.rule_tables.browser import steps
from solvers.rule_tables.contradictions import explain
from solvers.rule_tables.count import count, solutions, solve
from solvers.rule_tables.frontier import diagram
from solvers.rule_tables.layers import layers
from solvers.rule_tables.model import model
from solvers.rule_tables.search import listing, possible
from solvers.rule_tables.table import Rule, Symbol, Table, check_table, read_table, write_table
from tests.solvers.random_tables import random_board, random_table

ROW, COLUMN = Rule("row", "exactly", "o", 1), Rule("column", "exactly", "o", 1)
LINES = Rule("line", "different")


def cells(*rules: Rule, letters: str = "o", each: tuple[int, int] = (0, 1)) -> Table:
    symbols = tuple(Symbol(each, value=int(each) if each.isdigit() else 0) for each in letters)
    return Table({"en": "test"}, symbols, rules, each=each)


QUEENS = cells(ROW, COLUMN, Rule("diagonal", "most", "o", 1))
KINGS = cells(Rule("square", "most", "o", 1))
STONES = cells(Rule("pair", "most", "o", 1))
ROOKS = cells(Rule("line", "most", "o", 1))
PAIRS = cells(Rule("line", "exactly", "o", 2))
LATIN = {n: cells(LINES, letters="12345"[:n], each=(1, 1)) for n in (3, 4, 5)}
COLOURS = cells(Rule("pair", "different"), letters="123", each=(1, 1))
LIGHTS = cells(Rule("plus", "odd", "o"))
LIGHT_UP = cells(
    Rule("run", "most", "o", 1),
    Rule("sight", "least", "o", 1),
    Rule("near4", "exactly", "o", "clue"),
)
IN_ONE_PIECE = cells(Rule("board", "connected", "o"))
LOOP = Table(
    {"en": "loop"},
    (Symbol("-"),),
    (Rule("board", "loop"), Rule("face", "exactly", "*", "clue")),
    site="edges",
)
SUDOKU = cells(LINES, Rule("room", "different"), letters="1234", each=(1, 1))
MAGIC = cells(
    Rule("board", "different"),
    Rule("line", "total", "*", 15),
    Rule("long diagonal", "total", "*", 15),
    letters="123456789",
    each=(1, 1),
)
FORM = cells(Rule("near4", "least", ".", 1, "o"), Rule("board", "exactly", "o", "clue"))
YIN_YANG = cells(
    *(Rule("board", "connected", letter) for letter in "xo"),
    *(Rule("square", "most", letter, 3) for letter in "xo"),
    letters="xo",
    each=(1, 1),
)
BLACK = Rule("pair", "most", "x", 1)
HEYAWAKE = cells(
    BLACK,
    Rule("room", "exactly", "x", "clue"),
    Rule("stretch", "least", "x", 1),
    Rule("board", "connected", "."),
    letters="x",
)
KURODOKO = cells(
    BLACK,
    Rule("cell", "exactly", "x", 0, "clue"),
    Rule("sight", "sees", ".", "clue"),
    Rule("board", "connected", "."),
    letters="x",
)
NONOGRAM = cells(Rule("line", "runs", "x", "clue"), letters="x")
SKYSCRAPERS = cells(LINES, Rule("board", "seen", "*", "clue"), letters="1234", each=(1, 1))
STARS = cells(
    Rule("line", "exactly", "o", 1),
    Rule("room", "exactly", "o", 1),
    Rule("near8", "most", "o", 0, "o"),
)

TAKUZU = cells(
    *(Rule("three", "most", letter, 2) for letter in "01"),
    Rule("line", "exactly", "0", "1"),
    letters="01",
    each=(1, 1),
)
BISHOPS = Rule("diagonal", "most", "o", 1)
KNIGHTS = Rule("knight", "most", "o", 0, "o")
COVERED = Rule("around", "least", "o", 1, reach=((0, 0), *PRESETS["knight"]))


def links(*rules: Rule) -> Table:
    return Table({"en": "test"}, (Symbol("o"), Symbol("T")), rules, site="links")


DOMINOES = links(Rule("cell", "exactly", "*", 1))
SHIPS = cells(Rule("board", "fleet", "x", "32"), Rule("slant4", "most", "x", 0, "x"), letters="x")


def number(count: int) -> Rule:
    """Return the rule that the board has so many."""
    return Rule("board", "exactly", "o", count)


KNOWN = [
    (QUEENS, "6x6", 4, "OEIS A000170"),
    (QUEENS, "8x8", 92, "OEIS A000170"),
    (QUEENS, "9x9", 352, "OEIS A000170"),
    (KINGS, "5x5", 6427, "OEIS A063443"),
    (KINGS, "6x6", 202841, "OEIS A063443"),
    (STONES, "5x5", 55447, "OEIS A006506"),
    (STONES, "6x6", 5598861, "OEIS A006506"),
    (ROOKS, "4x4", 209, "OEIS A002720"),
    (ROOKS, "6x6", 13327, "OEIS A002720"),
    (PAIRS, "4x4", 90, "OEIS A001499"),
    (PAIRS, "6x6", 67950, "OEIS A001499"),
    (LATIN[3], "3x3", 12, "OEIS A002860"),
    (LATIN[4], "4x4", 576, "OEIS A002860"),
    (LATIN[5], "5x5", 161280, "OEIS A002860"),
    (COLOURS, "3x3", 246, "OEIS A068253"),
    (COLOURS, "5x5", 580986, "OEIS A068253"),
    (LIGHTS, "4x4", 2**4, "OEIS A159257"),
    (LIGHTS, "5x5", 2**2, "OEIS A159257"),
    (LIGHTS, "9x9", 2**8, "OEIS A159257"),
    (cells(*QUEENS.rules, KNIGHTS), "10x10", 4, "OEIS A051223"),
    (cells(*QUEENS.rules, KNIGHTS), "11x11", 44, "OEIS A051223"),
    (cells(KNIGHTS), "4x4", 1365, "OEIS A141243"),
    (cells(KNIGHTS), "6x6", 3368146, "OEIS A141243"),
    (cells(KNIGHTS, COVERED), "4x4", 31, "OEIS A289201"),
    (cells(KNIGHTS, COVERED), "6x6", 2253, "OEIS A289201"),
    (cells(BISHOPS, number(5)), "5x5", 3368, "OEIS A002465"),
    (cells(BISHOPS, number(5)), "6x6", 39680, "OEIS A172129"),
    (cells(*KINGS.rules, number(9)), "6x6", 3600, "OEIS A201771"),
    (cells(*KINGS.rules, number(9)), "7x7", 2882737, "OEIS A201771"),
    (cells(*KINGS.rules, number(4)), "4x4", 79, "OEIS A350818"),
    (cells(*STONES.rules, Rule("plus", "least", "o", 1)), "5x5", 358, "OEIS A293177"),
    (cells(*STONES.rules, Rule("plus", "least", "o", 1)), "4x7", 692, "OEIS A293177"),
    (cells(Rule("plus", "least", "o", 1)), "5x5", 10982565, "OEIS A133515"),
    (cells(Rule("line", "exactly", "o", 3)), "6x6", 297200, "OEIS A001501"),
    (LIGHT_UP, "6x6", 720, "an empty board: a lamp in every row and column, 6!"),
    (IN_ONE_PIECE, "3x3", 218 + 1, "OEIS A059525, and the empty board"),
    (IN_ONE_PIECE, "4x4", 11506 + 1, "OEIS A059525, and the empty board"),
    (LOOP, "3x3", 213, "OEIS A140517"),
    (LOOP, "4x4", 9349, "OEIS A140517"),
    (LOOP, "5x5", 1222363, "OEIS A140517"),
    *(
        (DOMINOES, f"{n}x{n}", many, "OEIS A004003")
        for n, many in ((2, 2), (4, 36), (6, 6728), (8, 12988816))
    ),
    *((DOMINOES, f"3x{n}", many, "OEIS A001835") for n, many in ((2, 3), (4, 11), (6, 41))),
    *(
        (links(Rule("cell", "most", "*", 1)), f"{n}x{n}", many, "OEIS A028420")
        for n, many in ((2, 7), (3, 131), (4, 10012), (5, 2810694))
    ),
    (SHIPS, "4x4", 104, "the slow reading"),
    (TAKUZU, "4x4", 90, "OEIS A058527"),
    (TAKUZU, "6x6", 11222, "OEIS A058527"),
    (SUDOKU, "4x4 rooms=aabb/aabb/ccdd/ccdd", 288, "OEIS A107739"),
    (MAGIC, "3x3", 8, "one magic square in eight positions"),
    (FORM, "5x5 goal=18", 22, "forms of Max Strings"),
    (FORM, "7x7 goal=37", 2, "forms of Max Strings"),
    (FORM, "8x8 goal=48", 52, "forms of Max Strings"),
    (YIN_YANG, "4x4", 96, "the slow reading"),
    (YIN_YANG, "8x8", 11974112, "two frontier programs"),
    (KURODOKO, "4x4 clues=3.../..5./...4/....", 1, "the slow reading"),
    (NONOGRAM, "4x4 left=2,1.1,, top=3,,,1", 112, "the slow reading"),
    (SKYSCRAPERS, "4x4 left=2,1,3, right=,,,2 top=,,2, bottom=,3,,", 2, "all 576 squares"),
    (STARS, "5x5 rooms=aabbb/aabcc/adccc/dddee/ddeee", 7, "all 120 permutations"),
]
"""A table, a board, its number of solutions, and who says so."""


@pytest.mark.parametrize(("table", "board", "number", "source"), KNOWN)
def test_a_count_is_the_published_one(table, board, number, source):
    check_table(table)
    answer = finish(count(table, read_board(table, board)))
    assert (answer.value, answer.proven) == (number, True), source


TABLES, SEED = int(os.environ.get("FUZZ_TABLES", 2000)), os.environ.get("FUZZ_SEED", "")
PARTS = 8
LISTED = 30
"""The most solutions that are listed one by one."""


@pytest.mark.parametrize("part", range(PARTS))
def test_counts_agree_with_the_slow_reading_of_random_tables(part):
    rng = random.Random(f"{SEED} {part}")
    for _ in range(TABLES // PARTS):
        compare(rng)


def test_the_tables_of_pages_are_those_of_the_search():
    rng = random.Random(9)
    compared = 0
    while compared < 400:
        table = random_table(rng)
        try:
            made = model(table, random_board(rng, table))
        except BadText:
            continue
        for reader in made.readers:
            ours, theirs = (
                steps(reader.automaton, reader.read),
                layers(reader.automaton, reader.read),
            )
            assert (ours is None) == (theirs is None)
            if ours is not None and theirs is not None:
                assert numbered(ours) == numbered([rows.tolist() for rows in theirs])
                compared += 1


def numbered(tables: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """Return tables with the states numbered in the order in which they are reached."""
    result, order = [], [0]
    for rows in tables:
        after = dict.fromkeys(to for state in order for to in rows[state] if to >= 0)
        names = {to: number for number, to in enumerate(after)} | {-1: -1}
        result.append([[names[to] for to in rows[state]] for state in order])
        assert sorted(order) == list(range(len(rows))), "every state is reached"
        order = list(after)
    return result


def compare(rng: random.Random) -> None:
    """Compare the engine with the slow reading of one random table and board."""
    table = random_table(rng)
    board = random_board(rng, table)
    what = f"{write_table(table)} {write_board(board)}"
    try:
        made = model(table, board)
    except BadText:
        return
    expected = [
        tuple(filling[site] for site in made.sites) for filling in reading.solutions(table, board)
    ]
    found = finish(diagram(made))
    assert found.count() == len(expected), what
    listed = [tuple(values[at] for values, at in zip(made.values, path)) for path in found.paths()]
    assert sorted(map(repr, listed)) == sorted(map(repr, expected)), what
    for number, counts in enumerate(found.by_value()):
        for value, ways in zip(made.values[number], counts):
            assert ways == sum(filling[number] == value for filling in expected), what
    by_search, is_whole = finish(listing(made, LISTED))
    assert is_whole == (len(expected) <= LISTED), what
    assert len(set(by_search)) == len(by_search) == min(len(expected), LISTED), what
    assert {tuple(v[at] for v, at in zip(made.values, values)) for values in by_search} <= set(
        expected
    ), what
    if expected:
        for number, values in enumerate(finish(possible(made, by_search[0]))):
            seen = {made.values[number][value] for value in values}
            assert seen == {filling[number] for filling in expected}, what


@pytest.mark.parametrize("hand", ["KN", "KRN", "GSL", "BKP"])
def test_attacks_as_rules_count_what_kikazu_counts(hand):
    king = tuple((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    ahead = ((-1, -1), (-1, 0), (-1, 1))
    reach = {
        "K": king,
        "G": (*ahead, (0, -1), (0, 1), (1, 0)),
        "S": (*ahead, (1, -1), (1, 1)),
        "N": ((-2, -1), (-2, 1)),
        "P": ((-1, 0),),
        # On three rows and columns only a bishop or a rook jumps over somebody, which is an attack
        # on that one.
        "L": ((-1, 0), (-2, 0)),
        "R": tuple((i, 0) for i in (-2, -1, 1, 2)) + tuple((0, i) for i in (-2, -1, 1, 2)),
        "B": tuple((i, j) for i in (-2, -1, 1, 2) for j in (-2, -1, 1, 2) if abs(i) == abs(j)),
    }
    table = cells(
        *(Rule("around", "exactly", "*", 0, piece, reach[piece]) for piece in hand),
        *(Rule("board", "exactly", piece, 1) for piece in hand),
        letters=hand,
    )
    start = KIKAZU.read(f"3/3/3 {hand}")
    kikazu = finish(KIKAZU.questions["count"].ask(KIKAZU, start))
    assert finish(count(table, read_board(table, "3x3"))).value == kikazu.value


def test_solutions_come_in_pages_and_are_all_there():
    board = read_board(QUEENS, "6x6")
    every = finish(solutions(QUEENS, board))
    assert (every.value, every.proven, every.more) == (4, True, False)
    page = finish(solutions(QUEENS, board, first=2, limit=2))
    assert page.solutions == every.solutions[1:3]
    assert page.more
    rows = {tuple(move[-1] for move in line.split()[1::2]) for line in every.solutions}
    assert rows <= set(permutations("123456"))


def test_by_move_counts_the_solutions_with_a_symbol_in_a_cell():
    answer = finish(count(QUEENS, read_board(QUEENS, "4x4")))
    assert answer.by_move["o 1,1"] == 0
    assert answer.by_move["o 1,2"] == 1
    assert answer.by_move["- 1,1"] == 2


def test_a_given_symbol_and_a_wall_are_respected():
    assert finish(count(QUEENS, read_board(QUEENS, ".o../..../..../...."))).value == 1
    assert finish(count(QUEENS, read_board(QUEENS, ".#../..../..../...."))).value == 1
    assert finish(count(STONES, read_board(STONES, "#"))).value == 1


def test_a_contradiction_names_rules_of_which_none_can_be_left_out():
    table = cells(*QUEENS.rules, Rule("pair", "most", "o", 1), Rule("board", "exactly", "o", 5))
    board = read_board(table, "4x4")
    answer = finish(explain(table, board))
    named = [table.rules[number - 1] for number in answer.rules]
    assert answer.value == finish(count(cells(*named), board)).value == 0
    for rule in named:
        assert finish(count(cells(*(each for each in named if each != rule)), board)).value > 0
    assert answer.without["5"] == 2
    assert answer.is_smallest and not answer.drawn
    solvable = finish(explain(QUEENS, read_board(QUEENS, "4x4")))
    assert (solvable.value, solvable.rules) == (2, ())


def test_a_contradiction_names_rules_and_drawings_that_the_slow_reading_confirms():
    rng = random.Random(4)
    found = 0
    while found < 40:
        table = random_table(rng)
        board = random_board(rng, table)
        try:
            if len(board.cells) > 9 or has_solution(table, board):
                continue
        except BadText:
            continue
        found += 1
        answer = finish(explain(table, board))
        what = f"{write_table(table)} {write_board(board)} {answer}"
        assert answer.value == 0 and answer.is_smallest and (answer.rules or answer.drawn), what
        drawn = [Drawn("goal", 0)] + [
            Drawn(section, at)
            for section in ("cells", "clues", "across", "down", "corners", "beside", "below", *RIMS)
            for at, value in enumerate(getattr(board, section))
            if value != "#"
        ]
        named = {board.place(each): each for each in drawn}
        assert {*answer.drawn} <= {*named}, what
        for name, number in answer.without.items():
            if name.isdigit():
                rules = (*table.rules[: int(name) - 1], *table.rules[int(name) :])
                rest = (replace(table, rules=rules), board)
            else:
                rest = (table, board.without(named[name]))
            assert number == sum(1 for _ in reading.solutions(*rest)), what
        # Nothing but the named rules and drawings is needed.
        rules = tuple(table.rules[number - 1] for number in answer.rules)
        others = [each for each in drawn if board.place(each) not in answer.drawn]
        if table.site == "links":
            # Which squares have a symbol is a part of what the rules say.
            others = [each for each in others if each.section != "cells"]
        if not any("clue" in (rule.number, rule.who) or rule.who == "no clue" for rule in rules):
            assert not has_solution(replace(table, rules=rules), board.without(*others)), what


def has_solution(table: Table, board: Board) -> bool:
    """Return whether there is a solution. On a board without places it is empty."""
    return next(reading.solutions(table, board), None) is not None


def test_a_line_has_a_place_wherever_its_ends_may_differ():
    rng = random.Random(8)
    differ, cut = Rule("pair", "different"), 0
    for what in ("*", ".", "T") * 20:
        free = links(Rule("cell", "most", what, 1))
        strict = links(*free.rules, differ)
        board = random_board(rng, strict)
        every, listed = (
            [{edge for edge, letters in filling.items() if letters} for filling in found]
            for found in (reading.solutions(free, board), reading.solutions(strict, board))
        )
        legal = [
            lines
            for lines in every
            if all(board.sign(one) != board.sign(two) for one, two in map(beside, lines))
        ]
        assert sorted(map(sorted, listed)) == sorted(map(sorted, legal)), write_board(board)
        assert finish(count(strict, board)).value == len(legal)
        cut += len(every) > len(legal) > 1
    assert cut > 10


def test_a_rule_that_leaves_no_place_for_a_line_is_a_part_of_the_contradiction():
    rules = (Rule("cell", "exactly", "*", 1, "T"), Rule("pair", "different"),
             Rule("square", "most", ".", 1))  # fmt: skip
    table = Table({"en": "x"}, (Symbol("o"), Symbol("T")), rules, site="links")
    answer = finish(explain(table, read_board(table, "TT/..")))
    assert answer.rules == (1, 2, 3) and answer.without["2"] == 1


def test_a_count_beyond_its_memory_says_so_and_tells_what_is_known():
    table = cells(*IN_ONE_PIECE.rules, Rule("cell", "exactly", "o", 1, "clue"))
    board = read_board(table, "9x9 clues=11......." + "/........." * 8)
    answer = finish(count(table, board, memory=1 << 20))
    assert (answer.value, answer.proven) == (2000, False)
    assert "memory" in str(answer.note)
    assert len(answer.moves) > 1
    assert answer.by_move == {"- 1,1": 0, "- 1,2": 0}


def test_a_table_with_too_many_states_is_stopped_and_told():
    table = cells(Rule("line", "mirror"), letters="123456789", each=(1, 1))
    answer = finish(count(table, read_board(table, "12x12")))
    assert (answer.value, answer.proven) == (None, False)
    assert "states of a rule" in str(answer.note)


@pytest.mark.thorough
def test_a_table_without_an_end_is_stopped_in_time():
    """Parity is hard for the solver, and what hangs together for the frontier search."""
    rules = (Rule("column", "even", "o"), Rule("board", "odd", "o"), Rule("board", "connected"))
    table = cells(*rules, Rule("board", "connected", "."))
    began = time.monotonic()
    assert finish(within(count(table, read_board(table, "12x12"), memory=1 << 26), 5)) is None
    assert time.monotonic() - began < 15


def test_few_solutions_are_counted_where_the_frontier_search_is_too_large():
    table = cells(LINES, Rule("room", "different"), letters="123456789", each=(1, 1))
    rooms = "/".join("/".join([row] * 3) for row in ("aaabbbccc", "dddeeefff", "ggghhhiii"))
    board = read_board(
        table,
        "53..7..../6..195.../.98....6./8...6...3/4..8.3..1/7...2...6/.6....28./...419..5/....8..79"
        f" rooms={rooms}",
    )
    answer = finish(count(table, board, memory=1 << 20))
    assert (answer.value, answer.proven) == (1, True)
    assert answer.by_move["4 1,3"] == 1


@pytest.mark.parametrize("ask", [solve, solutions, explain])
def test_without_python_sat_tables_say_so_and_count(ask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    board = read_board(QUEENS, "6x6")
    answer = finish(ask(QUEENS, board))
    assert (answer.value, answer.proven) == (None, False)
    assert "python-sat" in str(answer.note)
    assert finish(count(QUEENS, board)).value == 4


def test_a_search_stops_between_two_slices():
    odd = cells(Rule("column", "even", "o"), Rule("board", "odd", "o"))
    board = read_board(odd, "12x12")
    began = time.monotonic()
    with closing(solve(odd, board)) as run:
        assert next(run).total
    assert time.monotonic() - began < 5
    # What is hard for one method can be easy for the other.
    answer = finish(count(odd, board))
    assert (answer.value, answer.proven) == (0, True)


def test_a_table_is_read_as_it_was_written_and_its_name_does_not_count():
    for table in (QUEENS, LOOP, YIN_YANG, SKYSCRAPERS):
        assert read_table(write_table(table)) == table
    renamed = read_table(write_table(QUEENS).replace("test", "Queens"))
    assert renamed.slug == QUEENS.slug
    assert len({table.slug for table in (QUEENS, LOOP, YIN_YANG, SKYSCRAPERS)}) == 4


@pytest.mark.parametrize("seed", range(3))
def test_a_board_is_read_as_it_was_written(seed):
    rng = random.Random(seed)
    for _ in range(100):
        table = random_table(rng)
        board = random_board(rng, table)
        text = write_board(board)
        assert write_board(read_board(table, text)) == text


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rules": [{"where": "nowhere", "relation": "most"}]}, "$.rules[0].where"),
        ({"rules": [{"where": "row", "relation": "most", "what": "z"}]}, "Rule 1: “z”"),
        ({"rules": [{"where": "row", "relation": "loop"}]}, "Rule 1"),
        ({"rules": [{"where": "row", "relation": "most", "number": 197}]}, "197"),
        ({"rules": [{"where": "row", "relation": "most", "number": "own"}]}, "own"),
        ({"rules": [{"where": "around", "relation": "most"}]}, "around"),
        ({"rules": [{"where": "row", "relation": "most", "who": "o"}]}, "row"),
        ({"rules": [{"where": "row", "relation": "most"}] * 13}, "12"),
        ({"symbols": [{"letter": "o"}, {"letter": "o"}]}, "Symbol 2"),
        ({"symbols": [{"letter": "#"}]}, "Symbol 1"),
        ({"symbols": []}, "1 to 9"),
        ({"each": [1, 3]}, "1 to 3"),
        ({"schema": 2}, "version 2"),
        ({"eval": "1"}, "eval"),
    ],
)
def test_a_faulty_table_is_refused_by_the_name_of_its_fault(change, named):
    table = json.loads(write_table(QUEENS)) | change
    with pytest.raises(BadText) as refused:
        read_table(json.dumps(table))
    assert named in str(refused.value)


def test_a_table_that_is_no_json_or_too_long_is_refused():
    for text in ("", "[", b"\xff", "{}", " " * 5000):
        with pytest.raises(BadText):
            read_table(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "1 to 14"),
        ("15x15", "1 to 14"),
        ("0x4", "1 to 14"),
        ("../.", "Row 2"),
        ("..\u30fb", "column 3"),
        ("2x2 clues=1", "clues"),
        ("2x2 clues=1./(1", "“(”"),
        ("2x2 left=1", "left"),
        ("2x2 left=1,x", "“x”"),
        ("2x2 goal=x", "goal"),
        ("2x2 rooms=ab", "rooms"),
        ("2x2 what=1", "what=1"),
        ("2x2 goal=1 goal=2", "goal=2"),
    ],
)
def test_a_faulty_board_is_refused_by_the_name_of_its_fault(text, named):
    with pytest.raises(BadText) as refused:
        read_board(QUEENS, text)
    assert named in str(refused.value)


def test_a_room_with_two_numbers_is_refused():
    with pytest.raises(BadText, match="“a”"):
        finish(count(HEYAWAKE, read_board(HEYAWAKE, "1x2 rooms=aa clues=11")))
