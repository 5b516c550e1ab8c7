"""What can be asked about a Goishi Hiroi board, what each question may be given, and which boards
can't be made. Loads no solver."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from solvers import answers, options
from solvers.answers import BANDS
from solvers.defaults import REVIEW, usual
from solvers.goishi.formats import read_board
from solvers.goishi.rules import LARGEST, Position, canonical, cells
from solvers.kind import Cell, PuzzleError
from solvers.message import gettext_noop
from solvers.question import Option, Question

SHAPES = {
    "rectangle": gettext_noop("Rectangle"),
    "diamond": gettext_noop("Diamond"),
    "circle": gettext_noop("Circle"),
    "ring": gettext_noop("Ring"),
    "cross": gettext_noop("Cross"),
    "drawn": gettext_noop("The points drawn on the board"),
}

LOOKS = {
    "none": gettext_noop("No symmetry"),
    "half-turn": gettext_noop("Half-turn"),
    "left-right": gettext_noop("Mirror, left and right"),
    "up-down": gettext_noop("Mirror, up and down"),
    "diagonal": gettext_noop("Mirror along the diagonal"),
    "quarter-turn": gettext_noop("Quarter-turn"),
}

SQUARE_LOOKS = ("diagonal", "quarter-turn")
"""They map only square boards on themselves."""


def shape_points(shape: str, rows: int, columns: int) -> list[Cell]:
    """Return the points of a shape, other than "drawn", that fills a board of this size."""
    across, full = columns, rows * columns

    def holds(row: int, column: int) -> bool:
        # Twice the distances from the middle, in parts of a common unit.
        y, x = abs(2 * row - rows + 1), abs(2 * column - columns + 1)
        far = (y * across) ** 2 + (x * rows) ** 2
        if shape == "diamond":
            return y * across + x * rows <= full
        if shape == "circle":
            return far <= full**2
        if shape == "ring":
            return full**2 < 4 * far <= 4 * full**2
        if shape == "cross":
            return 3 * y <= rows or 3 * x <= columns
        return True

    return [(row, column) for row in range(rows) for column in range(columns) if holds(row, column)]


def symmetric_groups(look: str, allowed: list[Cell], rows: int, columns: int) -> list[list[Cell]]:
    """Return the sets of points that a look takes together, those wholly in `allowed`."""
    images: dict[str, Callable[[Cell], Cell]] = {
        "none": lambda cell: cell,
        "half-turn": lambda cell: (rows - 1 - cell[0], columns - 1 - cell[1]),
        "left-right": lambda cell: (cell[0], columns - 1 - cell[1]),
        "up-down": lambda cell: (rows - 1 - cell[0], cell[1]),
        "diagonal": lambda cell: (cell[1], cell[0]),
        "quarter-turn": lambda cell: (cell[1], rows - 1 - cell[0]),
    }
    found = []
    for cell in allowed:
        group = [cell]
        while (image := images[look](group[-1])) != cell:
            group.append(image)
        if cell == min(group) and set(group) <= set(allowed):
            found.append(group)
    return found


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
    """Return the order that the options of `generate` describe: `stones`, `solutions` and `band`
    are [least, most], `size` [rows, columns].

    Raises PuzzleError, with the reason, for what can't be; that takes no time.
    """
    drawn = shape == "drawn"
    rows, columns = (position.rows, position.columns) if drawn else size
    if look in SQUARE_LOOKS and rows != columns:
        raise PuzzleError("This symmetry needs a square board.")
    allowed = (
        list(cells(position, position.stones)) if drawn else shape_points(shape, rows, columns)
    )
    groups = symmetric_groups(look, allowed, rows, columns)
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


def read_known(text: str) -> list[str]:
    """Return the canonical texts of boards in rows, with spaces between. Raises BadText."""
    return sorted({canonical(read_board(board)) for board in text.split()})


DIFFICULTY = replace(
    options.span(gettext_noop("Difficulty"), "1..4", 1, 4),
    choices={"1..4": gettext_noop("any")} | {str(n): name for n, name in enumerate(BANDS, 1)},
    hint=gettext_noop(
        "How often a careful player who chooses at random solves it: easy from 1 in 5, medium from "
        "1 in 20, hard from 1 in 100."
    ),
)

QUESTIONS = {
    "count": usual("count", "solvers.goishi.count:count"),
    "solve": usual("solve", "solvers.goishi.search:solve"),
    "solutions": usual("solutions", "solvers.goishi.search:solutions"),
    "estimate": Question(
        gettext_noop("About how many solutions?"),
        "solvers.goishi.count:estimate",
        answers.EstimateAnswer,
    ),
    "rate": usual(
        "rate", "solvers.goishi.difficulty:rate", title=gettext_noop("How difficult is it?")
    ),
    "generate": usual(
        "generate",
        "solvers.goishi.generate:generate",
        check="solvers.goishi.questions:order_for",
        options={
            "stones": options.span(gettext_noop("Number of stones"), "8..12", 1, 60),
            "size": options.size(gettext_noop("Size of the board"), "6x6", LARGEST),
            "shape": options.choice(
                gettext_noop("Shape"),
                SHAPES,
                gettext_noop(
                    "Where points are drawn, new puzzles have stones only there, on a board of the "
                    "same size."
                ),
            ),
            "solutions": options.solutions(10**9),
            "band": DIFFICULTY,
            "look": options.choice(gettext_noop("Symmetry"), LOOKS),
            "many": options.many(),
            "seed": options.seed(),
            "known": Option(
                gettext_noop("Boards that are there already"), "", read_known, write="\n".join
            ),
        },
        position="o",
        drawn_by="shape",
    ),
    "repair": Question(
        gettext_noop("How can it be made solvable?"),
        "solvers.goishi.repair:repair",
        answers.RepairAnswer,
    ),
    "survey": Question(
        gettext_noop("What are random boards like?"),
        "solvers.goishi.difficulty:survey",
        answers.SurveyAnswer,
        check="solvers.goishi.questions:refuse_survey",
        options={
            "size": options.size(gettext_noop("Size of the board"), "5x5", LARGEST),
            "stones": options.span(gettext_noop("Number of stones"), "4..14", 1, 60),
            "boards": options.whole(
                gettext_noop("Random boards for each number of stones"), 200, 10, 2000
            ),
            "seed": options.seed(),
        },
        position="o",
    ),
    "hint": usual("hint", "solvers.goishi.hint:hint", title=gettext_noop("Give a hint")),
    "review": REVIEW,
}
