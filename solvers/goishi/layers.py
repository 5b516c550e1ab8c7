"""The layered count: drives the kernels layer by layer, within a bound of memory."""

import time
from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.goishi import kernels
from solvers.goishi.network import Network, State
from solvers.goishi.solve import Search, Words, tags
from solvers.kind import Progress
from solvers.message import Message

_SHOW_EVERY = 0.5
"""Seconds between two signs of life."""

_SMALLEST = 2048
"""Capacity of a new layer: room for more than one batch."""

_COPIED = 1 << 20
"""States copied, or summed up, in one go."""

_PROBE_NODES = 2_000
_PROBES = 256
_SAMPLE = 100_000
"""For the lower bound: the states with the most ways, among so many of a layer, are tried."""


class Layer:
    """States with the same number of stones left, and the hash table by which they are found."""

    def __init__(self, capacity: int) -> None:
        self.size = 0
        self.states = np.empty((capacity, 4), np.uint64)
        self.slots = np.full(2 * capacity, -1, np.int32)

    @staticmethod
    def bytes(capacity: int) -> int:
        """Return what a layer of this capacity takes."""
        return capacity * (4 * 8 + 2 * 4)


class Layers:
    """The layered count of `kernels`, forwards and back."""

    def __init__(self, board: Network, starts: list[State], memory: int, at_least: int) -> None:
        self.at_least = at_least
        self.states = len(starts)
        self.links: list[NDArray[np.int32]] | None = []
        """For each layer where its states lead; None once they don't fit."""
        self._stones = len(board.cells)
        self._memory = memory
        self._ahead = np.array(board.ahead, np.uint64)
        self._symmetries = _tables(board)
        folded = [
            kernels.fold(np.uint64(state.rest), int(tag), *self._symmetries)
            for state, tag in zip(starts, tags(starts))
        ]
        ways = Counter(folded)
        self._layer: Words = np.array([(*state, n, 0) for state, n in ways.items()], np.uint64)
        self._first = [list(ways).index(state) for state in folded]
        self._kept = 0
        self._shown_at = time.monotonic()

    def ways(self) -> Generator[Progress, None, int | None]:
        """Return the number of solutions, or None when the memory does not suffice."""
        for picked in range(1, self._stones):
            following = yield from self._expand(picked)
            if following is None:
                self._probe(8 * _PROBES)
                return None
            self.states += following.size
            self._layer = following.states[: following.size]
        return sum(_wide(self._layer[:, kernels.LOW :]))

    def _expand(self, picked: int) -> Generator[Progress, None, Layer | None]:
        """Return the layer after this one, or None when the memory does not suffice."""
        layer = self._layer
        links = np.empty((len(layer), 4), np.int32)
        held = layer.nbytes + links.nbytes
        capacity = max(_SMALLEST, 1 << len(layer).bit_length())
        if not self._fits(held + Layer.bytes(capacity)):
            return None
        following = Layer(capacity)
        first = 0
        while first < len(layer):
            first, following.size = kernels.expand(
                self._ahead,
                self._symmetries,
                layer,
                first,
                min(first + kernels.SLICE, len(layer)),
                following.states,
                following.size,
                following.slots,
                links,
            )
            capacity = len(following.states)
            if following.size + 4 * kernels.BATCH > capacity:
                # Old and new arrays stand side by side while they are copied.
                if not self._fits(held + Layer.bytes(3 * capacity)):
                    return None
                following = yield from self._grow(following, picked)
            if time.monotonic() > self._shown_at + _SHOW_EVERY:
                self._probe(_PROBES)
                yield self._progress(picked, following.size)
        if self.links is not None:
            self.links.append(links)
            self._kept += links.nbytes
        return following

    def _fits(self, working: int) -> bool:
        """Return whether so many bytes may be taken, if need be at the cost of the way back."""
        if working + self._kept > self._memory:
            self.links, self._kept = None, 0
        return working <= self._memory

    def _grow(self, following: Layer, picked: int) -> Generator[Progress, None, Layer]:
        """Return a layer of twice the capacity with the same states."""
        larger = Layer(2 * len(following.states))
        larger.size = following.size
        for first in range(0, larger.size, _COPIED):
            last = min(first + _COPIED, larger.size)
            larger.states[first:last] = following.states[first:last]
            kernels.refill(larger.states, first, last, larger.slots)
            if time.monotonic() > self._shown_at + _SHOW_EVERY:
                self._shown_at = time.monotonic()
                yield self._progress(picked, following.size)
        return larger

    def _progress(self, picked: int, found: int) -> Progress:
        note = Message(
            "Stones picked: {picked} of {stones}. Situations looked at: {states}.",
            {"picked": picked, "stones": self._stones, "states": self.states + found},
        )
        return Progress(picked, self._stones, note, self.at_least)

    def _probe(self, probes: int) -> None:
        """Raise the lower bound: different states of one layer are reached in different ways,
        so the ways to those that are seen to have a solution add up."""
        sample = self._layer[:: 1 + len(self._layer) // _SAMPLE]
        weight = sample[:, kernels.HIGH] * 2.0**64 + sample[:, kernels.LOW]
        heaviest = sample[np.argpartition(weight, -min(probes, len(sample)))[-probes:]]
        bound = 0
        for state, ways in zip(heaviest, _wide(heaviest[:, kernels.LOW :])):
            root = state[kernels.REST :][:1], state[kernels.TAG :][:1].astype(np.uint32)
            if Search(self._ahead, *root).go_on(_PROBE_NODES)[0]:
                bound += ways
        self.at_least = max(self.at_least, bound)
        self._shown_at = time.monotonic()

    def completions(self) -> Generator[Progress, None, list[int]]:
        """Return for each of the starts the number of solutions from it on. Needs the links."""
        note = Message("Counting the solutions of each first move")
        ends = np.array([[1, 0]] * len(self._layer), np.uint64)
        found = _wide((yield from self._back(kernels.gather, ends, note)))
        return [found[i] for i in self._first]

    def chances(self) -> Generator[Progress, None, list[list[float]]]:
        """Return for each of the starts the two chances of `kernels.gather_chances`."""
        note = Message("Working out the chances of players")
        ends = np.ones((len(self._layer), 2))
        found = yield from self._back(kernels.gather_chances, ends, note)
        return [found[i].tolist() for i in self._first]

    def _back(
        self, gather: Callable[..., None], numbers: NDArray[Any], note: Message
    ) -> Generator[Progress, None, NDArray[Any]]:
        """Return the numbers of the starts from those of the last layer, layer by layer."""
        for links in reversed(self.links or []):
            following, numbers = numbers, np.empty((len(links), 2), numbers.dtype)
            for first in range(0, len(links), _COPIED):
                last = min(first + _COPIED, len(links))
                gather(links, first, last, following, numbers)
                if time.monotonic() > self._shown_at + _SHOW_EVERY:
                    self._shown_at = time.monotonic()
                    yield Progress(self._stones, self._stones, note, self.at_least)
        return numbers


def _tables(board: Network) -> tuple[Words, NDArray[np.int64], NDArray[np.int64]]:
    """Return the symmetries of a board, but for the identity, as `kernels.fold` wants them."""
    symmetries = board.symmetries()
    size = -(-len(board.cells) // 8)
    images = np.zeros((len(symmetries), size, 256), np.uint64)
    stones = np.full((len(symmetries), 256), kernels.NO_END, np.int64)
    directions = np.full((len(symmetries), 5), kernels.FREE, np.int64)
    for s, symmetry in enumerate(symmetries):
        stones[s, : len(board.cells)] = symmetry.stones
        directions[s, :4] = symmetry.directions
        for stone, image in enumerate(symmetry.stones):
            byte, bit = divmod(stone, 8)
            held = np.arange(256) >> bit & 1 == 1
            images[s, byte, held] |= np.uint64(1 << image)
    return images, stones, directions


def _wide(words: Words) -> list[int]:
    """Return the integers of an array of low and high words."""
    return [high << 64 | low for low, high in words.tolist()]
