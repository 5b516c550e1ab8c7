"""The player: a line of moves, looked at step by step. Solutions and replays share it.

A puzzle's solutions are listed, and looked at by themselves or two side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.core.paginator import Page, Paginator

from puzzleclass.puzzles.answers import MOST_LISTED, Count
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.answers import SolutionsAnswer
from solvers.kind import split_moves
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

ALL_SOLUTIONS = {"first": 1, "limit": MOST_LISTED}
"""All of them in one answer: turning a page then waits for nobody."""

A_PAGE = 24
"""Solutions on a page of the list."""

MOST_WEIGHED = 500
"""Of more solutions there are, a single move decides little, and weighing them takes long."""


def drawn_after(board: Board, line: str) -> Picture:
    """Return the board after the line; of a sequence with the moves' numbers, for it may look the
    same after another."""
    kind, moves = board.kind, split_moves(line)
    picture = kind.draw(kind.play_line(board.start, line))
    if kind.family != "sequence":
        return picture
    return picture.annotated(
        labels={"label": {move: str(number) for number, move in enumerate(moves, 1)}}
    )


@dataclass(frozen=True, slots=True)
class Player:
    """What `puzzles/_player.html` shows: the board after `step` of `total` moves."""

    picture: Picture
    step: int
    total: int
    move: str
    """The move that led here; empty at the start."""
    described: Message | None = None
    """The same in words."""
    note: Message | str | None = None
    """A sentence about this step."""
    question: Message | None = None
    """What the class may be asked before it sees the next move."""
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
    decisive: int = 0,
) -> Player:
    """Return the player of a line of legal moves from a start, at a step.

    `step` may come straight from a URL: what is no number counts as 0, what is out of
    range as the nearest end. `notes` and `left` (one entry for each step from 0 on, as
    far as they go) are about single steps. Before the `decisive` move (from 1) the class is asked.
    """
    at = min(max(_number(step), 0), len(moves))
    position, described = kind.read(start), None
    for text in moves[:at]:
        move = kind.read_move(text)
        position, described = kind.play(position, move), kind.describe(move)
    return Player(
        picture=kind.draw(position),
        step=at,
        total=len(moves),
        move=moves[at - 1] if at else "",
        described=described,
        note=(notes or {}).get(at),
        question=Message("What would you play here?") if at == decisive - 1 else None,
        left=left[at] if at < len(left) else None,
    )


def solution_player(
    kind: AnyKind, start: str, moves: Sequence[str], step: str | int | None, *, decisive: int = 0
) -> Player:
    """Return the player of a solution; without a step it opens where there is most to be seen.

    That is the start where the order is what matters, and the end where it is what stands there.
    """
    opening = len(moves) if kind.family == "placement" else 0
    return player_at(kind, start, moves, opening if step is None else step, decisive=decisive)


def decisive_move(
    board: Board, line: Sequence[str], count: Count | None, listed: SolutionsAnswer | None
) -> int:
    """Return the move of a solution (from 1) before which the class is asked; 0 when none is known.

    It is the one at which the smallest share of the legal moves leaves a solution, of equal ones
    the first. At the start the bare board asks already, so the first move is it only where no
    other is, or where no more is known than how many solutions begin with each move.
    """
    if listed and listed.proven and len(listed.solutions) <= MOST_WEIGHED:
        shares = _good_shares(board, line, [split_moves(text) for text in listed.solutions])
    elif count and count.proven and count.value == 1:
        shares = _good_shares(board, line, [line])
    else:
        return 1 if count and count.proven and 0 in count.answer.by_move.values() else 0
    trying = {step: share for step, share in shares.items() if share < 1}
    later = {step: share for step, share in trying.items() if step > 1} or trying
    return min(later, key=lambda step: later[step], default=0)


def _good_shares(
    board: Board, line: Sequence[str], solutions: Sequence[Sequence[str]]
) -> dict[int, float]:
    """Return, for each move of the line from 1 on, which share of the legal moves in its place
    leaves one of the solutions, which are all there are; without moves that leave none."""
    kind, position, shares = board.kind, board.start, {}
    left = [(text, set(text)) for text in solutions]
    for step, move in enumerate(line):
        if kind.family == "sequence":
            left = [each for each in left if [*each[0][:step]] == [*line[:step]]]
            good = {text[step] for text, _ in left if step < len(text)}
        else:
            played = set(line[:step])
            left = [each for each in left if played <= each[1]]
            good = set().union(*(moves for _, moves in left)) - played
        legal = {kind.write_move(each) for each in kind.moves(position)}
        if move in good:
            shares[step + 1] = len(good & legal) / len(legal)
        position = kind.play(position, kind.read_move(move))
    return shares


def ordered_player(board: Board, line: str, step: str | int | None) -> Player:
    """Return the player of a line, with the moves' numbers on the board of a sequence; without a
    step it opens at the end, where all of them are seen."""
    moves = split_moves(line)
    opening = len(moves) if step is None else step
    player = player_at(board.kind, board.position, moves, opening)
    return replace(player, picture=drawn_after(board, " ".join(moves[: player.step])))


def _number(step: str | int | None) -> int:
    # Longer digits are out of every range, and int() refuses thousands of them.
    try:
        return int(str(step)[:9])
    except ValueError:
        return 0


# The list of solutions


@dataclass(frozen=True, slots=True)
class SolutionEntry:
    """A solution in the list."""

    number: int
    differs: int | None
    """The step (from 1) at which it leaves the one before; for boards, how many moves of it are
    not among those of the one before."""
    picture: Picture
    """The board at its end, of a sequence with the moves' numbers."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two solutions side by side."""

    number: int
    player: Player
    moves: list[tuple[str, bool]]
    """Each with whether it is marked: the first where the orders part, or all that the other
    board does not have."""


