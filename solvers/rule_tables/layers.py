"""The smallest tables of an automaton, which the frontier search looks up.

`browser.steps` makes the same tables in plain Python, for the pages of web processes, which load no
NumPy. A test compares the two.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from solvers.rule_tables.model import Model
from solvers.rule_tables.relations import Automaton, TooLarge

MAX_STATES = 60_000
"""The most states that an automaton may have after one of its items."""
MAX_ALL_STATES = 300_000
"""The most states that an automaton may have."""
MAX_KEPT_VALUES = 32
"""The most values that all items of an automaton together can have, if its tables are kept for
other boards. They take some ten kilobytes at most."""
MAX_KEPT = 1024
"""The most automata of which a process keeps the tables."""

Tables = tuple[npt.NDArray[np.int32], ...]
"""For each item: state, number of the value -> the next state, or -1."""


def tables_of(model: Model) -> list[Tables | None]:
    """Return the smallest tables of each reader, or None for one that accepts nothing. Equal
    automata of a board are made small once, and short ones once for all boards: the stages of a
    line of moves have most of them in common. Raises TooLarge when an automaton has too many
    states."""
    if model.tables is None:
        keys = [(reader.automaton, reader.read) for reader in model.readers]
        made = {
            key: _kept(*key) if _is_short(key[1]) else layers(*key) for key in dict.fromkeys(keys)
        }
        model.tables = [made[key] for key in keys]
    return model.tables


def _is_short(read: Sequence[Sequence[int]]) -> bool:
    return sum(map(len, read)) <= MAX_KEPT_VALUES


@lru_cache(maxsize=MAX_KEPT)
def _kept(automaton: Automaton, read: tuple[tuple[int, ...], ...]) -> Tables | None:
    return layers(automaton, read)


def layers(automaton: Automaton, read: Sequence[Sequence[int]]) -> Tables | None:
    """Return the smallest tables of an automaton, or None if it accepts nothing.

    `read` says, for each item, what the automaton reads for each value that the item's variable can
    have. The states after the last item are merged into state 0. Raises TooLarge when there are
    more than `MAX_STATES` states after an item, or more than `MAX_ALL_STATES` in all.
    """
    states: dict[Hashable, int] = {automaton.start: 0}
    steps: list[npt.NDArray[np.int32]] = []
    total = 0
    for item, numbers in enumerate(read):
        after: dict[Hashable, int] = {}
        rows = []
        for state in states:
            known: dict[int, int] = {}
            for number in set(numbers):
                to = automaton.step(state, item, number)
                known[number] = -1 if to is None else after.setdefault(to, len(after))
            rows.append([known[number] for number in numbers])
        total += len(after)
        if len(after) > MAX_STATES or total > MAX_ALL_STATES:
            raise TooLarge("states of a rule")
        steps.append(np.array(rows, np.int32).reshape(len(rows), len(numbers)))
        states = after
    # Merge states that accept the same rests, from the last item to the first.
    merged = np.array([0 if automaton.accepts(state) else -1 for state in states] + [-1], np.int32)
    smallest: list[npt.NDArray[np.int32]] = []
    for rows_ in reversed(steps):
        ahead = merged[rows_]
        alive = (ahead >= 0).any(axis=1)
        kept, which = np.unique(ahead[alive], axis=0, return_inverse=True)
        merged = np.full(len(ahead) + 1, -1, np.int32)
        merged[:-1][alive] = which.ravel()
        smallest.append(kept.astype(np.int32))
    # The start is the only state of the first item, so it is state 0 if it is alive.
    return tuple(smallest[::-1]) if merged[0] >= 0 else None
