"""All solutions of a start: one by one, as sets, listed, and what they have in common.

A search ends in leaves (`search.Leaf`), each of which stands for many solutions. Where there are
few enough, all solutions are kept, each as a bit. The number of solutions that some given pieces
leave is then an intersection of sets, which takes microseconds where a search takes milliseconds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import inf

from solvers.answers import AnswerTable, Exact, ShownBoard, SolutionsAnswer
from solvers.grid import write_cell
from solvers.kikazu.questions import CommonAnswer
from solvers.kikazu.rules import PIECES, Move, Position
from solvers.kikazu.search import Leaf, Problem, Race, problem_of
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run
from solvers.solutions import MAX_SOLUTIONS

PlacedPiece = tuple[str, int]
"""A piece and its square."""

Placement = tuple[PlacedPiece, ...]
"""A solution: its pieces and their squares, in the order of `PIECES`."""


def placements(problem: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the solutions of a leaf."""
    rests = _fill(problem, leaf) if leaf.rest else _columns(problem, leaf)
    for rest in rests:
        yield tuple(
            sorted((*leaf.placed, *rest), key=lambda placed: (PIECES.index(placed[0]), placed[1]))
        )


def moves(problem: Problem, placement: Placement) -> tuple[str, ...]:
    """Return the solution as texts of moves, piece by piece in the order of `PIECES`, then row by
    row."""
    cells = sort_key(problem, placement)
    return tuple(f"{PIECES[piece]} {write_cell(cell)}" for piece, cell in cells)


def with_clues(problem: Problem, position: Position, chosen: Placement) -> Position:
    """Return the board as a new start in which the chosen pieces of the hand are given."""
    board, hand = list(position.board), list(position.hand)
    for piece, square in chosen:
        board[position.index(problem.cell(square))] = piece
        hand[PIECES.index(piece)] -= 1
    return Position(position.rows, position.columns, "".join(board), tuple(hand))


def sort_key(problem: Problem, placement: Placement) -> list[tuple[int, Cell]]:
    """Return the pieces, as indices in `PIECES`, with their cells, sorted by piece and then row by
    row."""
    return sorted((PIECES.index(piece), problem.cell(square)) for piece, square in placement)


