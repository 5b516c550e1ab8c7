"""The player, which shows a line of moves step by step, for solutions and replays.

A puzzle's solutions also have a list, and can be shown alone or two side by side.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from django.core.paginator import Page, Paginator

from puzzleclass.puzzles.answers import MAX_LISTED, Count
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.answers import Reason, SolutionsAnswer
from solvers.grid import centre, read_cell
from solvers.kind import Cell, split_moves
from solvers.message import Message
from solvers.picture import Line, Picture, Shape, Text
from solvers.registry import AnyKind

ALL_SOLUTIONS = {"first": 1, "limit": MAX_LISTED}
"""The options that ask for all solutions in one answer, so that turning a page needs no job."""

A_PAGE = 24
"""The number of solutions on a page of the list."""

MAX_WEIGHED = 500
"""The most solutions for which a decisive move is sought. With more solutions a single move decides
little, and comparing them takes long."""


def drawn_after(board: Board, line: str) -> Picture:
    """Return the picture of the board after the line.

    In a sequence it has the numbers of the moves, because the board may look the same after another
    line.
    """
    kind = board.kind
    picture = kind.draw(board.after(line))
    if kind.family != "sequence":
        return picture
    return numbered(kind, picture, split_moves(line))


def numbered(kind: AnyKind, picture: Picture, moves: Iterable[str]) -> Picture:
    """Return the picture with the number of each move in the cell at which the move ends.

    Lines lead there through the other cells of the move.
    """
    numbers: dict[Cell, list[str]] = defaultdict(list)
    lines: list[Shape] = []
    for number, text in enumerate(moves, 1):
        cells = kind.cells_of(kind.read_move(text))
        numbers[cells[-1]].append(str(number))
        lines += way_through(cells, "move-way")
    labels = (
        Text(*centre(cell), " ".join(count), "label long" if len(count) > 1 else "label")
        for cell, count in numbers.items()
    )
    return picture.with_shapes((*lines, *labels))


def way_through(cells: Sequence[Cell], style: str) -> list[Shape]:
    """Return lines from each cell to the next."""
    return [Line(*centre(here), *centre(there), style) for here, there in pairwise(cells)]


@dataclass(frozen=True, slots=True)
class Player:
    """The context of `puzzles/_player.html`: the board after `step` of `total` moves."""

    picture: Picture
    step: int
    total: int
    move: str
    """The last move as text; empty at the start."""
    described: Message | None = None
    """The last move in words."""
    note: Message | str | None = None
    """A sentence about this step."""
    question: Message | None = None
    """A question for the class before it sees the next move."""
    left: int | None = None
    """The number of solutions left after this step; None if it is not known."""
    why: Message | None = None
    """The reason why the board can't be solved after this step. The picture marks its cells."""

    @property
    def back(self) -> int:
        """The number of the step before this one, at least 0."""
        return max(self.step - 1, 0)

    @property
    def on(self) -> int:
        """The number of the step after this one, at most that of the last."""
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
    why: Mapping[int, Reason] | None = None,
) -> Player:
    """Return the player of a line of legal moves from a start, at a step.

    `step` may come straight from a URL. A text that is not a number counts as 0, and a number out
    of range as the nearest end. `notes` has notes by step. `left` has the number of solutions left
    after step 0, 1, ..., as far as it is known. Before move number `decisive` (from 1) the class is
    asked. `why` has the reasons why the board can't be solved, by step.
    """
    at = min(max(_number(step), 0), len(moves))
    position, described = kind.read(start), None
    for text in moves[:at]:
        move = kind.read_move(text)
        position, described = kind.play(position, move), kind.describe(move)
    picture, reason = kind.draw(position), (why or {}).get(at)
    if reason:
        picture = picture.annotated(rings={"doomed": map(read_cell, reason.cells)})
    return Player(
        picture=picture,
        step=at,
        total=len(moves),
        move=moves[at - 1] if at else "",
        described=described,
        note=(notes or {}).get(at),
        question=Message("What would you play here?") if at == decisive - 1 else None,
        left=left[at] if at < len(left) else None,
        why=reason.message if reason else None,
    )


def solution_player(
    kind: AnyKind, start: str, moves: Sequence[str], step: str | int | None, *, decisive: int = 0
) -> Player:
    """Return the player of a solution. Without a step it opens where there is most to see.

    That is the start in a sequence, where the order of the moves matters, and the end in a
    placement, where the final board matters.
    """
    opening = len(moves) if kind.family == "placement" else 0
    return player_at(kind, start, moves, opening if step is None else step, decisive=decisive)


