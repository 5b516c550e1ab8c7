"""The solvers of the questions about positions of a table's kind.

They ask `solvers.rule_tables.count` about the board with everything that lies there now. `hint`
takes a sure square that a single area decides, and names its rule.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from solvers.answers import BANDS, Answer, CountAnswer, Exact, HintAnswer, RateAnswer
from solvers.answers import SolutionsAnswer as Listed
from solvers.grid import ToolMove, read_cell, write_cell
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Cell
from solvers.message import Message
from solvers.question import Clock, Progress, Run
from solvers.rating import UNDECIDED, UNSOLVABLE
from solvers.rule_tables import count as tables
from solvers.rule_tables.areas import Edge, edge_at, half_cells
from solvers.rule_tables.boards import EMPTY
from solvers.rule_tables.deduction import Deduction, Domains, supported, with_value
from solvers.rule_tables.lines import half, place_at
from solvers.rule_tables.model import place
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.verdicts import cells_of, domains_of, place_of

if TYPE_CHECKING:
    from solvers.rule_tables.kind import TableKind

FRONTIER_BYTES = 300_000_000
"""The most memory of a frontier search of positions."""


def count(kind: "TableKind", position: TablePosition) -> Run[CountAnswer]:
    """Count the ways to fill the rest of the board that every rule allows.

    `by_move` has the number of solutions with each symbol on each free square. Where the board is
    too large to count, the value is a lower bound that is not proven, and `by_move` has only the
    symbols that are in no solution.
    """
    answer = yield from tables.count(kind.table, position.present, FRONTIER_BYTES)
    free = {kind.write_move(move) for move in kind.moves(position)}
    by_move = {
        text: number
        for move, number in answer.by_move.items()
        if (text := _move(kind, position, move)) in free
    }
    return replace(answer, moves=_added(kind, position, answer.moves), by_move=by_move)


def solve(kind: "TableKind", position: TablePosition) -> Run[Answer]:
    """Search for one solution. The value is 1, with its moves, or 0 if there is none."""
    answer = yield from tables.solve(kind.table, position.present)
    return replace(answer, moves=_added(kind, position, answer.moves))


def solutions(kind: "TableKind", position: TablePosition, *, first: int, limit: int) -> Run[Listed]:
    """List `limit` solutions from number `first` on, always in the same order."""
    page = yield from tables.solutions(kind.table, position.present, first=first, limit=limit)
    lines = (_added(kind, position, _moves(line)) for line in page.solutions)
    return replace(page, solutions=tuple(" ".join(line) for line in lines))


def hint(kind: "TableKind", position: TablePosition, *, level: str) -> Run[HintAnswer]:
    """Return help with the position, as much as the `level` (see `solvers.hint`) allows.

    The next move sets a symbol that stands there in every solution, if there is such a square. If
    one area alone decides it, the note names its rule. Otherwise it is a move of a solution.
    """
    counted = yield from tables.count(kind.table, position.present, FRONTIER_BYTES)
    moves = _added(kind, position, counted.moves)
    if not counted.proven and not counted.value:
        return UNKNOWN
    if not counted.value:
        keep = yield from moves_to_keep(
            stages_of(kind, position), lambda stage: _is_live(kind, stage)
        )
        note = Message("This can't be solved any more.")
        return HintAnswer(Exact(0), state="trapped", note=note, keep=keep)
    left = counted.value if counted.proven else None
    live = HintAnswer(Exact(1), state="live", note=LIVE, left=left)
    if level == ALIVE or not moves:
        return live
    deduction = kind.deduction(position.board)
    domains = domains_of(deduction, position.board, position.settled)
    sure = {move for move in map(kind.read_move, moves) if _is_sure(kind, counted, move)}
    move, reason = _decided(kind, position, deduction, domains, sure)
    if move is None:
        move = min(sure, key=_cell_of, default=kind.read_move(moves[0]))
    is_sure = move in sure if counted.by_move else None
    near = kind.cells_of(move)
    region = tuple(
        write_cell(cell)
        for cell in position.board
        if any(abs(cell[0] - row) <= 1 and abs(cell[1] - column) <= 1 for row, column in near)
    )
    note = Message("{first} {then}", {"first": LIVE, "then": reason}) if reason else LIVE
    shown = (kind.write_move(move),) if level == NEXT else ()
    return replace(live, moves=shown, region=region, sure=is_sure, note=note)


def rate(kind: "TableKind", position: TablePosition) -> Run[RateAnswer]:
    """Rate a position by what one has to do to solve it.

    Easy boards follow from one area at a time. Otherwise, squares must be tried out: a symbol is
    supposed, and what follows contradicts it. The level adds 1 for each square that must be tried
    out, 3 for each where that is not enough, and a little for each round of deductions.
    """
    solved = yield from solve(kind, position)
    if not solved.value:
        return UNSOLVABLE if solved.proven else UNDECIDED
    deduction = kind.deduction(position.board)
    domains = domains_of(deduction, position.board, position.settled)
    end = kind.play_line(position, " ".join(solved.moves))
    goal = domains_of(deduction, position.board, end.settled, is_final=True)
    rounds = tried = guessed = 0
    clock = Clock()
    while True:
        narrowed = deduction.narrowed_once(domains)
        assert narrowed is not None, "a board with a solution contradicts itself"
        rounds += 1
        if clock.is_due():
            yield Progress(rounds, rounds + 1)
        if narrowed != domains:
            domains = narrowed
            continue
        if all(len(values) == 1 for values in domains):
            break
        refuted = yield from _refuted(deduction, domains)
        if refuted is not None:
            tried += 1
            domains = refuted
        else:
            guessed += 1
            at = next(number for number, values in enumerate(domains) if len(values) > 1)
            domains = with_value(domains, at, next(iter(goal[at])))
    level = tried + 3 * guessed + rounds / 100
    band = 0 if not tried + guessed else 1 if tried <= 3 and not guessed else 3 if guessed else 2
    return RateAnswer(None, proven=False, careful_level=level, band=BANDS[band])


def _refuted(deduction: Deduction, domains: Domains) -> Run[Domains | None]:
    """Return the domains without a value that what follows from it contradicts, or None."""
    clock = Clock()
    for at, values in enumerate(domains):
        for value in sorted(values) if len(values) > 1 else ():
            if clock.is_due():
                yield Progress(at, len(domains))
            if deduction.narrowed(with_value(domains, at, value), at) is None:
                return (*domains[:at], values - {value}, *domains[at + 1 :])
    return None


def _decided(
    kind: "TableKind",
    position: TablePosition,
    deduction: Deduction,
    domains: Domains,
    sure: set[ToolMove],
) -> tuple[ToolMove | None, Message | None]:
    """Return a sure move that follows from one area alone, and its rule in words."""
    model, table = deduction.model, kind.table
    for reader in deduction.readers if sure else ():
        allowed = supported(reader, domains) or ()
        for variable, values in zip(reader.variables, allowed):
            if len(values) > 1 or len(domains[variable]) == 1:
                continue
            (letter,) = model.values[variable][min(values)] or (EMPTY,)
            at = place(model.sites[variable])
            if kind.is_lines:
                at = place_at((position.board.rows, position.board.columns), at)
            move = ToolMove(kind.word(letter), at)
            if move in sure:
                rule = table.rules[reader.rule]
                cells = cells_of(model, reader, position.board)
                values_ = {"place": place_of(rule, cells, position.board),
                           "rule": sentence(table, rule)}  # fmt: skip
                return move, Message("{place}: {rule}", values_)
    return None, None


def _is_sure(kind: "TableKind", counted: CountAnswer, move: ToolMove) -> bool:
    """Return whether nothing but the symbol of a move is in its place in any solution."""
    if kind.is_lines:
        return counted.proven and counted.by_move.get(_line_at(move)) == counted.value
    signs = {*kind.table.filled, *(("-",) if kind.table.each[0] == 0 else ())}
    others = signs - {kind.symbols[move.tool].letter}
    cell = write_cell(move.cell)
    return all(counted.by_move.get(f"{sign} {cell}") == 0 for sign in others)


def _cell_of(move: ToolMove) -> Cell:
    return move.cell


def _is_live(kind: "TableKind", position: TablePosition) -> Run[bool | None]:
    solved = yield from solve(kind, position)
    return bool(solved.value) if solved.proven else None


def _moves(line: str) -> list[str]:
    """Return the moves of a line of `solvers.rule_tables.count`, whose words may be digits."""
    words = line.split()
    return [" ".join(pair) for pair in zip(words[::2], words[1::2])]


def _line_at(move: ToolMove) -> str:
    """Return a move that draws a line as `solvers.rule_tables.count` writes it."""
    direction, row, column = edge_at(*half(move.cell))
    return f"{direction} {write_cell((row, column))}"


def _move(kind: "TableKind", position: TablePosition, text: str) -> str:
    """Return a move of `solvers.rule_tables.count` as a move of the kind."""
    letter, cell = text.split(" ")
    if kind.is_lines:
        edge = Edge("h" if letter == "h" else "v", *read_cell(cell))
        at = place_at((position.board.rows, position.board.columns), half_cells(edge))
        return kind.write_move(ToolMove(next(iter(kind.symbols)), at))
    return text if letter == "-" else f"{kind.word(letter)} {cell}"


def _added(kind: "TableKind", position: TablePosition, moves: Sequence[str]) -> tuple[str, ...]:
    """Return those moves of a solution that set symbols on squares that are free now."""
    texts = [_move(kind, position, move) for move in moves if not move.startswith("-")]
    free = {kind.write_move(move) for move in kind.moves(position)}
    return tuple(text for text in texts if text in free)
