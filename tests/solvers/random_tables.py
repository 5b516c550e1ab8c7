"""Random tables with small boards, for comparing the engine with the slow reading."""

import random
from typing import get_args

from solvers.kind import BadText
from solvers.rule_tables.boards import GREATER, LESS, Board
from solvers.rule_tables.table import (
    AROUND,
    COUNTS,
    OF_LINKS,
    ONLY_IN,
    Relation,
    Rule,
    Symbol,
    Table,
    Where,
    check_table,
)

LETTERS = "123"
CELLS = [where for where in get_args(Where) if where != "face"]
RELATIONS = [relation for relation in get_args(Relation) if relation != "loop"]


def random_table(rng: random.Random) -> Table:
    """Return a table that has a meaning."""
    while True:
        letters = LETTERS[: rng.choice([1, 1, 2, 2, 3])]
        least = rng.choice([0, 0, 1])
        most = min(len(letters), rng.choice([1, 1, 1, 2]))
        rules: list[Rule]
        if rng.random() < 0.08:
            numbers: list[int | str] = [1, 2, 3, "clue"]
            rules = [Rule("face", rng.choice(["exactly", "least", "most", "not"]), "*",
                          rng.choice(numbers))]  # fmt: skip
            rules += [Rule("board", "loop")] * rng.randint(0, 1)
            table = Table({"en": "random"}, (Symbol("-"),), tuple(rules), site="edges")
        elif rng.random() < 0.12:
            table = _table_of_links(rng)
        else:
            printed = letters[-1] if rng.random() < 0.15 else ""
            symbols = tuple(
                Symbol(letter, value=int(letter), printed=letter == printed) for letter in letters
            )
            rules = [_rule(rng, letters) for _ in range(rng.randint(1, 3))]
            table = Table({"en": "random"}, symbols, tuple(rules), each=(least, most))
        try:
            check_table(table)
        except BadText:
            continue
        return table


def _table_of_links(rng: random.Random) -> Table:
    rules = [_rule_of_links(rng) for _ in range(rng.randint(1, 3))]
    return Table({"en": "random"}, (Symbol("-"), Symbol("w"), Symbol("b")), tuple(rules),
                 site="links")  # fmt: skip


def _rule_of_links(rng: random.Random) -> Rule:
    if rng.random() < 0.1:
        return Rule("board", "loop")
    relation = rng.choice([*sorted(OF_LINKS - {"loop"}), *["different", "exactly", "most"] * 2])
    where, what = rng.choice([*CELLS, "cell", "square", "line"]), rng.choice(["*", "*", ".", "w"])
    if relation in ("turn", "straight"):
        return Rule("cell", relation, "*", 0, rng.choice(["w", "b", "wb"]))
    if relation == "different":
        return (
            Rule("pair", relation) if rng.random() < 0.5 else Rule("board", relation, "*", "clue")
        )
    number = rng.choice([0, 1, 1, 2, "clue"]) if relation in COUNTS else 0
    who = rng.choice(["", "clue", "no clue", ".", "w", "wb"]) if where in AROUND else ""
    offsets = {(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(3)}
    return Rule(where, relation, what, number, who,
                tuple(sorted(offsets)) if where == "around" else ())  # fmt: skip


def _rule(rng: random.Random, letters: str) -> Rule:
    relation = rng.choice(RELATIONS)
    where = rng.choice(sorted(ONLY_IN.get(relation, CELLS)))
    what = rng.choice(["*", ".", *letters, letters[:2]])
    if relation == "runs":
        where, what = rng.choice(["row", "column", "line"]), rng.choice(letters)
    number = rng.choice([0, 0, 1, 1, 2, 2, 3, "clue", "clue", "own", *letters])
    who = rng.choice(["", "", "clue", "no clue", "*", *letters]) if where in AROUND else ""
    if relation == "fleet":
        number = rng.choice(["1", "2", "11", "21", "22", "31"])
    if relation == "matched":
        what, number = letters[0], letters[-1]
    offsets = {(rng.randint(-2, 2), rng.randint(-2, 2)) for _ in range(3)}
    reach = tuple(sorted(offsets)) if where == "around" else ()
    return Rule(where, relation, what, number, who, reach)


def random_board(rng: random.Random, table: Table) -> Board:
    """Return a board that has at most a few thousand fillings."""
    sizes = [(2, 2), (2, 3), (3, 2), (1, 4), (3, 3), (2, 4)] * 6 + [(3, 4), (4, 3)]
    if table.site == "edges":
        sizes = [(1, 2), (2, 1), (1, 3), (3, 1), (2, 2)] if rng.random() < 0.2 else [(1, 2), (2, 1)]
    elif table.site == "links":
        sizes = [(1, 3), (2, 2), (2, 3), (3, 2), (1, 5), (3, 3)]
    elif len(table.symbols) > 1:
        sizes = [(2, 2), (1, 3), (2, 3), (3, 2)] if table.each[1] == 1 else [(2, 2), (1, 3)]
    rows, columns = rng.choice(sizes)

    def numbers(count: int, chance: float) -> tuple[int | None, ...]:
        return tuple(rng.randint(0, 4) if rng.random() < chance else None for _ in range(count))

    def rim(count: int) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(rng.randint(1, 2) for _ in range(rng.choice([0, 0, 1, 1, 2])))
            for _ in range(count)
        )

    def marks(count: int) -> tuple[int | None, ...]:
        return tuple(rng.choice([None, None, 1, 2, LESS, GREATER]) for _ in range(count))

    signs = "." * 12 + "#" + table.given * (1 if table.site == "cells" else 4)
    size = rows * columns
    return Board(
        rows,
        columns,
        "".join(rng.choice(signs) for _ in range(size)),
        rooms="".join(rng.choice("abc") for _ in range(size)) if rng.random() < 0.8 else "",
        clues=numbers(size, 0.35),
        across=numbers(size, 0.4),
        down=numbers(size, 0.4),
        corners=numbers((rows + 1) * (columns + 1), 0.2),
        beside=marks(size),
        below=marks(size),
        arrows="".join(rng.choice("udlr...") for _ in range(size)),
        left=rim(rows),
        right=rim(rows),
        top=rim(columns),
        bottom=rim(columns),
        goal=rng.choice([None, 1, 2, 3]),
    )
