"""The question `generate`: puzzles that meet a teacher's options, on the board of a position."""

import random

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kind import Kind
from solvers.maxstrings import formats, rules
from solvers.maxstrings.checkerboard import ANY, STONE, best_form, codes_of
from solvers.maxstrings.forms import count_forms
from solvers.maxstrings.games import games
from solvers.maxstrings.maximum import are_forms, phases
from solvers.maxstrings.mixed import mixed_solutions
from solvers.maxstrings.questions import GenerateOptions
from solvers.maxstrings.rate import band
from solvers.maxstrings.rules import (
    EITHER,
    EMPTY,
    FREE,
    HOLE,
    STONES,
    Board,
    Move,
    Position,
    with_letter,
)
from solvers.message import Message
from solvers.options import ANY as ANY_BAND
from solvers.question import Progress, Run
from solvers.symmetry import images

ATTEMPTS_PER_PUZZLE = 25
"""The attempts for each puzzle wanted."""

GAMES = 60
"""The games of the careful player from which a puzzle's band is determined."""


def generate(
    kind: Kind[Position, Move],
    position: Position,
    *,
    many: int = 1,
    seed: int = 0,
    **options: int | str,
) -> Run[GenerateAnswer]:
    """Generate puzzles on the position's board. `options` are the fields of `GenerateOptions`.

    Each puzzle has one solution, a checkerboard form with as many stones as possible, and no clue
    can be left out. (In the style "last", all stones but a few are clues.) What stands on the board
    stays. No puzzle is a mirror image of another. The same seed yields the same puzzles. The answer
    is not proven if fewer than `many` were found in `ATTEMPTS_PER_PUZZLE` attempts for each. Raise
    PuzzleError for options that can't be met.
    """
    wanted = GenerateOptions(**options)  # type: ignore[arg-type]
    frame = rules.merged(position)
    wanted.check(frame)
    rng = random.Random(seed)
    boards: list[GeneratedBoard] = []
    seen: set[str] = set()
    for _ in range(ATTEMPTS_PER_PUZZLE * many):
        if len(boards) == many:
            break
        made = yield from _attempt(frame, wanted, rng)
        note = Message("Puzzles found: {found} of {many}.", {"found": len(boards), "many": many})
        yield Progress(len(boards), many, note, found=GenerateAnswer.of(boards, many))
        if made is None:
            continue
        board, goal = made
        text = formats.write(board, goal)
        if text in seen:
            continue
        missing = yield from games(board, goal, random.Random(1), GAMES)
        mean = sum(missing) / len(missing)
        if wanted.band in (ANY_BAND, band(mean)):
            seen |= {formats.write(image, goal) for image in images(board)}
            clues = sum(a != b for a, b in zip("".join(board), "".join(frame))) - wanted.holes
            boards.append(
                GeneratedBoard(
                    position=text, solutions=Exact(1), clues=clues, missing=mean, band=band(mean)
                )
            )
    return GenerateAnswer.of(boards, many)


def _attempt(
    frame: Board, options: GenerateOptions, rng: random.Random
) -> Run[tuple[Board, int] | None]:
    """Return a board and its goal, or None if this attempt fails."""
    board = _with_holes(frame, options.holes, rng)
    goal, number = yield from _optimum(board)
    if goal < 1 or not number:
        return None
    clue = EITHER if options.style == "stones" else EMPTY
    clues: list[tuple[int, int]] = []
    plain = board
    open_points = [(r, c) for r, c in rules.cells(board) if board[r][c] == FREE]
    rng.shuffle(open_points)
    for cell in open_points:
        if number == 1:
            break
        tried = with_letter(plain, cell, clue)
        reached, left = yield from _optimum(tried)
        if reached == goal and left < number:
            plain, number = tried, left
            clues.append(cell)
    if number != 1:
        return None
    if options.style == "last":
        return (yield from _without_last(board, plain, goal, options.last, rng))
    for cell in clues:
        freed = with_letter(plain, cell, FREE)
        _, left = yield from _optimum(freed)
        if left == 1:
            plain = freed
    return (plain, goal) if plain != board else None


def _without_last(
    board: Board, plain: Board, goal: int, last: int, rng: random.Random
) -> Run[tuple[Board, int] | None]:
    """Return the board with the stones of its one solution, in colours, except the last few."""
    best = yield from best_form(codes_of(plain))
    stands = best.board if best else ()
    stones = [(r, c) for r, c in rules.cells(board) if stands[r][c] and board[r][c] == FREE]
    if len(stones) < last:
        return None
    phase = rng.choice(phases(board))
    for _ in range(ATTEMPTS_PER_PUZZLE):
        missing = set(rng.sample(stones, last))
        filled = board
        for row, column in stones:
            if (row, column) not in missing:
                filled = with_letter(filled, (row, column), STONES[(row + column + phase) % 2])
        reached, number = yield from _optimum(filled)
        if reached == goal and number == 1:
            return filled, goal
    return None


def _optimum(board: Board) -> Run[tuple[int, int]]:
    """Return the most strings of a form, and the number of solutions with as many.

    If a form is not the only sort of solution, and there are too many boards to count all of them,
    the number is 2 or more, but not exact.
    """
    codes = codes_of(board)
    counts = yield from count_forms(codes, 0)
    capacity = sum(code in (ANY, STONE) for row in codes for code in row)
    most, number = capacity - counts.empty, counts.forms[0]
    if number and not are_forms(board):
        mixed = yield from mixed_solutions(board, most)
        number = mixed.number if mixed else number + 1
    return most, number


def _with_holes(board: Board, holes: int, rng: random.Random) -> Board:
    """Return the board with `holes` of its free points removed at random."""
    open_points = [(r, c) for r, c in rules.cells(board) if board[r][c] == FREE]
    for cell in rng.sample(open_points, min(holes, len(open_points))):
        board = with_letter(board, cell, HOLE)
    return board
