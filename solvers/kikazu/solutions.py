"""All solutions of a start: one by one, as sets, listed, and what they have in common.

A search ends in leaves (`search.Leaf`), each of which stands for many solutions. Where there are
few enough they are all kept, each as a bit: "how many are left when these pieces are given?" is
then an intersection of sets, in microseconds, where a search takes milliseconds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import inf

from solvers.answers import AnswerTable, Exact, ShownBoard, SolutionsAnswer
from solvers.grid import write_cell
from solvers.kikazu.questions import CommonAnswer
from solvers.kikazu.rules import PIECES, Move, Position, mirrored
from solvers.kikazu.search import Leaf, Problem, Race, problem
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run
from solvers.solutions import MOST

Put = tuple[str, int]
"""A piece and its square."""

Placement = tuple[Put, ...]
"""A solution: pieces and their squares, piece by piece in the order of `PIECES`."""


def placements(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the solutions of a leaf."""
    rests = _fill(asked, leaf) if leaf.rest else _columns(asked, leaf)
    for rest in rests:
        yield tuple(sorted((*leaf.placed, *rest), key=lambda put: (PIECES.index(put[0]), put[1])))


def moves(asked: Problem, placement: Placement) -> tuple[str, ...]:
    """Return the solution as texts of moves, row by row for each piece."""
    cells = sort_key(asked, placement)
    return tuple(f"{PIECES[piece]} {write_cell(cell)}" for piece, cell in cells)


def given(asked: Problem, position: Position, chosen: Placement) -> Position:
    """Return the board as it stands as a new start, with these pieces of the hand given."""
    board, hand = list(position.board), list(position.hand)
    for piece, square in chosen:
        board[position.index(asked.cell(square))] = piece
        hand[PIECES.index(piece)] -= 1
    return Position(position.rows, position.columns, "".join(board), tuple(hand))


def sort_key(asked: Problem, placement: Placement) -> list[tuple[int, Cell]]:
    """Return the pieces (index in `PIECES`) and their cells, row by row for each piece."""
    return sorted((PIECES.index(piece), asked.cell(square)) for piece, square in placement)