def decisive_move(
    board: Board, line: Sequence[str], count: Count | None, listed: SolutionsAnswer | None
) -> int:
    """Return the number of the decisive move (from 1) of a solution; 0 if none is known.

    It is the move at which the smallest share of the legal moves leaves a solution, and the first
    of equal ones. The class is asked before that move. The bare board already asks for the first
    move, so the first move is decisive only if no other is, or if only the number of solutions that
    begin with each move is known.
    """
    if listed and listed.proven and len(listed.solutions) <= MAX_WEIGHED:
        shares = _solving_shares(board, line, [split_moves(text) for text in listed.solutions])
    elif count and count.proven and count.value == 1:
        shares = _solving_shares(board, line, [line])
    else:
        return 1 if count and count.proven and 0 in count.answer.by_move.values() else 0
    decisive = {step: share for step, share in shares.items() if share < 1}
    later = {step: share for step, share in decisive.items() if step > 1} or decisive
    return min(later, key=lambda step: later[step], default=0)


def _solving_shares(
    board: Board, line: Sequence[str], solutions: Sequence[Sequence[str]]
) -> dict[int, float]:
    """Return the share of the legal moves that leave a solution, by the number of the move.

    Moves of the line are numbered from 1. `solutions` must be all solutions. A move of the line
    that leaves none of them is left out.
    """
    kind, position, shares = board.kind, board.start, {}
    remaining = [(text, set(text)) for text in solutions]
    for step, move in enumerate(line):
        if kind.family == "sequence":
            remaining = [each for each in remaining if [*each[0][:step]] == [*line[:step]]]
            solving = {text[step] for text, _ in remaining if step < len(text)}
        else:
            played = set(line[:step])
            remaining = [each for each in remaining if played <= each[1]]
            solving = set().union(*(moves for _, moves in remaining)) - played
        legal = {kind.write_move(each) for each in kind.moves(position)}
        # A kind that is not installed knows no moves.
        if move in solving and legal:
            shares[step + 1] = len(solving & legal) / len(legal)
        position = kind.play(position, kind.read_move(move))
    return shares


def ordered_player(board: Board, line: str, step: str | int | None) -> Player:
    """Return the player of a line, with the moves' numbers on the board of a sequence.

    Without a step it opens at the end, where all numbers are seen.
    """
    moves = split_moves(line)
    opening = len(moves) if step is None else step
    player = player_at(board.kind, board.position, moves, opening)
    return replace(player, picture=drawn_after(board, " ".join(moves[: player.step])))


def _number(step: str | int | None) -> int:
    # Nine digits are out of every range already, and int() refuses a number of thousands of digits.
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
    """In a sequence, the step (from 1) at which the solution parts from the one before. In a
    placement, the number of its moves that the one before does not have. None for the first."""
    picture: Picture
    """The board at the end of the solution, in a sequence with the moves' numbers."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two solutions side by side."""

    number: int
    player: Player
    moves: list[tuple[str, bool]]
    """Each move, and whether it is marked. In a sequence the first move that differs is marked; in
    a placement, all moves that the other board does not have."""


def are_boards(puzzle: Puzzle) -> bool:
    """Return whether a solution is a final board, whatever the order of the moves."""
    return puzzle.kind.family == "placement"


def page_of_solutions(texts: Sequence[str], number: int, page: str | None) -> "Page[int]":
    """Return a page of the solutions' numbers, by default the page that has `number`.

    `page` may come straight from a URL. If it is out of range, return the nearest page.
    """
    numbers = range(1, len(texts) + 1)
    return Paginator(numbers, A_PAGE).get_page(page or (number - 1) // A_PAGE + 1)


def side_by_side(
    puzzle: Puzzle, texts: Sequence[str], numbers: tuple[int, int], step: str | None
) -> tuple[list[Side], int | None]:
    """Return two solutions at a step, and the step at which they part.

    The latter is None in a placement. Without a step, sequences open where they part.
    """
    one, other = (split_moves(texts[number - 1]) for number in numbers)
    if are_boards(puzzle):
        pairs = zip(numbers, (one, other), (other, one))
        return [_board_side(puzzle, *pair, step) for pair in pairs], None
    differs = first_difference(one, other)
    at = differs if step is None else step
    sides = [_line_side(puzzle, *pair, differs, at) for pair in zip(numbers, (one, other))]
    return sides, differs


def solution_entry(puzzle: Puzzle, texts: Sequence[str], number: int) -> SolutionEntry:
    """Return the entry of a solution, numbered from 1, in the list."""
    differs = None
    if number > 1:
        before, line = (split_moves(text) for text in texts[number - 2 : number])
        differs = (
            len(set(line) - set(before)) if are_boards(puzzle) else first_difference(before, line)
        )
    return SolutionEntry(number, differs, drawn_after(puzzle, texts[number - 1]))


def first_difference(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Return the first step (from 1) at which two lines differ; None if they are the same.

    >>> first_difference(["1,1", "1,2"], ["1,1", "2,1"])
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
    changed = [kind.read_move(move) for move in line[: player.step] if move in own]
    cells = {cell for move in changed for cell in kind.cells_of(move)}
    picture = player.picture.annotated(rings={"changed": sorted(cells)})
    return Side(number, replace(player, picture=picture), [(move, move in own) for move in line])
