"""Addresses of puzz.link for boards of tables, and boards that others have published there."""

import pytest

from solvers.kind import BadText
from solvers.question import finish
from solvers.rule_tables.addresses import FORMATS, read_address, write_address
from solvers.rule_tables.count import count
from solvers.rule_tables.ready import ready_kinds
from solvers.rule_tables.table import Rule
from tests.solvers.test_rule_tables import cells

READY = {kind.address: kind.table for kind in ready_kinds().values() if kind.address}
READY["sudoku"] = ready_kinds()["sudoku"].table
CREEK = cells(Rule("corner", "exactly", "x", "clue"), Rule("board", "connected", "."), letters="x")
NORINORI = cells(
    Rule("room", "exactly", "x", 2), Rule("near4", "exactly", "x", 1, "x"), letters="x"
)
TABLES = {**READY, "creek": CREEK, "norinori": NORINORI}

PUBLISHED = {
    "battleship": "6/6/g12h2g30g3gk0r3w//c",
    "creek": "6/6/gagaich2cgb6769dt",
    "heyawake": "6/6/lll155007rs12222j",
    "hitori": "4/4/1114142333214213",
    "kurodoko": "5/5/i7g5l2l2g4i",
    "lightup": "6/6/nekcakbl",
    "mashu": "6/6/1063000i3000",
    "mines": "5/5/g2m13l13g0j",
    "norinori": "5/5/cag4ocjo",
    "skyscrapers": "4/4/k13h4j3g",
    "slither": "5/5/cbcbcddad",
    "starbattle": "6/6/1/4ilbhgdnmhou",
    "sudoku": "4/4/g1k23k3g",
    "tents": "5/5/2g0h1i1j82323",
    "yinyang": "5/5/016612300",
}
"""Name -> a board from the tests of pzprjs (test/script/NAME.js; MIT)."""


def test_every_format_has_a_published_board():
    assert PUBLISHED.keys() == FORMATS.keys() == TABLES.keys()


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_board_has_one_solution_and_is_written_as_it_was_read(name):
    text = f"https://puzz.link/p?{name}/{PUBLISHED[name]}"
    board = read_address(TABLES[name], name, text)
    assert board
    written = write_address(TABLES[name], name, board)
    # What the shape of a part of a ship tells is written as parts and water.
    assert written == text or name == "battleship"
    assert read_address(TABLES[name], name, written) == board
    answer = finish(count(TABLES[name], board))
    assert (answer.value, answer.proven) == (1, True)


def test_an_address_of_a_sudoku_is_read_by_the_kind_of_its_size():
    kinds = {4: "sudoku", 6: "sudoku_6", 9: "sudoku_9"}
    for size, name in kinds.items():
        board = ready_kinds()[name].contents["puzzle"][0]["position"]
        kind = ready_kinds()[name]
        (address,) = kind.notations.write(kind.read(board)).values()
        assert address.startswith(f"https://puzz.link/p?sudoku/{size}/{size}/")
        assert kind.write(kind.read(address)) == board
        for other in set(kinds.values()) - {name}:
            with pytest.raises(BadText):
                ready_kinds()[other].read(address)


@pytest.mark.parametrize("text", [
    "pzv.jp/p.html?lightup/6/6/nekcakbl", "https://puzz.link/p?akari/6/6/nekcakbl",
    "lightup_edit/6/6/nekcakbl", "https://puzz.link/p?lightup/6/6/nekcakbl&x=1",
])  # fmt: skip
def test_addresses_of_relatives_are_read(text):
    kind = ready_kinds()["light_up"]
    position = kind.read(text)
    assert list(kind.notations.write(position).values()) == [
        "https://puzz.link/p?lightup/6/6/nekcakbl"
    ]


@pytest.mark.parametrize("body", ["6/6/" + "0" * 40, "6/6/nek?", "6/6/f"])
def test_an_address_without_a_board_is_refused(body):
    with pytest.raises(BadText, match="lightup"):
        ready_kinds()["light_up"].read(f"https://puzz.link/p?lightup/{body}")


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("stars", "https://puzz.link/p?starbattle/10/10/2/abc", "has 2 stars. This kind has 1"),
    ("stars", "starbattle/15/15/1/abc", "has 15 columns and 15 rows"),
    ("light_up", "lightup/0/6/a", "has 0 columns and 6 rows"),
    ("battleships", "battleship/6/6/rzv//e", "The ships"),
    ("stars", "https://puzz.link/p?hitori/4/4/1234", "This is a “hitori” puzzle"),
    ("queens", "hitori/4/4/1234", "This is a “hitori” puzzle"),
])  # fmt: skip
def test_an_address_is_refused_for_the_true_reason(name, text, reason):
    kind = ready_kinds()[name]
    for read in (kind.read, kind.read_start):
        with pytest.raises(BadText) as refused:
            read(text)
        assert reason in str(refused.value)


def test_a_board_that_an_address_cannot_hold_has_none():
    kind = ready_kinds()["stars"]
    assert not kind.notations.write(kind.read("2x2 rooms=ab/ba"))
