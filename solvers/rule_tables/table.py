"""The table of rules as typed data.

A table is JSON. Nothing in it is evaluated: every field is a word of a closed list, a number, or a
symbol of the table itself.

    {"name": {"en": "Queens"}, "symbols": [{"letter": "o", "picture": "queen"}],
     "rules": [{"where": "row", "relation": "exactly", "what": "o", "number": 1},
               {"where": "column", "relation": "exactly", "what": "o", "number": 1},
               {"where": "diagonal", "relation": "most", "what": "o", "number": 1}]}
"""

import hashlib
import re
from collections.abc import Callable
from typing import Literal

import msgspec

from solvers.kind import BadText, plain

SEMANTICS = 1
"""The version of the meaning of tables. A change of meaning is a new number."""
LONGEST_TABLE = 4096
"""The longest JSON of a table, in bytes."""
MAX_WORDS = 300
"""The most characters of the maker's own words."""
MAX_RULES = 12
MAX_SYMBOLS = 9
MAX_OFFSETS = 24
FARTHEST = 4
"""The farthest that a drawn offset reaches, in rows and in columns."""
MAX_SIDE = 14
SLUG_DIGITS = 32
"""The hexadecimal digits of a slug: 128 bits, so that nobody finds two tables with one slug."""
MAX_NUMBER = 196

Site = Literal["cells", "edges", "links"]
Where = Literal[
    "board", "row", "column", "line", "diagonal", "long diagonal", "room", "run", "stretch",
    "cell", "near4", "near8", "slant4", "knight", "plus", "box", "around", "sight",
    "ray", "pair", "gate", "dots", "square", "three", "corner", "face",
]  # fmt: skip
"""The areas of a rule. `solvers.rule_tables.areas` says what each of them is."""
Relation = Literal[
    "exactly", "least", "most", "not", "odd", "even", "total", "product", "different", "same",
    "step", "less", "mirror", "sees", "runs", "seen", "first",
    "connected", "connected8", "touching edge", "no ring", "fleet", "matched", "loop", "turn",
    "straight",
]  # fmt: skip
"""What a rule says of its areas. `solvers.rule_tables.reading` says what each of them means."""

Draw = Literal[
    "walls", "givens", "rooms", "clues", "rim", "runs", "corners", "marks", "arrows", "goal"
]
"""What an author may draw: walls, symbols, rooms, numbers in squares, numbers at the edge, numbers
of runs, numbers at corners, marks between squares, arrows, and the number of the whole board."""

