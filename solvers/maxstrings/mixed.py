"""All solutions of boards on which some solutions are not checkerboard forms.

A solution of a position is a set of points with stones. It contains the points that have stones
already, and some board that solves the puzzle has stones on just these points, coloured so that
every stone on a free point is a string of its own. The stones that stand already, and those that
the puzzle asks for, may be joined with each other.

On most boards all solutions are checkerboard forms (`maximum.are_forms`), which `forms` counts. If
the colours on the board fit no checkerboard, or if a stone that may have either colour stands
beside another one, a set of points has to be tried with all colours. The states of `search` do
that, without joining stones on free points. One set is counted once, although several colourings
may lead to it: a node is the set of all states, with their losses, to which the same stones and
empty points have led. So every set of points is one path through the nodes.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

from solvers.maxstrings import search
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, STONES, Board
from solvers.maxstrings.search import Point, State
from solvers.question import Clock, Progress, Run
from solvers.samples import drawn

MAX_STATES = 400_000
"""The most states in all nodes of a board, at about 500 bytes each, which take some seconds."""


Node = frozenset[tuple[State, int]]
"""States with their losses so far."""


class Branches(NamedTuple):
    """The nodes behind a node if the next point has a stone and if it has none, as numbers."""

    stone: int | None
    empty: int | None


class MixedSolutions:
    """The solutions of a board with at least `wanted` strings, once `build` has found them: the
    nodes of each point, with their branches and the number of solutions behind them."""

    def __init__(self, board: Board, wanted: int, order: list[Point]) -> None:
        """Prepare a board. `order` is what `order_of` returns for it, or for the same board with
        fewer stones: its bounds then hold as well, but are a little lower."""
        self._is_turned = len(board[0]) > len(board)
        self._board = _turned(board) if self._is_turned else board
        rows = enumerate(self._board)
        letters = "".join(row[::-1] if number % 2 else row for number, row in rows)
        self._order = [point._replace(letter=letter) for point, letter in zip(order, letters)]
        points = sum(letter not in (HOLE, EMPTY) for row in board for letter in row)
        self._limit = points - wanted
        self._branches: list[list[Branches]] = []
        self._ways: list[list[int]] = []
        self.states = 0
        """The number of states in all nodes."""

    @property
    def number(self) -> int:
        """The number of solutions."""
        return self._ways[0][0]

    def build(self, most_states: int) -> Run[bool]:
        """Find all nodes. Return False if they have more than `most_states` states."""
        layer: dict[Node, int] = {frozenset({((0,) * len(self._board[0]), 0)}): 0}
        clock = Clock()
        for number in range(len(self._order)):
            after: dict[Node, int] = {}
            bounds: dict[State, int] = {}
            branches = []
            for node in layer:
                if clock.is_due():
                    yield Progress(number, len(self._order))
                stone, empty = self._following(number, node, bounds)
                branches.append(
                    Branches(
                        after.setdefault(stone, len(after)) if stone else None,
                        after.setdefault(empty, len(after)) if empty else None,
                    )
                )
                if self.states + len(bounds) > most_states:
                    return False
            self.states += sum(map(len, after))
            self._branches.append(branches)
            layer = after
        ways = [1] * len(layer)
        self._ways = [ways]
        for branches in reversed(self._branches):
            ways = [sum(ways[branch] for branch in pair if branch is not None) for pair in branches]
            self._ways.append(ways)
        self._ways.reverse()
        return True

    def _following(self, number: int, node: Node, bounds: dict[State, int]) -> tuple[Node, Node]:
        """Return the nodes behind a node: with a stone on the point, and without one."""
        after = self._order[number + 1] if number + 1 < len(self._order) else None
        least: tuple[dict[State, int], dict[State, int]] = {}, {}
        for state, lost in node:
            for reached, loss, what in self._successors(number, state):
                if reached not in bounds:
                    bounds[reached] = search.to_go(reached, after)
                total = lost + loss
                if total + bounds[reached] <= self._limit:
                    cheapest = least[what not in STONES]
                    cheapest[reached] = min(total, cheapest.get(reached, total))
        return frozenset(least[0].items()), frozenset(least[1].items())

    def _successors(self, number: int, state: State) -> Iterator[tuple[State, int, str]]:
        """Yield the successors of a state in which no stone on a free point is joined."""
        point = self._order[number]
        row = number // len(self._board[0])
        for reached, loss, what in search.successors(state, point):
            if what in STONES and loss:
                if point.letter == FREE:
                    continue
                white = 2 * (what == STONES[1])
                above, beside = state[point.column], point.beside
                if above and above & 2 == white and self._board[row - 1][point.column] == FREE:
                    continue
                if beside is not None and self._board[row][beside] == FREE:
                    left = state[beside]
                    if left and left & 2 == white:
                        continue
            yield reached, loss, what

    def boards(self, most: int) -> Run[list[Board]]:
        """Return the boards of up to `most` solutions, a stone before an empty point."""
        result: list[Board] = []
        clock = Clock()
        waiting: list[tuple[int, tuple[bool, ...]]] = [(0, ())] if self.number else []
        while waiting and len(result) < most:
            node, stones = waiting.pop()
            if len(stones) == len(self._order):
                result.append(self._coloured(stones))
                continue
            if clock.is_due():
                yield Progress(len(result), most, at_least=len(result))
            pair = self._branches[len(stones)][node]
            ways = self._ways[len(stones) + 1]
            for branch, has_stone in ((pair.empty, False), (pair.stone, True)):
                if branch is not None and ways[branch]:
                    waiting.append((branch, (*stones, has_stone)))
        return result

    def draw(self, rng: random.Random) -> Board:
        """Return the board of a solution, each with the same chance. There must be one."""
        node: int | None = 0
        stones: list[bool] = []
        for layer, ways in zip(self._branches, self._ways[1:]):
            pair = layer[node or 0]
            numbers = [0 if branch is None else ways[branch] for branch in pair]
            stones.append(drawn(rng, (True, False), numbers))
            node = pair.stone if stones[-1] else pair.empty
        return self._coloured(tuple(stones))

    def _coloured(self, stones: tuple[bool, ...]) -> Board:
        """Return a board with as many strings as possible on these points."""
        layers: list[dict[State, tuple[int, State, str]]] = [
            {(0,) * len(self._board[0]): (0, (), "")}
        ]
        for number, has_stone in enumerate(stones):
            layer: dict[State, tuple[int, State, str]] = {}
            for state, (lost, _, _) in layers[-1].items():
                for reached, loss, what in self._successors(number, state):
                    better = reached not in layer or lost + loss < layer[reached][0]
                    if (what in STONES) == has_stone and better:
                        layer[reached] = lost + loss, state, what
            layers.append(layer)
        ends = [state for state in layers[-1] if not search.to_go(state, None)]
        state = min(ends, key=lambda end: layers[-1][end][0])
        letters = [list(row) for row in self._board]
        for number in range(len(stones), 0, -1):
            _, before, what = layers[number][state]
            letters[(number - 1) // len(self._board[0])][self._order[number - 1].column] = what
            state = before
        board = tuple(map("".join, letters))
        return _turned(board) if self._is_turned else board


def mixed_solutions(board: Board, wanted: int) -> Run[MixedSolutions | None]:
    """Return the solutions of a board on which not all are forms, or None if that would take too
    long."""
    order = yield from order_of(board)
    if order is None:
        return None
    solutions = MixedSolutions(board, wanted, order)
    return solutions if (yield from solutions.build(MAX_STATES)) else None


def order_of(board: Board) -> Run[list[Point] | None]:
    """Return the order in which the points of a board are decided, or None if it is too wide."""
    if not search.is_narrow(board):
        return None
    return (
        yield from search.decision_order(_turned(board) if len(board[0]) > len(board) else board)
    )


def _turned(board: Board) -> Board:
    return tuple(map("".join, zip(*board)))
