"""A table and a board as a model: variables with values, and what the rules say of them.

A variable is a cell or an edge that players fill in. Its values are what may lie there: sets of
letters, the empty one among them if the cell may stay empty. The variables are in the order in
which `frontier` reads them: along the shorter side of the board, so that few are open at a time.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any, Literal

from solvers.kind import Cell
from solvers.rule_tables import relations
from solvers.rule_tables.areas import (
    STEPS4,
    STEPS8,
    Area,
    Edge,
    areas,
    beside,
    edges_around,
    ends,
    half_cells,
    lines_of,
    links_of,
    ray,
    views,
    ways,
)
from solvers.rule_tables.boards import EMPTY, LESS, Board, Drawn
from solvers.rule_tables.relations import BLANK, Automaton
from solvers.rule_tables.table import Rule, Table

Site = Cell | Edge
Value = frozenset[str]
UNBOUNDED = 10**6
READER_BYTES, PLACE_BYTES = 400, 40
"""What a reader takes without its variables, and what each of them, each link and each site takes,
with the lists that deductions make of them."""
GIVEN = -1
"""The number of the rule of a reader of what the author has given."""


@dataclass(frozen=True, slots=True)
class Reader:
    """An automaton that reads some variables."""

    rule: int
    """The number of the rule, from 0, or `GIVEN`."""
    automaton: Automaton
    variables: tuple[int, ...]
    """The variables in ascending order."""
    read: tuple[tuple[int, ...], ...]
    """For each of them: what the automaton reads for each value."""
    drawn: Drawn | None = None
    """The number of the author on which the automaton depends, if any."""
    cells: tuple[Cell, ...] = ()
    """The cells of an area in which it counts the ends of lines."""
    counted: tuple[Cell, ...] = ()
    """Those of `cells` in which an end counts."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Cells of which those that are on must hang together, or must all be joined to the edge of
    the board, or must not form a ring."""

    rule: int
    demand: Literal["one piece", "touching edge", "no ring"]
    variables: tuple[int, ...]
    is_on: tuple[tuple[bool, ...], ...]
    """For each variable: whether each value belongs to the piece."""
    links: tuple[tuple[int, int], ...]
    """Pairs of places in `variables` that touch."""
    rim: frozenset[int]
    """The places in `variables` that lie at the edge of the board."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """Cells of which those that are on must be straight ships of given lengths (see `fleets`)."""

    rule: int
    lengths: tuple[int, ...]
    """The lengths of the ships, the longest first."""
    is_on: tuple[tuple[bool, ...], ...]
    """For each variable: whether each value belongs to a ship."""
    beside: tuple[tuple[int, ...], ...]
    """For each variable: those of the cells above, to the left, to the right and below, or -1."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Cells that must be paired, each with one beside it that has the other side (see
    `matching`)."""

    rule: int
    sides: tuple[tuple[int, ...], ...]
    """For each variable: of each value, 1 or 2, or 0 if it needs no partner."""
    beside: tuple[tuple[int, ...], ...]
    """For each variable: those of the cells beside it, in ascending order."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Edges of which those that are on must form one closed line."""

    rule: int
    variables: tuple[int, ...]
    ends: tuple[tuple[Cell, Cell], ...]
    points: tuple[Reader, ...]
    """For `deduction`: each point has two lines or none."""


@dataclass(slots=True)
class Model:
    """What `frontier` counts."""

    sites: tuple[Site, ...]
    values: tuple[tuple[Value, ...], ...]
    """For each site: what may lie there."""
    readers: list[Reader] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    fleets: list[Fleet] = field(default_factory=list)
    matchings: list[Matching] = field(default_factory=list)

    @property
    def every_reader(self) -> list[Reader]:
        """The readers, also those of the points of loops."""
        return [*self.readers, *(point for loop in self.loops for point in loop.points)]

    @property
    def faces_with_points(self) -> list[Reader]:
        """For `deduction`: the readers of the edges around a cell, each with the points at which
        these meet others."""
        return [
            _with_points(reader, loop)
            for loop in self.loops
            for reader in self.readers
            if reader.drawn
            and reader.drawn.section == "clues"
            and all(read == (0, 1) for read in reader.read)
        ]

    @property
    def size(self) -> int:
        """An estimate of the bytes that the model and what follows from it take."""
        read = sum(READER_BYTES + PLACE_BYTES * len(each.variables) for each in self.every_reader)
        links = sum(PLACE_BYTES * len(each.links) for each in self.pieces)
        return read + links + READER_BYTES * len(self.sites)

    tables: list[Any] | None = None
    """What `layers.tables_of` returned. Web processes never ask it, because it needs numpy."""


