"""A draft of a kind, a table of rules and a board to try it on, and the steps that change it.

What an author may draw follows from the rules and from what is drawn, so nobody has to choose it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec
from msgspec.structs import replace as changed

from puzzleclass.kinds.stored import made_kind
from solvers.grid import check_size, read_cell
from solvers.kind import BadText, PuzzleError, check_length
from solvers.message import gettext_noop
from solvers.rule_tables.areas import PRESETS
from solvers.rule_tables.boards import EMPTY, WALL, Board, read_board, write_board
from solvers.rule_tables.editing import TableEditor
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.sentences import NOUNS
from solvers.rule_tables.table import (
    MAX_NUMBER,
    MAX_SYMBOLS,
    Draw,
    Rule,
    Symbol,
    Table,
    check_table,
    write_table,
)

LARGEST = (10, 10)
LARGEST_OF_STUDENTS = (6, 6)
DRAWS: tuple[Draw, ...] = ("walls", "givens", "rooms", "clues")
ROOM_AREAS = ("room", "gate", "stretch")
_LETTERS = "oxabcdefg"
BAD_STEP = gettext_noop("This can't be done here. The page may be out of date.")


@dataclass(frozen=True, slots=True)
class Draft:
    """A table and a board to try it on. Immutable."""

    table: Table
    text: str
    """The board."""
    is_by_student: bool = False
    """Whether a student makes the kind, from fewer sentences and on a small board."""

    @property
    def largest(self) -> tuple[int, int]:
        """The most rows and columns of the board."""
        return LARGEST_OF_STUDENTS if self.is_by_student else LARGEST

    @property
    def board(self) -> Board:
        return read_board(changed(self.table, draws=DRAWS), self.text)

    @property
    def kind(self) -> TableKind:
        return made_kind(write_table(self.table))

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.table.rules

    @property
    def editor(self) -> TableEditor:
        """The editor of the board, on which everything can be drawn."""
        return TableEditor(changed(self.table, draws=DRAWS), self.largest)

    def checked(self) -> "Draft":
        """Return the draft with what its author draws. Raise PuzzleError if it makes no kind or the
        board has no meaning."""
        check_table(self.table)
        self.check_limits()
        board, rules = self.board, self.rules
        uses = {
            "walls": WALL in board.cells,
            "givens": bool(set(board.cells) - {EMPTY, WALL}) or self.table.each[0] == 1,
            "rooms": bool(board.rooms) or any(rule.where in ROOM_AREAS for rule in rules),
            "clues": any(n is not None for n in board.clues)
            or any("clue" in (rule.number, rule.who) for rule in rules),
        }
        table = changed(self.table, draws=tuple(draw for draw in DRAWS if uses[draw]))
        draft = replace(self, table=table, text=write_board(board))
        return replace(draft, text=draft.kind.write_start(draft.kind.read_start(draft.text)))

    def check_limits(self) -> None:
        """Raise PuzzleError if the board is too large for its author, or a student uses numbers."""
        board = self.board
        check_size(board.rows, board.columns, self.largest)
        has_numbers = any(number is not None for number in board.clues) or any(
            "clue" in (rule.number, rule.who) for rule in self.rules
        )
        if self.is_by_student and has_numbers:
            raise BadText("Numbers can't be used here.")

    def after(self, step: str, fields: dict[str, str]) -> "Draft":
        """Return the draft after a step of the page. Raise PuzzleError if it can't be made."""
        match step.split(" "):
            case ["paint"]:
                text = self.editor.paint(self.text, read_cell(fields["cell"]), fields["brush"])
                return replace(self, text=text).checked()
            case ["size", rows, columns] if _is_number(rows) and _is_number(columns):
                text = self.editor.resize(self.text, int(rows), int(columns))
                return replace(self, text=text).checked()
            case ["undraw", section, cell]:
                return self._undrawn(section, cell).checked()
            case ["filled", "0" | "1" as least]:
                return self._with(each=(int(least), 1)).checked()
            case ["symbol", *words]:
                return self._with_symbol(words).checked()
            case ["rule", number, *words] if _is_number(number):
                return self._with_rule(int(number), words).checked()
            case ["board", *parts]:
                return replace(self, text=" ".join(parts)).checked()
        raise BadText(BAD_STEP)

    def with_rule(self, rule: Rule) -> "Draft":
        """Return the draft with one more rule."""
        return self._with(rules=(*self.rules, rule)).checked()

    def _with(self, **fields: object) -> "Draft":
        return replace(self, table=changed(self.table, **fields))

    def _undrawn(self, section: str, cell: str) -> "Draft":
        board = self.board
        row, column = read_cell(cell)
        at = row * board.columns + column
        if section == "cells" and (row, column) in board:
            board = replace(board, cells=board.cells[:at] + EMPTY + board.cells[at + 1 :])
        elif section == "clues" and board.clues and (row, column) in board:
            board = replace(board, clues=(*board.clues[:at], None, *board.clues[at + 1 :]))
        else:
            raise BadText(BAD_STEP)
        return replace(self, text=write_board(board))

    # Symbols

    def _with_symbol(self, words: list[str]) -> "Draft":
        symbols = self.table.symbols
        match words:
            case ["add"] if len(symbols) < MAX_SYMBOLS:
                letter = next(each for each in _LETTERS if each not in self.table.letters)
                used = {symbol.picture for symbol in symbols}
                picture = next(each for each in NOUNS if each not in used)
                return self._with(symbols=(*symbols, Symbol(letter, picture)))
            case ["numbers", count] if _is_number(count) and 2 <= int(count) <= MAX_SYMBOLS:
                numbers = range(1, int(count) + 1)
                return self._with_symbols([Symbol(str(n), value=n) for n in numbers])
            case ["picture", letter, *picture] if " ".join(picture) in NOUNS:
                drawn = [
                    changed(each, picture=" ".join(picture)) if each.letter == letter else each
                    for each in symbols
                ]
                return self._with(symbols=tuple(drawn))
            case ["drop", letter] if len(symbols) > 1:
                return self._with_symbols([each for each in symbols if each.letter != letter])
        raise BadText(BAD_STEP)

    def _with_symbols(self, symbols: list[Symbol]) -> "Draft":
        """Return the draft with other symbols. What named one that is gone names all of them."""
        letters = {symbol.letter for symbol in symbols}

        def kept(text: str) -> str:
            if text in ("*", ".", "", "clue", "no clue", "own"):
                return text
            return "".join(each for each in text if each in letters) or "*"

        rules = tuple(
            changed(
                rule,
                what=kept(rule.what),
                who=kept(rule.who),
                number=rule.number if isinstance(rule.number, int) or rule.number == "clue" else 1,
            )
            for rule in self.rules
        )
        cells = "".join(c if c in letters | {EMPTY, WALL} else EMPTY for c in self.board.cells)
        draft = replace(self, text=write_board(replace(self.board, cells=cells)))
        each = (min(self.table.each[0], 1), 1)
        return draft._with(symbols=tuple(symbols), rules=rules, each=each)

    # Rules

    def _with_rule(self, number: int, words: list[str]) -> "Draft":
        if not 1 <= number <= len(self.rules):
            raise BadText(BAD_STEP)
        before, rule, after = (
            self.rules[: number - 1], self.rules[number - 1], self.rules[number:]
        )  # fmt: skip
        if words == ["drop"]:
            return self._with(rules=(*before, *after))
        match words:
            case ["paint", down, right]:
                new = painted(rule, (_offset(down), _offset(right)))
            case ["number", value]:
                new = changed(rule, number=int(value) if _is_number(value) else value)
            case ["where" | "relation" | "what" | "who" as field, *value]:
                new = changed(rule, **{field: " ".join(value)})
            case _:
                raise BadText(BAD_STEP)
        fitting = self.fitting(_typed(new))
        if fitting is None or getattr(fitting, words[0], None) != getattr(new, words[0], None):
            raise BadText(BAD_STEP)
        return self._with(rules=(*before, fitting, *after))

    def fitting(self, rule: Rule) -> Rule | None:
        """Return the rule, changed as little as needed to have a meaning in the table, or None."""
        for each in _variants(rule, self.table):
            try:
                check_table(changed(self.table, rules=(each,)))
            except (PuzzleError, TypeError):
                continue
            return each
        return None


