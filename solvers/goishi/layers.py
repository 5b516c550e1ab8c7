"""The layered count: drives `count_kernels` layer by layer, within a bound of memory."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.goishi import count_kernels
from solvers.goishi.count_kernels import fold, fold_tables
from solvers.goishi.network import Network, State
from solvers.goishi.search import Memo, Search, Words, empty_memo, tags
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.threads import THREADS, Threads

_SHOW_EVERY = 0.5
"""Seconds between two signs of life."""

_ENTERED = 1 << 20
"""States entered into the hash table in one go."""

_PROBE_NODES = 2_000
_PROBES = 64
_SAMPLE = 100_000
"""For the lower bound: the states with the most ways, among so many of a layer, are tried."""

_SHARED = 1 << 15
"""States of a layer from which on all threads work on it."""

_AT_ONCE = 16
"""Slices that each thread gathers before the next sign of life."""


@dataclass(slots=True)
class Part:
    """A part of a layer: the first `size` of an array used again and again, as memory never
    touched before costs more time than what is done in it."""

    states: Words = field(default_factory=lambda: np.empty((0, 4), np.uint64))
    size: int = 0
    entered: int = 0
    """How many of them are in its hash table, while the layer is being made."""

    @property
    def filled(self) -> Words:
        """The part of the array that holds states."""
        return self.states[: self.size]


class Slice(NamedTuple):
    """Some states of a layer: those of a part from `first` on, up to but not `last`."""

    part: int
    first: int
    last: int


class Links(NamedTuple):
    """Where the states of a slice lead: their choices, homes and links, see `count_kernels`."""

    where: Slice
    choices: NDArray[np.uint8]
    homes: NDArray[np.uint8]
    links: NDArray[np.int32]
    ends: NDArray[np.int64]
    """Where the links of each part end."""


class Desk:
    """What a thread works with: a slice, and where its steps lead; see `count_kernels`."""

    def __init__(self, most: int, parts: int) -> None:
        """Make room for slices of so many states and for so many parts of the layer after."""
        steps = 4 * most + parts * count_kernels.MOST
        kinds = (np.uint64, np.uint32, np.uint32)
        self.most = most
        self.buckets: tuple[NDArray[Any], ...] = tuple(
            np.empty((parts, steps // parts), kind) for kind in kinds
        )
        self.bytes = sum(array.nbytes for array in self.buckets) + 7 * most
        """The memory it takes, with the links of a slice."""
        self.states = np.empty((0, 4), np.uint64)
        self.links: Links
        self.unmerged = 0
        """The number of buckets still to be merged."""

    def divide(self, parts: int) -> None:
        """Have buckets for so many parts, in the same memory."""
        if len(self.buckets[0]) != parts:
            length = self.buckets[0].size // parts
            self.buckets = tuple(
                array.reshape(-1)[: parts * length].reshape(parts, length) for array in self.buckets
            )


class Layers:
    """The layered count of `count_kernels`, forwards and back, on several threads.

    A layer is divided into parts by the hash of its states, a part for each thread. A thread
    merges into its part of the next layer whatever waits for it; when nothing does, it takes the
    next slice of the layer and sorts its steps into buckets, one for each part. So no two threads
    ever write to the same place, and none waits for the others before the layer is done.
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
        self.links: list[tuple[int, list[Links]]] | None = []
        """For each layer the number of its parts, and where its states lead; None once the links
        don't fit."""
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
        self._layer = [Part(np.array(rows, np.uint64).reshape(-1, 4), len(rows))]
        self._following: list[Part] = []
        self._tables: list[NDArray[np.int32]] = []
        """For each part of the following layer the memory of its hash table."""
        self._slots: list[NDArray[np.int32]] = []
        """As much of it as is in use."""
        self._changed = threading.Condition()
        """Held by who takes or hands on work or memory, from here to `_working`."""
        self._slices: deque[Slice] = deque()
        """Those still to be expanded."""
        self._desks: list[Desk] = []
        self._free: list[Desk] = []
        self._waiting: list[deque[Desk]] = []
        """For each part the desks with steps to be merged into it."""
        self._links: list[Links] = []
        self._fits = True
        """Whether the memory has sufficed so far."""
        self._working = 0
        self._kept = 0
        self._memo: Memo | None = None
        self._shown_at = time.monotonic()

    def ways(self) -> Run[int | None]:
        """Return the number of solutions, or None when the memory does not suffice."""
        with Threads(self._threads) as threads:
            for picked in range(1, self._stones):
                if not (yield from self._expand(threads, picked)):
                    self._probe(32 * _PROBES)
                    return None
                self.states += _size(self._layer)
        return sum(sum(_wide(part.filled[:, count_kernels.LOW :])) for part in self._layer)

    def _expand(self, threads: Threads, picked: int) -> Run[bool]:
        """Go on to the following layer; return whether the memory sufficed."""
        layer, following = self._layer, self._following
        size, before = _size(layer), _size(following)
        number = self._threads if size >= _SHARED else 1
        del following[number:], self._tables[number:]
        following.extend(Part() for _ in range(number - len(following)))
        self._tables.extend(np.empty(0, np.int32) for _ in range(number - len(self._tables)))
        self._slots = [np.empty(0, np.int32)] * number
        for part in following:
            part.size = part.entered = 0
        self._lay_out(number)
        self._links = []
        # Layers grow less and less before they shrink, so they seldom grow more than the last.
        expected = size * size // max(1, before) // number
        threads.each(lambda q: self._grow(q, expected + expected // 64 + 1), range(number))
        while self._fits and self._is_under_way():
            threads.each(self._work, range(number))
            if time.monotonic() > self._shown_at + _SHOW_EVERY:
                self._probe(_PROBES)
                yield self._progress(picked)
        if not self._fits:
            return False
        if self.links is not None:
            self.links.append((len(layer), self._links))
        self._layer, self._following = following, layer
        return True

    def _lay_out(self, number: int) -> None:
        """Cut the layer into slices of nearly the same length, at least so many, and have desks
        for so many threads: for each one to be filled while another is cleared."""
        self._slices = deque()
        for p, part in enumerate(self._layer):
            pieces = max(-(-part.size // count_kernels.SLICE), number // len(self._layer))
            length = max(1, -(-part.size // pieces))
            self._slices.extend(
                Slice(p, first, min(first + length, part.size))
                for first in range(0, part.size, length)
            )
        longest = max((last - first for _, first, last in self._slices), default=0)
        desks = 2 * number if number > 1 else 1
        if desks > len(self._desks) or longest > self._desks[0].most:
            self._desks = self._free = []
            self._desks = [Desk(longest, number) for _ in range(desks)]
        for desk in self._desks:
            desk.divide(number)
        self._free = list(self._desks)
        self._waiting = [deque() for _ in range(number)]

    def _is_under_way(self) -> bool:
        """Return whether the following layer is not done yet."""
        return bool(self._slices) or len(self._free) < len(self._desks)

    def _work(self, q: int) -> None:
        """Do what there is to do for a part of the following layer, until that layer is done, the
        memory does not suffice, or a sign of life is due."""
        until = self._shown_at + _SHOW_EVERY
        try:
            while task := self._next_task(q, until):
                task()
                if time.monotonic() > until:
                    break
        except BaseException:
            self._fits = False
            raise
        finally:
            with self._changed:
                self._changed.notify_all()

    def _next_task(self, q: int, until: float) -> Callable[[], None] | None:
        """Take what comes next for a part, or wait for it until then at most."""
        part = self._following[q]
        with self._changed:
            while self._fits:
                if part.entered < part.size:
                    return partial(self._refill, q)
                if self._waiting[q]:
                    return partial(self._merge, q, self._waiting[q].popleft())
                if self._slices and self._free:
                    return partial(self._fill, q, self._free.pop(), self._slices.popleft())
                if not self._is_under_way() or not self._changed.wait(until - time.monotonic()):
                    break
        return None

    def _fill(self, q: int, desk: Desk, where: Slice) -> None:
        """Expand a slice, or as much of it as the desk has room for."""
        part, first, last = where
        states = self._layer[part].states[first:last]
        choices = np.empty((last - first, 2), np.uint8)
        homes = np.empty(4 * (last - first) if len(self._following) > 1 else 0, np.uint8)
        done, filled = count_kernels.expand(
            self._ahead, self._symmetries, states, desk.buckets, choices, homes
        )
        ends = filled.cumsum()
        desk.links = Links(
            Slice(part, first, first + done),
            choices[:done],
            homes[: ends[-1]].copy(),
            np.empty(ends[-1], np.int32),
            ends,
        )
        desk.states, desk.unmerged = states[:done], len(ends)
        with self._changed:
            if first + done < last:
                self._slices.appendleft(Slice(part, first + done, last))
            for p, desks in enumerate(self._waiting):
                # Each begins with its own, so that no two note links next to each other.
                (desks.appendleft if p == q else desks.append)(desk)
            self._changed.notify_all()

    def _merge(self, q: int, desk: Desk) -> None:
        """Merge into a part of the following layer what lies on a desk for it."""
        part, slots = self._following[q], self._slots[q]
        ends = desk.links.ends
        links = desk.links.links[ends[q - 1] if q else 0 : ends[q]]
        needed = part.size + len(links)
        if needed > min(len(part.states), len(slots) // 2):
            self._waiting[q].appendleft(desk)
            self._grow(q, max(needed, part.size * 5 // 4))
            return
        part.size = part.entered = count_kernels.merge(
            desk.states, desk.buckets, q, part.states, part.size, slots, links
        )
        with self._changed:
            desk.unmerged -= 1
            if not desk.unmerged:
                self._keep(desk.links)
                self._free.append(desk)
                self._changed.notify_all()

    def _grow(self, q: int, size: int) -> None:
        """Make room for so many states in a part of the following layer, if the memory suffices,
        and begin to enter those it has into its hash table."""
        part, length = self._following[q], 1 << (3 * size).bit_length()
        with self._changed:
            longer = max(0, size - len(part.states))
            wider = max(0, length - len(self._tables[q]))
            self._fits = self._fits and self._may_take(4 * 8 * longer + 4 * wider)
            if not self._fits:
                return
            if longer and part.size:
                # In its place, if the system can: no second array, nothing copied.
                part.states.resize((size, 4), refcheck=False)
            elif longer:
                part.states = np.empty((0, 4), np.uint64)
                part.states = np.empty((size, 4), np.uint64)
            if wider:
                self._slots[q] = self._tables[q] = np.empty(0, np.int32)
                self._tables[q] = np.empty(length, np.int32)
        if length > len(self._slots[q]):
            self._slots[q] = self._tables[q][:length]
            self._slots[q].fill(-1)
            part.entered = 0
            # Called for an empty part as well: it is compiled before a user waits for it.
            self._refill(q)

    def _refill(self, q: int) -> None:
        """Enter some more states of a part into its hash table."""
        part = self._following[q]
        first, part.entered = part.entered, min(part.entered + _ENTERED, part.size)
        count_kernels.refill(part.states, first, part.entered, self._slots[q])

    def _may_take(self, more: int) -> bool:
        """Return whether so many bytes may be taken, if need be at the cost of the way back."""
        self._working = (
            more
            + sum(part.states.nbytes for part in (*self._layer, *self._following))
            + sum(table.nbytes for table in self._tables)
            + sum(desk.bytes for desk in self._desks)
        )
        if self._working + self._kept > self._memory:
            self.links, self._kept = None, 0
        return self._working <= self._memory

    def _keep(self, links: Links) -> None:
        """Keep where a slice leads, as long as there is memory for it."""
        if self.links is None:
            return
        self._kept += links.choices.nbytes + links.homes.nbytes + links.links.nbytes
        if self._working + self._kept > self._memory:
            self.links, self._kept = None, 0
        else:
            self._links.append(links)

    def _progress(self, picked: int) -> Progress:
        note = Message(
            "Stones picked: {picked} of {stones}. Situations looked at: {states}.",
            {
                "picked": picked,
                "stones": self._stones,
                "states": self.states + _size(self._following),
            },
        )
        return Progress(picked, self._stones, note, self.at_least)

    def _probe(self, probes: int) -> None:
        """Raise the lower bound: different states of one layer are reached in different ways,
        so the ways to those that are seen to have a solution add up."""
        every = 1 + _size(self._layer) // _SAMPLE
        sample = np.concatenate([part.filled[::every] for part in self._layer])
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

    def completions(self) -> Run[list[int]]:
        """Return for each of the starts the number of solutions from it on. Needs the links."""
        note = Message("Counting the solutions of each first move")
        end = np.array([1, 0], np.uint64)
        found = _wide((yield from self._back(count_kernels.gather, end, note)))
        return [found[i] for i in self._first]

    def chances(self) -> Run[list[list[float]]]:
        """Return for each of the starts the two chances of `count_kernels.gather_chances`."""
        note = Message("Working out the chances of players")
        found = yield from self._back(count_kernels.gather_chances, np.ones(2), note)
        return [found[i].tolist() for i in self._first]

    def _back(
        self, gather: Callable[..., None], end: NDArray[Any], note: Message
    ) -> Run[NDArray[Any]]:
        """Return the numbers of the starts from those of the last layer, layer by layer."""
        parts, height = len(self._layer), max(part.size for part in self._layer)
        # The numbers take the memory of what they don't need any more.
        self._layer, self._following, self._tables, self._slots, self._desks = [], [], [], [], []
        layers = [
            (parts, max((entry.where.last for entry in links), default=0), links)
            for parts, links in reversed(self.links or [])
        ]
        most = max([parts * height, *(parts * height for parts, height, _ in layers)])
        numbers, spare = np.tile(end, (most, 1)), np.empty((most, 2), end.dtype)
        with Threads(self._threads) as threads:
            for parts, height, links in layers:
                numbers, spare = spare, numbers
                own = numbers[: parts * height].reshape(height, parts, 2)
                task = partial(_gather, gather, spare, own)
                for first in range(0, len(links), _AT_ONCE * self._threads):
                    at_once = links[first : first + _AT_ONCE * self._threads]
                    threads.each(task, at_once)
                    if time.monotonic() > self._shown_at + _SHOW_EVERY:
                        self._shown_at = time.monotonic()
                        yield Progress(self._stones, self._stones, note, self.at_least)
        return numbers[: len(self._first)]


def _gather(
    gather: Callable[..., None], following: NDArray[Any], numbers: NDArray[Any], links: Links
) -> None:
    """Set the numbers of a slice from those of the layer after."""
    (part, first, last), choices, homes, reached, ends = links
    gather(choices, homes, reached, ends, following, numbers[first:last, part])


def _size(layer: list[Part]) -> int:
    """Return the number of states of a layer."""
    return sum(part.size for part in layer)


def _wide(words: Words) -> list[int]:
    """Return the integers of an array of low and high words."""
    return [high << 64 | low for low, high in words.tolist()]
