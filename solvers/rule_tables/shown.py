"""Solutions as players see them, where lines are only a means.

A tent belongs to a tree, and which one nobody sees: solutions that differ only in the pairing are
one. Every such table gives each symbol of the author one line, and each empty square one end at
most, so a solution is the set of the empty squares with an end, and all have equally many.
"""

from collections.abc import Sequence

from solvers.kind import Cell
from solvers.rule_tables.areas import Edge, beside
from solvers.rule_tables.boards import EMPTY, Board
from solvers.rule_tables.model import GIVEN, Model, Site
from solvers.rule_tables.relations import TooLarge
from solvers.rule_tables.table import Rule, Table

MAX_STEPS = 1_000_000
"""The most steps in which solutions are counted once each, which take about two seconds."""
_NEEDED = frozenset({Rule("pair", "different"), Rule("square", "most", ".", 1)})


def shows_ends(table: Table) -> bool:
    """Return whether solutions of a table are the squares at the ends of its lines."""
    own = Rule("cell", "exactly", "*", 1, table.given)
    return table.site == "links" and _NEEDED | {own} <= set(table.rules)


def end_of(board: Board, site: Site) -> Cell:
    """Return the empty square at an end of a line. A line without one is in no solution."""
    assert isinstance(site, Edge)
    one, two = beside(site)
    return one if board.sign(one) == EMPTY else two


def lines_in_pairings(board: Board, made: Model, values: Sequence[int]) -> set[int]:
    """Return the variables of lines that are in some pairing of the ends of a solution. Lines that
    the author has drawn are in all of them."""
    fixed = {each for reader in made.readers if reader.rule == GIVEN for each in reader.variables}
    ends = {end_of(board, made.sites[at]) for at, value in enumerate(values) if value}
    between: dict[int, tuple[Cell, Cell]] = {}
    for at, site in enumerate(made.sites):
        assert isinstance(site, Edge)
        end = end_of(board, site)
        if end in ends:
            between[at] = next(cell for cell in beside(site) if cell != end), end
    paired = {between[at][0]: at for at, value in enumerate(values) if value}
    # From a tree to the tree whose tent it can take: a line is in a pairing if it is, or if a
    # closed way of such steps leads over it.
    owner = {between[at][1]: tree for tree, at in paired.items()}
    ways: dict[Cell, set[Cell]] = {tree: set() for tree in paired}
    movable = {tree for tree, at in paired.items() if at not in fixed}
    for tree, end in between.values():
        if tree in movable and owner[end] in movable:
            ways[tree].add(owner[end])
    found = set(paired.values())
    for at, (tree, end) in between.items():
        if at not in found and owner[end] in ways[tree] and tree in _reached(ways, owner[end]):
            found.add(at)
    return found


def _reached(ways: dict[Cell, set[Cell]], start: Cell) -> set[Cell]:
    reached, waiting = {start}, [start]
    while waiting:
        fresh = ways[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


State = frozenset[tuple[int, frozenset[Cell]]]
"""States of a diagram, each with those open squares at which a line ends."""


class Counter:
    """The number of solutions as players see them, from the layers of a diagram.

    A square is read when its last line is. All states that the same squares lead to are one.
    """

    def __init__(
        self,
        children: Sequence[Sequence[Sequence[int]]],
        good: Sequence[bool],
        meaning: Sequence[Sequence[int]],
        ends: Sequence[Cell],
    ) -> None:
        self._children, self._meaning, self._ends = children, meaning, ends
        self._last = {end: at for at, end in enumerate(ends)}
        self._alive = [list(good)]
        for child in reversed(children):
            after = self._alive[-1]
            self._alive.append([any(to >= 0 and after[to] for to in row) for row in child])
        self._alive.reverse()
        self._known: dict[tuple[int, State], int] = {}
        self._steps = 0
        self.start: State = frozenset({(0, frozenset())} if self._alive[0][0] else ())

    def count(self, at: int, state: State) -> int:
        """Return the number of ways to go on from variable `at`. Raise TooLarge."""
        if not state:
            return 0
        if at == len(self._children):
            return 1
        key = at, state
        if key not in self._known:
            self._known[key] = sum(self.count(at + 1, to) for to in self._after(at, state))
        return self._known[key]

    def by_variable(self) -> list[int]:
        """Return for each line the number of solutions with a pairing that has it."""
        result, states = [], {self.start: 1}
        for at in range(len(self._children)):
            total, after = 0, dict[State, int]()
            for state, ways in states.items():
                total += ways * sum(
                    self.count(at + 1, to) for to in self._after(at, state, only_on=True)
                )
                for to in self._after(at, state):
                    after[to] = after.get(to, 0) + ways
            result.append(total)
            states = after
        return result

    def _after(self, at: int, state: State, *, only_on: bool = False) -> list[State]:
        end, child, alive = self._ends[at], self._children[at], self._alive[at + 1]
        is_last = self._last[end] == at
        groups: dict[bool, set[tuple[int, frozenset[Cell]]]] = {}
        for node, open_ in state:
            for to, meant in zip(child[node], self._meaning[at]):
                self._steps += 1
                if to < 0 or not alive[to] or (only_on and not meant):
                    continue
                there = open_ | {end} if meant else open_
                is_on = is_last and end in there
                groups.setdefault(is_on, set()).add((to, there - {end} if is_last else there))
        if self._steps > MAX_STEPS:
            raise TooLarge("pairings")
        return [frozenset(group) for group in groups.values()]
