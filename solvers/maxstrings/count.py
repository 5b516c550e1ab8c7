"""The questions `count` and `positions`: the number of solutions.

`count` counts the solutions that a position leads to (`mixed` says what they are). On most boards
they are checkerboard forms, which the tables of `forms` count. On the others `mixed` counts them.

`positions` counts every legal board, in all colours and with long strings. It uses the states of
`search` with the number of ways to each of them. The legal positions of an empty board are those of
the game of Go: 1, 57, 12675, 24318165, 414295148741, 62567386502084877 for n = 1 to 6
(OEIS A094777, Tromp and Farnebäck, "Combinatorics of Go").
"""

from solvers.answers import AnswerTable, Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.maxstrings import checkerboard, search
from solvers.maxstrings.best import find, has_no_board, upper_bound
from solvers.maxstrings.checkerboard import IMPOSSIBLE, STONE, WORDS, Form
from solvers.maxstrings.forms import FormCounts, count_forms, memory_needed
from solvers.maxstrings.maximum import NO_GOAL, are_forms, goal_of, phases
from solvers.maxstrings.mixed import MixedSolutions, mixed_solutions, order_of
from solvers.maxstrings.questions import FormsAnswer, PositionsAnswer
from solvers.maxstrings.rules import (
    BLACK,
    EITHER,
    EMPTY,
    HOLE,
    STONES,
    Board,
    Move,
    Position,
    merged,
    moves_to_board,
    moves_to_form,
    with_letter,
)
from solvers.memory import MEMORY, memory_exceeded
from solvers.message import Message
from solvers.question import Clock, Progress, Run

_BY_MOVE_WORK = 100_000_000
"""The most work for counts by move, as words times points squared. It takes a few seconds."""

_BY_MOVE_STATES = 200_000
"""The most states of the counts after moves in the other colour, which take a few seconds."""


def count(
    kind: Kind[Position, Move], position: Position, *, memory: int = MEMORY
) -> Run[FormsAnswer]:
    """Count the solutions that the position leads to, and find one.

    Solutions are sets of points (`mixed`), so exchanging the colours makes no new one. Stones on
    the board stay. The solutions left by each move are counted on boards up to 10 x 10
    (`_count_by_move`). The answer is not proven and has a note if `memory` bytes do not suffice, or
    if there are too many boards with stones that may be joined. It has no value but a note if the
    wanted number of strings is not known.
    """
    wanted, board = goal_of(position), merged(position)
    if wanted is None:
        if (yield from has_no_board(position)):
            return FormsAnswer(Exact(0))
        return FormsAnswer(None, proven=False, note=NO_GOAL)
    codes = checkerboard.codes_of(board)
    best = (yield from checkerboard.best_form(codes)) if phases(board) else None
    if best is not None and best.stones < wanted:
        # Where there is any form, a best board is one of them (see `best`).
        return FormsAnswer(Exact(0))
    if not are_forms(board):
        return (yield from _count_mixed(kind, position, wanted, best))
    if best is None:
        return FormsAnswer(Exact(0))
    moves = moves_to_form(position, best.board)
    slack = best.stones - wanted
    if memory_needed(codes, slack) > memory:
        note = memory_exceeded(memory)
        return FormsAnswer(Exact(1), moves, proven=False, note=note, most=best.stones)
    forms = yield from count_forms(codes, slack)
    by_move = yield from _count_by_move(kind, position, wanted, forms)
    return FormsAnswer(Exact(sum(forms.forms)), moves, most=best.stones, by_move=by_move)


