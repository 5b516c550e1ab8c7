"""Ships: straight rows of cells with nothing beside them, as many of each length as a rule says.

Which part of which ship a cell carries follows from the whole board only. So the frontier search
and the clauses give each cell a part, and what a part asks for is a matter of two cells.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from solvers.rule_tables import relations
from solvers.rule_tables.areas import STEPS4
from solvers.rule_tables.model import Fleet, Model, Reader
from solvers.rule_tables.relations import Automaton

Numbers = tuple[int, ...]


class Part(NamedTuple):
    """A cell of a ship."""

    length: int
    at: int
    """How many cells of the ship lie before it."""
    step: tuple[int, int]
    """The direction of the ship, to the right or down."""

    def beside(self, step: tuple[int, int]) -> "Part | None":
        """Return the part of the ship in the next cell in one direction, or None if there is no
        ship."""
        along = self.step[0] * step[0] + self.step[1] * step[1]
        at = self.at + along
        return self._replace(at=at) if along and 0 <= at < self.length else None


@lru_cache(maxsize=64)
def parts(lengths: Numbers) -> tuple[Part, ...]:
    """Return all parts of ships of these lengths. A ship of one cell lies in one direction only."""
    return tuple(
        Part(length, at, step)
        for length in sorted(set(lengths))
        for step in ((0, 1), (1, 0))[: 1 + (length > 1)]
        for at in range(length)
    )


@lru_cache(maxsize=64)
def fitting(lengths: Numbers, step: tuple[int, int]) -> Automaton:
    """Accept two cells of which the second lies in a direction from the first. What is read is 0
    for no ship, or the number of the part, from 1."""
    every = (None, *parts(lengths))
    back = (-step[0], -step[1])

    def fits(one: Part | None, two: Part | None) -> bool:
        return (one is None or one.beside(step) == two) and (two is None or two.beside(back) == one)

    def move(first: int | None, item: int, number: int) -> int | None:
        return number if first is None or fits(every[first], every[number]) else None

    return Automaton(None, move, lambda last: True)


def with_parts(model: Model) -> tuple[Model, list[Numbers]]:
    """Return a model whose values tell the part of each cell, without fleets, and for each of its
    variables the number of the model's value that each of these values is."""
    whole: list[Numbers] = [tuple(range(len(values))) for values in model.values]
    if not model.fleets:
        return model, whole
    carried: list[list[Numbers]] = []
    for variable, values in enumerate(whole):
        every = [
            (value, *numbers)
            for value in values
            for numbers in product(*(_numbers(each, variable, value) for each in model.fleets))
        ]
        carried.append(every)
        whole[variable] = tuple(value for value, *_ in every)
    made = Model(model.sites, tuple(tuple(model.values[at][value] for value in values)
                                    for at, values in enumerate(whole)))  # fmt: skip

    def spread(variables: Sequence[int], rows: Sequence[Sequence[int]]) -> tuple[Numbers, ...]:
        return tuple(tuple(row[value] for value in whole[at]) for at, row in zip(variables, rows))

    for reader in model.readers:
        read = spread(reader.variables, reader.read)
        made.readers.append(Reader(reader.rule, reader.automaton, reader.variables, read))
    for piece in model.pieces:
        is_on = tuple(tuple(map(bool, row)) for row in spread(piece.variables, piece.is_on))
        made.pieces.append(replace(piece, is_on=is_on))
    every_variable = range(len(whole))
    for matching in model.matchings:
        made.matchings.append(replace(matching, sides=spread(every_variable, matching.sides)))
    for number, fleet in enumerate(model.fleets, 1):
        own = [tuple(each[number] for each in values) for values in carried]
        made.readers += _readers(fleet, own)
    return made, whole


def _numbers(fleet: Fleet, variable: int, value: int) -> list[int]:
    """Return 0 if a value is no ship, or else the numbers of the parts that do not reach beyond the
    board."""
    if not fleet.is_on[variable][value]:
        return [0]
    off = [step for step, at in zip(STEPS4, fleet.beside[variable]) if at < 0]
    return [
        number
        for number, part in enumerate(parts(fleet.lengths), 1)
        if not any(part.beside(step) for step in off)
    ]


def _readers(fleet: Fleet, own: Sequence[Numbers]) -> list[Reader]:
    """Return the readers of a fleet. `own` tells for each variable and value the number of its
    part."""
    made = []
    for variable, near in enumerate(fleet.beside):
        for step, other in zip(STEPS4, near):
            if other > variable:
                automaton = fitting(fleet.lengths, step)
                both = (variable, other)
                made.append(Reader(fleet.rule, automaton, both, (own[variable], own[other])))
    every = (None, *parts(fleet.lengths))
    for length, many in Counter(fleet.lengths).items():
        begins = {
            number
            for number, part in enumerate(every)
            if part and part.at == 0 and part.length == length
        }
        read = tuple(tuple(int(number in begins) for number in numbers) for numbers in own)
        automaton = relations.between(many, many)
        made.append(Reader(fleet.rule, automaton, tuple(range(len(own))), read))
    return made


def sunk(fleet: Fleet, domains: Sequence[frozenset[int]]) -> list[int] | None:
    """Return the variables of ships that can't be right, or None if there are none. No variables
    mean that ships are missing from a full board."""
    belongs = [{is_on[value] for value in domain} for is_on, domain in zip(fleet.is_on, domains)]
    certain = {at for at, each in enumerate(belongs) if each == {True}}
    wrong: set[int] = set()
    whole: list[list[int]] = []
    waiting = set(certain)
    while waiting:
        ship = [min(waiting)]
        waiting -= {ship[0]}
        for at in ship:
            fresh = waiting.intersection(fleet.beside[at])
            ship += sorted(fresh)
            waiting -= fresh
        sides = {n in (1, 2) for at in ship for n, to in enumerate(fleet.beside[at]) if to in ship}
        if len(sides) > 1 or len(ship) > max(fleet.lengths):
            wrong.update(ship)
        elif not any(True in belongs[to] for at in ship for to in fleet.beside[at]
                     if to >= 0 and to not in ship):  # fmt: skip
            whole.append(ship)
    wanted, found = Counter(fleet.lengths), Counter(map(len, whole))
    for ship in whole:
        if found[len(ship)] > wanted[len(ship)]:
            wrong.update(ship)
    if wrong:
        return sorted(wrong)
    is_full = all(len(each) == 1 for each in belongs)
    return [] if is_full and found != wanted else None