def _variants(rule: Rule, table: Table) -> Iterator[Rule]:
    reach = rule.reach if rule.where == "around" else ()
    rule = changed(rule, reach=reach or (PRESETS["near8"] if rule.where == "around" else ()))
    for number in dict.fromkeys((rule.number, 1, 0, "clue")):
        for who in dict.fromkeys((rule.who, "")):
            for what in dict.fromkeys((rule.what, "*", table.letters[0])):
                yield changed(rule, number=number, who=who, what=what)


def painted(rule: Rule, offset: tuple[int, int]) -> Rule:
    """Return the rule with a square of its neighbourhood painted or cleared."""
    reach = set(reach_of(rule)) ^ {offset}
    if not reach:
        raise BadText("A neighbourhood needs at least one square.")
    preset = next((name for name, each in PRESETS.items() if set(each) == reach), "")
    if preset:
        return changed(rule, where=preset, reach=())
    return changed(rule, where="around", reach=tuple(sorted(reach)))


def reach_of(rule: Rule) -> tuple[tuple[int, int], ...]:
    """Return the offsets of the squares of a rule's neighbourhood; empty if it has none."""
    return rule.reach or PRESETS.get(rule.where, ())


def _typed(rule: Rule) -> Rule:
    """Return the rule if its words are those of the closed lists. Otherwise raise BadText."""
    try:
        return msgspec.convert(msgspec.to_builtins(rule), Rule)
    except msgspec.ValidationError:
        raise BadText(BAD_STEP) from None


def _is_number(text: str) -> bool:
    """Return whether a part of a step is a whole number, and no longer than any that the page
    sends."""
    return text.isdecimal() and len(text) <= len(str(MAX_NUMBER))


def _offset(text: str) -> int:
    if text.lstrip("-").isdecimal() and len(text) < 3 and abs(int(text)) <= 2:
        return int(text)
    raise BadText(BAD_STEP)


def read_draft(table: Table, text: str) -> Draft:
    """Return the draft of a table and a board."""
    check_length(text)
    return Draft(table, text).checked()
