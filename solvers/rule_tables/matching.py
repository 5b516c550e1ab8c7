"""Pairs: each symbol of one sort has one of another sort beside it for itself, and the other way
round. In the words of graph theory, there is a perfect matching.

Players see the symbols and not the pairs, so the frontier search must count a board once, whichever
pairs it has. `pairing` reads the board with all pairs at once that are possible so far. Deductions
need no search: they follow from augmenting paths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solvers.rule_tables.model import Matching, Reader
from solvers.rule_tables.relations import Automaton

Domains = Sequence[frozenset[int]]


def pairing(matching: Matching) -> Reader:
    """Return a reader that accepts boards with at least one pairing.

    Its state is a set of masks: for each way to pair what has been read, the symbols that still
    need a partner. Each symbol has a bit for each side. It is forgotten after the last neighbour
    that can be its partner.
    """
    sides = [frozenset(each) - {0} for each in matching.sides]
    variables = tuple(variable for variable, each in enumerate(sides) if each)
    last = {
        (variable, side): max(
            (other for other in matching.beside[variable] if 3 - side in sides[other]), default=-1
        )
        for variable in variables
        for side in sides[variable]
    }
    bits = {key: 1 << number for number, key in enumerate(last)}
    due = [
        sum(bits[key] for key, at in last.items() if max(at, key[0]) == variable)
        for variable in variables
    ]

    def step(state: frozenset[int], item: int, side: int) -> frozenset[int] | None:
        variable = variables[item]
        after = state
        if side:
            before = [bits.get((other, 3 - side), 0) for other in matching.beside[variable]
                      if other < variable]  # fmt: skip
            own = bits[variable, side]
            paired = {mask ^ bit for mask in state for bit in before if mask & bit}
            after = paired | {mask | own for mask in state}  # type: ignore[assignment]
        return frozenset(mask for mask in after if not mask & due[item]) or None

    automaton = Automaton(frozenset((0,)), step, lambda state: 0 in state)
    read = tuple(matching.sides[variable] for variable in variables)
    return Reader(matching.rule, automaton, variables, read)


@dataclass(frozen=True)
class Pairs:
    """The pairs that are possible with some domains.

    Squares side by side have different colours on a checkerboard. So there is a way to pair all
    symbols that are certain if there is one for those of each colour (Mendelsohn and Dulmage).
    """

    matching: Matching
    domains: Domains

    @cached_property
    def _sides(self) -> list[frozenset[int]]:
        """For each variable: the sides that it can have."""
        return [
            frozenset(numbers[value] for value in domain)
            for numbers, domain in zip(self.matching.sides, self.domains)
        ]

    @cached_property
    def _near(self) -> list[list[int]]:
        """For each variable: those that can be its partner."""
        return [
            [at for at in near if any(3 - side in self._sides[at] for side in own if side)]
            for near, own in zip(self.matching.beside, self._sides)
        ]

    @cached_property
    def _found(self) -> tuple[dict[int, int], list[list[int]]]:
        """Partner -> the certain variable that has it; and the variables without partners."""
        taken: dict[int, int] = {}
        wrong = []
        for variable, sides in enumerate(self._sides):
            seen: set[int] = set()
            if sides and 0 not in sides and not self._extend(taken, variable, seen):
                wrong.append(sorted([variable, *(taken[other] for other in seen)]))
        return taken, wrong

    def _extend(self, taken: dict[int, int], variable: int, seen: set[int]) -> bool:
        """Give a variable a partner that is not in `seen`, and others new ones if need be. Return
        whether there is one."""
        for other in self._near[variable]:
            if other not in seen:
                seen.add(other)
                if other not in taken or self._extend(taken, taken[other], seen):
                    taken[other] = variable
                    return True
        return False

    @property
    def unmatched(self) -> list[list[int]]:
        """Sets of variables that have fewer possible partners than members. If one member is left
        out, all others have partners."""
        return self._found[1]

    def narrowed(self) -> tuple[frozenset[int], ...] | None:
        """Return the domains without values with which something has no partner, or None if this is
        so already. What can have either side keeps its values."""
        if self.unmatched:
            return None
        result = list(self.domains)
        for variable, sides in enumerate(self._sides):
            numbers = self.matching.sides[variable]
            for side in sides if len(sides) == 2 and 0 in sides else ():
                if not self._allows(variable, side):
                    result[variable] = frozenset(
                        value for value in result[variable] if numbers[value] != side
                    )
        return tuple(result)

    def _allows(self, variable: int, side: int) -> bool:
        """Return whether a variable can have a side, or none."""
        taken = dict(self._found[0])
        if side:
            return self._extend(taken, variable, set())
        owner = taken.pop(variable, None)
        return owner is None or self._extend(taken, owner, {variable})
