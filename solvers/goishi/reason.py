"""The question `reason`: stones of which at least one is left over, whatever the way.

The elements are the stones left. A set of them is met by a way that picks all of them up; the other
stones stay where they are, and may be picked up or not.

The search prunes with two theorems about a stone that has to be picked up:

- If no stone is left in its row or column, it can only be the next one, and then the last one.
- If stones are left in one direction only, it can only be the next one or the last one. A later way
  arrives from that direction, and must not turn straight back.
"""
# Numba infers the kernels' types: arrays as in `kernels`, and int64.
# mypy: disable-error-code="no-untyped-def, call-arg, var-annotated"

import numpy as np
from numba import njit

from solvers.answers import Reason, ReasonAnswer
from solvers.bits import lowest
from solvers.goishi.kernels import FREE, MAX_STONES, SLICE_NODES, degree, nearest
from solvers.goishi.network import Network, network
from solvers.goishi.rules import Position, moves, play
from solvers.goishi.search import Words
from solvers.kind import Cell, Kind, row_and_column
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.reasons import IMPOSSIBLE, ImpossibleSet, answer_with, impossible_set

NODES = 1 << 19
"""The most search nodes for one set of stones, which take a third of a second."""

_MEMO_SLOTS = 1 << 18

_NONE, _ONE = np.uint64(0), np.uint64(1)


def reason(kind: Kind[Position, Cell], position: Position) -> Run[ReasonAnswer]:
    """Find a smallest set of stones that can't all be picked up any more."""
    board, _ = network(position)
    stones = len(board.cells)
    if not stones or stones > MAX_STONES:
        return answer_with(None, lambda found: _reason(position, board, found))
    ahead = np.array(board.ahead, np.uint64)
    rests, tags = _starts(position, board)

    def meet(wanted: int) -> Run[int | None]:
        return (yield from _meet(ahead, rests, tags, wanted))

    found = yield from impossible_set(stones, meet)
    return answer_with(found, lambda found: _reason(position, board, found))


def _starts(position: Position, board: Network) -> tuple[Words, Words]:
    """Return the stones left and the tag (stone | back << 8) after each legal move."""
    everything = (1 << len(board.cells)) - 1
    rests, tags = [], []
    for move in moves(position):
        stone, arrival = board.cells.index(move), play(position, move).arrival
        rests.append(everything & ~(1 << stone))
        tags.append(stone | (FREE if arrival is None else (arrival + 2) % 4) << 8)
    return np.array(rests, np.uint64), np.array(tags, np.uint64)


def _meet(ahead: Words, rests: Words, tags: Words, wanted: int) -> Run[int | None]:
    """Return the stones that some way picks up, with all those wanted among them."""
    if not len(rests):
        return IMPOSSIBLE if wanted else 0
    depths, children = len(ahead) + 1, max(4, len(rests))
    stack = np.zeros((2, depths, children), np.uint64)
    stack[0, 0, : len(rests)], stack[1, 0, : len(tags)] = rests, tags
    width = np.zeros(depths, np.int64)
    width[0] = len(rests)
    memo = np.zeros((2, _MEMO_SLOTS), np.uint64)
    depth = 0
    for used in range(0, NODES, SLICE_NODES):
        outcome, depth, left = search(
            ahead, stack, width, depth, memo, np.uint64(wanted), SLICE_NODES
        )
        if outcome == 0:
            return IMPOSSIBLE
        if outcome > 0:
            return ((1 << len(ahead)) - 1) & ~int(left)
        yield Progress(used, NODES)
    return None


@njit(cache=True)
def slot_of(rest, tag):
    """Return a hash of a state."""
    mixed = rest * np.uint64(0x9E3779B97F4A7C15) ^ tag * np.uint64(0xD6E8FEB86659FD93)
    return mixed >> np.uint64(40)