def model(table: Table, board: Board, *, has_every_link: bool = False) -> Model:
    """Return the model of a table and a board. Raises BadText where the board has no meaning.

    With `has_every_link`, a table of links has a variable also where a rule forbids every line, so
    that nothing but the rule keeps it away.
    """
    is_whole = has_every_link and table.site == "links"
    if table.site == "cells":
        sites = _open_cells(board)
    else:
        sites = [*(links_of(board) if is_whole else lines_of(table, board))]
    return _Builder(table, board, sites).model


class _Builder:
    def __init__(self, table: Table, board: Board, sites: list[Site]) -> None:
        self.table, self.board = table, board
        self.drawn: Drawn | None = None
        self._counts: dict[str, Callable[[Value], int]] = {}
        self._known: dict[tuple[Callable[[Value], int], tuple[Value, ...]], tuple[int, ...]] = {}
        self.letters, self.number_of = table.letters, table.values
        by_columns = board.rows < board.columns
        sites.sort(key=lambda site: place(site)[::-1] if by_columns else place(site))
        self.at = {site: number for number, site in enumerate(sites)}
        self.model = Model(tuple(sites), tuple(self._values(site) for site in sites))
        for site in sites:
            if isinstance(site, Edge) and board.has_line(*half_cells(site)):
                self.number, self.drawn = GIVEN, None
                self._read(relations.between(1, 1), [site], self._count("*"))
        for number, rule in enumerate(table.rules):
            self.number, self.rule, self.drawn = number, rule, None
            self._add(rule)

    def _values(self, site: Site) -> tuple[Value, ...]:
        least, most = self.table.each
        every = [
            frozenset(letters)
            for size in range(least, most + 1)
            for letters in combinations(self.table.filled, size)
        ]
        given = EMPTY if isinstance(site, Edge) else self.board.sign(site)
        if given in self.table.printed:
            return (frozenset(given),)
        return tuple(value for value in every if given == EMPTY or given in value)

    def _add(self, rule: Rule) -> None:
        if rule.relation == "loop":
            variables = tuple(range(len(self.model.sites)))
            both = tuple(ends(self.table, e) for e in self.model.sites if isinstance(e, Edge))
            at: dict[Cell, list[int]] = {}
            for variable, pair in enumerate(both):
                for point in pair:
                    at.setdefault(point, []).append(variable)
            points = tuple(
                Reader(self.number, relations.none_or_two(), tuple(meet), ((0, 1),) * len(meet))
                for meet in at.values()
            )
            self.model.loops.append(Loop(self.number, variables, both, points))
        elif rule.relation in ("connected", "connected8", "touching edge", "no ring"):
            self._add_pieces(rule)
        elif rule.relation == "fleet":
            self._add_fleet(rule)
        elif rule.relation == "matched":
            self._add_matching(rule)
        elif rule.relation in ("seen", "first"):
            self._add_views(rule)
        elif rule.relation in ("turn", "straight"):
            self._add_pearls(rule)
        else:
            for area in areas(self.board, rule):
                if _applies(self.board, rule, area, is_links=self.table.site == "links"):
                    self.drawn = area.drawn if _is_drawn(rule) else None
                    if self.table.site == "links":
                        self._add_ends(rule, area)
                    else:
                        self._add_area(rule, area)

    def _add_pieces(self, rule: Rule) -> None:
        steps = STEPS8 if rule.relation == "connected8" else STEPS4
        board = self.board
        for area in areas(self.board, rule):
            cells = sorted(area.cells, key=self.at.__getitem__)
            place = {cell: number for number, cell in enumerate(cells)}
            links = tuple(
                (number, place[other])
                for cell, number in place.items()
                for down, right in steps
                if place.get(other := (cell[0] + down, cell[1] + right), -1) > number
            )
            variables = tuple(self.at[cell] for cell in cells)
            is_on = tuple(
                tuple(bool(self._count(rule.what)(value)) for value in self.model.values[variable])
                for variable in variables
            )
            rim = frozenset(
                number
                for (row, column), number in place.items()
                if row in (0, board.rows - 1) or column in (0, board.columns - 1)
            )
            demand: Any = "one piece" if "connected" in rule.relation else rule.relation
            self.model.pieces.append(Piece(self.number, demand, variables, is_on, links, rim))

    def _add_fleet(self, rule: Rule) -> None:
        near = tuple(
            tuple(self.at.get((row + down, column + right), -1) for down, right in STEPS4)
            for row, column in map(place, self.model.sites)
        )
        has = self._count(rule.what)
        is_on = tuple(tuple(bool(has(value)) for value in each) for each in self.model.values)
        lengths = tuple(map(int, str(rule.number)))
        self.model.fleets.append(Fleet(self.number, lengths, is_on, near))

    def _add_matching(self, rule: Rule) -> None:
        one, two = self._count(rule.what), self._count(str(rule.number))
        sides = tuple(
            tuple(one(value) + 2 * two(value) for value in values) for values in self.model.values
        )
        near = tuple(
            tuple(
                sorted(
                    self.at[cell]
                    for down, right in STEPS4
                    if (cell := (row + down, column + right)) in self.at
                )
            )
            for row, column in map(place, self.model.sites)
        )
        self.model.matchings.append(Matching(self.number, sides, near))

    def _add_ends(self, rule: Rule, area: Area) -> None:
        """Count the ends of lines in an area, or forbid what is not different."""
        board, links = self.board, [each for each in self.model.sites if isinstance(each, Edge)]
        if rule.relation == "different":
            self._different_ends(rule, area, links)
            return
        counted = {cell for cell in area.cells if rule.what in ("*", board.sign(cell))
                   or board.sign(cell) in rule.what}  # fmt: skip
        ends_in = {link: sum(cell in counted for cell in beside(link)) for link in links}
        number: Any = area.clue if rule.number == "clue" else rule.number
        automaton, _ = self._automaton(rule.relation, "*", number)
        weights = {link: many for link, many in ends_in.items() if many}
        cells = tuple(cell for cell in area.cells if cell in counted)
        self._read_lines(automaton, weights, area.cells, cells)

    def _different_ends(self, rule: Rule, area: Area, links: list[Edge]) -> None:
        alike: dict[Hashable, list[Edge]] = {}
        for link in links:
            one, two = beside(link)
            if rule.number == "clue":
                numbers = [self.board.number(self.board.clues, cell) for cell in (one, two)]
                if None not in numbers:
                    alike.setdefault(frozenset(numbers), []).append(link)
            elif area.cells == (one, two) and self.board.sign(one) == self.board.sign(two):
                self._read_lines(relations.between(0, 0), {link: 1}, area.cells, area.cells)
        for group in alike.values():
            self._read_lines(relations.between(0, 1), dict.fromkeys(group, 1))

    def _read_lines(
        self,
        automaton: Automaton,
        weights: Mapping[Edge, int],
        cells: tuple[Cell, ...] = (),
        counted: tuple[Cell, ...] = (),
    ) -> None:
        """Add a reader of lines that counts each of them as so many."""
        many = {self.at[link]: number for link, number in weights.items()}
        variables = tuple(sorted(many))
        read = tuple((0, many[variable]) for variable in variables)
        reader = Reader(self.number, automaton, variables, read, self.drawn, cells, counted)
        self.model.readers.append(reader)

    def _add_views(self, rule: Rule) -> None:
        made = relations.seen if rule.relation == "seen" else relations.first
        every = (BLANK, *sorted(set(self.number_of.values())))
        for cells, number, drawn in views(self.board):
            self.drawn = drawn
            automaton = made(number)
            if [self.at[cell] for cell in cells] != sorted(self.at[cell] for cell in cells):
                automaton = relations.backwards(automaton, len(cells), every)
            self._read(automaton, cells, self._value)

    def _add_pearls(self, rule: Rule) -> None:
        for at, cell in enumerate(self.board):
            if self.board.sign(cell) in rule.who:
                self.drawn = Drawn("cells", at)
                here = (way for way in ways(self.board, cell) if way[1] in self.at)
                near = sorted(here, key=lambda way: self.at[way[1]])
                names = "".join(name for name, _ in near)
                automaton = relations.pearl(names, turns=rule.relation == "turn")
                self._read(automaton, [edge for _, edge in near], self._count("*"))

    def _add_area(self, rule: Rule, area: Area) -> None:
        cells: Sequence[Site] = area.cells
        if rule.where == "face" and area.base:
            cells = edges_around(area.base)
        relation, what = rule.relation, rule.what
        number: Any = area.clue if rule.number == "clue" else rule.number
        if relation == "different" and rule.number == "clue":
            self._different_clues(rule, area)
        elif relation in ("different", "same"):
            alike = relations.same()
            if relation == "different":
                # As many different symbols as there are cells to fill are all of them.
                is_every = what == "*" and self.table.each == (1, 1)
                alike = relations.between(int(is_every and len(cells) == len(self.letters)), 1)
            for letter in self.letters if what == "*" else what:
                self._read(alike, cells, self._count(letter))
        elif relation == "runs":
            self._read(relations.runs(number), cells, self._count(what))
        elif relation == "sees":
            self._add_sight(area, number)
        elif relation == "mirror":
            self._read(relations.mirror(len(cells)), cells, self._mark(what))
        elif relation == "less":
            self._read(relations.less(area.clue == LESS), cells, self._value)
        elif relation == "step":
            self._read(relations.differ_by(number), cells, self._value)
        elif rule.number == "own":
            for letter in self.letters if rule.who == "*" else rule.who:
                automaton = _counting(relation, self.number_of[letter])
                self._read(automaton, cells, self._count(what), area.base, self._count(letter))
        else:
            automaton, read = self._automaton(relation, what, number)
            is_around = rule.who not in ("", "clue", "no clue")
            guard = self._count(rule.who) if is_around else None
            self._read(automaton, cells, read, area.base, guard)

    def _automaton(
        self, relation: str, what: str, number: int | str
    ) -> tuple[Automaton, Callable[[Value], int]]:
        """Return the automaton of a relation that adds something up, and what it reads."""
        count = self._count(what)
        if isinstance(number, str):
            other = self._count(number)
            return relations.compare(relation), lambda value: count(value) - other(value)
        counted = set(self.letters if what == "*" else what)
        if relation == "total":
            return relations.between(number, number), lambda value: sum(
                self.number_of[letter] for letter in value & counted
            )
        if relation == "product":

            def read(value: Value) -> int:
                return prod(self.number_of[letter] for letter in value & counted)

            return relations.product(number), read
        if relation in ("odd", "even"):
            return relations.parity(int(relation == "odd")), count
        return _counting(relation, number), count

    def _different_clues(self, rule: Rule, area: Area) -> None:
        """The numbers that are printed under the counted cells differ."""
        clues: dict[int, list[Cell]] = {}
        for cell in area.cells:
            if (clue := self.board.number(self.board.clues, cell)) is not None:
                clues.setdefault(clue, []).append(cell)
        has = self._count(rule.what)
        for cells in clues.values():
            self._read(relations.between(0, 1), cells, lambda value: int(bool(has(value))))

    def _add_sight(self, area: Area, number: int) -> None:
        where: dict[Cell, str] = {}
        if area.base:
            where |= {area.base: "m"} if self.board.is_open(area.base) else {}
            for name, step in zip("ulrd", STEPS4):
                where |= dict.fromkeys(ray(self.board, area.base, step), name)
        cells = sorted(where, key=self.at.__getitem__)
        names = "".join(where[cell] for cell in cells)
        self._read(relations.sees(names, number), cells, self._count(self.rule.what))

    def _count(self, what: str) -> Callable[[Value], int]:
        """Return a function that counts the symbols of a value; for `.` it is 1 if there is
        none."""
        if what not in self._counts:
            counted = set(self.letters if what == "*" else what)

            def count(value: Value) -> int:
                return int(not value) if what == EMPTY else len(value & counted)

            self._counts[what] = count
        return self._counts[what]

    def _mark(self, what: str) -> Callable[[Value], int]:
        """Return a function that reads a different number for each set of the counted symbols."""
        if what == EMPTY:
            return self._count(what)
        counted = self.letters if what == "*" else what
        return lambda value: sum(1 << n for n, letter in enumerate(counted) if letter in value)

    def _value(self, value: Value) -> int:
        """Return the number of the one symbol of a value, or BLANK."""
        return next((self.number_of[letter] for letter in value), BLANK)

    def _read(
        self,
        automaton: Automaton,
        sites: Sequence[Site],
        read: Callable[[Value], int],
        base: Cell | None = None,
        guard: Callable[[Value], int] | None = None,
    ) -> None:
        """Add a reader of some sites. With a guard, it reads them only if the guard is above 0 for
        the value of the base."""
        numbers = {self.at[site]: read for site in sites}
        if guard and base:
            at = self.at[base]
            own = numbers.get(at)
            numbers[at] = lambda value: 2 * (own(value) if own else 0) + bool(guard(value))
            where = sorted(numbers).index(at)
            automaton = relations.guarded(automaton, where, own is not None)
        variables = tuple(sorted(numbers))
        values = tuple(
            self._numbers(numbers[variable], self.model.values[variable]) for variable in variables
        )
        self.model.readers.append(Reader(self.number, automaton, variables, values, self.drawn))

    def _numbers(self, read: Callable[[Value], int], values: tuple[Value, ...]) -> tuple[int, ...]:
        """Return what is read for each value. It is worked out once for all squares that are
        alike, which then share it."""
        known = self._known.get((read, values))
        if known is None:
            known = self._known[read, values] = tuple(int(read(value)) for value in values)
        return known


