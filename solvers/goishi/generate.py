"""The question `generate`: boards that meet a teacher's options."""

import random
from typing import Any

import numpy as np

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.goishi.generate_kernels import (
    ANNEALING_MEMO,
    HUGE,
    UNDECIDED,
    anneal,
    backwards,
    evaluate,
    measure_miss,
    work,
)
from solvers.goishi.network import network
from solvers.goishi.questions import BoardOrder, order_for
from solvers.goishi.rules import Position, canonical
from solvers.goishi.search import NODES, find
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run, relayed

NODES_PER_BOARD = 400_000_000
"""The most search nodes per board wanted, about half a minute. Fewer boards must do after that."""

MAX_LISTED = 20_000
"""The most boards to choose from of which all are examined, in random order. A random search could
not find out that there are no others."""

_ANNEALING_NODES = 100_000_000
"""The number of nodes after which annealing starts again from another board."""

_SLICE_NODES = 1_000_000
"""The number of nodes of one call, which takes a fraction of a second."""


def generate(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    many: int,
    seed: int,
    known: list[str],
    **wanted: Any,
) -> Run[GenerateAnswer]:
    """Generate new boards. The position matters only for the shape "drawn", where stones go on the
    points that have stones in the position.

    `wanted` are the options of `order_for`. `known` are the canonical texts of boards to leave out.
    The same seed yields the same boards. The value is the number of boards found. If there are
    fewer than `many` after all the effort, it is not proven, but it is proven if all boards were
    examined. Every progress report contains the boards found so far. No two of them are equal after
    turning, mirroring or removing empty rows and columns. Raise PuzzleError at once if no such
    board exists.
    """
    order = order_for(position, **wanted)
    maker = _BoardMaker(order, random.Random(seed))
    seen = set(known)
    boards: list[GeneratedBoard] = []

    def report(part: Progress | None = None) -> Progress:
        note = Message("Boards found: {found} of {many}.", {"found": len(boards), "many": many})
        return Progress(len(boards), many, note, found=GenerateAnswer(boards=tuple(boards)))

    while len(boards) < many and maker.used < many * NODES_PER_BOARD and not maker.has_seen_all:
        made = yield from relayed(maker.next_board(many * NODES_PER_BOARD), report)
        if made is None or canonical(made) in seen:
            continue
        seen.add(canonical(made))
        rated = yield from relayed(kind.questions["rate"].ask(kind, made), report)
        if rated.value not in order.bands:
            continue
        board, starts = network(made)
        line = yield from relayed(find(board, starts, NODES), report)
        boards.append(
            GeneratedBoard(
                position=kind.write(made),
                solutions=rated.solutions,
                band=rated.band,
                line=" ".join(board.line(line or ())),
            )
        )
        yield report()
    values = {"found": len(boards), "many": many}
    if maker.has_seen_all and len(boards) < many:
        values["looked"] = order.number_of_boards
        note = Message(
            "All boards of this size, number of stones and symmetry were looked at: {looked}. "
            "Exactly {found} of them fit the conditions. Turned, mirrored or spread-out "
            "boards count as one, and boards that are there already do not count.",
            values,
        )
        return GenerateAnswer(Exact(len(boards)), boards=tuple(boards), note=note)
    note = Message("After a long search only this many were found: {found} of {many}.", values)
    return GenerateAnswer.of(boards, many, note)


