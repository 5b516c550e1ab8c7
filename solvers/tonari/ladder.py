"""The question `ladder`: how the study whittled its solutions down, step by step.

From となりオセロ (2010). Each step leaves more orders out: those that end wrong; mirror images
in the main diagonal and in the other one; stones that close a gap; different orders with the
same stones. The study takes its last figure for the number of solutions up to the mirror. It is
not: a mirror image is left out only where the board itself is symmetric on the way, and the
same stones reached in another way keep theirs. The true figures stand beside it.
"""

from collections.abc import Callable, Iterator

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.flow import MEMORY, Filter, Flow
from solvers.tonari.layout import symmetries
from solvers.tonari.obstacle import noted
from solvers.tonari.rules import Position
from solvers.tonari.steps import STEPS

LISTED = 300
"""Orders of the last step that are written down."""

PAIRS = 6
"""Pairs of mirrored solutions that are drawn."""


def ladder(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask for the study's ladder from the position on.

    The value is its last figure. details: `steps`, each with `name`, `text` (messages) and
    `value`; a diagonal the puzzle is not symmetric to leaves the value as it was. Beside them
    `endings` and `endings_up_to_symmetry`, the true numbers of boards on which only closed
    points are left; `solutions`, the orders of the last step as the study lists them, at most
    `LISTED`; `mirrored`, the pairs of these (counted from 1) whose boards are mirror images.
    The same to be shown: `tables` and, of the first `PAIRS` pairs, `boards`; the steps so far
    on the way too. A step is null, and a `note` says why, where the boards of one layer need
    more memory than `flow.MEMORY`; the answer is not proven if the last is. Without a solution
    the `note` is the reason, where one is seen.
    """
    counted = yield from kind.questions["count"].ask(kind, position)
    values: list[int | None] = [counted.value if counted.proven else None]
    yield _shown(values)
    filters: list[Filter] = []
    for number in range(2):
        filters += _filters(position, number)
        flow = Flow(position, filters, closed=False)
        values.append(flow.total if (yield from flow.run()) else None)
        yield _shown(values)
    last, free = last_step(position), Flow(position, [], closed=True)
    fits = (yield from last.run()) and (yield from free.run())
    values += [last.total, len(lines := sorted(last.lines()))] if fits else [None, None]
    details: dict[str, object] = {"steps": _described(values), "tables": [_table(values)]}
    if None in values:
        details["note"] = _TOO_LARGE.to_json()
    if not fits:
        return Answer(None, proven=False, details=details)
    images = _images(position)
    pairs = _mirrored([position.occupied | sum(map(position.bit, line)) for line in lines], images)
    endings = {int(board) for layer in free.endings for board in layer}
    different = len({min(image(board) for image in images) for board in endings})
    details |= {
        "tables": [_table(values), _true_figures(lines, pairs, endings, different)],
        "boards": list(_drawn(kind, position, lines, pairs)),
        "endings": str(len(endings)),
        "endings_up_to_symmetry": str(different),
        "solutions": [" ".join(map(kind.write_move, line)) for line in lines[:LISTED]],
        "mirrored": [pair for pair in pairs if max(pair) <= LISTED],
    }
    if not lines:
        details |= noted(position)
    moves = tuple(map(kind.write_move, lines[0])) if lines else ()
    return Answer(len(lines), moves, details=details)


_TOO_LARGE = Message(
    "A step without a number has more situations at once than the {megabytes} MB it may take "
    "can hold.",
    {"megabytes": MEMORY >> 20},
)


def _shown(values: list[int | None]) -> Progress:
    """Return the steps known so far as a sign of life."""
    return Progress(len(values), len(STEPS), details={"tables": [_table(values)]})


def _table(values: list[int | None]) -> dict[str, object]:
    """Return the ladder as a table: a row a step, with what it leaves out and how many are left."""
    head = (Message("Step"), Message("What it leaves out"), Message("Left"))
    return {
        "title": Message("The study's ladder").to_json(),
        "head": [title.to_json() for title in head],
        "rows": [
            [step["name"], step["text"], step["value"] or Message("not counted").to_json()]
            for step in _described(values)
        ],
    }


def _true_figures(
    lines: list[tuple[Cell, ...]], pairs: list[list[int]], endings: set[int], different: int
) -> dict[str, object]:
    """Return the table of what the study takes its last figure for, and what it is."""
    rows = (
        (
            Message("The study's last figure, which it takes for the number up to the mirror"),
            len(lines),
        ),
        (Message("Pairs of mirror images among them"), len(pairs)),
        (Message("All boards on which only closed points are left"), len(endings)),
        (Message("The same, mirror images counted once: the true number"), different),
    )
    return {
        "title": Message("The last figure and the true ones").to_json(),
        "head": [Message("What is counted").to_json(), Message("Number").to_json()],
        "rows": [[name.to_json(), str(number)] for name, number in rows],
    }


def _mirrored(boards: list[int], images: list[Callable[[int], int]]) -> list[list[int]]:
    """Return the pairs of boards, counted from 1, that are mirror images of each other."""
    number = {board: i for i, board in enumerate(boards, 1)}
    pairs = {
        (i, j)
        for board, i in number.items()
        for image in images
        if (j := number.get(image(board), i)) > i
    }
    return sorted(map(list, pairs))


def _drawn(
    kind: Kind[Position, Cell],
    position: Position,
    lines: list[tuple[Cell, ...]],
    pairs: list[list[int]],
) -> Iterator[dict[str, object]]:
    """Yield the first mirrored pairs as boards, one beside the other."""
    for pair in pairs[:PAIRS]:
        for number, other in (pair, reversed(pair)):
            stage = position
            for move in lines[number - 1]:
                stage = rules.play(stage, move)
            caption = Message(
                "Solution {number} of the study's list: the mirror image of number {other}",
                {"number": number, "other": other},
            )
            yield {"position": kind.write(stage), "caption": caption.to_json()}


def last_step(position: Position) -> Flow:
    """Return the flow of the ladder's last two steps: its total is the fourth figure, the
    number of its lines the fifth."""
    filters = [*_filters(position, 0), *_filters(position, 1)]
    return Flow(position, filters, closed=True)


def _described(values: list[int | None]) -> list[dict[str, object]]:
    return [
        {
            "name": Message(name).to_json(),
            "text": Message(text).to_json(),
            "value": None if value is None else str(value),
        }
        for (name, text), value in zip(STEPS, values)
    ]


def _images(position: Position) -> list[Callable[[int], int]]:
    """Return the symmetries of the puzzle, "as it is" included, as maps of sets of cells."""

    def of_sets(image: Callable[[Cell], Cell]) -> Callable[[int], int]:
        pairs = [(position.bit(cell), position.bit(image(cell))) for cell in position.cells]
        return lambda cells: sum(to for bit, to in pairs if cells & bit)

    return [of_sets(lambda cell: cell), *map(of_sets, symmetries(position))]


def _filters(position: Position, number: int) -> Iterator[Filter]:
    """Yield the filter of the first or the second diagonal, if the target is symmetric to it."""
    last = position.rows - 1

    def image(cell: Cell) -> Cell:
        return (last - cell[1], last - cell[0]) if number else (cell[1], cell[0])

    if position.rows == position.columns and all(
        rules.wants_white(position, cell) == rules.wants_white(position, image(cell))
        for cell in position.cells
    ):
        # The study looks at the second diagonal from as many stones on as there are rows.
        yield Filter(position, image, position.rows if number else 0)
