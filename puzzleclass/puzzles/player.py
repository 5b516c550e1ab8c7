"""The player: a line of moves, looked at step by step. Solutions and replays share it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind


@dataclass(frozen=True, slots=True)
class Player:
    """What `puzzles/_player.html` shows: the board after `step` of `total` moves."""

    picture: Picture
    step: int
    total: int
    move: str
    """The move that led here; empty at the start."""
    told: Message | None = None
    """The same in words."""
    note: Message | str | None = None
    """A sentence about this step."""
    left: int | None = None
    """How many solutions are left after this step, where that is known."""

    @property
    def back(self) -> int:
        """The step before this one, at least 0."""
        return max(self.step - 1, 0)

    @property
    def on(self) -> int:
        """The step after this one, at most the last."""
        return min(self.step + 1, self.total)


def player_at(
    kind: AnyKind,
    start: str,
    moves: Sequence[str],
    step: str | int | None,
    *,
    notes: Mapping[int, Message | str] | None = None,
    left: Sequence[int | None] = (),
) -> Player:
    """Return the player of a line of legal moves from a start, at a step.

    `step` may come straight from a URL: what is no number counts as 0, what is out of
    range as the nearest end. `notes` and `left` (one entry for each step from 0 on, as
    far as they go) are about single steps.
    """
    at = min(max(_number(step), 0), len(moves))
    position, told = kind.read(start), None
    for text in moves[:at]:
        move = kind.read_move(text)
        position, told = kind.play(position, move), kind.told(move)
    return Player(
        picture=kind.draw(position),
        step=at,
        total=len(moves),
        move=moves[at - 1] if at else "",
        told=told,
        note=(notes or {}).get(at),
        left=left[at] if at < len(left) else None,
    )


def solution_player(
    kind: AnyKind, start: str, moves: Sequence[str], step: str | int | None
) -> Player:
    """Return the player of a solution; without a step it opens where there is most to be seen.

    That is the start where the order is what matters, and the end where it is what stands there.
    """
    opening = len(moves) if kind.family == "placement" else 0
    return player_at(kind, start, moves, opening if step is None else step)


def _number(step: str | int | None) -> int:
    # Longer digits are out of every range, and int() refuses thousands of them.
    try:
        return int(str(step)[:9])
    except ValueError:
        return 0