class _BoardMaker:
    """A maker of boards with the wanted number of solutions."""

    def __init__(self, order: BoardOrder, rng: random.Random) -> None:
        self._order = order
        self._rng = rng
        self._work = work(ANNEALING_MEMO)
        self.used = 0
        """The number of search nodes used so far."""
        points = order.rows * order.columns
        self._sizes = np.array([len(group) for group in order.groups])
        self._groups = np.full((len(order.groups), 4), -1)
        self._allowed = np.zeros(points, np.bool_)
        for g, group in enumerate(order.groups):
            members = [row * order.columns + column for row, column in group]
            self._groups[g, : len(group)] = members
            self._allowed[members] = True

        self._left = self._listed() if order.number_of_boards <= MAX_LISTED else None

    @property
    def has_seen_all(self) -> bool:
        """Whether all boards were examined and their solutions counted far enough."""
        return self._left == []

    def _listed(self) -> "list[np.ndarray[tuple[int], np.dtype[np.bool_]]]":
        """Return all sets of groups with a wanted number of stones, in random order."""
        boards = []
        least, most = min(self._order.stones), max(self._order.stones)
        after = [int(self._sizes[at:].sum()) for at in range(len(self._sizes) + 1)]
        waiting: list[tuple[int, int, list[int]]] = [(0, 0, [])]
        while waiting:
            at, stones, groups = waiting.pop()
            if at == len(self._sizes):
                if stones in self._order.stones:
                    chosen = np.zeros(at, np.bool_)
                    chosen[groups] = True
                    boards.append(chosen)
                continue
            if stones + after[at + 1] >= least:
                waiting.append((at + 1, stones, groups))
            if stones + self._sizes[at] <= most:
                waiting.append((at + 1, stones + int(self._sizes[at]), [*groups, at]))
        self._rng.shuffle(boards)
        return boards

    def next_board(self, effort: int) -> Run[Position | None]:
        """Return a board with a wanted number of solutions, or None if none was found."""
        if self._left is None:
            return self._anneal(effort)
        return self._next_listed(effort)

    def _next_listed(self, effort: int) -> Run[Position | None]:
        """Return the next board of the list with a wanted number of solutions, or None at its end
        or when the effort is used up."""
        order = self._order
        while self._left and self.used < effort:
            taken = self._taken(self._left[-1])
            count, is_exact, used = evaluate(
                taken, order.columns, self._work, order.high, effort - self.used
            )
            self.used += used + 1
            yield Progress(0, 1)
            if not is_exact and count <= order.high:
                # The effort is used up, so this board stays on the list.
                return None
            self._left.pop()
            if order.low <= count <= order.high:
                return self._position(taken)
        return None

    def _taken(
        self, chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    ) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Return for each point whether it has a stone, from the chosen groups."""
        taken = np.zeros(len(self._allowed), np.bool_)
        members = self._groups[chosen].ravel()
        taken[members[members >= 0]] = True
        return taken

    def _position(self, taken: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Position:
        bits = sum(1 << int(cell) for cell in np.flatnonzero(taken))
        return Position(self._order.rows, self._order.columns, bits)

    def _anneal(self, effort: int) -> Run[Position | None]:
        """Return a board made by annealing a random board, or None if that failed."""
        order = self._order
        stones = self._rng.choice(order.stones)
        chosen, miss = self._begin_countable(stones)
        if chosen is None:
            return None
        taken = self._taken(chosen)
        lacking = stones - int(taken.sum())
        word = np.array([self._rng.getrandbits(64) | 1], np.uint64)
        end = min(self.used + _ANNEALING_NODES, effort)
        while (miss > 0 or lacking) and self.used < end:
            miss, lacking, used = anneal(
                self._groups,
                self._sizes,
                chosen,
                order.columns,
                taken,
                self._work,
                order.low,
                order.high,
                word,
                miss,
                lacking,
                _SLICE_NODES,
            )
            self.used += used
            yield Progress(0, 1)
        return None if miss > 0 or lacking else self._position(taken)

    def _begin_countable(
        self, stones: int
    ) -> "tuple[np.ndarray[tuple[int], np.dtype[np.bool_]] | None, float]":
        """Return for each group whether it has stones at first, and the miss of the board.

        The board has fewer stones where those with all stones have too many solutions to count,
        because no change of such a board shows whether it is better.
        """
        order = self._order
        for begun in range(stones, 0, -1):
            chosen = self._begin(begun)
            self.used += _SLICE_NODES // 100
            if chosen is None:
                continue
            taken = self._taken(chosen)
            miss, used = measure_miss(taken, order.columns, self._work, order.low, order.high, HUGE)
            self.used += used
            if miss != UNDECIDED:
                return chosen, miss
        return None, UNDECIDED

    def _begin(self, stones: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]] | None":
        """Return for each group whether it has stones at first, or None if chance made no board.

        The board is solvable, except that with a symmetry it may be any board.
        """
        order = self._order
        if order.symmetry == "none":
            taken = np.zeros(len(self._allowed), np.bool_)
            word = np.array([self._rng.getrandbits(64) | 1], np.uint64)
            made = backwards(self._allowed, order.rows, order.columns, stones, word, taken)
            return taken[self._groups[:, 0]] if made else None
        chosen = np.zeros(len(self._sizes), np.bool_)
        for g in self._rng.sample(range(len(self._sizes)), len(self._sizes)):
            if self._sizes[g] <= stones:
                chosen[g] = True
                stones -= int(self._sizes[g])
        return None if stones else chosen
