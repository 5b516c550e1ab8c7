"""The question `generate`: boards to order."""

import random
from typing import Any

import numpy as np

from solvers.answers import GenerateAnswer, GeneratedBoard
from solvers.goishi.generate_kernels import backwards, climb, work
from solvers.goishi.network import network
from solvers.goishi.questions import Order, order_for
from solvers.goishi.rules import Position, canonical
from solvers.goishi.search import NODES, find
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run, relayed

EFFORT = 150_000_000
"""Search nodes for each board wanted, about half a minute, before fewer must do."""

_CLIMB = 20_000_000
"""Nodes after which a climb starts anew elsewhere."""

_SLICE = 1_000_000
"""Nodes of one call: a fraction of a second."""


def generate(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    many: int,
    seed: int,
    known: list[str],
    **wanted: Any,
) -> Run[GenerateAnswer]:
    """Ask for new boards; the position matters for the shape "drawn": stones go where it has some.

    `wanted`: see `order_for`; `known`: the canonical texts of boards not wanted again. The same
    seed gives the same boards. Value: the number found, not proven when that is fewer than `many`
    after all the effort. The boards so far come with every sign of life; no two are the same
    turned, mirrored or spread out. Raises PuzzleError at once for what can't be.
    """
    order = order_for(position, **wanted)
    maker = _Maker(order, random.Random(seed))
    seen = set(known)
    boards: list[GeneratedBoard] = []

    def sign(part: Progress | None = None) -> Progress:
        note = Message("Boards found: {found} of {many}.", {"found": len(boards), "many": many})
        return Progress(len(boards), many, note, found=GenerateAnswer(boards=tuple(boards)))

    while len(boards) < many and maker.used < many * EFFORT:
        found = yield from relayed(maker.next_board(many * EFFORT), sign)
        if found is None or canonical(found) in seen:
            continue
        seen.add(canonical(found))
        rated = yield from relayed(kind.questions["rate"].ask(kind, found), sign)
        if rated.value not in order.bands:
            continue
        board, starts = network(found)
        line = yield from relayed(find(board, starts, NODES), sign)
        boards.append(
            GeneratedBoard(
                position=kind.write(found),
                solutions=rated.solutions,
                band=rated.band,
                line=" ".join(board.line(line or ())),
            )
        )
        yield sign()
    note = Message(
        "After a long search only this many were found: {found} of {many}.",
        {"found": len(boards), "many": many},
    )
    return GenerateAnswer.of(boards, many, note)


class _Maker:
    """Makes boards with the wanted number of solutions, one climb after the other."""

    def __init__(self, order: Order, rng: random.Random) -> None:
        self._order = order
        self._rng = rng
        self._work = work()
        self.used = 0
        """Nodes so far."""
        points = order.rows * order.columns
        self._sizes = np.array([len(group) for group in order.groups])
        self._groups = np.full((len(order.groups), 4), -1)
        self._allowed = np.zeros(points, np.bool_)
        for g, group in enumerate(order.groups):
            members = [row * order.columns + column for row, column in group]
            self._groups[g, : len(group)] = members
            self._allowed[members] = True

    def next_board(self, effort: int) -> Run[Position | None]:
        """Return a board with a number of solutions as wanted; None when the climb failed."""
        order = self._order
        chosen = self._begin(self._rng.choice(order.stones))
        self.used += _SLICE // 100
        if chosen is None:
            return None
        taken = np.zeros(len(self._allowed), np.bool_)
        members = self._groups[chosen].ravel()
        taken[members[members >= 0]] = True
        word = np.array([self._rng.getrandbits(64) | 1], np.uint64)
        miss, spent = -1.0, 0
        while miss != 0 and spent < _CLIMB and self.used < effort:
            miss, used = climb(
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
                _SLICE,
            )
            spent += used
            self.used += used
            yield Progress(0, 1)
        if miss != 0:
            return None
        bits = sum(1 << int(cell) for cell in np.flatnonzero(taken))
        return Position(order.rows, order.columns, bits)

    def _begin(self, stones: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]] | None":
        """Return which groups bear stones at first: a solvable board, or for a symmetric look
        any; None when chance did not make one."""
        order = self._order
        if order.look == "none":
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