COUNTS = frozenset({"exactly", "least", "most", "not"})
NUMBERED = COUNTS | {
    "total",
    "product",
    "step",
    "sees",
    "runs",
    "seen",
    "first",
    "fleet",
    "matched",
}
"""The relations that have a number."""
AROUND = frozenset(
    {"cell", "near4", "near8", "slant4", "knight", "plus", "box", "around", "sight", "ray", "face"}
)
"""The areas that belong to a cell, which may carry a clue or a symbol."""
ONLY_IN: dict[str, frozenset[str]] = {
    "connected": frozenset({"board", "room"}),
    "connected8": frozenset({"board", "room"}),
    "touching edge": frozenset({"board"}),
    "no ring": frozenset({"board", "room"}),
    "fleet": frozenset({"board"}),
    "matched": frozenset({"board"}),
    "loop": frozenset({"board"}),
    "turn": frozenset({"cell"}),
    "straight": frozenset({"cell"}),
    "seen": frozenset({"board"}),
    "first": frozenset({"board"}),
    "runs": frozenset({"row", "column", "line"}),
    "sees": frozenset({"sight"}),
    "step": frozenset({"pair", "gate", "dots"}),
    "less": frozenset({"dots"}),
    "mirror": frozenset(
        {"row", "column", "line", "diagonal", "long diagonal", "run", "three", "pair"}
    ),
}
"""The relations that make sense in some areas only."""
LINES = frozenset({"loop", "turn", "straight"})
"""The relations about lines."""
OF_LINKS = LINES | COUNTS | {"odd", "even", "different"}
"""The relations of tables of links."""
MAX_SHIPS = 20
_FLEET = re.compile(rf"[1-9]{{1,{MAX_SHIPS}}}")
_MAKER = re.compile(r"([0-9a-f]{16})?")
RESERVED = '.*#/()=, "\\'
"""Characters that no symbol may have as its letter, because the text of a board uses them."""


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A symbol that players put on the board."""

    letter: str
    """Its character in the text of a board."""
    picture: str = ""
    """The name of its picture. Without one, the letter is drawn."""
    value: int = 0
    """Its number, for sums and for what is seen from the edge."""
    printed: bool = False
    """Whether only an author puts it on a square. Each symbol of links but the line is printed."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A statement about every area of one sort."""

    where: Where
    relation: Relation
    what: str = "*"
    """The symbols that it is about: letters of the table, `*` for all, `.` for an empty cell."""
    number: int | str = 0
    """A number, `clue` for the number that the author wrote there, `own` for the value of the
    symbol around which the area lies, or letters: as many as there are of these symbols. Of a
    `fleet`, the lengths of the ships, a digit each, the longest first. Of `matched`, the letters
    of the partners."""
    who: str = ""
    """Which areas it is about. Empty for all of them; `clue` or `no clue`; or symbols, of which one
    must lie in the cell around which the area lies."""
    reach: tuple[tuple[int, int], ...] = ()
    """For the area `around`: the offsets (rows down, columns right) that the author has drawn."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of puzzle, made of rules."""

    name: dict[str, str]
    """Language -> the name of the kind."""
    symbols: tuple[Symbol, ...]
    rules: tuple[Rule, ...]
    site: Site = "cells"
    """What players fill in: the cells, the edges between the corners of the cells, or the links
    between the middles of two cells side by side."""
    each: tuple[int, int] = (0, 1)
    """The least and the most symbols of a cell. They are different symbols."""
    draws: tuple[Draw, ...] = ()
    """What an author may draw."""
    schema: int = SEMANTICS
    words: dict[str, str] = {}
    """Language -> what the maker says of the rules in words of his or her own, which stand beside
    the sentences that are made of them."""
    maker: str = ""
    """Whose table it is, in hexadecimal digits that tell nothing else. Makers of the same rules
    have different slugs, so nobody gives a name to somebody else's kind. Empty for the ready
    tables."""

    @property
    def letters(self) -> str:
        """The letters of all symbols."""
        return "".join(symbol.letter for symbol in self.symbols)

    @property
    def filled(self) -> str:
        """The letters that players fill in: of a table of lines only the first."""
        if self.site != "cells":
            return self.letters[:1]
        return "".join(symbol.letter for symbol in self.symbols if not symbol.printed)

    @property
    def printed(self) -> str:
        """The letters that only an author puts on a cell."""
        if self.site != "cells":
            return self.letters[1:]
        return "".join(symbol.letter for symbol in self.symbols if symbol.printed)

    @property
    def given(self) -> str:
        """The letters that an author may put on a cell: the printed ones if there are any, and
        else all that players fill in."""
        return self.printed if self.printed or self.site != "cells" else self.letters

    @property
    def values(self) -> dict[str, int]:
        """Letter -> the value of its symbol."""
        return {symbol.letter: symbol.value for symbol in self.symbols}

    @property
    def sides(self) -> frozenset[str]:
        """The edges of the board at which a rule reads numbers: those of lines stand at their
        beginning, at the left or above."""
        sides: set[str] = set()
        for rule in self.rules:
            if rule.relation in ("seen", "first"):
                sides.update(("left", "right", "top", "bottom"))
            elif "clue" in (rule.number, rule.who):
                sides.update({"row": ("left",), "column": ("top",), "line": ("left", "top")}.get(
                    rule.where, ()))  # fmt: skip
        return frozenset(sides)

    @property
    def slug(self) -> str:
        """The kind's slug. It follows from everything that has a meaning for the rules, so a table
        can't change under a puzzle, and a name and words can."""
        meaning = msgspec.structs.replace(
            self,
            name={},
            words={},
            symbols=tuple(msgspec.structs.replace(each, picture="") for each in self.symbols),
        )
        text = msgspec.json.encode(meaning, order="sorted")
        return f"t-{hashlib.sha256(text).hexdigest()[:SLUG_DIGITS]}"


def read_table(text: str | bytes) -> Table:
    """Return the table of a JSON text. Raise BadText, naming the place, if it is none."""
    if len(text) > LONGEST_TABLE:
        raise BadText("The table has more than {most} bytes.", most=LONGEST_TABLE)
    try:
        table = msgspec.json.decode(text, type=Table)
    except msgspec.MsgspecError as error:
        raise BadText("The table can't be read: {fault}", fault=str(error)) from None
    check_table(table)
    return table


