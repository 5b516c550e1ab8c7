"""Kinds that are made of tables of rules: how they are found, what they say, and their verdicts."""

import random
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from solvers import registry
from solvers.grid import ToolMove, write_cell
from solvers.kind import BadText, IllegalMove
from solvers.picture import Spot
from solvers.question import finish
from solvers.rule_tables import reading
from solvers.rule_tables.boards import RIMS
from solvers.rule_tables.kind import DRAWN, TableKind
from solvers.rule_tables.lines import CROSS
from solvers.rule_tables.model import place
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.table import Symbol
from solvers.rule_tables.turning import canonical
from solvers.rule_tables.verdicts import domains_of
from tests.solvers.random_tables import random_board, random_table

QUEENS = registry.ready_kinds()["queens"]


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    registry.find_kinds.cache_clear()
    yield monkeypatch
    registry.find_kinds.cache_clear()


def test_a_site_shows_the_tables_that_its_setting_names_and_knows_the_others(monkeypatch):
    assert QUEENS.slug not in registry.kinds()
    assert registry.get_kind(QUEENS.slug) is registry.kind_or_missing(QUEENS.slug) is QUEENS
    monkeypatch.setenv(registry.TABLES_VARIABLE, "queens, nothing")
    registry.find_kinds.cache_clear()
    assert QUEENS.slug in registry.kinds() and len(registry.kinds()) == 5
    assert "no table “nothing”" in str(registry.faults()[0])
    monkeypatch.setenv(registry.TABLES_VARIABLE, "all")
    registry.find_kinds.cache_clear()
    assert len(registry.kinds()) == 4 + len(registry.ready_kinds())


def test_the_rules_are_sentences():
    assert str(QUEENS.rule) == (
        "Every row has exactly 1 queen. Every column has exactly 1 queen. "
        "Every diagonal has at most 1 queen."
    )
    position = QUEENS.read("4x4 | o 1,1 o 1,3")
    assert {str(message) for _, message in QUEENS.judge(position).faults} == {
        "Row 1: Every row has exactly 1 queen."
    }
    said = QUEENS.announcements(QUEENS.read("4x4 | o 1,1"))
    assert list(map(str, said)) == ["Row 1: 1 queen", "Column 1: 1 queen"]


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("hitori", ["No number is on two empty squares of a row or a column."]),
        ("kurodoko", ["A number tells how many empty squares are seen from it in a straight line "
                      "up, down, left and right. Its own square counts, too."]),
        ("map_colouring", ["Every room has a single colour.",
                           "Two squares side by side in different rooms never have the same "
                           "colour."]),
    ],
)  # fmt: skip
def test_some_rules_have_sentences_of_their_own(name, sentences):
    assert all(sentence in str(registry.ready_kinds()[name].rule) for sentence in sentences)


def test_a_hint_names_the_rule_that_decides():
    takuzu = registry.ready_kinds()["takuzu"]
    ask = takuzu.questions["hint"].ask
    hint = finish(ask(takuzu, takuzu.read("0011/1.00/1100/0011"), level="next"))
    assert hint.moves == ("=1 2,2",) and hint.sure
    assert "Row 2: " in str(hint.note) or "Never three 0s in a row." in str(hint.note)


def test_solutions_of_digits_are_lines_of_moves():
    sudoku = registry.ready_kinds()["sudoku"]
    board = sudoku.read("1.../..../..../.... rooms=aabb/aabb/ccdd/ccdd")
    page = finish(sudoku.questions["solutions"].ask(sudoku, board, first=1, limit=3))
    assert len(page.solutions) == 3 and page.more
    for line in page.solutions:
        assert sudoku.judge(sudoku.play_line(board, line)).solved


def test_a_place_for_a_number_that_fits_nowhere_else_follows_from_its_room_alone():
    sudoku = registry.ready_kinds()["sudoku_6"]
    rooms = "aaabbb/aaabbb/cccddd/cccddd/eeefff/eeefff"
    board = sudoku.read(f"....1./....../.1..../....../..1.../...... rooms={rooms}")
    domains = sudoku.deduction(board.board).narrowed(
        domains_of(sudoku.deduction(board.board), board.board, board.now)
    )
    assert domains and domains[sudoku.deduction(board.board).model.sites.index((1, 0))] == {0}


