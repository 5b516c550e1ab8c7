"""A model as clauses for a SAT solver, made of the same tables as the frontier search.

A variable of the model with two values is one variable of the clauses, and otherwise it has one for
each value. An automaton has one for each state, which follow from each other. Whether pieces hang
together and lines are closed is not written down: `cuts` names what is wrong with a candidate.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from solvers.rule_tables import relations
from solvers.rule_tables.areas import STEPS4
from solvers.rule_tables.boards import Drawn
from solvers.rule_tables.fleets import parts
from solvers.rule_tables.layers import Tables, layers, tables_of
from solvers.rule_tables.model import GIVEN, Fleet, Loop, Matching, Model, Piece

Values = tuple[int, ...]
"""For each variable of a model: the number of its value."""
Statement = int | Drawn
"""The number of a rule, from 0, or something that the author has drawn."""
MOST_EXCLUSIVE = 6
"""The most states of a layer of which any two exclude each other. They help to reason backwards."""


@dataclass(slots=True)
class _On:
    """The literals that say which places of a piece are on, and which switch the piece has."""

    piece: Piece
    literals: list[int]
    switch: list[int]


class Clauses:
    """The clauses of a model.

    With `is_switched`, each rule and everything drawn has a literal of its own, without which it
    says nothing.
    """

    def __init__(self, model: Model, *, is_switched: bool = False) -> None:
        """Raise TooLarge when an automaton has too many states."""
        self.clauses: list[list[int]] = []
        self.switches: dict[Statement, int] = {}
        self._last, self._is_switched = 0, is_switched
        self.literals = [self._values(len(values)) for values in model.values]
        for reader, tables in zip(model.readers, tables_of(model)):
            statements: list[Statement] = [reader.rule] if reader.rule != GIVEN else []
            statements += [reader.drawn] if reader.drawn else []
            items = [self.literals[variable] for variable in reader.variables]
            self._add_reader(items, tables, self._switch(statements))
        for fleet in model.fleets:
            self._add_fleet(fleet, self._switch([fleet.rule]))
        for matching in model.matchings:
            self._add_matching(matching, self._switch([matching.rule]))
        self._pieces = [
            _On(p, self._is_on(p.variables, p.is_on), self._switch([p.rule])) for p in model.pieces
        ]
        self._loops = [(loop, self._switch([loop.rule])) for loop in model.loops]
        for loop, switch in self._loops:
            self._add_loop(loop, switch)

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _values(self, number: int) -> list[int]:
        """Return a literal for each value of a variable, of which exactly one holds."""
        if number == 2:
            literal = self._new()
            return [-literal, literal]
        literals = [self._new() for _ in range(number)]
        self.clauses.append(list(literals))
        self.clauses += ([-one, -two] for one, two in combinations(literals, 2))
        return literals

    def _switch(self, statements: Sequence[Statement]) -> list[int]:
        """Return the beginning of clauses that hold only if all these statements are made."""
        if not self._is_switched:
            return []
        for statement in statements:
            if statement not in self.switches:
                self.switches[statement] = self._new()
        return [-self.switches[statement] for statement in statements]

    def _add_reader(
        self, items: Sequence[Sequence[int]], tables: Tables | None, switch: list[int]
    ) -> None:
        """Add a reader of items, each of which has a literal for every value."""
        if tables is None:
            self.clauses.append(switch)
            return
        states: list[list[int]] = [switch]
        for item, (literals, table) in enumerate(zip(items, tables)):
            size = len(tables[item + 1]) if item + 1 < len(tables) else 1
            # A layer of one state says nothing, unless a switch can leave it out.
            after: list[list[int]] = (
                [switch] if size == 1 else [[-self._new()] for _ in range(size)]
            )
            if 1 < size <= MOST_EXCLUSIVE:
                self.clauses += ([*one, *two] for one, two in combinations(after, 2))
            for state, row in zip(states, table.tolist()):
                for to in set(row):
                    into = [] if to < 0 or size == 1 else [-after[to][0]]
                    if to >= 0 and not into:
                        continue
                    if len(set(row)) == 1:
                        self.clauses.append([*state, *into])
                        continue
                    for literal, each in zip(literals, row):
                        if each == to:
                            self.clauses.append([*state, -literal, *into])
            states = after

    def _is_on(self, variables: Iterable[int], values: Iterable[Sequence[bool]]) -> list[int]:
        """Return a literal for each of some variables: whether one of these values is on."""
        result = []
        for variable, is_on in zip(variables, values):
            literals = self.literals[variable]
            on = [literal for literal, each in zip(literals, is_on) if each]
            if len(on) == 1:
                result += on
                continue
            literal = self._new()
            self.clauses += ([-one, literal] for one in on)
            self.clauses.append([-literal, *on])
            result.append(literal)
        return result

    def _add_fleet(self, fleet: Fleet, switch: list[int]) -> None:
        """Each cell that is on carries one part of a ship, and what lies beside it fits."""
        every = parts(fleet.lengths)
        on = self._is_on(range(len(fleet.is_on)), fleet.is_on)
        carried = [{part: self._new() for part in every} for _ in on]
        for literal, own, near in zip(on, carried, fleet.beside):
            self.clauses.append([*switch, -literal, *own.values()])
            self.clauses += ([-one, -two] for one, two in combinations(own.values(), 2))
            for part, here in own.items():
                self.clauses.append([-here, literal])
                for step, other in zip(STEPS4, near):
                    needed = part.beside(step)
                    if other >= 0:
                        there = carried[other][needed] if needed else -on[other]
                        self.clauses.append([*switch, -here, there])
                    elif needed:
                        self.clauses.append([*switch, -here])
        for length, many in Counter(fleet.lengths).items():
            begin = [
                literal
                for own in carried
                for part, literal in own.items()
                if part.length == length and part.at == 0
            ]
            tables = layers(relations.between(many, many), [(0, 1)] * len(begin))
            self._add_reader([(-literal, literal) for literal in begin], tables, switch)

    def _add_matching(self, matching: Matching, switch: list[int]) -> None:
        """Each cell with a side is in exactly one pair, and each pair has two different sides."""
        variables = range(len(matching.sides))
        on = {
            side: self._is_on(variables, [[each == side for each in row] for row in matching.sides])
            for side in (1, 2)
        }
        pairs: dict[tuple[int, int], list[int]] = {}
        for one in variables:
            for two in matching.beside[one]:
                if 1 in matching.sides[one] and 2 in matching.sides[two]:
                    pair = self._new()
                    self.clauses += [[-pair, on[1][one]], [-pair, on[2][two]]]
                    pairs.setdefault((one, 1), []).append(pair)
                    pairs.setdefault((two, 2), []).append(pair)
        for side in (1, 2):
            for variable in variables:
                if side in matching.sides[variable]:
                    here = pairs.get((variable, side), [])
                    self.clauses.append([*switch, -on[side][variable], *here])
                    self.clauses += ([*switch, -a, -b] for a, b in combinations(here, 2))

    def _add_loop(self, loop: Loop, switch: list[int]) -> None:
        """Each corner has two lines or none, and there is a line."""
        at: dict[object, list[int]] = {}
        lines = [self.literals[variable][1] for variable in loop.variables]
        for literal, both in zip(lines, loop.ends):
            for corner in both:
                at.setdefault(corner, []).append(literal)
        for here in at.values():
            for one in here:
                self.clauses.append([*switch, -one, *(other for other in here if other != one)])
            self.clauses += (
                [*switch, *(-each for each in three)] for three in combinations(here, 3)
            )
        self.clauses.append([*switch, *lines])

    def require(self, statement: Statement, variable: int, values: Sequence[int]) -> list[int]:
        """Return a clause: if the statement is made, the variable has one of these values."""
        return [*self._switch([statement]), *(self.literals[variable][value] for value in values)]

    def whole(self, true: set[int]) -> set[int]:
        """Return true literals, with all variables that are missing made false."""
        return true | {-each for each in range(1, self._last + 1) if each not in true}

    def read(self, true: set[int]) -> Values:
        """Return the values that a set of true literals means."""
        return tuple(
            next(number for number, literal in enumerate(literals) if literal in true)
            for literals in self.literals
        )

    def cuts(self, true: set[int]) -> list[list[int]]:
        """Return clauses that every solution obeys and this candidate does not; none if it is a
        solution."""
        found = []
        for each in self._pieces:
            if all(-literal in true for literal in each.switch):
                found += [[*each.switch, *cut] for cut in _piece_cuts(each, true)]
        for loop, switch in self._loops:
            if all(-literal in true for literal in switch):
                found += self._loop_cuts(loop, switch, true)
        return found

    def _loop_cuts(self, loop: Loop, switch: list[int], true: set[int]) -> Iterator[list[int]]:
        lines = [self.literals[variable][1] for variable in loop.variables]
        on = [place for place, literal in enumerate(lines) if literal in true]
        beside: dict[object, list[int]] = {}
        for place in on:
            for corner in loop.ends[place]:
                beside.setdefault(corner, []).append(place)
        links = {place: {p for c in loop.ends[place] for p in beside[c]} - {place} for place in on}
        closed = _parts(links)
        for part in closed if len(closed) > 1 else ():
            # If all of this loop is there, nothing else is.
            is_whole = self._new()
            yield [*switch, *(-lines[place] for place in part), is_whole]
            yield from (
                [-is_whole, -literal] for place, literal in enumerate(lines) if place not in part
            )


def _piece_cuts(on: _On, true: set[int]) -> Iterator[list[int]]:
    piece, literals = on.piece, on.literals
    is_on = {place for place, literal in enumerate(literals) if literal in true}
    beside: list[set[int]] = [set() for _ in literals]
    for one, two in piece.links:
        beside[one].add(two)
        beside[two].add(one)
    if piece.demand == "no ring":
        if ring := _ring(is_on, beside):
            yield [-literals[place] for place in ring]
        return
    parts = _parts({place: beside[place] & is_on for place in sorted(is_on)})
    if piece.demand == "touching edge":
        parts = [part for part in parts if not part & piece.rim]
    elif len(parts) == 1:
        return
    for number, part in enumerate(parts):
        # A cell of the part is joined to a cell outside of it, through a cell beside the part.
        way = sorted(set().union(*(beside[place] for place in part)) - part)
        others = [] if piece.demand == "touching edge" else [min(parts[number - 1])]
        yield [-literals[min(part)], *(-literals[p] for p in others), *(literals[p] for p in way)]


def _parts(links: dict[int, set[int]]) -> list[set[int]]:
    """Return the parts that hang together."""
    parts, rest = [], set(links)
    while rest:
        waiting = [min(rest)]
        part = set(waiting)
        while waiting:
            fresh = links[waiting.pop()] - part
            part |= fresh
            waiting += fresh
        parts.append(part)
        rest -= part
    return parts


def _ring(is_on: set[int], beside: list[set[int]]) -> list[int]:
    """Return the places of one ring, or none."""
    for start in sorted(is_on):
        before = {start: -1}
        waiting = [start]
        while waiting:
            place = waiting.pop()
            for other in sorted(beside[place] & is_on):
                if other not in before:
                    before[other] = place
                    waiting.append(other)
                elif other != before[place]:
                    return _joined(before, place, other)
    return []


def _joined(before: dict[int, int], one: int, two: int) -> list[int]:
    """Return the places on the ways from two places back to where these ways meet."""
    ways = []
    for place in (one, two):
        way = [place]
        while before[way[-1]] >= 0:
            way.append(before[way[-1]])
        ways.append(way)
    common = next(place for place in ways[0] if place in ways[1])
    return [*ways[0][: ways[0].index(common) + 1], *ways[1][: ways[1].index(common)]]