def are_boards(puzzle: Puzzle) -> bool:
    """Return whether a solution is what stands on the board, whatever the order of the moves."""
    return puzzle.kind.family == "placement"


def page_of(texts: Sequence[str], number: int, page: str | None) -> "Page[int]":
    """Return a page of the solutions' numbers, by default the one with a number.

    `page` may come straight from a URL: the nearest one there is.
    """
    numbers = range(1, len(texts) + 1)
    return Paginator(numbers, A_PAGE).get_page(page or (number - 1) // A_PAGE + 1)


def side_by_side(
    puzzle: Puzzle, texts: Sequence[str], numbers: tuple[int, int], step: str | None
) -> tuple[list[Side], int | None]:
    """Return two solutions at a step, and the step at which they part; None for boards.

    Without a step lines of moves open where they part.
    """
    one, other = (split_moves(texts[number - 1]) for number in numbers)
    if are_boards(puzzle):
        pairs = zip(numbers, (one, other), (other, one))
        return [_board_side(puzzle, *pair, step) for pair in pairs], None
    differs = parting(one, other)
    shown = differs if step is None else step
    sides = [_line_side(puzzle, *pair, differs, shown) for pair in zip(numbers, (one, other))]
    return sides, differs


def entry(puzzle: Puzzle, texts: Sequence[str], number: int) -> SolutionEntry:
    """Return a solution, counted from 1, as it stands in the list."""
    differs = None
    if number > 1:
        before, line = (split_moves(text) for text in texts[number - 2 : number])
        differs = len(set(line) - set(before)) if are_boards(puzzle) else parting(before, line)
    return SolutionEntry(number, differs, drawn_after(puzzle, texts[number - 1]))


def parting(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Return the first step (from 1) at which two lines differ; None when they are the same.

    >>> parting(["1,1", "1,2"], ["1,1", "2,1"])
    2
    """
    for step, (mine, theirs) in enumerate(zip_longest(one, other), 1):
        if mine != theirs:
            return step
    return None


def _line_side(
    puzzle: Puzzle, number: int, line: Sequence[str], differs: int | None, step: str | int | None
) -> Side:
    player = player_at(puzzle.kind, puzzle.position, line, step)
    return Side(number, player, [(move, at == differs) for at, move in enumerate(line, 1)])


def _board_side(
    puzzle: Puzzle, number: int, line: Sequence[str], others: Sequence[str], step: str | None
) -> Side:
    player = solution_player(puzzle.kind, puzzle.position, line, step)
    kind, own = puzzle.kind, set(line) - set(others)
    cells = [kind.cell_of(kind.read_move(move)) for move in line[: player.step] if move in own]
    picture = player.picture.annotated(rings={"changed": cells})
    return Side(number, replace(player, picture=picture), [(move, move in own) for move in line])
