"""A kind of puzzle that is made of a table of rules."""

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from solvers.capabilities import BrowserRules, Notations, Presses, TinyBoard, Tools
from solvers.grid import CLEAR, ToolMove, ToolMoves, centre, check_size, press_area, read_cell
from solvers.kind import (
    INTERFACE,
    BadText,
    Cell,
    IllegalMove,
    Verdict,
    check_address,
    row_and_column,
)
from solvers.message import Message, gettext_noop
from solvers.picture import CELL, Line, Picture, Shape, Spot
from solvers.rule_tables import browser, lines
from solvers.rule_tables.addresses import ALIASES, read_address, write_address
from solvers.rule_tables.areas import check_areas
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, write_board
from solvers.rule_tables.deduction import Deduction
from solvers.rule_tables.editing import TableEditor, board_text, square_label
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.kind_questions import questions
from solvers.rule_tables.model import model
from solvers.rule_tables.pictures import HALF, drawn_above, ground, symbol_shapes
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.sentences import noun_of_symbol, sentence, together
from solvers.rule_tables.table import Draw, Table
from solvers.rule_tables.turning import canonical, keeps_rules, turned_board
from solvers.rule_tables.verdicts import judge, progress
from solvers.symmetry import Symmetry

_SECTION = re.compile(r"\s+(?=[a-z]+=)")
"""The space before a section of a board, which may stand on a line of its own."""
DRAWN: frozenset[Draw] = frozenset({"walls", "givens", "rooms", "clues", "rim"})
"""What can be drawn on the boards of kinds."""
MAX_SAMPLED = 100
"""The most ways to fill a board of `TableKind.sample`, which are tried one by one in tests."""


class LineTools(Tools[TablePosition, ToolMove]):
    """The line, and the cross where surely none is, as tools. Each clears what it has set."""

    def __init__(self, kind: "TableKind") -> None:
        self._kind = kind
        table = kind.table
        self._line, sign = next(iter(kind.symbols)), table.filled
        self._names = {
            self._line: lines.name_of(table, sign),
            lines.CROSS: lines.name_of(table, lines.CROSS),
        }
        self.icons = {
            self._line: lines.drawn_at(table, "-", HALF, HALF),
            lines.CROSS: lines.drawn_at(table, "x", HALF, HALF),
        }

    def names(self, position: TablePosition) -> Mapping[str, Message]:
        return self._names

    def draw(self, position: TablePosition, tool: str) -> Picture:
        return self._kind.draw_with(position, tool)

    def tool_of(self, move: ToolMove) -> str:
        return lines.CROSS if move.tool == lines.CROSS else self._line


class TableTools(Tools[TablePosition, ToolMove]):
    """The symbols, and clearing a square, as tools."""

    def __init__(self, kind: "TableKind") -> None:
        self._kind = kind
        self._names = {
            name: Message(noun_of_symbol(symbol).title) for name, symbol in kind.symbols.items()
        } | {CLEAR: Message("Clear")}
        self.icons = {
            name: symbol_shapes(symbol, HALF, HALF) for name, symbol in kind.symbols.items()
        } | {CLEAR: (Line(10, 10, 30, 30, "sign"), Line(10, 30, 30, 10, "sign"))}

    def names(self, position: TablePosition) -> Mapping[str, Message]:
        return self._names

    def draw(self, position: TablePosition, tool: str) -> Picture:
        return self._kind.draw_with(position, tool)

    def tool_of(self, move: ToolMove) -> str:
        return move.tool


MAX_KEPT_BYTES = 12_000_000
"""The most bytes that the deductions take which a process keeps."""
DEDUCTIONS: Kept[Deduction] = Kept(MAX_KEPT_BYTES, lambda deduction: deduction.model.size)
"""Slug of the kind, board -> its deductions, for all kinds of the process."""


