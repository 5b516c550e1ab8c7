"""Positions after a line of moves, remembered between requests.

A line grows by a move with each step, and every request about a board needs the position after its
line. Without the memory, the time of a step would grow with the number of steps before it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice
from threading import Lock
from typing import Any

from solvers.kind import split_moves
from solvers.registry import AnyKind

MAX_REMEMBERED = 1_000
"""The number of positions that a process remembers. A class of 40 and its teacher's pages look at a
few hundred."""

MAX_MOVES_AHEAD = 20
"""How many moves a line may be ahead of a remembered position: another process may have answered
the steps in between."""

_Key = tuple[AnyKind, str, str]

_positions: OrderedDict[_Key, Any] = OrderedDict()
"""The positions by kind, text of the start, and line; the one used last stands at the end."""
_lock = Lock()
"""Protects `_positions` from the threads of a web process."""


def position_after(kind: AnyKind, start: str, line: str = "") -> Any:
    """Return the position after the line from the start with this text.

    Raise BadText or IllegalMove if the texts describe no position. Callers may share the position,
    because it can't be changed.
    """
    moves = split_moves(line)
    line = " ".join(moves)
    for end in islice(_ends_of_moves(moves, len(line)), MAX_MOVES_AHEAD + 1):
        position = _recall((kind, start, line[:end]))
        if position is not None:
            break
    else:
        end, position = 0, kind.read(start)
        remember(kind, start, "", position)
    if end < len(line):
        position = kind.play_line(position, line[end:])
        remember(kind, start, line, position)
    return position


def remember(kind: AnyKind, start: str, line: str, position: Any) -> None:
    """Remember that this is the position after the line."""
    with _lock:
        _positions[kind, start, line] = position
        _positions.move_to_end((kind, start, line))
        if len(_positions) > MAX_REMEMBERED:
            _positions.popitem(last=False)


def _recall(key: _Key) -> Any:
    """Return the remembered position; None if there is none."""
    with _lock:
        if key in _positions:
            _positions.move_to_end(key)
        return _positions.get(key)


def _ends_of_moves(moves: list[str], end: int) -> Iterator[int]:
    """Yield the length of the joined line after each move, from the last move back to the start.

    `end` is the length of the whole joined line.
    """
    for move in reversed(moves):
        yield end
        end -= len(move) + len(" ")
    yield 0
