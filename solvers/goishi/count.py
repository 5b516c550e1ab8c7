"""The question `count`: the exact number of orders in which all stones can be picked.

`Layers` drives `count_kernels` layer by layer, within a bound of memory.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.answers import CountAnswer, Exact
from solvers.goishi import count_kernels, kernels, plain
from solvers.goishi.count_kernels import fold, fold_tables
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.search import Memo, Search, Words, empty_memo, find, probed, tags
from solvers.grid import write_cell
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Progress, Run

_PLAIN_STATE = 600
"""Bytes of a state in `plain`."""

_QUICK_LOOK = 20_000
"""Search nodes spent on a first solution before counting."""

_SHOW_EVERY = 0.5
"""Seconds between two signs of life."""

_ENTERED = 1 << 20
"""States entered into the hash table in one go."""

_PROBE_NODES = 2_000
_PROBES = 256
_SAMPLE = 100_000
"""For the lower bound: the states with the most ways, among so many of a layer, are tried."""

Links = tuple[NDArray[np.uint8], NDArray[np.int32]]
"""The choices and the links of a run of states; see `count_kernels`."""


def count(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    memory: int = MEMORY,
    first: list[str] | None = None,
) -> Run[CountAnswer]:
    """Ask for the number of solutions from the position on, and one of them.

    With `first`, only those that begin with one of these moves. `by_move` is left out when the
    layers don't fit into `memory` bytes. Not proven, with a lower bound and an estimate, when
    `memory` does not suffice at all.
    """
    if kind.judge(position).solved:
        return CountAnswer(Exact(1), states=0)
    board, starts = network(position)
    if first is not None:
        starts = [state for state in starts if write_cell(board.cells[state.stone]) in first]
    by_move = {kind.write_move(move): Exact(0) for move in kind.moves(position)}
    line = yield from find(board, starts, _QUICK_LOOK)
    if line == []:
        return CountAnswer(Exact(0), states=0, by_move=by_move)
    at_least = int(bool(line))
    if len(board.cells) > kernels.MOST_STONES:
        total, states = yield from plain.ways(board, starts, memory // _PLAIN_STATE, at_least)
        by_move = {}
    else:
        layers = Layers(board, starts, memory, at_least)
        total = yield from layers.ways()
        at_least = layers.at_least
        states = layers.states
        if layers.links is None or total is None:
            by_move = {}
        else:
            completions = yield from layers.completions()
            for state, number in zip(starts, completions):
                by_move[write_cell(board.cells[state.stone])] = Exact(number)
    if total is None:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        estimate = yield from probed(board, starts)
        moves = board.line(line or ())
        return estimate.in_answer(CountAnswer, at_least, moves=moves, note=note, states=states)
    if total and line is None:
        line = yield from find(board, starts, 1 << 62)
    return CountAnswer(Exact(total), board.line(line or ()), states=states, by_move=by_move)


@dataclass(slots=True)
class Layer:
    """States with the same number of stones left: the first `size` of an array used again and
    again, as memory never touched before costs more time than what is done in it."""

    states: Words
    size: int

    @property
    def filled(self) -> Words:
        """The part of the array that holds states."""
        return self.states[: self.size]


class Layers:
    """The layered count of `count_kernels`, forwards and back."""

    def __init__(self, board: Network, starts: list[State], memory: int, at_least: int) -> None:
        self.at_least = at_least
        self.states = len(starts)
        self.links: list[list[Links]] | None = []
        """For each layer where its states lead; None once they don't fit."""
        self._stones = len(board.cells)
        self._memory = memory
        self._ahead = np.array(board.ahead, np.uint64)
        self._symmetries = fold_tables(board)
        rests = np.array([state.rest for state in starts], np.uint64)
        packed = tags(starts).astype(np.int64)
        if len(self._symmetries[0]):
            fold(rests, packed, *self._symmetries)
        folded = list(zip(rests.tolist(), packed.tolist()))
        ways = Counter(folded)
        numbers = {state: number for number, state in enumerate(ways)}
        self._first = [numbers[state] for state in folded]
        rows = [(*state, n, 0) for state, n in ways.items()]
        self._layer = Layer(np.array(rows, np.uint64), len(rows))
        self._following = Layer(np.empty((0, 4), np.uint64), 0)
        self._slots = np.empty(0, np.int32)
        self._choices = np.empty((count_kernels.SLICE, 2), np.uint8)
        self._links = np.empty(4 * count_kernels.SLICE, np.int32)
        self._working = 0
        self._kept = 0
        self._memo: Memo | None = None
        self._shown_at = time.monotonic()

    def ways(self) -> Generator[Progress, None, int | None]:
        """Return the number of solutions, or None when the memory does not suffice."""
        for picked in range(1, self._stones):
            if not (yield from self._expand(picked)):
                self._probe(8 * _PROBES)
                return None
            self.states += self._layer.size
        return sum(_wide(self._layer.filled[:, count_kernels.LOW :]))

    def _expand(self, picked: int) -> Generator[Progress, None, bool]:
        """Go on to the following layer; return whether the memory sufficed."""
        layer, following = self._layer, self._following
        # Layers grow less and less before they shrink, so they seldom grow more than the last.
        expected = layer.size * layer.size // max(1, following.size)
        following.size = 0
        runs: list[Links] = []
        slots = yield from self._make_room(picked, expected)
        first = 0
        while slots is not None and first < layer.size:
            begun, last = first, min(first + count_kernels.SLICE, layer.size)
            first, following.size, steps = count_kernels.expand(
                self._ahead,
                self._symmetries,
                layer.states,
                first,
                last,
                following.states,
                following.size,
                slots,
                self._choices,
                self._links,
            )
            self._keep(runs, self._choices[: first - begun], self._links[:steps])
            if first < last:
                slots = yield from self._make_room(picked, following.size * 5 // 4)
            if time.monotonic() > self._shown_at + _SHOW_EVERY:
                self._probe(_PROBES)
                yield self._progress(picked)
        if slots is None:
            return False
        if self.links is not None:
            self.links.append(runs)
        self._layer, self._following = following, layer
        return True

    def _make_room(
        self, picked: int, size: int
    ) -> Generator[Progress, None, NDArray[np.int32] | None]:
        """Return a hash table of the following layer, None when the memory does not suffice.

        Both have room for so many states and for a batch of steps on top.
        """
        layer, following = self._layer, self._following
        wanted = size + min(count_kernels.MOST, 4 * layer.size)
        if wanted > len(following.states):
            if not self._fits(4 * 8 * (wanted - len(following.states))):
                return None
            if following.size:
                # In its place, if the system can: no second array, nothing copied.
                following.states.resize((wanted, 4), refcheck=False)
            else:
                following.states = np.empty((0, 4), np.uint64)
                following.states = np.empty((wanted, 4), np.uint64)
        length = 1 << (3 * wanted).bit_length()
        if length > len(self._slots):
            if not self._fits(4 * (length - len(self._slots))):
                return None
            self._slots = np.empty(0, np.int32)
            self._slots = np.empty(length, np.int32)
        slots = self._slots[:length]
        slots.fill(-1)
        # Called for an empty layer as well: it is compiled before a user waits for it.
        for first in range(0, following.size + 1, _ENTERED):
            last = min(first + _ENTERED, following.size)
            count_kernels.refill(following.states, first, last, slots)
            if time.monotonic() > self._shown_at + _SHOW_EVERY:
                self._shown_at = time.monotonic()
                yield self._progress(picked)
        return slots

    def _fits(self, more: int) -> bool:
        """Return whether so many bytes may be taken, if need be at the cost of the way back."""
        arrays = (
            self._layer.states,
            self._following.states,
            self._slots,
            self._choices,
            self._links,
        )
        self._working = more + sum(array.nbytes for array in arrays)
        if self._working + self._kept > self._memory:
            self.links, self._kept = None, 0
        return self._working <= self._memory

    def _keep(
        self, runs: list[Links], choices: NDArray[np.uint8], links: NDArray[np.int32]
    ) -> None:
        """Keep where a run of states leads, as long as there is memory for it."""
        if self.links is None:
            return
        self._kept += choices.nbytes + links.nbytes
        if self._working + self._kept > self._memory:
            self.links, self._kept = None, 0
        else:
            runs.append((choices.copy(), links.copy()))

    def _progress(self, picked: int) -> Progress:
        note = Message(
            "Stones picked: {picked} of {stones}. Situations looked at: {states}.",
            {
                "picked": picked,
                "stones": self._stones,
                "states": self.states + self._following.size,
            },
        )
        return Progress(picked, self._stones, note, self.at_least)

    def _probe(self, probes: int) -> None:
        """Raise the lower bound: different states of one layer are reached in different ways,
        so the ways to those that are seen to have a solution add up."""
        layer = self._layer.filled
        sample = layer[:: 1 + len(layer) // _SAMPLE]
        weight = sample[:, count_kernels.HIGH] * 2.0**64 + sample[:, count_kernels.LOW]
        heaviest = sample[np.argpartition(weight, -min(probes, len(sample)))[-probes:]]
        self._memo = self._memo or empty_memo()
        bound = 0
        for state, ways in zip(heaviest, _wide(heaviest[:, count_kernels.LOW :])):
            root = state[count_kernels.REST :][:1], state[count_kernels.TAG :][:1].astype(np.uint32)
            if Search(self._ahead, *root, self._memo).go_on(_PROBE_NODES)[0]:
                bound += ways
        self.at_least = max(self.at_least, bound)
        self._shown_at = time.monotonic()

    def completions(self) -> Generator[Progress, None, list[int]]:
        """Return for each of the starts the number of solutions from it on. Needs the links."""
        note = Message("Counting the solutions of each first move")
        ends = np.array([[1, 0]] * self._layer.size, np.uint64)
        found = _wide((yield from self._back(count_kernels.gather, ends, note)))
        return [found[i] for i in self._first]

    def chances(self) -> Generator[Progress, None, list[list[float]]]:
        """Return for each of the starts the two chances of `count_kernels.gather_chances`."""
        note = Message("Working out the chances of players")
        ends = np.ones((self._layer.size, 2))
        found = yield from self._back(count_kernels.gather_chances, ends, note)
        return [found[i].tolist() for i in self._first]

    def _back(
        self, gather: Callable[..., None], numbers: NDArray[Any], note: Message
    ) -> Generator[Progress, None, NDArray[Any]]:
        """Return the numbers of the starts from those of the last layer, layer by layer."""
        for runs in reversed(self.links or []):
            size = sum(len(choices) for choices, _ in runs)
            following, numbers = numbers, np.empty((size, 2), numbers.dtype)
            first = 0
            for choices, links in runs:
                last = first + len(choices)
                gather(choices, links, following, numbers[first:last])
                first = last
                if time.monotonic() > self._shown_at + _SHOW_EVERY:
                    self._shown_at = time.monotonic()
                    yield Progress(self._stones, self._stones, note, self.at_least)
        return numbers


def _wide(words: Words) -> list[int]:
    """Return the integers of an array of low and high words."""
    return [high << 64 | low for low, high in words.tolist()]