def _with_points(reader: Reader, loop: Loop) -> Reader:
    """Return a reader of edges that also reads the points at their ends."""
    ends_of = dict(zip(loop.variables, loop.ends))
    points = sorted({point for variable in reader.variables for point in ends_of[variable]})
    variables = tuple(v for v in loop.variables if set(ends_of[v]) & set(points))
    names = tuple(
        (v in reader.variables, tuple(points.index(end) for end in ends_of[v] if end in points))
        for v in variables
    )
    own = dict(zip(reader.variables, reader.read))
    read = tuple(own.get(v, (0, 1)) for v in variables)
    automaton = relations.with_points(reader.automaton, names)
    return Reader(reader.rule, automaton, variables, read, reader.drawn)


def _open_cells(board: Board) -> list[Site]:
    return [cell for cell in board if board.is_open(cell)]


def place(site: Site) -> Cell:
    """Return the row and column of a site, those of an edge in half cells."""
    return half_cells(site) if isinstance(site, Edge) else site


def _applies(board: Board, rule: Rule, area: Area, *, is_links: bool) -> bool:
    """Return whether a rule says something about an area, as far as the author has drawn it."""
    if rule.relation == "different" and rule.number == "clue":
        return True
    if rule.who not in ("", "clue", "no clue") and area.base and not board.is_open(area.base):
        return False
    is_symbol_guard = rule.who not in ("", "clue", "no clue")
    if is_links and is_symbol_guard and area.base and board.sign(area.base) not in rule.who:
        return False
    if rule.number == "clue" or rule.who == "clue":
        return area.clue is not None
    return rule.who != "no clue" or area.clue is None


def _is_drawn(rule: Rule) -> bool:
    """Return whether a rule reads what is drawn for an area itself. `different` compares the
    numbers in the area's squares, and none at its edge."""
    if rule.where in ("corner", "dots"):
        return True
    return rule.relation != "different" and "clue" in (rule.number, rule.who)


def _counting(relation: str, number: int) -> Automaton:
    if relation == "not":
        return relations.other_than(number)
    least = 0 if relation == "most" else number
    return relations.between(least, UNBOUNDED if relation == "least" else number)