def _fill(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to give K, G, S, L and P to the squares of the rest, all of them taken."""
    taken = asked.occupied | leaf.rest | sum(1 << square for _, square in leaf.placed)
    hand = dict(zip(PIECES, asked.hand))
    left = {piece: hand[piece] for piece in "KGSLP"}
    kinds_of = {
        square: [
            piece
            for piece in left
            if left[piece] and not asked.reach[PIECES.index(piece)][square] & taken
        ]
        for square in range(asked.rows * asked.columns)
        if leaf.rest >> square & 1
    }
    forced = tuple((kinds[0], square) for square, kinds in kinds_of.items() if len(kinds) == 1)
    for piece, square in forced:
        left[piece] -= 1
        del kinds_of[square]
    squares, possible = list(kinds_of), list(kinds_of.values())
    # ahead[piece][i]: how many of the squares from the i-th on the piece may take.
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


def _columns(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to put the lances and pawns anywhere they can stand."""
    occupied, barred = asked.occupied, asked.barred
    for piece, square in leaf.placed:
        occupied |= 1 << square
        barred |= 1 << square | asked.reach[PIECES.index(piece)][square]
    up = asked.reach[PIECES.index("L")]
    squares = [
        square
        for square in range(asked.rows * asked.columns)
        if not barred >> square & 1 and not asked.reach[PIECES.index("P")][square] & occupied
    ]
    # fits[i]: how many pieces the squares from the i-th on can take, none ahead of another.
    fits = [0] * (len(squares) + 2)
    for at in range(len(squares) - 1, -1, -1):
        in_line = squares[at + 1 : at + 2] == [squares[at] + 1] and up[squares[at] + 1]
        fits[at] = max(fits[at + 1], 1 + fits[at + 2 if in_line else at + 1])
    put: list[tuple[str, int]] = []

    def go_on(at: int, lances: int, pawns: int, standing: int) -> Iterator[Placement]:
        if lances + pawns == 0:
            yield tuple(put)
            return
        if lances + pawns > fits[at]:
            return
        square = squares[at]
        yield from go_on(at + 1, lances, pawns, standing)
        ahead = up[square]
        # The piece ahead, if any, is attacked by whatever stands here.
        if standing & ahead and standing >> (square - 1) & 1:
            return
        for piece, left in (("L", lances), ("P", pawns)):
            if left and not (piece == "L" and ahead & (standing | occupied)):
                put.append((piece, square))
                yield from go_on(
                    at + 1, lances - (piece == "L"), pawns - (piece == "P"), standing | 1 << square
                )
                put.pop()

    yield from go_on(0, asked.hand[PIECES.index("L")], asked.hand[PIECES.index("P")], 0)


LISTED = MOST
"""Solutions that are kept at most."""

KEPT = 2
"""Starts whose solutions a process keeps: who asks for more puzzles of one set, or turns to another
question about it, waits for no search."""

_kept: dict[Problem, list[Placement]] = {}


def all_solutions(position: Position, seconds: float = inf) -> Run[list[Placement] | None]:
    """Return the ways to place the rest of the hand, sorted by kind and then row by row.

    Not to be changed. None when there are more than `LISTED`, or when `seconds` of searching
    did not find them all.
    """
    asked = problem(position)
    if asked is None:
        return []
    if not any(position.hand):
        return [()]
    if asked in _kept:
        return _kept[asked]
    race = Race(asked, keep=LISTED)
    while not race.leader.finished:
        progress = race.step()
        if (progress.at_least or 0) > LISTED or race.seconds > seconds:
            return None
        yield progress
    if race.leader.total > LISTED:
        return None
    found = [solution for leaf in race.leader.leaves() for solution in placements(asked, leaf)]
    found.sort(key=lambda solution: sort_key(asked, solution))
    while len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[asked] = found
    return found


class SolutionSets:
    """Solutions, numbered from 0, and for each piece on a square the set of those that have it.

    Sets are Python integers: bit n stands for solution n.
    """

    def __init__(self, solutions: list[Placement]) -> None:
        self.solutions = solutions
        self.everything = (1 << len(solutions)) - 1
        numbers: dict[Put, list[int]] = {}
        for number, solution in enumerate(solutions):
            for put in solution:
                numbers.setdefault(put, []).append(number)
        self.having = {put: _as_bits(listed) for put, listed in numbers.items()}

    def left(self, puts: Iterable[Put], among: int | None = None) -> int:
        """Return the set of solutions, of those in `among`, that have all of these pieces."""
        left = self.everything if among is None else among
        for put in puts:
            left &= self.having.get(put, 0)
        return left


def _as_bits(numbers: list[int]) -> int:
    bits = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        bits[number // 8] |= 1 << number % 8
    return int.from_bytes(bits, "little")


def solutions(
    kind: Kind[Position, Move], position: Position, *, first: int, limit: int
) -> Run[SolutionsAnswer]:
    """Ask for the solutions from the position on, `limit` of them from number `first` (from 1).

    They are sorted by the squares of the rooks, row by row, then the bishops, and so on. Value:
    how many there are; when there are more than `LISTED`, that many and one, not proven, and a
    note.
    """
    asked = problem(position)
    found = yield from all_solutions(position)
    if asked is None:
        return SolutionsAnswer(Exact(0))
    if found is None:
        note = Message(
            "There are more than {most} solutions. They are not listed.", {"most": LISTED}
        )
        return SolutionsAnswer(Exact(LISTED + 1), proven=False, note=note, more=True)
    last = first + limit - 1
    lines = [moves(asked, solution) for solution in found[first - 1 : last]]
    return SolutionsAnswer(
        Exact(len(found)),
        lines[0] if lines else (),
        solutions=tuple(map(" ".join, lines)),
        more=len(found) > last,
    )


SHOWN = 30
"""Skeletons that are drawn at most."""


def common(kind: Kind[Position, Move], position: Position) -> Run[CommonAnswer]:
    """Ask what the solutions have in common; of a solution and its mirror image only one counts
    where the position is its own mirror image.

    Value: how many solutions that leaves. The boards are the fixed pieces, then a solution for
    each skeleton, the most frequent first; the table says how many solutions have how many pawns
    with nothing ahead of them: a lance can only take the place of one of these. No value for no
    solutions, or more than `LISTED`.
    """
    asked = problem(position)
    found = yield from all_solutions(position)
    if not found or asked is None:
        note = Message(
            "This can be looked at when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return CommonAnswer(None, proven=False, note=note)
    if mirrored(position) == position.board:
        # The one whose first piece stands further left, and so on.
        found = [solution for solution in found if solution <= _mirror(asked, solution)]
    fixed = tuple(set.intersection(*(set(solution) for solution in found)))
    squares = [asked.occupied | sum(1 << square for _, square in solution) for solution in found]
    always = squares[0]
    for occupied in squares:
        always &= occupied
    skeletons = Counter(squares)
    example = dict(zip(squares, found))

    def board(solution: Placement, caption: Message) -> ShownBoard:
        shown = kind.play_line(position, " ".join(moves(asked, solution)))
        return ShownBoard(kind.write(shown), caption)

    note = Message(
        "Solutions, mirror images counted once: {solutions}. Pieces that stand at the same place "
        "in all of them: {fixed}. Squares that are always taken: {occupied}. Different sets of "
        "taken squares: {skeletons}.",
        {
            "solutions": len(found),
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
    heads = Counter(_heads(asked, solution, occupied) for solution, occupied in zip(found, squares))
    head = (Message("Pawns with nothing ahead"), Message("Solutions"))
    return CommonAnswer(
        Exact(len(found)),
        note=note,
        fixed=moves(asked, fixed),
        occupied=always.bit_count(),
        skeletons=len(skeletons),
        boards=tuple(boards),
        tables=(AnswerTable(head, tuple(sorted(heads.items()))),),
    )


def _mirror(asked: Problem, solution: Placement) -> Placement:
    last = (asked.columns - 1) * asked.rows
    turned = ((piece, last - square + 2 * (square % asked.rows)) for piece, square in solution)
    return tuple(sorted(turned, key=lambda put: (PIECES.index(put[0]), put[1])))


def _heads(asked: Problem, solution: Placement, occupied: int) -> int:
    ahead = asked.reach[PIECES.index("L")]
    return sum(piece == "P" and not ahead[square] & occupied for piece, square in solution)