def _fill(problem: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to give K, G, S, L and P to the squares of the rest, all of which are
    taken."""
    taken = problem.occupied | leaf.rest | sum(1 << square for _, square in leaf.placed)
    hand = dict(zip(PIECES, problem.hand))
    left = {piece: hand[piece] for piece in "KGSLP"}
    kinds_of = {
        square: [
            piece
            for piece in left
            if left[piece] and not problem.reach[PIECES.index(piece)][square] & taken
        ]
        for square in range(problem.rows * problem.columns)
        if leaf.rest >> square & 1
    }
    forced = tuple((kinds[0], square) for square, kinds in kinds_of.items() if len(kinds) == 1)
    for piece, square in forced:
        left[piece] -= 1
        del kinds_of[square]
    squares, possible = list(kinds_of), list(kinds_of.values())
    # ahead[piece][i]: the number of squares from the i-th on that the piece may take.
    ahead = {
        piece: [sum(piece in kinds for kinds in possible[i:]) for i in range(len(squares) + 1)]
        for piece in left
    }
    chosen: list[str] = []

    def go_on() -> Iterator[Placement]:
        at = len(chosen)
        if at == len(squares):
            yield (*forced, *zip(chosen, squares))
            return
        for piece in possible[at]:
            if not left[piece]:
                continue
            left[piece] -= 1
            if all(number <= ahead[other][at + 1] for other, number in left.items()):
                chosen.append(piece)
                yield from go_on()
                chosen.pop()
            left[piece] += 1

    yield from go_on()


def _columns(problem: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to put the lances and pawns anywhere they can stand."""
    occupied, barred = problem.occupied, problem.barred
    for piece, square in leaf.placed:
        occupied |= 1 << square
        barred |= 1 << square | problem.reach[PIECES.index(piece)][square]
    up = problem.reach[PIECES.index("L")]
    squares = [
        square
        for square in range(problem.rows * problem.columns)
        if not barred >> square & 1 and not problem.reach[PIECES.index("P")][square] & occupied
    ]
    # fits[i]: the most pieces that fit on the squares from the i-th on, none ahead of another.
    fits = [0] * (len(squares) + 2)
    for at in range(len(squares) - 1, -1, -1):
        in_line = squares[at + 1 : at + 2] == [squares[at] + 1] and up[squares[at] + 1]
        fits[at] = max(fits[at + 1], 1 + fits[at + 2 if in_line else at + 1])
    placed: list[tuple[str, int]] = []

    def go_on(at: int, lances: int, pawns: int, standing: int) -> Iterator[Placement]:
        if lances + pawns == 0:
            yield tuple(placed)
            return
        if lances + pawns > fits[at]:
            return
        square = squares[at]
        yield from go_on(at + 1, lances, pawns, standing)
        ahead = up[square]
        # Any piece on this square attacks the piece ahead, if there is one.
        if standing & ahead and standing >> (square - 1) & 1:
            return
        for piece, left in (("L", lances), ("P", pawns)):
            if left and not (piece == "L" and ahead & (standing | occupied)):
                placed.append((piece, square))
                yield from go_on(
                    at + 1, lances - (piece == "L"), pawns - (piece == "P"), standing | 1 << square
                )
                placed.pop()

    yield from go_on(0, problem.hand[PIECES.index("L")], problem.hand[PIECES.index("P")], 0)


KEPT = 2
"""The number of starts whose solutions a process keeps. A teacher who asks for more puzzles of one
set, or asks another question about it, then waits for no search."""

_kept: dict[Problem, list[Placement]] = {}


def all_solutions(position: Position, seconds: float = inf) -> Run[list[Placement] | None]:
    """Return the ways to place the rest of the hand, sorted by kind and then row by row.

    The caller must not change the list. Returns None when there are more than `MAX_SOLUTIONS`, or
    when `seconds` seconds of searching did not find them all.
    """
    problem = problem_of(position)
    if problem is None:
        return []
    if not any(position.hand):
        return [()]
    if problem in _kept:
        return _kept[problem]
    race = Race(problem, keep=MAX_SOLUTIONS)
    while not race.leader.finished:
        progress = race.step()
        if (progress.at_least or 0) > MAX_SOLUTIONS or race.seconds > seconds:
            return None
        yield progress
    if race.leader.total > MAX_SOLUTIONS:
        return None
    result = [solution for leaf in race.leader.leaves() for solution in placements(problem, leaf)]
    result.sort(key=lambda solution: sort_key(problem, solution))
    while len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[problem] = result
    return result


def forget() -> None:
    """Forget the solutions that the process keeps, so that the next search can be measured."""
    _kept.clear()


class SolutionSets:
    """Some solutions, numbered from 0, and for each piece on a square the set of those that have
    it.

    Sets are Python integers: bit n stands for solution n.
    """

    def __init__(self, solutions: list[Placement]) -> None:
        self.solutions = solutions
        self.everything = (1 << len(solutions)) - 1
        numbers: dict[PlacedPiece, list[int]] = {}
        for number, solution in enumerate(solutions):
            for placed in solution:
                numbers.setdefault(placed, []).append(number)
        self.having = {placed: _as_bits(listed) for placed, listed in numbers.items()}

    def left(self, placed_pieces: Iterable[PlacedPiece], among: int | None = None) -> int:
        """Return the set of solutions, among those in `among`, that have all of these pieces."""
        left = self.everything if among is None else among
        for placed in placed_pieces:
            left &= self.having.get(placed, 0)
        return left


def _as_bits(numbers: list[int]) -> int:
    bits = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return int.from_bytes(bits, "little")


def solutions(
    kind: Kind[Position, Move], position: Position, *, first: int, limit: int
) -> Run[SolutionsAnswer]:
    """List the solutions from the position on: `limit` of them from number `first` (from 1) on.

    Returns a `SolutionsAnswer` whose value is the number of solutions. They are sorted by the
    squares of the rooks, row by row, then by those of the bishops, and so on. When there are more
    than `MAX_SOLUTIONS` solutions, the answer is not proven: its value is `MAX_SOLUTIONS` + 1, and
    it has a note.
    """
    problem = problem_of(position)
    placements_found = yield from all_solutions(position)
    if problem is None:
        return SolutionsAnswer(Exact(0))
    if placements_found is None:
        note = Message(
            "There are more than {most} solutions. They are not listed.", {"most": MAX_SOLUTIONS}
        )
        return SolutionsAnswer(Exact(MAX_SOLUTIONS + 1), proven=False, note=note, more=True)
    last = first + limit - 1
    lines = [moves(problem, solution) for solution in placements_found[first - 1 : last]]
    return SolutionsAnswer(
        Exact(len(placements_found)),
        lines[0] if lines else (),
        solutions=tuple(map(" ".join, lines)),
        more=len(placements_found) > last,
    )


SHOWN = 30
"""The most skeletons that are drawn."""


def common(kind: Kind[Position, Move], position: Position) -> Run[CommonAnswer]:
    """Find what the solutions have in common.

    Mirror images are solutions of their own: which of the two was left out would decide what the
    others have in common. Where each is wanted once, a piece that only one of the two has can be
    set first. Returns a `CommonAnswer` whose value is the number of solutions. The boards are the
    fixed pieces, then a solution for each skeleton, the most frequent first. The table has, for
    each number of pawns with nothing ahead of them, how many solutions have that number; a lance
    can only take the place of such a pawn. There is no value where there are no solutions, or more
    than `MAX_SOLUTIONS`.
    """
    problem = problem_of(position)
    all_placements = yield from all_solutions(position)
    if not all_placements or problem is None:
        note = Message(
            "This can be looked at when there are 1 to {most} solutions.", {"most": MAX_SOLUTIONS}
        )
        return CommonAnswer(None, proven=False, note=note)
    fixed = tuple(set.intersection(*(set(solution) for solution in all_placements)))
    squares = [
        problem.occupied | sum(1 << square for _, square in solution) for solution in all_placements
    ]
    always = squares[0]
    for occupied in squares:
        always &= occupied
    skeletons = Counter(squares)
    example = dict(zip(squares, all_placements))

    def board(solution: Placement, caption: Message) -> ShownBoard:
        position_after = kind.play_line(position, " ".join(moves(problem, solution)))
        return ShownBoard(kind.write(position_after), caption)

    note = Message(
        "Solutions: {solutions}. Pieces that stand at the same place in all of them: {fixed}. "
        "Squares that are always taken: {occupied}. Different sets of taken squares: {skeletons}.",
        {
            "solutions": len(all_placements),
            "fixed": len(fixed),
            "occupied": always.bit_count(),
            "skeletons": len(skeletons),
        },
    )
    boards = [board(fixed, Message("These pieces stand there in all solutions"))] if fixed else []
    for number, (occupied, many) in enumerate(skeletons.most_common(SHOWN), 1):
        values = {"number": number, "solutions": many}
        caption = Message("Taken squares {number}. Solutions on them: {solutions}", values)
        boards.append(board(example[occupied], caption))
    heads = Counter(
        _heads(problem, solution, occupied) for solution, occupied in zip(all_placements, squares)
    )
    head = (Message("Pawns with nothing ahead"), Message("Solutions"))
    return CommonAnswer(
        Exact(len(all_placements)),
        note=note,
        fixed=moves(problem, fixed),
        occupied=always.bit_count(),
        skeletons=len(skeletons),
        boards=tuple(boards),
        tables=(AnswerTable(head, tuple(sorted(heads.items()))),),
    )


def _heads(problem: Problem, solution: Placement, occupied: int) -> int:
    ahead = problem.reach[PIECES.index("L")]
    return sum(piece == "P" and not ahead[square] & occupied for piece, square in solution)