@pytest.mark.parametrize("name", sorted(registry.ready_kinds()))
def test_generated_boards_have_one_solution(name):
    kind = registry.ready_kinds()[name]
    ask = kind.questions["generate"].ask
    start = kind.read(kind.editor.blank(1, 1))
    made = finish(ask(kind, start, size=4, difficulty="any", many=1, seed=3))
    for board in made.boards:
        counted = finish(kind.questions["count"].ask(kind, kind.read(board.position)))
        assert counted.value == 1 and counted.proven
    assert made.boards == finish(ask(kind, start, size=4, difficulty="any", many=1, seed=3)).boards


def test_only_an_author_puts_printed_symbols():
    tents = registry.ready_kinds()["tents"]
    start = tents.read("TT./...")
    assert [tents.write_move(move) for move in tents.moves(start)] == [
        "o 1,3", "o 2,1", "o 2,2", "o 2,3"]  # fmt: skip
    for refused in ("o 1,1", "- 1,1"):
        with pytest.raises(IllegalMove):
            tents.play_line(start, refused)
    with pytest.raises(BadText):
        tents.read_move("T 1,3")
    with pytest.raises(BadText):
        tents.read("To./...")
    assert list(tents.editor.brushes)[-1] == "cell T"
    asked = [finish(tents.questions["trial"].ask(tents, tents.read(text)))
             for text in ("TT./...", "T.T/...")]  # fmt: skip
    assert [trial.idle for trial in asked] == [(3,), (3,)], "there are no numbers"


def random_kind(rng: random.Random) -> TableKind:
    """Return the kind of a random table of links, or of cells with at most one symbol each."""
    while True:
        table = random_table(rng)
        if table.site != "edges" and table.each[1] == 1:
            return TableKind(changed(table, draws=tuple(sorted(DRAWN))))


def test_verdicts_on_random_tables_agree_with_the_slow_reading():
    rng = random.Random(5)
    solved = faulty = 0
    for _ in range(200):
        kind = random_kind(rng)
        drawn = random_board(rng, kind.table)
        rims = {side: tuple(each[:1] for each in getattr(drawn, side)) for side in RIMS}
        bare = replace(drawn, across=(), down=(), corners=(), beside=(), below=(), arrows="")
        board = canonical(replace(bare.with_rims(rims), goal=None))
        try:
            position = kind.begin(board)
            assert kind.read(kind.write(position)) == position
        except BadText:
            continue
        for _ in range(4):
            verdict = kind.judge(position)
            ways = [
                filling
                for filling in reading.fillings(kind.table, position.present)
                if reading.holds(kind.table, board, filling)
            ]
            width = 2 * board.columns + 1
            now = {
                site: frozenset(position.now[row * width + column] if kind.is_lines
                                else position.letter(site)) - {"."}
                for site in kind.deduction(board).model.sites
                for row, column in [place(site)]
            }  # fmt: skip
            assert verdict.solved == (now in ways), kind.write(position)
            assert not (verdict.faults and ways), f"{kind.table} {kind.write(position)}"
            solved += verdict.solved
            faulty += bool(verdict.faults)
            moves = list(kind.moves(position))
            if not moves:
                break
            position = kind.play(position, rng.choice(moves))
        assert all(str(sentence(kind.table, rule)) for rule in kind.table.rules)
    assert solved > 30 and faulty > 30


def test_tables_that_boards_of_kinds_cannot_show_are_refused():
    several = changed(QUEENS.table, symbols=(Symbol("o"), Symbol("x")), each=(0, 2))
    for table in (several, changed(QUEENS.table, draws=("corners",))):
        with pytest.raises(BadText):
            TableKind(table)