class TableKind(ToolMoves[TablePosition]):
    """The kind of a table. Its slug follows from the table, so its rules never change.

    `contents` are what the file of a ready kind holds besides the table: the entries of the files
    that other kinds have in their folders.
    """

    editor: ClassVar[TableEditor]
    interface = INTERFACE
    aim = gettext_noop("Fill in the board so that every rule holds.")
    family = "placement"
    version = 2

    def __init__(
        self,
        table: Table,
        contents: Mapping[str, Any] | None = None,
        largest: tuple[int, int] = (10, 10),
        introduction: tuple[TinyBoard, ...] = (),
        address: str = "",
    ) -> None:
        """Raise BadText if the table has something that boards of kinds don't have yet.

        `address` is the name of the kind in addresses of puzz.link, if it has one there.
        """
        if table.each[1] != 1:
            raise BadText("A kind needs squares with at most one symbol each.")
        self.is_lines = table.site != "cells"
        if set(table.draws) - DRAWN:
            raise BadText("A kind's boards have walls, symbols, rooms and numbers only.")
        self.table = table
        self.contents = contents
        self.slug = table.slug  # type: ignore[misc]
        self.title = table.name.get("en") or next(iter(table.name.values()), self.slug)  # type: ignore[misc]
        if any(rule.relation == "loop" for rule in table.rules):
            self.aim = gettext_noop("Draw a line so that every rule holds.")  # type: ignore[misc]
        own = [Message("{words}", {"words": words}) for words in [*table.words.values()][:1]]
        self.rule = together(own + [sentence(table, rule) for rule in table.rules])  # type: ignore[misc]
        self.pieces = table.filled  # type: ignore[misc]
        self._drawn = {symbol.letter: symbol for symbol in table.symbols}
        self.symbols = {
            self.word(symbol.letter): symbol
            for symbol in table.symbols
            if symbol.letter in table.filled
        }
        self.marks = (lines.CROSS,) if self.is_lines else ()
        self.editor = TableEditor(table, largest)  # type: ignore[misc]
        self.questions = questions(self.editor.blank(1, 1), min(largest))  # type: ignore[misc]
        self.introduction = introduction
        self.address = address
        if address:
            self.notations = Notations(self._notations)
            self.address_parts = (address, *ALIASES.get(address, ()))  # type: ignore[misc]
        self.tools = None
        if self.is_lines:
            self.tools = LineTools(self)
        elif len(self.symbols) > 1:
            self.tools = TableTools(self)
        word = next(iter(self.symbols))
        self.presses = lines.presses(table, word) if self.is_lines else self._presses()
        self.browser_rules = BrowserRules(browser.texts(table), self._sent, "tables")

    @property
    def name(self) -> Message:
        """The name of the kind. A name that somebody has typed is a value and never a text with
        fields or with a translation."""
        if self.contents is None:
            return Message("{name}", {"name": self.title})
        return Message(self.title)

    @staticmethod
    def word(letter: str) -> str:
        """Return the word of a move that sets a symbol. A word must not begin with a digit, and
        `-` clears a square."""
        return letter if letter.isalpha() else f"={letter}"

    def deduction(self, board: Board) -> Deduction:
        """Return the deductions about a board."""
        key = self.slug, board
        return DEDUCTIONS.get(key, lambda: Deduction(model(self.table, board)))

    def _sent(self, position: TablePosition) -> str:
        board = position.board
        return browser.start(self.table, self.deduction(board).model, board, position.now)

    def begin(self, board: Board) -> TablePosition:
        """Return the start of a board."""
        now = lines.places(self.table, board) if self.is_lines else board.cells
        return TablePosition(board, now)

    # Texts

    def _notations(self, position: TablePosition) -> Mapping[str, str]:
        text = write_address(self.table, self.address, position.board)
        return {gettext_noop("puzz.link address"): text} if text else {}

    def read_start(self, text: str) -> TablePosition:
        board = read_address(self.table, self.address, text) if self.address else None
        if board is None:
            check_address(text.strip(), self.address_parts)
            text = _SECTION.sub(" ", text).replace("\n", "/")
            board = canonical(self.editor.board(text))
        check_size(board.rows, board.columns, self.editor.largest)
        check_areas(self.table, board)
        return self.begin(board)

    def write_start(self, position: TablePosition) -> str:
        return write_board(position.board)

    def start(self, position: TablePosition) -> TablePosition:
        return self.begin(position.board)

    def line(self, position: TablePosition) -> tuple[ToolMove, ...]:
        return position.line

    def read_move(self, text: str) -> ToolMove:
        tool, _, cell = text.strip().partition(" ")
        if tool not in (CLEAR, *self.symbols, *self.marks):
            raise BadText(
                self.no_move,
                text=text.strip()[:20],
                tools=" ".join((*self.symbols, CLEAR)),
                example=next(iter(self.symbols)),
            )
        return ToolMove(tool, read_cell(cell))

    # Rules

    def turned(self, position: TablePosition, symmetry: Symmetry) -> TablePosition | None:
        rows, columns = symmetry.size
        if rows > self.editor.largest[0] or columns > self.editor.largest[1]:
            return None
        if not keeps_rules(self.table, symmetry):
            return None
        return self.begin(turned_board(position.board, symmetry))

    def turned_move(self, move: ToolMove, symmetry: Symmetry) -> ToolMove:
        cell = lines.turned(symmetry, move.cell) if self.is_lines else symmetry(move.cell)
        return replace(move, cell=cell)

    def cells_of(self, move: ToolMove) -> tuple[Cell, ...]:
        if self.is_lines:
            return tuple(lines.cells_beside(move.cell))
        return (move.cell,)

    def moves(self, position: TablePosition) -> Iterable[ToolMove]:
        for cell in position:
            if position.letter(cell) in (EMPTY, *self.marks):
                yield from (ToolMove(word, cell) for word in self.symbols)

    def play(self, position: TablePosition, move: ToolMove) -> TablePosition:
        cell = move.cell
        if cell not in position:
            if self.is_lines:
                raise IllegalMove(lines.REFUSED.outside)
            raise IllegalMove(browser.REFUSED.outside, cell=cell)
        if position.begun(cell) == WALL:
            raise IllegalMove(browser.REFUSED.wall, cell=cell)
        if position.begun(cell) != EMPTY:
            raise IllegalMove(browser.REFUSED.given, cell=cell)
        letter = EMPTY
        if move.tool != CLEAR:
            letter = move.tool if move.tool in self.marks else self.symbols[move.tool].letter
        if letter == position.letter(cell):
            if self.is_lines:
                raise IllegalMove(lines.REFUSED.already, cell=cell, place=self.describe(move))
            raise IllegalMove(browser.REFUSED.already, cell=cell)
        at = position.index(cell)
        now = position.now[:at] + letter + position.now[at + 1 :]
        return TablePosition(position.board, now, (*position.line, move))

    def judge(self, position: TablePosition) -> Verdict:
        return judge(self.table, self.deduction(position.board), position.board, position.settled)

    def counted_moves(self, position: TablePosition) -> frozenset[str]:
        return frozenset(
            self.write_move(ToolMove(self.word(position.letter(cell)), cell))
            for cell in position
            if position.letter(cell) not in (position.begun(cell), *self.marks)
        )

    def sample(self, rng: random.Random, size: int) -> TablePosition:
        table, (rows, columns) = self.table, self.editor.largest
        if self.introduction and any(rule.relation == "fleet" for rule in table.rules):
            return self._nearly_finished(rng)
        is_small = not self.is_lines and max(rows, columns) <= size
        if is_small and "givens" in table.draws and self.introduction:
            # Of a kind that has small boards only, random ones may never have a solution.
            lesson = rng.choice(self.introduction)
            begun = self.read(f"{lesson.position} {lesson.solution.rsplit(' ', 2)[0]}")
            if rng.random() < 0.3:
                return TablePosition(begun.present, begun.now)
        rows, columns = rng.randint(1, min(size, rows)), rng.randint(1, min(size, columns))
        number, draws = rows * columns, table.draws
        cells = [EMPTY] * number
        ways = len(table.filled) + 1 - table.each[0]
        if not self.is_lines and ways > 1 and size <= 3 and ways**number > MAX_SAMPLED:
            rows, columns = 1, max(1, min(columns, 3 if ways**3 <= MAX_SAMPLED else 2))
            number = columns
            cells = [EMPTY] * number
        for at in range(number):
            if "walls" in draws and rng.random() < 0.15:
                cells[at] = WALL
            elif "givens" in draws and rng.random() < 0.15:
                cells[at] = rng.choice(table.given)
        rooms = "".join(rng.choice("ab") for _ in cells) if "rooms" in draws else ""
        clues = tuple(
            rng.randint(0, 2) if "clues" in draws and rng.random() < 0.25 else None for _ in cells
        )
        if rooms and any(rule.where == "room" for rule in table.rules):
            clues = (None,) * number
        board = Board(rows, columns, "".join(cells), rooms, clues)
        if "rim" in draws:
            rims = {
                side: tuple((rng.randint(1, 2),) if rng.random() < 0.3 else () for _ in range(many))
                for side, many in zip(RIMS, (rows, rows, columns, columns))
            }
            board = board.with_rims(rims)
        return self.begin(canonical(board))

    def _nearly_finished(self, rng: random.Random) -> TablePosition:
        """Return a board of the introduction on which few squares are free: a fleet has no place on
        small boards."""
        lesson = rng.choice(self.introduction)
        end = self.play_line(self.read(lesson.position), lesson.solution)
        free = rng.sample(range(len(end.now)), rng.randint(1, 6))
        cells = "".join(
            EMPTY if at in free else WALL if sign == EMPTY else sign
            for at, sign in enumerate(end.now)
        )
        return self.begin(replace(end.board, cells=cells))

    # Pictures and words

    def draw(self, position: TablePosition) -> Picture:
        return self.draw_with(position, next(iter(self.symbols)))

    def draw_with(self, position: TablePosition, tool: str) -> Picture:
        """Return the picture of the board, with the moves that pressing with the tool makes."""
        board, rows, columns = position.board, position.board.rows, position.board.columns
        if self.is_lines:
            below: Iterable[Shape] = lines.ground_of_lines(self.table, board)
            text = lines.text_of_lines(board, position.settled)
            spots = [self._line_spot(position, cell, tool) for cell in position]
        else:
            below, text = ground(board), board_text(board, position.now)
            spots = [self._spot(position, cell, tool) for cell in position]
        return Picture(
            width=columns * CELL,
            height=rows * CELL,
            title=Message(
                "{kind}, {rows} × {columns}", {"kind": self.name, "rows": rows, "columns": columns}
            ),
            text=text,
            shapes=(*below, *spots, *drawn_above(board)),
        )

    def _spot(self, position: TablePosition, cell: Cell, tool: str) -> Spot:
        sign, given = position.letter(cell), position.board.sign(cell)
        shapes: tuple[Shape, ...] = (press_area(cell),)
        if sign not in (EMPTY, WALL):
            symbol = self._drawn[sign]
            shapes = (*symbol_shapes(symbol, *centre(cell), is_given=sign == given), *shapes)
        move = ToolMove(self._pressed(sign, tool), cell)
        label = square_label(self.table, position.board, cell, sign)
        is_closed = given != EMPTY or (tool == CLEAR and sign == EMPTY)
        state = sign if given == EMPTY else ""
        return Spot(*cell, self.write_move(move), label, shapes, *centre(cell), state=state,
                    is_closed=is_closed)  # fmt: skip

    def _line_spot(self, position: TablePosition, place: Cell, tool: str) -> Spot:
        table, sign = self.table, position.letter(place)
        x, y = lines.point(place)
        state = lines.state(table, place, sign)
        drawn = lines.drawn_at(table, state, x, y)
        is_there = sign == (tool if tool in self.marks else self.table.filled)
        move = ToolMove(CLEAR if is_there else tool, place)
        label = lines.label(table, position.board, place, sign)
        shapes = (*drawn, lines.press_area(table, place))
        return Spot(*place, self.write_move(move), label, shapes, x, y, state=state)

    def _pressed(self, sign: str, tool: str) -> str:
        """Return what pressing a square with a tool does."""
        return CLEAR if tool == CLEAR or self.word(sign) == tool else tool

    def _presses(self) -> Presses:
        symbols = self.symbols.values()
        looks = {EMPTY: ()} | {symbol.letter: symbol_shapes(symbol, 0, 0) for symbol in symbols}
        names = {EMPTY: Message("Free square")} | {
            symbol.letter: Message(noun_of_symbol(symbol).title) for symbol in symbols
        }
        rules = {}
        for tool, symbol in self.symbols.items():
            rules[tool] = {
                sign: (self._pressed(sign, tool),
                       EMPTY if self._pressed(sign, tool) == CLEAR else symbol.letter)
                for sign in looks
            }  # fmt: skip
        if len(rules) == 1:
            return Presses(looks, {"": next(iter(rules.values()))}, names, strokes="cells")
        rules[CLEAR] = {sign: (CLEAR, EMPTY) for sign in looks if sign != EMPTY}
        return Presses(looks, rules, names, strokes="cells")

    def describe(self, move: ToolMove) -> Message:
        if self.is_lines:
            sign = EMPTY if move.tool == CLEAR else move.tool
            return lines.where(self.table, move.cell, lines.name_of(self.table, sign))
        values = row_and_column(move.cell)
        if move.tool == CLEAR:
            return Message("Row {row}, column {column} cleared", values)
        what = Message(noun_of_symbol(self.symbols[move.tool]).title)
        return Message("{what}: row {row}, column {column}", {"what": what, **values})

    def announcements(self, position: TablePosition) -> tuple[Message, ...]:
        if not position.line or self.is_lines:
            return ()
        deduction = self.deduction(position.board)
        return progress(self.table, deduction, position.now, position.board, position.line[-1].cell)
