"""What follows from single areas of a model, in plain Python.

A domain holds the numbers of the values that a variable can still have. An automaton that reads the
domains of its variables says which of these values it can still accept, so one area after another
narrows the domains. Web processes judge positions with it, because it needs no numba.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from solvers.kind import Cell
from solvers.rule_tables.fleets import sunk, with_parts
from solvers.rule_tables.matching import Pairs
from solvers.rule_tables.model import Loop, Model, Piece, Reader
from solvers.rule_tables.relations import Automaton

Domains = tuple[frozenset[int], ...]
"""For each variable: the numbers of the values that it can still have."""
MAX_KNOWN = 20_000
"""The most results about single areas that a process keeps."""
MAX_KEPT_ITEMS = 32
"""The most variables of an area whose results are kept. They take about a kilobyte."""
OFF, ON = frozenset((0,)), frozenset((1,))
"""The domain of a place where no line is, and of one where a line is."""


def supported(reader: Reader, domains: Sequence[frozenset[int]]) -> Domains | None:
    """Return, for each variable of a reader, the values with which it can still accept, or None if
    it accepts nothing any more."""
    read = tuple(domains[variable] for variable in reader.variables)
    if len(read) > MAX_KEPT_ITEMS:
        return _worked_out(reader.automaton, reader.read, read)
    return _supported(reader.automaton, reader.read, read)


@lru_cache(maxsize=MAX_KNOWN)
def _supported(
    automaton: Automaton, read: tuple[tuple[int, ...], ...], domains: Domains
) -> Domains | None:
    return _worked_out(automaton, read, domains)


def _worked_out(
    automaton: Automaton, read: tuple[tuple[int, ...], ...], domains: Domains
) -> Domains | None:
    step, states = automaton.step, {automaton.start}
    layers = []
    for item, (domain, numbers) in enumerate(zip(domains, read)):
        known = {
            (state, number): step(state, item, number)
            for state in states
            for number in {numbers[value] for value in domain}
        }
        layers.append(
            [
                (state, value, to)
                for state in states
                for value in domain
                if (to := known[state, numbers[value]]) is not None
            ]
        )
        states = {to for _, _, to in layers[-1]}
    good = {state for state in states if automaton.accepts(state)}
    if not good:
        return None
    allowed = []
    for taken in reversed(layers):
        allowed.append(shared(frozenset(value for _, value, to in taken if to in good)))
        good = {state for state, _, to in taken if to in good}
    return tuple(allowed[::-1])


@lru_cache(maxsize=4096)
def shared(values: frozenset[int]) -> frozenset[int]:
    """Return the set that equal sets share, each of which takes up to a kilobyte."""
    return values


def cut_off(piece: Piece, domains: Domains) -> list[int]:
    """Return the variables that surely belong to a piece and can't be right: they can't be joined
    to the first one that does, or to the edge of the board, or they form a ring."""
    certain, possible = [], set()
    for place, variable in enumerate(piece.variables):
        belongs = [piece.is_on[place][value] for value in domains[variable]]
        if all(belongs):
            certain.append(place)
        if any(belongs):
            possible.add(place)
    beside: dict[int, list[int]] = {place: [] for place in possible}
    for one, two in piece.links:
        if one in possible and two in possible:
            beside[one].append(two)
            beside[two].append(one)
    if piece.demand == "no ring":
        ring = set(certain)
        while loose := {p for p in ring if len(ring.intersection(beside[p])) < 2}:
            ring -= loose
        return [piece.variables[place] for place in sorted(ring)]
    is_edge = piece.demand == "touching edge"
    reached = possible & piece.rim if is_edge else set(certain[:1])
    waiting = list(reached)
    while waiting:
        fresh = set(beside[waiting.pop()]) - reached
        reached |= fresh
        waiting += fresh
    return [piece.variables[place] for place in certain if place not in reached]


def closed_lines(loop: Loop, domains: Domains) -> tuple[list[int], list[int]]:
    """Return the variables of a line that is closed while others are there, and those on which no
    line can be, because it would close such a line or one is closed."""
    joined: dict[Cell, Cell] = {}

    def part(point: Cell) -> Cell:
        while (after := joined.get(point, point)) != point:
            point = after
        return point

    closing = []
    certain = [at for at, variable in enumerate(loop.variables) if domains[variable] == ON]
    for at in certain:
        one, two = map(part, loop.ends[at])
        if one == two:
            closing.append(one)
        joined[one] = two
    sizes = Counter(part(loop.ends[at][0]) for at in certain)
    rings = {part(point) for point in closing}
    closed = [
        loop.variables[at]
        for at in certain
        if (ring := part(loop.ends[at][0])) in rings and sizes[ring] < len(certain)
    ]
    barred = [
        variable
        for variable, (one, two) in zip(loop.variables, loop.ends)
        if len(domains[variable]) > 1
        and (rings or (part(one) == part(two) and sizes[part(one)] < len(certain)))
    ]
    return closed, barred


@dataclass(frozen=True)
class Deduction:
    """The deductions about a model."""

    model: Model

    @cached_property
    def readers(self) -> list[Reader]:
        """The single areas from which something follows."""
        return [*self.model.every_reader, *self.model.faces_with_points]

    @cached_property
    def readers_of(self) -> Mapping[int, list[int]]:
        """Variable -> the numbers of the readers that read it."""
        of: dict[int, list[int]] = {}
        for number, reader in enumerate(self.readers):
            for variable in reader.variables:
                of.setdefault(variable, []).append(number)
        return of

    def _joined(self, domains: Domains) -> Domains | None:
        """Return the domains without lines that would close too early and without what has no
        partner, or None if a line is closed, no line is possible, or something has no partner."""
        for matching in self.model.matchings:
            found = Pairs(matching, domains).narrowed()
            if found is None:
                return None
            domains = found
        for loop in self.model.loops:
            closed, barred = closed_lines(loop, domains)
            if closed or all(domains[variable] == OFF for variable in loop.variables):
                return None
            domains = tuple(
                OFF if variable in barred else values for variable, values in enumerate(domains)
            )
        return domains

    @property
    def domains(self) -> Domains:
        """The domains of the empty board."""
        return tuple(frozenset(range(len(values))) for values in self.model.values)

    def narrowed_once(self, domains: Domains) -> Domains | None:
        """Return the domains after each area has been looked at once, or None if an area can't be
        right any more."""
        result = list(domains)
        for reader in self.readers:
            allowed = supported(reader, domains)
            if allowed is None:
                return None
            for variable, values in zip(reader.variables, allowed):
                result[variable] &= values
        ships = self._with_ships(domains)
        if ships is None or not all(result) or self._is_broken(domains):
            return None
        both = tuple(one & two for one, two in zip(result, ships))
        return self._joined(both) if all(both) else None

    @cached_property
    def _parts(self) -> "tuple[Deduction, Sequence[Sequence[int]]]":
        """The deductions about the parts of ships alone, and the meaning of their values."""
        made, meaning = with_parts(self.model)
        fleets = {fleet.rule for fleet in self.model.fleets}
        made.readers = [reader for reader in made.readers if reader.rule in fleets]
        made.pieces, made.matchings = [], []
        return Deduction(made), meaning

    def _with_ships(self, domains: Domains) -> Domains | None:
        """Return the domains in which every fleet still fits, as far as single ships tell, or None
        if one does not fit any more."""
        if not self.model.fleets:
            return domains
        deduction, meaning = self._parts
        carried = tuple(
            frozenset(number for number, value in enumerate(meant) if value in domain)
            for meant, domain in zip(meaning, domains)
        )
        found = deduction.narrowed(carried)
        return found and tuple(
            frozenset(meant[number] for number in each) for meant, each in zip(meaning, found)
        )

    def narrowed(self, domains: Domains, since: int | None = None) -> Domains | None:
        """Return what follows from single areas, one after another, or None if an area can't be
        right any more. With `since`, only this variable has changed since nothing followed."""
        readers, of = self.readers, self.readers_of
        waiting = set(range(len(readers)) if since is None else of.get(since, ()))
        result = list(domains)
        is_done = False
        while not is_done:
            while waiting:
                reader = readers[waiting.pop()]
                allowed = supported(reader, result)
                if allowed is None:
                    return None
                for variable, values in zip(reader.variables, allowed):
                    if not result[variable] <= values:
                        result[variable] &= values
                        waiting.update(of[variable])
            opened = self._joined(tuple(result)) if all(result) else None
            if opened is None:
                return None
            for variable, domain in enumerate(opened):
                if domain != result[variable]:
                    waiting.update(of.get(variable, ()))
            is_done = not waiting
            result = list(opened)
        domains = tuple(result)
        return domains if all(result) and not self._is_broken(domains) else None

    def _is_broken(self, domains: Domains) -> bool:
        """Return whether a piece or a fleet can't be right any more."""
        return any(cut_off(piece, domains) for piece in self.model.pieces) or any(
            sunk(fleet, domains) is not None for fleet in self.model.fleets
        )


def with_value(domains: Domains, variable: int, value: int) -> Domains:
    """Return the domains with one variable decided."""
    return (*domains[:variable], frozenset((value,)), *domains[variable + 1 :])
