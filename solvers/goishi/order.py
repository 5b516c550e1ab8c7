"""What an order of boards asks for, and what can't be ordered at all. Loads no solver."""

from dataclasses import dataclass

from solvers.goishi import shapes
from solvers.goishi.rules import Position, cells
from solvers.kind import Cell, PuzzleError


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: see the options of the question."""

    rows: int
    columns: int
    groups: list[list[Cell]]
    """The points that may bear stones, those that go together in one list."""
    look: str
    stones: list[int]
    """The possible numbers of stones."""
    low: int
    high: int
    """The number of solutions."""
    bands: range


def order_for(
    position: Position,
    *,
    stones: list[int],
    size: list[int],
    shape: str,
    solutions: list[int],
    band: list[int],
    look: str,
    **others: object,
) -> Order:
    """Return the order that the options of `generate` describe.

    Raises PuzzleError, with the reason, for what can't be; that takes no time.
    """
    drawn = shape == "drawn"
    rows, columns = (position.rows, position.columns) if drawn else size
    if look in shapes.SQUARE_LOOKS and rows != columns:
        raise PuzzleError("This symmetry needs a square board.")
    allowed = (
        list(cells(position, position.stones)) if drawn else shapes.points(shape, rows, columns)
    )
    groups = shapes.groups(look, allowed, rows, columns)
    points = sum(map(len, groups))
    if stones[0] > points:
        raise PuzzleError(
            "The shape has room for {points} stones, but {stones} are wanted.",
            points=points,
            stones=stones[0],
        )
    low, high = solutions
    possible = _sums([len(group) for group in groups])
    wanted = [n for n in range(stones[0], stones[1] + 1) if n in possible]
    if not wanted:
        raise PuzzleError("With this symmetry the shape can't hold this number of stones.")
    if look != "none" and low == high and low % 2 and wanted != [1]:
        raise PuzzleError(
            "A symmetric board always has an even number of solutions: each one has a mirror "
            "image. So it can never have exactly {number}.",
            number=low,
        )
    if high == 1:
        wanted = [n for n in wanted if not 2 <= n <= 6]
    if not wanted:
        raise PuzzleError("A board of 2 to 6 stones never has exactly one solution.")
    # Any start, four ways from it, three from each stone after that.
    wanted = [n for n in wanted if (n * 4 * 3 ** (n - 2) if n > 1 else 1) >= low]
    if not wanted:
        raise PuzzleError("So few stones can't have so many solutions.")
    return Order(rows, columns, groups, look, wanted, low, high, range(band[0], band[1] + 1))


def _sums(sizes: list[int]) -> set[int]:
    """Return the numbers of stones that fill some groups and leave the others empty."""
    sums = {0}
    for size in sizes:
        sums |= {size + other for other in sums}
    return sums


def refuse_survey(
    position: Position, *, size: list[int], stones: list[int], **others: object
) -> None:
    """Raise PuzzleError for a survey of boards with more stones than points."""
    rows, columns = size
    if stones[0] > rows * columns:
        raise PuzzleError(
            "The board has {points} points. There is no room for {stones} stones.",
            points=rows * columns,
            stones=stones[0],
        )
