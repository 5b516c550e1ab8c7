"""The questions about a Goishi Hiroi board, their options, and checks for boards that can't exist.

This module loads no solver.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from solvers import answers, options
from solvers.answers import BANDS
from solvers.defaults import GROUPS, REVIEW, usual
from solvers.goishi.formats import read_board
from solvers.goishi.rules import LARGEST, Position, canonical, cells
from solvers.kind import Cell, PuzzleError
from solvers.message import gettext_noop
from solvers.question import Option, Question
from solvers.reasons import REASON
from solvers.samples import SAMPLE

SHAPES = {
    "rectangle": gettext_noop("Rectangle"),
    "diamond": gettext_noop("Diamond"),
    "circle": gettext_noop("Circle"),
    "ring": gettext_noop("Ring"),
    "cross": gettext_noop("Cross"),
    "drawn": gettext_noop("The points drawn on the board"),
}

SYMMETRIES = {
    "none": gettext_noop("No symmetry"),
    "half-turn": gettext_noop("Half-turn"),
    "left-right": gettext_noop("Mirror, left and right"),
    "up-down": gettext_noop("Mirror, up and down"),
    "diagonal": gettext_noop("Mirror along the diagonal"),
    "quarter-turn": gettext_noop("Quarter-turn"),
}

SOLUTIONS_DIVISOR = {"none": 1, "quarter-turn": 4} | dict.fromkeys(
    ("half-turn", "left-right", "up-down", "diagonal"), 2
)
"""A divisor of the number of solutions of every board with this symmetry and at least two stones.

Proof. The symmetries form a group with as many elements as the divisor. Each maps a solution, stone
by stone, to a solution, because it preserves lines, the nearest stone and turning back. If a
symmetry maps a solution to itself, it maps the first stone to the first, the second to the second
and so on, so it leaves every stone in place. A half-turn or quarter-turn leaves only the centre in
place, so it moves one of two stones. Then all solutions fall into classes of 2 or 4. A mirror can
leave all stones in place only if they all lie on its axis. On a diagonal axis no two stones are in
line, and there is no solution. On an axis along a row or column the stones stand in one line, in
which nobody may turn back, so the only solutions are the two from end to end.
"""

SQUARE_SYMMETRIES = ("diagonal", "quarter-turn")
"""The symmetries that only square boards can have."""


def shape_points(shape: str, rows: int, columns: int) -> list[Cell]:
    """Return the points of a shape that fills a board of this size. The shape is not "drawn"."""
    across, full = columns, rows * columns

    def holds(row: int, column: int) -> bool:
        # Twice the distances from the middle. Cross-multiplying brings them to a common unit.
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


def symmetric_groups(
    symmetry: str, allowed: list[Cell], rows: int, columns: int
) -> list[list[Cell]]:
    """Return the sets of points that a symmetry maps to each other and that are in `allowed`."""
    images: dict[str, Callable[[Cell], Cell]] = {
        "none": lambda cell: cell,
        "half-turn": lambda cell: (rows - 1 - cell[0], columns - 1 - cell[1]),
        "left-right": lambda cell: (cell[0], columns - 1 - cell[1]),
        "up-down": lambda cell: (rows - 1 - cell[0], cell[1]),
        "diagonal": lambda cell: (cell[1], cell[0]),
        "quarter-turn": lambda cell: (cell[1], rows - 1 - cell[0]),
    }
    groups = []
    for cell in allowed:
        group = [cell]
        while (image := images[symmetry](group[-1])) != cell:
            group.append(image)
        if cell == min(group) and set(group) <= set(allowed):
            groups.append(group)
    return groups


@dataclass(frozen=True, slots=True)
class BoardOrder:
    """The conditions for generated boards, made from the options of the question."""

    rows: int
    columns: int
    groups: list[list[Cell]]
    """The points that may bear stones. Points that bear stones together are in one list."""
    symmetry: str
    stones: list[int]
    """The allowed numbers of stones."""
    low: int
    high: int
    """The most solutions. `low` is the fewest."""
    bands: range

    @property
    def number_of_boards(self) -> int:
        """The number of sets of stones to choose from."""
        ways = _filling_counts([len(group) for group in self.groups])
        return sum(ways[stones] for stones in self.stones)


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
) -> BoardOrder:
    """Return the order that the options of `generate` describe.

    `stones`, `solutions` and `band` are [least, most], and `size` is [rows, columns]. Raise
    PuzzleError, with the reason, if no such board can exist. The check takes no time.
    """
    drawn = shape == "drawn"
    rows, columns = (position.rows, position.columns) if drawn else size
    if look in SQUARE_SYMMETRIES and rows != columns:
        raise PuzzleError("This symmetry needs a square board.")
    allowed = (
        list(cells(position, position.stones)) if drawn else shape_points(shape, rows, columns)
    )
    groups = symmetric_groups(look, allowed, rows, columns)
    points = sum(map(len, groups))
    if stones[0] > points:
        raise PuzzleError(
            "More stones are wanted ({stones}) than the shape has points ({points}).",
            points=points,
            stones=stones[0],
        )
    low, high = solutions
    possible = _filling_counts([len(group) for group in groups])
    wanted = [n for n in range(stones[0], stones[1] + 1) if n in possible]
    if not wanted:
        raise PuzzleError("With this symmetry the shape can't hold this number of stones.")
    divisor = SOLUTIONS_DIVISOR[look]
    if high // divisor * divisor < low:
        # A board with a single stone has one solution.
        wanted = [n for n in wanted if n == 1 >= low]
    if not wanted:
        raise PuzzleError(
            "The number of solutions of a board with this symmetry is always a multiple of "
            "{divisor}, and there is none from {low} to {high}.",
            divisor=divisor,
            low=low,
            high=high,
        )
    if high == 1:
        wanted = [n for n in wanted if not 2 <= n <= 6]
    if not wanted:
        raise PuzzleError("A board of 2 to 6 stones never has exactly one solution.")
    # A line can begin at any stone, go four ways from it, and three from each stone after that.
    wanted = [n for n in wanted if (n * 4 * 3 ** (n - 2) if n > 1 else 1) >= low]
    if not wanted:
        raise PuzzleError("So few stones can't have so many solutions.")
    return BoardOrder(rows, columns, groups, look, wanted, low, high, range(band[0], band[1] + 1))


def _filling_counts(sizes: list[int]) -> Counter[int]:
    """Return number of stones -> the number of ways in which that many stones fill some groups and
    leave the others empty."""
    ways = Counter({0: 1})
    for size in sizes:
        ways += Counter({stones + size: number for stones, number in ways.items()})
    return ways


def refuse_survey(
    position: Position, *, size: list[int], stones: list[int], **others: object
) -> None:
    """Raise PuzzleError for a survey of boards with more stones than points."""
    rows, columns = size
    if stones[0] > rows * columns:
        raise PuzzleError(
            "More stones are wanted ({stones}) than the board has points ({points}).",
            points=rows * columns,
            stones=stones[0],
        )


def read_known(text: str) -> list[str]:
    """Return the canonical texts of boards that are separated by white space. Raise BadText."""
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
    "estimate": usual("estimate", "solvers.goishi.count:estimate"),
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
            "look": options.choice(gettext_noop("Symmetry"), SYMMETRIES),
            "many": options.many(),
            "seed": options.seed(),
            "known": Option(
                gettext_noop("Boards that are there already"), "", read_known, write="\n".join
            ),
        },
        position="o",
        position_option="shape",
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
    "groups": GROUPS,
    "reason": replace(REASON, solver="solvers.goishi.reason:reason"),
    "sample": SAMPLE,
}
