"""The questions `count` and `positions`: the number of solutions.

`count` counts checkerboard forms, by the tables of `forms`.

`positions` counts every legal board, in all colours and with long strings. It uses the states of
`search` with the number of ways to each of them. The legal positions of an empty board are those of
the game of Go: 1, 57, 12675, 24318165, 414295148741, 62567386502084877 for n = 1 to 6
(OEIS A094777, Tromp and Farnebäck, "Combinatorics of Go").
"""

from solvers.answers import AnswerTable, Exact
from solvers.kind import Cell, Kind
from solvers.maxstrings import checkerboard, search
from solvers.maxstrings.best import find
from solvers.maxstrings.checkerboard import IMPOSSIBLE, STONE, WORDS
from solvers.maxstrings.forms import FormCounts, count_forms, memory_needed
from solvers.maxstrings.maximum import NO_GOAL, goal_of, phases
from solvers.maxstrings.questions import FormsAnswer, PositionsAnswer
from solvers.maxstrings.rules import (
    BLACK,
    EMPTY,
    HOLE,
    STONES,
    Move,
    Position,
    merged,
    moves_to_form,
)
from solvers.memory import MEMORY, memory_exceeded
from solvers.message import Message
from solvers.question import Clock, Progress, Run

_BY_MOVE_WORK = 100_000_000
"""The most work for counts by move, as words times points squared. It takes a few seconds."""


def count(
    kind: Kind[Position, Move], position: Position, *, memory: int = MEMORY
) -> Run[FormsAnswer]:
    """Count the checkerboard forms with enough stones that the position leads to, and find one.

    Forms are patterns of stones, so exchanging the colours makes no new form. Stones on the board
    stay. The forms with a stone on each point are counted on boards up to 10 x 10. The answer is
    not proven and has a note if `memory` bytes do not suffice or if the stones don't fit one
    checkerboard. It has no value but a note if the wanted number of strings is not known.
    """
    wanted = goal_of(position)
    board = merged(position)
    codes = checkerboard.codes_of(board)
    nothing = FormsAnswer(Exact(0))
    if wanted is None:
        start = checkerboard.codes_of(position.points)
        if not phases(position.points) or (yield from checkerboard.best_form(start)) is None:
            return nothing
        return FormsAnswer(None, proven=False, note=NO_GOAL)
    if not phases(board):
        # A solution may exist, but not as one checkerboard. `best` finds out.
        reach = yield from find(position)
        if reach.bound < wanted:
            return nothing
        is_reached = reach.strings is not None and reach.strings >= wanted
        note = Message(
            "The stones on the board don't fit one checkerboard, so the solutions with them can't "
            "be counted."
        )
        moves = reach.moves if is_reached else ()
        return FormsAnswer(Exact(is_reached), moves, proven=False, note=note)
    best = yield from checkerboard.best_form(codes)
    if best is None or best.stones < wanted:
        return nothing
    moves = moves_to_form(position, best.board)
    slack = best.stones - wanted
    if memory_needed(codes, slack) > memory:
        note = memory_exceeded(memory)
        return FormsAnswer(Exact(1), moves, proven=False, note=note, most=best.stones)
    found = yield from count_forms(codes, slack)
    by_move: dict[str, Exact] = {}
    if WORDS[min(len(board), len(board[0]))] * sum(map(len, board)) ** 2 <= _BY_MOVE_WORK:
        for move in kind.moves(position):
            text, black = kind.write_move(move), kind.write_move(Move(BLACK, move.cell))
            if black not in by_move:
                by_move[black] = yield from _with_stone(codes, move.cell, found, slack)
            by_move[text] = by_move[black]
    return FormsAnswer(Exact(sum(found.forms)), moves, most=best.stones, by_move=by_move)