def _count_mixed(
    kind: Kind[Position, Move], position: Position, wanted: int, form: Form | None
) -> Run[FormsAnswer]:
    """Count the solutions on a board on which not all of them are forms. `form` is the best form,
    and has enough stones, if there is one."""
    board = merged(position)
    if (yield from upper_bound(board)) < wanted:
        return FormsAnswer(Exact(0))
    solutions = yield from mixed_solutions(board, wanted)
    if solutions is not None:
        example = yield from solutions.boards(1)
        moves = moves_to_board(position, example[0]) if example else ()
        by_move: dict[str, Exact] = {}
        if solutions.number and not (_has(board, EITHER) and _has(board, *STONES)):
            by_move = yield from _count_by_move(kind, position, wanted, None)
        return FormsAnswer(Exact(solutions.number), moves, by_move=by_move)
    note = Message("There are too many boards with these stones to count the solutions.")
    if form is not None:
        moves = moves_to_form(position, form.board)
        return FormsAnswer(Exact(1), moves, proven=False, note=note, most=form.stones)
    reach = yield from find(position)
    if reach.reaches(wanted) is False:
        return FormsAnswer(Exact(0))
    is_reached = bool(reach.reaches(wanted))
    return FormsAnswer(
        Exact(is_reached), reach.moves if is_reached else (), proven=False, note=note
    )


def _count_by_move(
    kind: Kind[Position, Move], position: Position, wanted: int, forms: FormCounts | None
) -> Run[dict[str, Exact]]:
    """Return the number of solutions left by each move. `forms` counts the solutions of the
    position if all of them are forms.

    A stone that is set beside one of its colour, or beside one of either colour, may be joined with
    it. Then the boards that reach the goal are no solutions of the position, so the move is left
    out unless no board reaches it. A move is also left out if counting takes too long.
    """
    board = merged(position)
    if WORDS[min(len(board), len(board[0]))] * sum(map(len, board)) ** 2 > _BY_MOVE_WORK:
        return {}
    codes = checkerboard.codes_of(board)
    order, states = None, _BY_MOVE_STATES
    by_move: dict[str, Exact] = {}
    for move in kind.moves(position):
        text, black = kind.write_move(move), kind.write_move(Move(BLACK, move.cell))
        if not _has(board, *STONES) and black in by_move:
            # Exchanging the colours of all stones makes no difference.
            by_move[text] = by_move[black]
            continue
        after = with_letter(board, move.cell, move.tool)
        if forms is not None and are_forms(after):
            by_move[text] = yield from _with_stone(codes, move.cell, forms)
            continue
        if (yield from upper_bound(after)) < wanted:
            by_move[text] = Exact(0)
            continue
        order = order or (yield from order_of(board))
        if order is None or states <= 0:
            continue
        solutions = MixedSolutions(after, wanted, order)
        is_known = yield from solutions.build(states)
        states -= solutions.states
        if is_known and (not solutions.number or not _may_be_joined(board, move)):
            by_move[text] = Exact(solutions.number)
    return by_move


def _with_stone(codes: checkerboard.Codes, cell: Cell, forms: FormCounts) -> Run[Exact]:
    """Return the number of these forms that have a stone on the cell."""
    row, column = cell
    if codes[row][column] == STONE:
        return Exact(sum(forms.forms))
    slack = len(forms.forms) - 1
    changed = (*codes[row][:column], STONE, *codes[row][column + 1 :])
    tried = yield from count_forms((*codes[:row], changed, *codes[row + 1 :]), slack)
    return Exact(sum(tried.forms[: max(slack + 1 - (tried.empty - forms.empty), 0)]))


def _may_be_joined(board: Board, move: Move) -> bool:
    """Return whether a stone that is set on a free point may be joined with a stone beside it."""
    if board[move.cell[0]][move.cell[1]] == EITHER:
        return False
    near = neighbours(move.cell, len(board), len(board[0]))
    return any(board[row][column] in (move.tool, EITHER) for row, column in near)


def _has(board: Board, *letters: str) -> bool:
    return any(letter in row for row in board for letter in letters)


WIDEST_FOR_ALL = 7
"""The largest shorter side for which all legal boards are counted too. 7 x 7 takes some seconds."""

MAX_STATES = min(1_000_000, MEMORY // 1_000)
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
            if len(after_point) > MAX_STATES:
                return None
        layer = after_point
    return sum(boards for known in layer.values() for boards in known.values())


def _black_first(state: search.State) -> search.State:
    """Return the state, with colours exchanged if its first stone is white."""
    for cell in state:
        if cell:
            return tuple([cell and cell ^ 2 for cell in state]) if cell & 2 else state
    return state
