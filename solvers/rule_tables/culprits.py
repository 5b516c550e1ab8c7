"""Which symbols break a rule in an area: of those that lie there, the fewest that suffice.

What the author has given is never among them: nobody can take it away. `static/tables.js` does the
same in the same order.
"""

from collections.abc import Sequence

from solvers.rule_tables.model import Model, Reader

MAX_TURNED = 12
"""The most symbols of an area each of which is tried as the last one to be left out."""
MAX_READ = 2000
"""The most symbols, times the variables of the area, from which the fewest are sought. Otherwise
all of them are named."""


def can_accept(reader: Reader, domains: Sequence[frozenset[int]]) -> bool:
    """Return whether a way to choose values of the domains makes an area right."""
    step, states = reader.automaton.step, {reader.automaton.start}
    for item, (variable, numbers) in enumerate(zip(reader.variables, reader.read)):
        read = {numbers[value] for value in domains[variable]}
        after = (step(state, item, number) for state in states for number in read)
        states = {to for to in after if to is not None}
    return any(map(reader.automaton.accepts, states))


def culprits(
    model: Model, readers: Sequence[Reader], domains: Sequence[frozenset[int]]
) -> list[int]:
    """Return the variables that break an area, which several automata may read. All of them are
    wrong. What breaks one automaton is left out if a part of it breaks another one."""
    found = {frozenset(_fewest(model, reader, domains)) for reader in readers}
    smallest = [each for each in found if not any(other < each for other in found)]
    return sorted(set().union(*smallest))


def _fewest(model: Model, reader: Reader, domains: Sequence[frozenset[int]]) -> set[int]:
    """Return the variables in one of the smallest sets that break an area. Each of them is tried as
    the last one to be left out, so that no one of several equal symbols is picked out."""
    decided = [
        variable
        for variable in reader.variables
        if len(domains[variable]) != len(model.values[variable])
    ]
    if len(decided) * len(reader.variables) > MAX_READ:
        return set(decided)
    turns = decided if len(decided) <= MAX_TURNED else decided[-1:]
    sets = [_needed(model, reader, domains, decided, last) for last in turns]
    least = min(map(len, sets), default=0)
    return {variable for each in sets if len(each) == least for variable in each}


def _needed(
    model: Model,
    reader: Reader,
    domains: Sequence[frozenset[int]],
    decided: Sequence[int],
    last: int,
) -> list[int]:
    """Return decided variables of which none can be left out. `last` is left out last."""
    now, needed = list(domains), []
    for variable in [*(each for each in decided if each != last), last]:
        now[variable] = frozenset(range(len(model.values[variable])))
        if can_accept(reader, now):
            now[variable] = domains[variable]
            needed.append(variable)
    return needed
