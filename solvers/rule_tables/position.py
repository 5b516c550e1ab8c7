"""The position of a kind that is made of a table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solvers.grid import ToolMove
from solvers.kind import Cell
from solvers.rule_tables import lines
from solvers.rule_tables.boards import EMPTY, WALL, Board, width_of


@dataclass(frozen=True, slots=True)
class TablePosition:
    """A board of a table, what lies on it now, and the moves since the start."""

    board: Board
    now: str
    """The sign of each cell now, row by row."""
    line: tuple[ToolMove, ...] = ()

    @property
    def is_lines(self) -> bool:
        """Whether lines are drawn. Then the cells of `now` are half cells (see `lines`)."""
        return len(self.now) != len(self.board.cells)

    @property
    def settled(self) -> str:
        """The signs of `now` without the crosses, which decide nothing."""
        return self.now.replace(lines.CROSS, EMPTY)

    @property
    def present(self) -> Board:
        """The board on which all that lies there now is given."""
        if self.is_lines:
            return replace(self.board, lines=self.settled.replace(WALL, EMPTY))
        return replace(self.board, cells=self.now)

    def __iter__(self) -> Iterator[Cell]:
        """Yield the places on which players set something, and walls."""
        if not self.is_lines:
            yield from self.board
            return
        width, size = width_of(self.board, self.now), (self.board.rows, self.board.columns)
        for at, sign in enumerate(self.now):
            if sign != WALL:
                yield lines.place_at(size, divmod(at, width))

    def __contains__(self, cell: Cell) -> bool:
        if not self.is_lines:
            return cell in self.board
        row, column = lines.half(cell)
        size = self.board.rows, self.board.columns
        return (
            row <= 2 * size[0]
            and column <= 2 * size[1]
            and lines.place_at(size, (row, column)) == cell
            and self.letter(cell) != WALL
        )

    def index(self, cell: Cell) -> int:
        """Return the number of a place in `now`."""
        row, column = lines.half(cell) if self.is_lines else cell
        return row * width_of(self.board, self.now) + column

    def letter(self, cell: Cell) -> str:
        """Return the sign of a place now."""
        return self.now[self.index(cell)]

    def begun(self, cell: Cell) -> str:
        """Return the sign of a place at the start."""
        return EMPTY if self.is_lines else self.board.sign(cell)
