"""The question `count`: the exact number of orders in which all stones can be picked."""

import time
from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from solvers.goishi import kernels, plain
from solvers.goishi.network import Network, State, network
from solvers.goishi.rules import Position
from solvers.goishi.solve import Search, Words, find, tags
from solvers.grid import write_cell
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message

MEMORY = 2 << 30
"""Bytes. A count that needs more ends unproven, with a lower bound."""

_PLAIN_STATE = 600
"""Bytes of a state in `plain`."""

_QUICK_LOOK = 20_000
"""Search nodes spent on a first solution before counting."""

_PROBES = 64
"""States of a layer tried for the lower bound, those with the most ways first."""


def count(kind: Kind[Position, Cell], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of solutions from the position on, and one of them.

    details: `states` looked at; `by_move`, for each legal move the number of solutions that
    begin with it (left out when the layers don't fit into `memory` bytes). Not proven, with a
    lower bound and a `note`, when `memory` does not suffice at all.
    """
    if kind.judge(position).solved:
        return Answer(1, details={"states": 0, "by_move": {}})
    board, starts = network(position)
    by_move = {kind.write_move(move): "0" for move in kind.moves(position)}
    line = yield from find(board, starts, _QUICK_LOOK)
    if line == []:
        return Answer(0, details={"states": 0, "by_move": by_move})
    at_least = int(bool(line))
    if len(board.cells) > kernels.MOST_STONES:
        total, states = yield from plain.ways(board, starts, memory // _PLAIN_STATE)
        details: dict[str, object] = {"states": states}
    else:
        layers = Layers(board, starts, memory, at_least)
        total = yield from layers.ways()
        at_least = layers.at_least
        details = {"states": layers.states}
        if layers.links is not None and total is not None:
            completions = yield from layers.completions()
            for state, number in zip(starts, completions):
                by_move[write_cell(board.cells[state.stone])] = str(number)
            details["by_move"] = by_move
    if total is None:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        details["note"] = note.to_json()
        return Answer(at_least, board.line(line or ()), proven=False, details=details)
    if total and line is None:
        line = yield from find(board, starts, 1 << 62)
    return Answer(total, board.line(line or ()), details=details)


class Layer:
    """States with the same number of stones left, and the hash table by which they are found."""

    def __init__(self, capacity: int) -> None:
        self.size = 0
        self.rests = np.empty(capacity, np.uint64)
        self.tags = np.empty(capacity, np.uint32)
        self.lows = np.empty(capacity, np.uint64)
        self.highs = np.empty(capacity, np.uint64)
        self.slots = np.full(2 * capacity, -1, np.int32)

    @staticmethod
    def bytes(capacity: int) -> int:
        """Return what a layer of this capacity takes."""
        return capacity * (8 + 4 + 8 + 8 + 2 * 4)

    def grown(self) -> "Layer":
        """Return a layer of twice the capacity with the same states."""
        larger = Layer(2 * len(self.rests))
        larger.size = self.size
        for name in ("rests", "tags", "lows", "highs"):
            getattr(larger, name)[: self.size] = getattr(self, name)[: self.size]
        kernels.refill(larger.rests, larger.tags, larger.size, larger.slots)
        return larger

    def numbers(self, chosen: slice | NDArray[np.intp]) -> list[int]:
        """Return the numbers of ways of some states."""
        return _wide(self.lows[chosen], self.highs[chosen])


class Layers:
    """The layered count of `kernels`, forwards and back."""

    def __init__(self, board: Network, starts: list[State], memory: int, at_least: int) -> None:
        self.at_least = at_least
        self.states = len(starts)
        self.links: list[NDArray[np.int32]] | None = []
        """For each layer where its states lead; None once they don't fit."""
        self._board = board
        self._memory = memory
        self._ahead = np.array(board.ahead, np.uint64)
        self._layer = Layer(64)
        self._layer.size = n = len(starts)
        self._layer.rests[:n] = [state.rest for state in starts]
        self._layer.tags[:n] = tags(starts)
        self._layer.lows[:n] = 1
        self._layer.highs[:n] = 0
        self._kept = 0
        self._probed_at = time.monotonic()

    def ways(self) -> Generator[Progress, None, int | None]:
        """Return the number of solutions, or None when the memory does not suffice."""
        for picked in range(1, len(self._board.cells)):
            done = yield from self._expand(picked)
            if not done:
                self._probe(16 * _PROBES)
                return None
        return sum(self._layer.numbers(slice(self._layer.size)))

    def _expand(self, picked: int) -> Generator[Progress, None, bool]:
        layer, following = self._layer, Layer(64)
        capacity = 64
        links = np.empty((layer.size, 4), np.int32)
        first = 0
        while first < layer.size:
            last = min(first + kernels.SLICE, layer.size)
            first, following.size = kernels.expand(
                self._ahead, layer.rests, layer.tags, layer.lows, layer.highs, first, last,
                following.rests, following.tags, following.lows, following.highs,
                following.size, following.slots, links,
            )  # fmt: skip
            if first < last:
                # Old and new arrays stand side by side while they are copied.
                working = Layer.bytes(len(layer.rests) + 3 * capacity) + links.nbytes
                if working + self._kept > self._memory:
                    self.links, self._kept = None, 0
                if working > self._memory:
                    return False
                following, capacity = following.grown(), 2 * capacity
            if time.monotonic() > self._probed_at + 0.5:
                self._probe(_PROBES)
                yield self._progress(picked, following.size)
        if self.links is not None:
            self.links.append(links)
            self._kept += links.nbytes
        self.states += following.size
        following.slots = np.empty(0, np.int32)
        self._layer = following
        return True

    def _progress(self, picked: int, found: int) -> Progress:
        n = len(self._board.cells)
        note = Message(
            "Stones picked: {picked} of {stones}. Situations looked at: {states}.",
            {"picked": picked, "stones": n, "states": self.states + found},
        )
        return Progress(picked, n, note, self.at_least)

    def _probe(self, probes: int) -> None:
        """Raise the lower bound: different states of one layer are reached in different ways,
        so the ways to those that are seen to have a solution add up."""
        layer = self._layer
        weight = layer.highs[: layer.size] * 2.0**64 + layer.lows[: layer.size]
        heaviest = np.argsort(weight)[-probes:]
        bound = 0
        for i, number in zip(heaviest.tolist(), layer.numbers(heaviest)):
            search = Search(self._ahead, layer.rests[i : i + 1], layer.tags[i : i + 1])
            if search.go_on(2000)[0]:
                bound += number
        self.at_least = max(self.at_least, bound)
        self._probed_at = time.monotonic()

    def completions(self) -> Generator[Progress, None, list[int]]:
        """Return for each of the first layer's states the number of solutions through it."""
        lows = np.ones(self._layer.size, np.uint64)
        highs = np.zeros(self._layer.size, np.uint64)
        n = len(self._board.cells)
        for links in reversed(self.links or []):
            following, lows = lows, np.empty(len(links), np.uint64)
            following_high, highs = highs, np.empty(len(links), np.uint64)
            for first in range(0, len(links), 8 * kernels.SLICE):
                last = min(first + 8 * kernels.SLICE, len(links))
                kernels.gather(links, first, last, following, following_high, lows, highs)
                if time.monotonic() > self._probed_at + 0.5:
                    self._probed_at = time.monotonic()
                    note = Message("Counting the solutions of each first move")
                    yield Progress(n, n, note, self.at_least)
        return _wide(lows, highs)


def _wide(lows: Words, highs: Words) -> list[int]:
    return [high << 64 | low for low, high in zip(lows.tolist(), highs.tolist())]