def write_table(table: Table) -> str:
    """Return the JSON text of the table. Defaults are left out."""
    return msgspec.json.encode(table).decode()


def check_table(table: Table) -> None:
    """Raise BadText, naming the symbol or the rule, where the table has no meaning."""
    if table.schema != SEMANTICS:
        raise BadText("The table is of version {number}. Known is {known}.", number=table.schema,
                      known=SEMANTICS)  # fmt: skip
    if any(len(text) > MAX_WORDS for text in table.words.values()):
        raise BadText("The words about the rules have more than {most} characters.", most=MAX_WORDS)
    if not _MAKER.fullmatch(table.maker):
        raise BadText("The maker of the table is not written in hexadecimal digits.")
    if not 1 <= len(table.symbols) <= MAX_SYMBOLS:
        raise BadText("A table has 1 to {most} symbols.", most=MAX_SYMBOLS)
    if len(table.rules) > MAX_RULES:
        raise BadText("A table has at most {most} rules.", most=MAX_RULES)
    for number, symbol in enumerate(table.symbols, 1):
        letter = symbol.letter
        if (
            len(letter) != 1
            or letter in RESERVED
            or not letter.isprintable()
            or (plain(letter) != letter)
        ):
            raise BadText("Symbol {number}: “{letter}” can't be the letter of a symbol.",
                          number=number, letter=symbol.letter[:20])  # fmt: skip
        if symbol.letter in table.letters[: number - 1]:
            raise BadText("Symbol {number}: “{letter}” is the letter of another symbol, too.",
                          number=number, letter=symbol.letter)  # fmt: skip
        if not 0 <= symbol.value <= MAX_NUMBER:
            raise BadText("Symbol {number}: its value is not in 0 to {most}.", number=number,
                          most=MAX_NUMBER)  # fmt: skip
    if not table.filled:
        raise BadText("Players need a symbol that is not printed.")
    if table.site != "cells" and any(symbol.printed for symbol in table.symbols):
        raise BadText("Only a table of cells says which of its symbols are printed.")
    least, most = table.each
    if not 0 <= least <= most <= len(table.symbols) or most > 2 or most < 1:
        raise BadText("A cell can't have {least} to {most} symbols.", least=least, most=most)
    if table.site != "cells" and table.each != (0, 1):
        raise BadText("An edge has one line or none.")
    if table.site == "edges" and len(table.symbols) != 1:
        raise BadText("A table of edges has one symbol, and an edge may stay empty.")
    for number, rule in enumerate(table.rules, 1):
        _check_rule(table, number, rule)


