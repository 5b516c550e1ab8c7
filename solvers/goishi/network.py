"""The network of a board: which stones see which, and the states and steps of the solvers.

    stones    the stones still on the board, numbered 0, 1, ... row by row
    ahead     ahead[i][d]: the stones in direction d of stone i, as bits, whether or not others
              stand between. The nearest stone still there is the lowest bit of `ahead & rest` to
              the right and downwards, the highest to the left and upwards
    State     (rest, stone, back, ends): the stones left, the current stone, the direction that
              would be a turn straight back, and the forced ends

Two things keep the states few. First, `back` is only kept while a stone of `rest` stands in that
direction, so that ways of arriving that forbid nothing become one state. Second, a *forced end* is
a stone of `rest` that has stones of `rest` in one direction only. After arriving from there one
can't leave it, so it is either the next stone or the very last. A state dies if a stone has no
neighbour left, if there are three forced ends, or if there are two and neither is next. Taking a
stone away robs at most two others of a direction (its only neighbour along the row, and its only
one along the column), so the forced ends are updated in constant time. All this holds while two or
more stones are left.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from solvers.goishi.rules import Position, cells, moves, play
from solvers.grid import write_cell
from solvers.kind import Cell

FREE = 4
"""The value of `back` if no direction is forbidden."""


class State(NamedTuple):
    """A state of a game. The module's docstring explains the fields."""

    rest: int
    stone: int
    back: int
    ends: tuple[int, ...]


class StoneSymmetry(NamedTuple):
    """The images of each stone and of each direction under a symmetry."""

    stones: tuple[int, ...]
    directions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """The stones of a position and what each one sees."""

    cells: tuple[Cell, ...]
    ahead: tuple[tuple[int, int, int, int], ...]

    def line(self, stones: Iterable[int]) -> tuple[str, ...]:
        """Return the texts of the moves that pick these stones."""
        return tuple(write_cell(self.cells[stone]) for stone in stones)

    def nearest(self, stone: int, direction: int, rest: int) -> int | None:
        """Return the first stone of `rest` in a direction, or None."""
        seen = rest & self.ahead[stone][direction]
        if not seen:
            return None
        return (seen & -seen if direction < 2 else seen).bit_length() - 1

    def symmetries(self) -> list[StoneSymmetry]:
        """Return the symmetries, except the identity, that map the stones to themselves and lines
        to lines.

        Empty rows and columns are left out first, because they change nothing for a player.
        """
        rows = sorted({row for row, _ in self.cells})
        columns = sorted({column for _, column in self.cells})
        places = [(rows.index(row), columns.index(column)) for row, column in self.cells]
        numbers = {place: stone for stone, place in enumerate(places)}
        height, width = len(rows) - 1, len(columns) - 1
        result = []
        for across, down, turned in list(product((False, True), repeat=3))[1:]:
            stones: list[int] = []
            for row, column in places:
                image = height - row if down else row, width - column if across else column
                number = numbers.get(image[::-1] if turned else image)
                if number is None:
                    break
                stones.append(number)
            else:
                directions = [
                    2 if across else 0,
                    3 if down else 1,
                    0 if across else 2,
                    1 if down else 3,
                ]
                if turned:
                    directions = [(1, 0, 3, 2)[direction] for direction in directions]
                result.append(StoneSymmetry(tuple(stones), tuple(directions)))
        return result

    def state(self, rest: int, stone: int, back: int) -> State | None:
        """Return the state after a stone was picked, or None if it is visibly dead.

        At least two stones must be left.
        """
        if back == FREE or not rest & self.ahead[stone][back]:
            back = FREE
        degrees = {other: self.degree(other, rest) for other in _bits(rest)}
        ends = tuple(other for other, degree in degrees.items() if degree == 1)
        if 0 in degrees.values() or not self._can_end(stone, back, rest, ends):
            return None
        return State(rest, stone, back, ends)

    def successors(self, state: State) -> Iterator[State]:
        """Yield the states after one step that are not visibly dead."""
        rest, stone, back, ends = state
        for direction in range(4):
            there = self.nearest(stone, direction, rest)
            if direction == back or there is None or (len(ends) == 2 and there not in ends):
                continue
            following = self.arrive(rest & ~(1 << there), there, (direction + 2) % 4, ends)
            if following:
                yield following

    def legal_steps(self, state: State) -> int:
        """Return the number of steps that the rules allow in a state."""
        return sum(self._exits(state.stone, state.back, state.rest))

    def arrive(self, rest: int, stone: int, back: int, ends: tuple[int, ...]) -> State | None:
        """Return the state after a stone was picked, or None if it is visibly dead.

        Unlike `state`, this takes constant time, because it starts from the forced ends before the
        step. Before the step every stone must have a neighbour.
        """
        if not rest:
            return State(rest, stone, FREE, ())
        ahead = self.ahead[stone]
        if back == FREE or not rest & ahead[back]:
            back = FREE
        if not any(self._exits(stone, back, rest)):
            return None
        if not rest & (rest - 1):
            return State(rest, stone, back, ())
        ends_left = {end for end in ends if end != stone}
        for one, other in ((0, 2), (1, 3)):
            if bool(rest & ahead[one]) != bool(rest & ahead[other]):
                robbed = self.nearest(stone, one if rest & ahead[one] else other, rest)
                assert robbed is not None
                degree = self.degree(robbed, rest)
                if degree == 0:
                    return None
                if degree == 1:
                    ends_left.add(robbed)
        ends = tuple(sorted(ends_left))
        return State(rest, stone, back, ends) if self._can_end(stone, back, rest, ends) else None

    def _exits(self, stone: int, back: int, rest: int) -> Iterator[bool]:
        return (d != back and bool(rest & self.ahead[stone][d]) for d in range(4))

    def degree(self, stone: int, rest: int) -> int:
        """Return the number of directions in which the stone sees stones of `rest`."""
        right, down, left, up = self.ahead[stone]
        return bool(rest & right) + bool(rest & down) + bool(rest & left) + bool(rest & up)

    def _can_end(self, stone: int, back: int, rest: int, ends: tuple[int, ...]) -> bool:
        if len(ends) < 2:
            return True
        return len(ends) == 2 and any(
            d != back and self.nearest(stone, d, rest) in ends for d in range(4)
        )


def network(position: Position) -> tuple[Network, list[State]]:
    """Return the network of the stones left, and the state after each legal move that is not
    visibly dead."""
    places = tuple(cells(position, position.left))
    board = Network(places, tuple(_seen(places, here) for here in places))
    everything = (1 << len(places)) - 1
    degrees = [board.degree(stone, everything) for stone in range(len(places))]
    if 0 in degrees and len(places) > 1:
        return board, []
    ends = tuple(stone for stone, degree in enumerate(degrees) if degree == 1)
    states = []
    for move in moves(position):
        stone = places.index(move)
        arrival = play(position, move).arrival if position.picked else None
        back = FREE if arrival is None else (arrival + 2) % 4
        state = board.arrive(everything & ~(1 << stone), stone, back, ends)
        if state:
            states.append(state)
    return board, states


def _seen(places: tuple[Cell, ...], here: Cell) -> tuple[int, int, int, int]:
    row, column = here
    seen = [0, 0, 0, 0]
    for i, (r, c) in enumerate(places):
        if r == row and c != column:
            seen[0 if c > column else 2] |= 1 << i
        elif c == column and r != row:
            seen[1 if r > row else 3] |= 1 << i
    return seen[0], seen[1], seen[2], seen[3]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
