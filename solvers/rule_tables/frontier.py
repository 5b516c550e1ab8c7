"""The exact number of solutions of a model, by a frontier search.

The variables are read one after another. What has been read is summed up by a state: the state of
every automaton that is not at its end, how the open cells of a piece hang together, and where the
open ends of a line belong. Equal states are one, so the layers of states form a diagram, whose
paths are the solutions. The method is known as frontier-based search (Kawahara, Inoue, Iwashita and
Minato, IEICE Transactions E100-A, 2017) and goes back to Simpath (Knuth, The Art of Computer
Programming 4A, 7.1.4); that rules are automata makes every rule a table.

Counts are exact: they are added modulo primes below 2^31 and put together by the Chinese remainder
theorem, with as many primes as the size of the count needs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import frexp, inf
from typing import Any

import numpy as np
import numpy.typing as npt

from solvers.memory import MEMORY
from solvers.question import Clock, Progress, Run
from solvers.rule_tables import kernels
from solvers.rule_tables.fleets import with_parts
from solvers.rule_tables.layers import tables_of
from solvers.rule_tables.matching import pairing
from solvers.rule_tables.model import Loop, Model, Piece
from solvers.rule_tables.relations import TooLarge

Ints = npt.NDArray[np.int64]
PRIME_BITS = 30
"""Each prime is larger than 2 to this power."""
CHUNK = 50_000
"""The number of states that one call of the kernel reads, which takes well under a second."""
FIRST_ROOM = 1024
MAX_SOLUTION_BITS = 1023
"""The largest count, in bits: larger ones have no size as a floating-point number."""


@dataclass(slots=True)
class _Slots:
    """Slots that are used again when what they held has ended."""

    first: int
    busy_until: list[int] = field(default_factory=list)

    def take(self, begin: int, end: int) -> int:
        """Return a slot that is free from variable `begin` to `end`."""
        for number, until in enumerate(self.busy_until):
            if until < begin:
                self.busy_until[number] = end
                return self.first + number
        self.busy_until.append(end)
        return self.first + len(self.busy_until) - 1

    @property
    def end(self) -> int:
        return self.first + len(self.busy_until)


@dataclass(slots=True)
class _Layer:
    """What the kernel does at one variable."""

    ops: list[tuple[int, int, int, int]] = field(default_factory=list)
    tables: list[npt.NDArray[np.int32]] = field(default_factory=list)
    pieces: list[tuple[int, ...]] = field(default_factory=list)
    is_on: list[tuple[bool, ...]] = field(default_factory=list)
    beside: list[int] = field(default_factory=list)
    retired: list[int] = field(default_factory=list)
    loop: tuple[int, ...] = (0, 0, 0, 0)
    begun: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)


class _Plan:
    """Which slot of a state holds what, and what happens at each variable."""

    def __init__(self, model: Model) -> None:
        self.layers = [_Layer() for _ in model.sites]
        self.width = 0
        self.is_possible = all(model.values)
        self.loop_ends: list[int] = []
        if self.is_possible:
            self._add_readers(model)
        for piece in model.pieces:
            self._add_piece(piece)
        # Each rule about a loop means the same line, which goes over all edges of the board.
        for loop in model.loops[:1]:
            self._add_loop(loop)

    def _add_readers(self, model: Model) -> None:
        slots = _Slots(0)
        both = zip(model.readers, tables_of(model))
        for reader, tables in sorted(both, key=lambda pair: pair[0].variables):
            if tables is None:
                self.is_possible = False
                return
            if not reader.variables:
                continue
            slot = slots.take(reader.variables[0], reader.variables[-1])
            for number, (variable, table) in enumerate(zip(reader.variables, tables)):
                layer = self.layers[variable]
                offset = sum(each.size for each in layer.tables)
                is_last = number == len(tables) - 1
                layer.ops.append((slot, int(number == 0), int(is_last), offset))
                layer.tables.append(table.ravel())
        self.width = slots.end

    def _add_piece(self, piece: Piece) -> None:
        beside: list[list[int]] = [[] for _ in piece.variables]
        for one, two in piece.links:
            beside[one].append(two)
            beside[two].append(one)
        until = [
            max([variable, *(piece.variables[other] for other in beside[number])])
            for number, variable in enumerate(piece.variables)
        ]
        slots = _Slots(self.width)
        slot = [slots.take(*both) for both in zip(piece.variables, until)]
        # The outside of the board is like a cell that is on from the first variable to the last.
        has_outside = piece.demand == "touching edge" and piece.variables
        outside = slots.take(piece.variables[0], piece.variables[-1]) if has_outside else -1
        for number, variable in enumerate(piece.variables):
            layer = self.layers[variable]
            first_beside, first_retired = len(layer.beside), len(layer.retired)
            layer.beside += [slot[other] for other in beside[number] if other < number]
            layer.retired += [slot[other] for other, at in enumerate(until) if at == variable]
            if has_outside:
                layer.beside += [outside] if number in piece.rim else []
                layer.retired += [outside] if number == len(piece.variables) - 1 else []
            layer.pieces.append(
                (
                    *(slots.first, slots.end, slot[number], first_beside, len(layer.beside)),
                    *(first_retired, len(layer.retired)),
                    *(outside if number == 0 else -1, int(piece.demand == "no ring")),
                )
            )
            layer.is_on.append(piece.is_on[number])
        self.width = slots.end + 1

    def _add_loop(self, loop: Loop) -> None:
        begin: dict[object, int] = {}
        until: dict[object, int] = {}
        for variable, both in zip(loop.variables, loop.ends):
            for corner in both:
                begin.setdefault(corner, variable)
                until[corner] = variable
        slots = _Slots(self.width)
        slot = {corner: slots.take(begin[corner], until[corner]) for corner in begin}
        for variable, both in zip(loop.variables, loop.ends):
            layer = self.layers[variable]
            layer.loop = (slots.first, slots.end, *(slot[corner] for corner in both))
            layer.begun = [slot[corner] for corner in both if begin[corner] == variable]
            layer.ended = [slot[corner] for corner in both if until[corner] == variable]
        self.loop_ends.append(slots.end)
        self.width = slots.end + 1


@dataclass(slots=True)
class Diagram:
    """The layers of states of a model. Its paths from the only first state to a good last one are
    the solutions."""

    child: list[npt.NDArray[np.int32]]
    """For each variable: state, value -> the state after it, or -1."""
    ends: npt.NDArray[np.uint64]
    """For each state after the last variable: 1 if it is good, else 0."""
    meaning: Sequence[Sequence[int]] = ()
    """For each variable: the number of the model's value that each value of it is. Several values
    can be the same one, with different parts of ships."""

    def count(self) -> int:
        """Return the number of solutions. Raises TooLarge above 2 ** `MAX_SOLUTION_BITS`."""
        return _together([int(self._passes(prime)[0][0]) for prime in self._primes()])

    def by_value(self) -> list[list[int]]:
        """Return, for each variable and each of its values, the number of solutions with it.
        Raises TooLarge above 2 ** `MAX_SOLUTION_BITS`."""
        remainders: list[list[npt.NDArray[np.uint64]]] = []
        for prime in self._primes():
            after = self._passes(prime)
            before = np.ones(1, np.uint64)
            counts = []
            for number, child in enumerate(self.child):
                ways = np.zeros(child.shape[1], np.uint64)
                rest = after[number + 1]
                before = kernels.forth(child, before, rest, len(rest), np.uint64(prime), ways)
                counts.append(ways)
            remainders.append(counts)
        result = []
        for meant, layers in zip(self.meaning, zip(*remainders)):
            totals = [0] * (1 + max(meant, default=-1))
            for value, many in zip(meant, zip(*layers)):
                totals[value] += _together([int(each) for each in many])
            result.append(totals)
        return result

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Yield every solution as the numbers of its values, one for each variable, the smallest
        first."""
        if not self.child:
            # Without variables there is one way to fill nothing, which the rules allow or not.
            if self.ends[0]:
                yield ()
            return
        alive: list[npt.NDArray[np.bool_]] = [self.ends > 0]
        for child in reversed(self.child):
            good = np.append(alive[-1], False)
            alive.append(np.any(good[child], axis=1))
        alive.reverse()
        path: list[int] = []
        states, value = [0], 0
        while True:
            child = self.child[len(path)]
            to = -1
            while value < child.shape[1]:
                to = int(child[states[-1], value])
                if to >= 0 and alive[len(path) + 1][to]:
                    break
                to, value = -1, value + 1
            if to >= 0:
                path.append(value)
                if len(path) < len(self.child):
                    states.append(to)
                    value = 0
                    continue
                yield tuple(meant[value] for meant, value in zip(self.meaning, path))
            else:
                if not path:
                    return
                states.pop()
            value = path.pop() + 1

    def _passes(self, prime: int) -> list[npt.NDArray[np.uint64]]:
        """Return the number of ways from every state to the end, modulo a prime."""
        ways = [self.ends]
        for child in reversed(self.child):
            ways.append(kernels.back(child, ways[-1], np.uint64(prime)))
        return ways[::-1]

    def _primes(self) -> list[int]:
        size = self.ends.astype(np.float64)
        for child in reversed(self.child):
            size = kernels.size_of(child, size)
        if size[0] == inf:
            raise TooLarge("bits of the count")
        # One bit more, because the size is rounded.
        return _PRIMES[: (frexp(size[0])[1] + 1) // PRIME_BITS + 1]


_NONE = Diagram([], np.zeros(1, np.uint64))
"""The diagram of a model without solutions."""


def diagram(model: Model, memory: int = MEMORY) -> Run[Diagram]:
    """Return the diagram of a model.

    Raises TooLarge when it needs more than `memory` bytes, or when an automaton has too many
    states. Its progress is the number of variables that have been read.
    """
    model, meaning = with_parts(model)
    if model.matchings:
        model = replace(
            model, readers=[*model.readers, *map(pairing, model.matchings)], tables=None
        )
    plan = _Plan(model)
    if not plan.is_possible:
        return _NONE
    width = max(plan.width, 1)
    states = np.zeros((1, width), np.uint16)
    clock, children, used = Clock(), [], 0
    for variable, layer in enumerate(plan.layers):
        values = len(model.values[variable])
        arguments = _arguments(layer, values)
        child = np.empty((len(states), values), np.int32)
        used += child.nbytes
        room = max(FIRST_ROOM, len(states) + values)
        out, heads = np.empty((room, width), np.uint16), _heads(room)
        done = count = 0
        while done < len(states):
            end = min(done + CHUNK, len(states))
            done, count, status = kernels.expand(
                states,
                done,
                end,
                values,
                *arguments,
                out,
                count,
                heads,
                child,  # type: ignore[call-arg]
            )
            if used + states.nbytes + out.nbytes + heads.nbytes > memory:
                raise TooLarge("memory")
            if status == kernels.FULL:
                bigger = np.empty((2 * len(out) + values, width), np.uint16)
                bigger[:count] = out[:count]
                out, heads = bigger, _heads(len(bigger))
                kernels.rehash(out, count, heads)
            if clock.is_due():
                yield Progress(variable, len(plan.layers))
        states = out[:count].copy()
        children.append(child)
        if not count:
            return _NONE
    ends = np.ones(len(states), np.uint64)
    for slot in plan.loop_ends:
        ends &= states[:, slot] == 1
    return Diagram(children, ends, meaning)


def _heads(room: int) -> npt.NDArray[np.int32]:
    """Return an empty hash table for `room` states, at most half full."""
    return np.full(1 << (2 * room - 1).bit_length(), -1, np.int32)


def _arguments(layer: _Layer, values: int) -> Any:
    """Return the arguments of the kernel that belong to a layer, from `ops` to `ended`."""

    def ints(rows: Sequence[object], columns: int = 0) -> Ints:
        return (
            np.array(rows, np.int64).reshape(-1, columns) if columns else np.array(rows, np.int64)
        )

    tables = np.concatenate(layer.tables) if layer.tables else np.empty(0, np.int32)
    is_on = np.array(layer.is_on, np.uint8).reshape(-1, values)
    return (
        *(ints(layer.ops, 4), tables, ints(layer.pieces, 9), is_on),
        *(ints(layer.beside), ints(layer.retired)),
        *(ints(layer.loop), ints(layer.begun), ints(layer.ended)),
    )


def _together(remainders: Sequence[int]) -> int:
    """Return the smallest number with these remainders modulo the first primes."""
    number, modulus = 0, 1
    for remainder, prime in zip(remainders, _PRIMES):
        number += modulus * ((remainder - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number


def _largest_primes(number: int) -> list[int]:
    """Return the largest primes below 2^31. They have more than `PRIME_BITS` bits."""
    primes: list[int] = []
    candidate = 2**31 - 1
    while len(primes) < number:
        if _is_prime(candidate):
            primes.append(candidate)
        candidate -= 2
    return primes


def _is_prime(number: int) -> bool:
    """Decide by the test of Miller and Rabin, whose bases 2, 3, 5 and 7 suffice below 3.2e9
    (Pomerance, Selfridge and Wagstaff, Mathematics of Computation 35, 1980)."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


_PRIMES = _largest_primes(MAX_SOLUTION_BITS // PRIME_BITS + 2)