def _check_rule(table: Table, number: int, rule: Rule) -> None:
    def refuse(fault: str) -> BadText:
        return BadText("Rule {number}: {fault}", number=number, fault=fault)

    def is_letters(text: str) -> bool:
        return bool(text) and set(text) <= set(table.letters) and len(set(text)) == len(text)

    if rule.what not in ("*", ".") and not is_letters(rule.what):
        raise refuse(f"“{rule.what[:20]}” names no symbols of the table.")
    if rule.where not in ONLY_IN.get(rule.relation, {rule.where}):
        raise refuse(f"“{rule.relation}” says nothing about “{rule.where}”.")
    is_edges, is_links = table.site == "edges", table.site == "links"
    if not is_links and is_edges != (rule.where == "face" or rule.relation in LINES):
        raise refuse(f"“{rule.where}” and “{rule.relation}” don't fit a table of {table.site}.")
    if (is_edges and rule.relation not in COUNTS | {"loop"}) or (
        is_links and (rule.relation not in OF_LINKS or rule.where == "face")
    ):
        raise refuse(f"“{rule.where}” and “{rule.relation}” don't fit a table of {table.site}.")
    if is_links:
        _check_links(table, rule, refuse)
    if is_edges and (rule.what == "." or rule.who not in ("", "clue", "no clue")):
        raise refuse("A face carries no symbols.")
    if rule.relation in ("turn", "straight"):
        if rule.what != "*" or not rule.who or not set(rule.who) <= set(table.given):
            raise refuse("Lines turn or go straight on in cells with a symbol of the author.")
        return
    if (rule.where == "around") != bool(rule.reach):
        raise refuse("Offsets belong to the area “around”, and it needs them.")
    if len(rule.reach) > MAX_OFFSETS or any(
        max(abs(down), abs(right)) > FARTHEST for down, right in rule.reach
    ):
        raise refuse(f"At most {MAX_OFFSETS} offsets, up to {FARTHEST} away, can be drawn.")
    if len(set(rule.reach)) < len(rule.reach):
        raise refuse("An offset is drawn twice.")
    if rule.who == "no clue" and rule.number == "clue":
        raise refuse("Where there is no number, none can be read.")
    is_symbol_guard = rule.who not in ("", "clue", "no clue")
    if is_symbol_guard and rule.who != "*" and not is_letters(rule.who):
        raise refuse(f"“{rule.who[:20]}” names no symbols of the table.")
    if rule.who and rule.where not in AROUND:
        raise refuse(f"An area “{rule.where}” lies around no cell.")
    if is_symbol_guard and rule.relation not in COUNTS | {"odd", "even", "total", "product"}:
        raise refuse(f"“{rule.relation}” can't be said of the areas around a symbol.")
    if rule.relation == "matched" and (rule.what == "*" or table.each[1] > 1):
        raise refuse("Partners are symbols of two sorts, and a cell may have only one.")
    if rule.relation in {"seen", "first", "step", "less"} and (
        rule.what != "*" or table.each[1] > 1
    ):
        raise refuse(f"“{rule.relation}” compares all symbols, and a cell may have only one.")
    if rule.what == "." and rule.relation in {
        *("odd", "even", "total", "product", "same", "step", "less", "matched")
    }:
        raise refuse(f"“{rule.relation}” says nothing about empty cells.")
    _check_number(rule, is_letters, refuse)


def _check_links(table: Table, rule: Rule, refuse: Callable[[str], BadText]) -> None:
    used = {*rule.what, *("" if rule.who in ("clue", "no clue") else rule.who)}
    if not used <= {"*", ".", *table.given} or "*" in rule.who:
        raise refuse("Lines end on squares with a symbol of the author, or on empty ones.")
    if rule.relation == "different" and (rule.where, rule.number) not in (
        ("pair", 0), ("board", "clue")
    ):  # fmt: skip
        raise refuse("Only the two ends of each line, or the numbers at them, can differ.")
    if rule.relation == "different" and rule.what != "*":
        raise refuse("“different” is about all lines.")
    if rule.number != "clue" and isinstance(rule.number, str):
        raise refuse("Lines are counted by a number.")


def _check_number(
    rule: Rule, is_letters: Callable[[str], bool], refuse: Callable[[str], BadText]
) -> None:
    value = rule.number
    if rule.relation == "fleet":
        if not isinstance(value, str) or not _FLEET.fullmatch(value):
            raise refuse("A fleet needs the lengths of its ships, like “3211”.")
        if list(value) != sorted(value, reverse=True) or rule.what == ".":
            raise refuse("A fleet has symbols, and its longest ship is named first.")
        return
    if rule.relation == "matched" and (value in ("clue", "own") or isinstance(value, int)):
        raise refuse("“matched” needs the letters of the partners.")
    if isinstance(value, int):
        if not 0 <= value <= MAX_NUMBER:
            raise refuse(f"{value} is not in 0 to {MAX_NUMBER}.")
    elif value == "own":
        if rule.relation not in COUNTS or rule.who in ("", "clue", "no clue"):
            raise refuse("“own” needs a count around a symbol.")
    elif value != "clue" and (
        rule.relation not in {"exactly", "least", "most", "matched"}
        or rule.what in ("*", ".")
        or not is_letters(value)
        or set(value) & set(rule.what)
    ):
        raise refuse(f"“{value[:20]}” is no number here.")
    is_comparison = rule.relation == "different" and value == "clue"
    if value != 0 and rule.relation not in NUMBERED and not is_comparison:
        raise refuse(f"“{rule.relation}” has no number.")
    if rule.what == "." and rule.relation == "different" and not is_comparison:
        raise refuse("“different” says nothing about empty cells.")
    if rule.relation == "runs" and value != "clue":
        raise refuse("“runs” reads the numbers at the edge: its number is “clue”.")
    if value == "clue" and rule.relation == "different" and rule.where in AROUND:
        raise refuse("Numbers that lie around a cell can't be compared.")
