"""Solutions of a model one by one, by the SAT solver CaDiCaL of the package python-sat.

The solver works in slices of some conflicts, so that a search can show its progress and be stopped.
Where python-sat is not installed, a search raises `SolverMissing`.
"""

from collections.abc import Iterable, Sequence

from solvers.question import Clock, Progress, Run
from solvers.rule_tables.clauses import Clauses, Values
from solvers.rule_tables.model import Model
from solvers.rule_tables.relations import TooLarge

SOLVER = "cadical195"
SLICE_CONFLICTS = 2000
"""The conflicts of one slice, which takes well under a second."""


class SolverMissing(TooLarge):
    """The package python-sat is not installed."""


class Search:
    """A SAT solver with the clauses of a model. With `slices`, it gives up after so many."""

    def __init__(
        self, model: Model, *, is_switched: bool = False, slices: int | None = None
    ) -> None:
        """Raise SolverMissing, or TooLarge when an automaton has too many states."""
        try:
            from pysat.solvers import Solver
        except ImportError:
            raise SolverMissing from None
        self.clauses = Clauses(model, is_switched=is_switched)
        self.is_possible = all(self.clauses.clauses)
        self._slices = slices
        self.found = 0
        """The number of solutions that have been forbidden."""
        self._solver = Solver(SOLVER, bootstrap_with=filter(None, self.clauses.clauses))

    def solve(self, assumed: Sequence[int] = (), rounds: int | None = None) -> Run[Values | None]:
        """Return a solution in which the assumed literals hold, or None if there is none. Raises
        TooLarge when all slices are used up, or when this needs more than `rounds`: slices, and
        candidates that are none."""
        clock, slices = Clock(), 0
        while self.is_possible:
            self._solver.conf_budget(SLICE_CONFLICTS)
            is_solved = self._solver.solve_limited(assumptions=list(assumed))
            slices += 1
            if is_solved is not False and rounds is not None and slices > rounds:
                raise TooLarge("steps of the search")
            if clock.is_due():
                yield Progress(slices, slices + 1, at_least=self.found)
            if is_solved is None:
                if self._slices is not None:
                    self._slices -= 1
                    if self._slices <= 0:
                        raise TooLarge("steps of the search")
                continue
            if not is_solved:
                return None
            true = self.clauses.whole(set(self._solver.get_model()))
            cuts = self.clauses.cuts(true)
            if not cuts:
                return self.clauses.read(true)
            self.add(cuts)
        return None

    def core(self) -> list[int]:
        """Return assumed literals of which the last `solve` found that they contradict each
        other."""
        return list(self._solver.get_core() or ())

    def forbid(self, values: Values) -> None:
        """Exclude a solution."""
        self.found += 1
        picked = (literals[n] for literals, n in zip(self.clauses.literals, values))
        self.add([[-literal for literal in picked]])

    def add(self, clauses: Iterable[list[int]]) -> None:
        """Add clauses that every later solution must obey."""
        for clause in clauses:
            self.is_possible &= bool(clause)
            if clause:
                self._solver.add_clause(clause)


def listing(
    model: Model, most: int, *, slices: int | None = None
) -> Run[tuple[list[Values], bool]]:
    """Return up to `most` solutions, always in the same order, and whether there are no others.
    Raises SolverMissing or TooLarge."""
    search = Search(model, slices=slices)
    found: list[Values] = []
    clock = Clock()
    while (values := (yield from search.solve())) is not None:
        if len(found) == most:
            return found, False
        found.append(values)
        search.forbid(values)
        if clock.is_due():
            yield Progress(len(found), most, at_least=len(found))
    return found, True


def possible(model: Model, solution: Values) -> Run[list[set[int]]]:
    """Return, for each variable, the values that it has in some solution: only one where it is
    sure. `solution` is one of them. Raises SolverMissing or TooLarge."""
    search = Search(model)
    known = [{value} for value in solution]
    for variable, literals in enumerate(search.clauses.literals):
        for value, literal in enumerate(literals):
            if value in known[variable]:
                continue
            found = yield from search.solve([literal])
            for seen, each in zip(known, found or ()):
                seen.add(each)
    return known
