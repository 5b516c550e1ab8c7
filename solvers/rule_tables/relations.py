"""What a rule says of an area, as an automaton that reads the cells one after another.

An automaton has a start, a step and an end that it accepts. It reads a number for each item: how
many of the counted symbols lie in the cell, say. A step that returns None refuses. States are any
hashable values; `layers` makes the smallest automaton of tables from them, which `frontier` looks
up, and `deduction` follows them without numba. A new relation is one function here and one sentence
in `reading`.

Each function caches its automata, so that equal ones are the same object and are made small once.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MAX_CACHED = 1024
"""The most automata of each sort that a process keeps."""

BLANK = -1
"""What `step`, `seen` and `first` read for a cell without a symbol."""


class TooLarge(Exception):
    """A limit was reached. The argument says which one."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """An automaton: where it starts, how it goes on, and which ends it accepts."""

    start: Hashable
    step: Callable[[Any, int, int], Hashable | None]
    """(state, number of the item, what is read there) -> the next state, or None."""
    accepts: Callable[[Any], bool]


@lru_cache(maxsize=MAX_CACHED)
def between(least: int, most: int) -> Automaton:
    """Accept sums from `least` to `most` of numbers that are not negative."""

    def step(total: int, item: int, number: int) -> int | None:
        return total + number if total + number <= most else None

    return Automaton(0, step, lambda total: total >= least)


@lru_cache(maxsize=MAX_CACHED)
def other_than(number: int) -> Automaton:
    """Accept sums other than a number."""
    return Automaton(
        0, lambda total, item, read: min(total + read, number + 1), lambda total: total != number
    )


@lru_cache(maxsize=MAX_CACHED)
def parity(remainder: int) -> Automaton:
    """Accept sums that leave this remainder when they are divided by 2."""
    return Automaton(0, lambda odd, item, number: (odd + number) % 2, lambda odd: odd == remainder)


@lru_cache(maxsize=MAX_CACHED)
def product(number: int) -> Automaton:
    """Accept numbers whose product is `number`. The product of no numbers is 1."""

    def step(so_far: int, item: int, read: int) -> int | None:
        so_far *= read
        if number == 0 or so_far == 0:
            return min(so_far, 1) if number == 0 else None
        return so_far if number % so_far == 0 else None

    return Automaton(1, step, lambda so_far: so_far == number)


@lru_cache(maxsize=MAX_CACHED)
def same() -> Automaton:
    """Accept items that all read the same."""

    def step(first: int | None, item: int, number: int) -> int | None:
        return number if first in (None, number) else None

    return Automaton(None, step, lambda first: True)


@lru_cache(maxsize=MAX_CACHED)
def compare(relation: str) -> Automaton:
    """Accept a sum that is exactly, at least or at most 0. The numbers may be negative."""
    holds: dict[str, Callable[[int], bool]] = {
        "exactly": lambda total: total == 0,
        "least": lambda total: total >= 0,
        "most": lambda total: total <= 0,
    }
    return Automaton(0, lambda total, item, number: total + number, holds[relation])


@lru_cache(maxsize=MAX_CACHED)
def differ_by(number: int) -> Automaton:
    """Accept two values that differ by a number. Beside a blank, everything is accepted."""

    def step(first: int | None, item: int, value: int) -> int | None:
        if item and BLANK not in (first, value) and abs((first or 0) - value) != number:
            return None
        return value

    return Automaton(None, step, lambda first: True)


@lru_cache(maxsize=MAX_CACHED)
def less(is_upwards: bool) -> Automaton:
    """Accept two values of which the first is less, or greater. Beside a blank, everything is
    accepted."""

    def step(first: int | None, item: int, value: int) -> int | None:
        if item and BLANK not in (first, value):
            return value if ((first or 0) < value if is_upwards else (first or 0) > value) else None
        return value

    return Automaton(None, step, lambda first: True)


@lru_cache(maxsize=MAX_CACHED)
def none_or_two() -> Automaton:
    """Accept no line or two lines, which meet at a point."""

    def step(lines: int, item: int, number: int) -> int | None:
        return lines + number if lines + number <= 2 else None

    return Automaton(0, step, lambda lines: lines != 1)


def with_points(inner: Automaton, names: tuple[tuple[bool, tuple[int, ...]], ...]) -> Automaton:
    """Accept lines that `inner` accepts and of which none or two meet at every point. `names` says
    of each item whether `inner` reads it, and at which points it ends."""
    places = [sum(is_read for is_read, _ in names[:item]) for item in range(len(names))]
    many = 1 + max(point for _, points in names for point in points)

    def step(state: Any, item: int, number: int) -> Hashable | None:
        (is_read, points), (now, lines) = names[item], state
        if is_read:
            now = inner.step(now, places[item], number)
        if now is None:
            return None
        lines = tuple(n + number * (point in points) for point, n in enumerate(lines))
        return (now, lines) if max(lines) <= 2 else None

    return Automaton(
        (inner.start, (0,) * many),
        step,
        lambda state: inner.accepts(state[0]) and 1 not in state[1],
    )


@lru_cache(maxsize=MAX_CACHED)
def pearl(names: str, *, turns: bool) -> Automaton:
    """Accept lines that turn in a cell and go straight on in the next ones, or go straight on there
    and do not in both of the next ones. `names` says which line each item is, as `areas.ways`."""

    def step(on: str, item: int, number: int) -> str | None:
        on += names[item] if number else ""
        return on if sum(name.islower() for name in on) <= 2 else None

    def accepts(on: str) -> bool:
        first = [name for name in on if name.islower()]
        goes_on = [name.upper() in on for name in first]
        is_straight = set(first) in ({"u", "d"}, {"l", "r"})
        return len(first) == 2 and is_straight != turns and all(goes_on) == turns

    return Automaton("", step, accepts)


@lru_cache(maxsize=MAX_CACHED)
def mirror(length: int) -> Automaton:
    """Accept `length` items that read the same from both ends."""

    def step(open_: tuple[int, ...], item: int, number: int) -> tuple[int, ...] | None:
        if item < length // 2:
            return (*open_, number)
        if length % 2 and item == length // 2:
            return open_
        return open_[:-1] if open_[-1] == number else None

    return Automaton((), step, lambda open_: True)


@lru_cache(maxsize=MAX_CACHED)
def runs(lengths: tuple[int, ...]) -> Automaton:
    """Accept items of which those above 0 lie in runs of these lengths, in this order."""

    def step(state: tuple[int, int], item: int, number: int) -> tuple[int, int] | None:
        run, done = state
        if number:
            return (run, done + 1) if run < len(lengths) and done < lengths[run] else None
        if done == 0:
            return state
        return (run + 1, 0) if done == lengths[run] else None

    ends = {(len(lengths), 0)} | ({(len(lengths) - 1, lengths[-1])} if lengths else set())
    return Automaton((0, 0), step, lambda state: state in ends)


@lru_cache(maxsize=MAX_CACHED)
def sees(directions: str, number: int) -> Automaton:
    """Accept when `number` cells are seen from a cell: those above 0 next to it in a straight line,
    in four directions, and the cell itself.

    `directions` says for each item where it lies: `u` up, `l` left, `r` right, `d` down, `m` the
    cell itself. Items of one direction follow each other, and those of `u` and `l` come nearer.
    """

    def step(state: tuple[str, int, int], item: int, read: int) -> tuple[str, int, int] | None:
        direction, run, total = state
        if directions[item] != direction:
            total += run if direction in ("u", "l") else 0
            direction = directions[item]
            run = 1 if direction in ("r", "d") else 0
        if direction in ("u", "l"):
            run = min(run + 1, number + 1) if read else 0
        elif direction == "m":
            total += bool(read)
        elif read and run:
            total += 1
        else:
            run = 0
        return (direction, run, total) if total <= number else None

    def accepts(state: tuple[str, int, int]) -> bool:
        direction, run, total = state
        return total + (run if direction in ("u", "l") else 0) == number

    return Automaton(("", 0, 0), step, accepts)


@lru_cache(maxsize=MAX_CACHED)
def seen(number: int) -> Automaton:
    """Accept values of which `number` are seen: those that are higher than all before them."""

    def step(state: tuple[int, int], item: int, value: int) -> tuple[int, int] | None:
        highest, count = state
        if value == BLANK or value <= highest:
            return state
        return (value, count + 1) if count < number else None

    return Automaton((0, 0), step, lambda state: state[1] == number)


@lru_cache(maxsize=MAX_CACHED)
def first(number: int) -> Automaton:
    """Accept values of which the first that is no blank is `number`."""

    def step(is_found: bool, item: int, value: int) -> bool | None:
        if is_found or value == BLANK:
            return is_found
        return True if value == number else None

    return Automaton(False, step, lambda is_found: is_found)


@lru_cache(maxsize=MAX_CACHED)
def backwards(automaton: Automaton, length: int, numbers: tuple[int, ...]) -> Automaton:
    """Return an automaton that reads `length` items from the other end. A state of it is the set
    of states from which the given one accepts what has been read. `numbers` are all that an item
    can read."""
    reached: list[set[Hashable]] = [{automaton.start}]
    for item in range(length):
        ahead = (automaton.step(state, item, each) for state in reached[-1] for each in numbers)
        reached.append({to for to in ahead if to is not None})

    def step(rest: frozenset[Hashable], item: int, number: int) -> frozenset[Hashable] | None:
        at = length - 1 - item
        before = (each for each in reached[at] if automaton.step(each, at, number) in rest)
        return frozenset(before) or None

    last = frozenset(state for state in reached[length] if automaton.accepts(state))
    return Automaton(last, step, lambda rest: automaton.start in rest)


@lru_cache(maxsize=MAX_CACHED)
def guarded(automaton: Automaton, guard: int, is_read: bool) -> Automaton:
    """Return an automaton that accepts everything if a guard does not hold, and otherwise what the
    given one accepts.

    Item `guard` reads twice what the given automaton reads there, plus 1 if the guard holds. If the
    guard is not one of the automaton's own items, `is_read` is False.
    """

    def step(state: tuple[int, Hashable], item: int, number: int) -> Hashable | None:
        known, inner = state
        if known == FREE:
            return state
        if item == guard:
            if number % 2 == 0:
                return (FREE, None)
            known = HELD
            number //= 2
            if not is_read:
                return None if inner is _REFUSED else (known, inner)
        if inner is not _REFUSED:
            own = item if is_read or item < guard else item - 1
            to = automaton.step(inner, own, number)
            inner = _REFUSED if to is None else to
        return None if inner is _REFUSED and known == HELD else (known, inner)

    def accepts(state: tuple[int, Hashable]) -> bool:
        known, inner = state
        return known == FREE or (inner is not _REFUSED and automaton.accepts(inner))

    return Automaton((OPEN, automaton.start), step, accepts)


OPEN, HELD, FREE = range(3)
"""Whether a guard has not been read yet, holds, or does not hold."""
_REFUSED = ("refused",)
