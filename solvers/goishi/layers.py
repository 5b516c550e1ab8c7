"""The layered count, which calls `count_kernels` layer by layer within a memory limit."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.goishi import count_kernels
from solvers.goishi.count_kernels import BATCH, BLOCK, FULL, NEXT, PLACES, VACANT, fold, fold_tables
from solvers.goishi.network import Network, State
from solvers.goishi.search import Memo, SolutionSearch, Words, empty_memo, tags
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.threads import THREADS, Threads

_STATES_PER_REPORT = 1 << 20
"""The states that a thread enters into a new hash table before the next progress report."""

_BATCHES_PER_CALL = 64
"""The batches of one call, which takes a few milliseconds."""

_LINKS_PER_ALLOCATION = 1 << 22
"""The links for which a thread allocates memory at a time, unless the layer needs fewer. The system
can then provide large pages."""

_PROBE_NODES = 2_000
_PROBES = 64
_SAMPLE = 100_000
"""The sample of a layer for the lower bound. Its states with the most ways are searched."""

_SHARED_STATES = 1 << 15
"""The least number of states of a layer on which all threads work."""

_CALLS_PER_LOOK = 64
"""The number of calls whose links each thread follows on the way back before the clock is read
again."""


@dataclass(slots=True)
class Layer:
    """The first `size` rows of an array, some of which are holes. The array is reused, because
    using new memory for the first time costs more time than the work in it."""

    states: Words
    size: int
    holes: int = 0

    @property
    def filled(self) -> Words:
        """The part of the array that holds states."""
        return self.states[: self.size]


class Links(NamedTuple):
    """The links from the states of some batches. `count_kernels` describes them."""

    batches: NDArray[np.int32]
    links: NDArray[np.int32]


class LayeredCount:
    """The layered count of `count_kernels`, forwards and back, on several threads.

    All threads enter the states that they find into one hash table. A thread that is done with a
    batch takes the next one of the layer, and none waits for the others before the layer is done.
    """

    def __init__(
        self,
        board: Network,
        starts: list[State],
        memory: int,
        at_least: int,
        threads: int = THREADS,
    ) -> None:
        self.at_least = at_least
        self.states = len(starts)
        self.links: list[tuple[NDArray[np.uint8], list[Links]]] | None = []
        """The choices and links of the states of each layer. None once they do not fit into the
        memory."""
        self._threads = threads
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
        self._layer = Layer(np.array(rows, np.uint64).reshape(-1, 4), len(rows))
        self._following = Layer(np.empty((0, 4), np.uint64), 0)
        self._table = self._slots = np.empty(0, np.int32)
        """The memory of the hash table, and the part of it that is in use."""
        self._counters = np.zeros(3, np.int64)
        self._places = np.zeros((threads, 2), np.int64)
        self._choices = np.empty((0, 2), np.uint8)
        self._links: list[Links] = []
        self._link_memory = [np.empty(0, np.int32)] * threads
        """The memory that is left for the next links of each thread."""
        self._allocation_lock = threading.Lock()
        """Held by the thread that allocates memory for links."""
        self._working = 0
        self._kept = 0
        self._memo: Memo | None = None
        self._clock = Clock()

    def ways(self) -> Run[int | None]:
        """Return the number of solutions, or None if the memory does not suffice."""
        with Threads(self._threads) as threads:
            for picked in range(1, self._stones):
                if not (yield from self._expand(threads, picked)):
                    self._probe(32 * _PROBES)
                    return None
                self.states += self._layer.size - self._layer.holes
        return sum(_integers(self._layer.filled[:, count_kernels.LOW :]))

    def _expand(self, threads: Threads, picked: int) -> Run[bool]:
        """Compute the following layer. Return whether the memory sufficed."""
        layer, following = self._layer, self._following
        number = self._threads if layer.size >= _SHARED_STATES else 1
        # The growth factor of the layers decreases, so the next factor is seldom larger.
        expected = layer.size * layer.size // max(1, following.size)
        wanted = expected + expected // 64 + 1
        following.size = following.holes = 0
        self._choices, self._links = np.empty((layer.size, 2), np.uint8), []
        self._slots = self._slots[:0]
        self._counters[:] = 0, 0, 1
        while self._counters[NEXT] * BATCH < layer.size:
            if self._counters[FULL]:
                self._finish_layer()
                # Every thread may need this many places for a batch.
                wanted += number * (4 * min(BATCH, layer.size) + BLOCK)
                if not (yield from self._make_room(threads, number, wanted, picked)):
                    return False
                wanted = wanted * 5 // 4
                self._counters[FULL] = 0
            threads.map(lambda q: self._work(q, number), range(number))
            yield from self._report_progress(picked)
        self._finish_layer()
        if self.links is not None:
            self.links.append((self._choices, self._links))
            self._kept += self._choices.nbytes
        self._layer, self._following = following, layer
        return True

    def _work(self, q: int, threads: int) -> None:
        """Expand batches until the layer is done, the following one is full, or a progress report
        is due."""
        layer, until = self._layer, self._clock.next_at
        most = 4 * min(BATCH, layer.size)
        while self._counters[NEXT] * BATCH < layer.size and not self._counters[FULL]:
            if len(self._link_memory[q]) < most:
                length = max(most, min(_LINKS_PER_ALLOCATION, 4 * layer.size // threads))
                self._link_memory[q] = np.empty(length, np.int32)
                self._reserve(self._link_memory[q].nbytes)
            room, batches = self._link_memory[q], np.empty(_BATCHES_PER_CALL, np.int32)
            taken, written = count_kernels.expand(
                self._ahead, self._symmetries, layer.filled, self._following.states, self._slots,
                self._counters, self._places[q], threads, self._choices, batches, room,
            )  # fmt: skip
            if self.links is not None:
                self._links.append(Links(batches[:taken], room[:written]))
                self._link_memory[q] = room[written:]
            if time.monotonic() > until:
                break

    def _finish_layer(self) -> None:
        """Make the places that threads have received the following layer. Unfilled places become
        holes."""
        for first, last in self._places.tolist():
            self._following.states[first:last] = 0
            self._following.holes += last - first
        self._places[:] = 0
        self._following.size = int(self._counters[PLACES])

    def _make_room(self, threads: Threads, number: int, size: int, picked: int) -> Run[bool]:
        """Make room for `size` states in the following layer, and enter the states that it has into
        its hash table. Return whether the memory sufficed."""
        following, length = self._following, 1 << (3 * size).bit_length()
        longer = max(0, size - len(following.states))
        wider = max(0, length - len(self._table))
        if not self._can_allocate(4 * 8 * longer + 4 * wider):
            return False
        if longer and following.size:
            # The system may extend the array in place, so that nothing is copied.
            following.states.resize((size, 4), refcheck=False)
        elif longer:
            following.states = np.empty((0, 4), np.uint64)
            following.states = np.empty((size, 4), np.uint64)
        if length <= len(self._slots):
            return True
        if wider:
            self._table = self._slots = np.empty(0, np.int32)
            self._table = np.empty(length, np.int32)
        self._slots = slots = self._table[:length]
        ends = [length * part // number for part in range(number + 1)]
        threads.map(lambda part: slots[part[0] : part[1]].fill(VACANT), list(pairwise(ends)))

        def enter(first: int) -> None:
            last = min(first + _STATES_PER_REPORT, following.size)
            count_kernels.refill(following.states, slots, first, last)

        # This is called for an empty layer as well, so that it is compiled before a user waits.
        firsts = range(0, max(1, following.size), _STATES_PER_REPORT)
        for done in range(0, len(firsts), number):
            threads.map(enter, firsts[done : done + number])
            yield from self._report_progress(picked)
        return True

    def _can_allocate(self, more: int) -> bool:
        """Return whether `more` bytes may be allocated, if necessary by giving up the way back."""
        arrays = self._layer.states, self._following.states, self._table, self._choices
        self._working = more + sum(array.nbytes for array in arrays)
        self._reserve(0)
        return self._working <= self._memory

    def _reserve(self, more: int) -> None:
        """Count `more` bytes for the way back, and give it up if the memory does not suffice."""
        with self._allocation_lock:
            self._kept += more
            if self._working + self._kept > self._memory:
                self.links, self._kept = None, 0

    def _report_progress(self, picked: int) -> Run[None]:
        """Yield a progress report if one is due."""
        if self._clock.is_due():
            self._probe(_PROBES)
            yield self._progress(picked)

    def _progress(self, picked: int) -> Progress:
        note = Message(
            "Stones picked: {picked} of {stones}. Situations looked at: {states}.",
            {
                "picked": picked,
                "stones": self._stones,
                "states": self.states + int(self._counters[PLACES]),
            },
        )
        return Progress(picked, self._stones, note, self.at_least)

    def _probe(self, probes: int) -> None:
        """Raise the lower bound. Different states of one layer are reached in different ways, so
        the ways to those that are found to have a solution add up."""
        sample = self._layer.filled[:: 1 + self._layer.size // _SAMPLE]
        weight = sample[:, count_kernels.HIGH] * 2.0**64 + sample[:, count_kernels.LOW]
        heaviest = sample[np.argpartition(weight, -min(probes, len(sample)))[-probes:]]
        self._memo = self._memo or empty_memo()
        bound = 0
        for state, ways in zip(heaviest, _integers(heaviest[:, count_kernels.LOW :])):
            root = state[count_kernels.REST :][:1], state[count_kernels.TAG :][:1].astype(np.uint32)
            if SolutionSearch(self._ahead, *root, self._memo).resume(_PROBE_NODES)[0]:
                bound += ways
        self.at_least = max(self.at_least, bound)

    def completions(self) -> Run[list[int]]:
        """Return the number of solutions from each of the starts. This needs the links."""
        note = Message("Counting the solutions of each first move")
        end = np.array([1, 0], np.uint64)
        numbers = _integers((yield from self._walk_back(count_kernels.gather, end, note)))
        return [numbers[i] for i in self._first]

    def chances(self) -> Run[list[list[float]]]:
        """Return the two chances of `count_kernels.gather_chances` for each of the starts."""
        note = Message("Working out the chances of players")
        chances = yield from self._walk_back(count_kernels.gather_chances, np.ones(2), note)
        return [chances[i].tolist() for i in self._first]

    def _walk_back(
        self, gather: Callable[..., None], end: NDArray[Any], note: Message
    ) -> Run[NDArray[Any]]:
        """Return the numbers of the starts, computed backwards from the last layer."""
        layers = self.links or []
        most = max([self._layer.size, *(len(choices) for choices, _ in layers)])
        # Free the memory of the layers and the table, which the numbers replace.
        self._layer = self._following = Layer(np.empty((0, 4), np.uint64), 0)
        self._table = self._slots = np.empty(0, np.int32)
        numbers, spare = np.tile(end, (most, 1)), np.empty((most, 2), end.dtype)
        at_once = _CALLS_PER_LOOK * self._threads
        with Threads(self._threads) as threads:
            for choices, links in reversed(layers):
                numbers, spare = spare, numbers
                task = partial(_gather, gather, choices, spare, numbers[: len(choices)])
                for first in range(0, len(links), at_once):
                    threads.map(task, links[first : first + at_once])
                    if self._clock.is_due():
                        yield Progress(self._stones, self._stones, note, self.at_least)
        return numbers[: len(self._first)]


def _gather(
    gather: Callable[..., None],
    choices: NDArray[np.uint8],
    following: NDArray[Any],
    numbers: NDArray[Any],
    links: Links,
) -> None:
    """Set the numbers of the states of some batches from those of the following layer."""
    gather(choices, links.batches, links.links, following, numbers)


def _integers(words: Words) -> list[int]:
    """Return the integers of an array of low and high words."""
    return [high << 64 | low for low, high in words.tolist()]