def _with_stone(codes: checkerboard.Codes, cell: Cell, found: FormCounts, slack: int) -> Run[Exact]:
    """Return the number of the forms found that have a stone on the cell."""
    row, column = cell
    if codes[row][column] == STONE:
        return Exact(sum(found.forms))
    changed = (*codes[row][:column], STONE, *codes[row][column + 1 :])
    tried = yield from count_forms((*codes[:row], changed, *codes[row + 1 :]), slack)
    return Exact(sum(tried.forms[: max(slack + 1 - (tried.empty - found.empty), 0)]))


WIDEST_FOR_ALL = 7
"""The largest shorter side for which all legal boards are counted too. 7 x 7 takes some seconds."""

MOST_STATES = min(1_000_000, MEMORY // 1_000)
"""The most states of one layer. There are two layers, and a state needs about 500 bytes."""


def positions(kind: Kind[Position, Move], position: Position) -> Run[PositionsAnswer]:
    """Count the boards that keep the stones standing now and reach the goal.

    The answer is not proven and has a note if the board is too wide or has too many states. It has
    no value but a note if the wanted number of strings is not known.
    """
    wanted = goal_of(position)
    if wanted is None:
        return PositionsAnswer(None, proven=False, note=NO_GOAL)
    board = merged(position)
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    reaching = legal = None
    if len(board[0]) <= search.WIDEST:
        order = yield from search.decision_order(board)
        points = sum(letter not in (HOLE, EMPTY) for row in board for letter in row)
        reaching = yield from count_boards(order, len(board[0]), points - wanted)
    if reaching is None:
        note = Message("This board is too large for counting every single position.")
        return PositionsAnswer(None, proven=False, note=note)
    if len(board[0]) <= WIDEST_FOR_ALL:
        legal = yield from count_boards(order, len(board[0]), None)
    rows: list[tuple[Message, int]] = [
        (Message("Boards with {goal} strings or more", {"goal": wanted}), reaching)
    ]
    if legal is not None:
        rows.append((Message("Legal boards, with any number of strings"), legal))
    head = (Message("All boards, colours counted apart"), Message("Number"))
    return PositionsAnswer(
        Exact(reaching),
        legal=None if legal is None else Exact(legal),
        tables=(AnswerTable(head, tuple(rows)),),
    )


def count_boards(order: list[search.Point], width: int, limit: int | None) -> Run[int | None]:
    """Return the number of boards that lose at most `limit`, or None for too many states.

    boards(after, lost + loss) += boards(state, lost). Without a limit, losses are ignored, so that
    states with different losses are counted together. If no colour is prescribed, a state and the
    state with exchanged colours are also counted together, because they lead to as many boards.
    """
    is_fair = not any(point.letter in STONES for point in order)
    most = IMPOSSIBLE - 1 if limit is None else limit
    layer: dict[search.State, dict[int, int]] = {(0,) * width: {0: 1}}
    clock = Clock()
    for number, point in enumerate(order):
        following = order[number + 1] if number + 1 < len(order) else None
        after_point: dict[search.State, dict[int, int]] = {}
        bounds: dict[search.State, int] = {}
        for state, known in layer.items():
            if clock.is_due():
                yield Progress(number, len(order))
            for after, loss, _ in search.successors(state, point):
                if is_fair:
                    after = _black_first(after)
                if after not in bounds:
                    # Without a limit only the end is checked, as a dead end has no successor.
                    free = limit is None and following is not None
                    bounds[after] = 0 if free else search.to_go(after, following)
                for lost, boards in known.items():
                    total = 0 if limit is None else lost + loss
                    if total + bounds[after] <= most:
                        reached = after_point.setdefault(after, {})
                        reached[total] = reached.get(total, 0) + boards
            if len(after_point) > MOST_STATES:
                return None
        layer = after_point
    return sum(boards for known in layer.values() for boards in known.values())


def _black_first(state: search.State) -> search.State:
    """Return the state, with colours exchanged if its first stone is white."""
    for cell in state:
        if cell:
            return tuple([cell and cell ^ 2 for cell in state]) if cell & 2 else state
    return state