@njit(cache=True)
def is_lost(ahead, rest, stone, back, wanted):
    """Return whether it is seen that the wanted stones of `rest` can't all be picked up."""
    left = rest & wanted
    if left == _NONE:
        return False
    following = _NONE
    for direction in range(4):
        seen = rest & ahead[stone, direction]
        if seen != _NONE and direction != back:
            following |= _ONE << np.uint64(nearest(seen, direction))
    if following == _NONE:
        return True
    ends = following_ends = 0
    others = left
    while others != _NONE:
        bit = others & (~others + _ONE)
        others ^= bit
        exits = degree(ahead, lowest(bit), rest)
        if exits == 0 and (following & bit == _NONE or left != bit):
            return True
        if exits == 1:
            ends += 1
            following_ends += 1 if following & bit != _NONE else 0
    return ends > 2 or (ends == 2 and following_ends == 0)


@njit(cache=True)
def search(ahead, stack, width, depth, memo, wanted, nodes):
    """Continue a depth-first search for a way that picks up the wanted stones, and go on with it
    until no move is left.

    `stack` has the stones left and the tags (stone | back << 8) of the states that are still to be
    examined, `width` of them at each depth. `memo` has states that failed.

    Returns (outcome, depth, stones left). The outcome is 1 for found, 0 for none, -1 for undecided.
    """
    mask = np.uint64(memo.shape[1] - 1)
    for _ in range(nodes):
        while width[depth] == 0:
            if depth == 0:
                return 0, depth, _NONE
            # The state above, whose followers have all failed, has failed.
            depth -= 1
            width[depth] -= 1
            rest, tag = stack[0, depth, width[depth]], stack[1, depth, width[depth]]
            slot = slot_of(rest, tag) & mask
            memo[0, slot], memo[1, slot] = rest, tag
        top = width[depth] - 1
        rest, tag = stack[0, depth, top], stack[1, depth, top]
        stone = np.int64(tag & np.uint64(255))
        back = np.int64(tag >> np.uint64(8))
        if back != FREE and rest & ahead[stone, back] == _NONE:
            back = np.int64(FREE)
            tag = np.uint64(stone | FREE << 8)
            stack[1, depth, top] = tag
        slot = slot_of(rest, tag) & mask
        is_met = rest & wanted == _NONE
        if not is_met and (
            (memo[0, slot] == rest and memo[1, slot] == tag)
            or is_lost(ahead, rest, stone, back, wanted)
        ):
            width[depth] -= 1
            continue
        following = 0
        for direction in range(4):
            seen = rest & ahead[stone, direction]
            if seen != _NONE and direction != back:
                there = nearest(seen, direction)
                stack[0, depth + 1, following] = rest & ~(_ONE << np.uint64(there))
                stack[1, depth + 1, following] = np.uint64(there | (direction + 2) % 4 << 8)
                following += 1
        if is_met and following == 0:
            return 1, depth, rest
        depth += 1
        width[depth] = following
    return -1, depth, _NONE


def _reason(position: Position, board: Network, found: ImpossibleSet) -> Reason:
    stones = list(found.numbers())
    cells = [board.cells[stone] for stone in stones]
    left = (1 << len(board.cells)) - 1
    exits = [board.degree(stone, left) for stone in stones]
    following = set(moves(position)) if position.picked else set()
    word, values = "left over", {"number": len(cells)}
    message = Message(
        "Whatever the way, at least one of the {number} marked stones is left over.", values
    )
    if len(cells) == 1:
        word = "unreachable"
        message = Message(
            "No way leads to the stone at row {row}, column {column}.", row_and_column(cells[0])
        )
    elif len(cells) == 2 and set(exits) == {1} and following.isdisjoint(cells) and position.picked:
        word = "ends"
        message = Message(
            "Both marked stones are dead ends: each of them could only be the last one."
        )
    elif len(cells) == 3 and set(exits) == {1}:
        word = "ends"
        message = Message(
            "The three marked stones are dead ends: each could only be the next or the last one."
        )
        if not position.picked:
            message = Message(
                "The three marked stones are dead ends: each could only be the first or the last."
            )
    return found.reason(word, message, cells)