LINES = {name: kind for name, kind in registry.ready_kinds().items() if kind.is_lines}


@pytest.mark.parametrize("name", sorted(LINES))
def test_crosses_where_no_line_is_decide_nothing(name):
    kind = LINES[name]
    lesson = kind.introduction[0]
    bare = kind.play_line(kind.start(kind.read(lesson.position)), lesson.solution)
    start = kind.start(bare)
    crossed = start
    for at in start:
        crossed = kind.play(crossed, ToolMove(CROSS, at))
    assert kind.judge(crossed) == kind.judge(start)
    assert not kind.counted_moves(crossed)
    assert list(kind.moves(crossed)) == list(kind.moves(start))
    assert finish(kind.questions["count"].ask(kind, crossed)).value == (
        finish(kind.questions["count"].ask(kind, start)).value
    )
    assert finish(kind.questions["hint"].ask(kind, crossed, level="alive")).state == "live"
    made = kind.play_line(kind.start(bare), kind.write_line(bare))
    solved = kind.play_line(crossed, kind.write_line(bare))
    assert kind.judge(solved).solved == kind.judge(bare).solved
    assert kind.solution(solved) == kind.solution(made)
    assert kind.counted_moves(solved) == kind.counted_moves(bare)
    assert kind.write(kind.read(kind.write(solved))) == kind.write(solved)


@pytest.mark.parametrize("name", sorted(LINES))
def test_a_cross_is_drawn_named_and_pressed_like_a_line(name):
    kind = LINES[name]
    start = kind.start(kind.read(kind.introduction[0].position))
    cell = next(iter(start))
    at = write_cell(cell)
    [line, cross] = kind.tools.names(start)
    made = []
    for moves in ("", f"{cross} {at}", f"{cross} {at} {line} {at}"):
        position = kind.play_line(start, moves)
        for tool in (line, cross):
            [spot] = [
                each
                for each in kind.tools.draw(position, tool).shapes
                if isinstance(each, Spot) and (each.row, each.column) == cell
            ]
            made.append(spot.move)
            word, after = kind.presses.rules[tool][spot.state]
            assert spot.move == f"{word} {at}"
            end = kind.play(position, kind.read_move(spot.move))
            drawn = kind.tools.draw(end, tool).shapes
            assert after in {each.state for each in drawn if isinstance(each, Spot)}
    assert [move.split()[0] for move in made] == [line, cross, line, "-", "-", cross]
    assert str(kind.describe(kind.read_move(f"{cross} {at}"))).startswith("A cross ")
    with pytest.raises(IllegalMove):
        kind.play_line(start, f"{cross} {at} {cross} {at}")


@pytest.mark.parametrize(("name", "text", "ringed"), [
    ("sudoku", "4x4 rooms=aabb/aabb/ccdd/ccdd | =1 1,1 =2 1,2 =4 1,3 =1 1,4", {(0, 0), (0, 3)}),
    ("sudoku", "2.../..../..../.... rooms=aabb/aabb/ccdd/ccdd | =1 1,2 =2 1,4", {(0, 3)}),
    ("queens", "5x5 | o 1,1 o 1,3 o 1,5", {(0, 0), (0, 2), (0, 4)}),
    ("tents", "T../.../.T./... | o 2,1 o 2,2", {(1, 0), (1, 1)}),
    ("tents", "T../.../..T | o 1,2 o 2,3", {(0, 1), (1, 2)}),
    ("tents", "T.... | o 1,2 o 1,4", {(0, 3)}),
    ("tents", ".T..T | o 1,1 o 1,3", {(0, 0), (0, 2)}),
    ("tents", ".T..T.. left=1 | o 1,1 o 1,6", {(0, 0), (0, 5)}),
    ("tents", "T.T | o 1,2", {(0, 0), (0, 2)}),
])  # fmt: skip
def test_only_what_breaks_a_rule_is_at_fault(name, text, ringed):
    kind = registry.ready_kinds()[name]
    assert {cell for cell, _ in kind.judge(kind.read(text)).faults} == ringed
