"""A kind of puzzle for job tests: to solve n, play `1,1` n times. A test sets what its solver
does."""

from collections.abc import Callable
from typing import Any

from puzzleclass.jobs.models import Job
from solvers.answers import Exact, ShownAnswer, ShownBoard
from solvers.kind import BadText, Cell, IllegalMove, Kind, Verdict
from solvers.message import Message
from solvers.picture import Picture
from solvers.question import Progress, Question, Run
from solvers.symmetry import Symmetry

Position = tuple[int, int]
"""The number of moves needed, and the number of moves played."""


def answered(value: int | None, *boards: str, **fields: Any) -> ShownAnswer:
    """Return an answer with this number and these boards to show."""
    return ShownAnswer(
        None if value is None else Exact(value),
        boards=tuple(ShownBoard(board) for board in boards),
        **fields,
    )


def boards(job: Job) -> list[str]:
    """Return the boards that are known of the job's answer."""
    return [board.position for board in job.known(ShownAnswer).boards]


def counted(position: Position) -> Run[ShownAnswer]:
    """Solve the position as a correct solver does: one step, and then the only solution."""
    yield Progress(0, 1)
    need, played = position
    return answered(1, moves=("1,1",) * (need - played))


behaviour: Callable[[Position], Run[ShownAnswer]] = counted


def work(kind: "Fake", position: Position, **options: object) -> Run[ShownAnswer]:
    return behaviour(position)


class Fake(Kind[Position, str]):
    slug = "fake"
    title = "Fake"
    rule = "Play."
    family = "sequence"
    version = 1
    questions = {
        "count": Question("Number of solutions", "tests.jobs.fake:work"),
        "solve": Question("A solution", "tests.jobs.fake:work"),
        "review": Question("Where it went wrong", "tests.jobs.fake:work", queue="review"),
    }

    def read_start(self, text: str) -> Position:
        if not text.isdigit():
            raise BadText("“{text}” is not a number.", text=text)
        return int(text), 0

    def write_start(self, position: Position) -> str:
        return str(position[0])

    def start(self, position: Position) -> Position:
        return position[0], 0

    def line(self, position: Position) -> tuple[str, ...]:
        return ("1,1",) * position[1]

    def read_move(self, text: str) -> str:
        return text

    def write_move(self, move: str) -> str:
        return move

    def cells_of(self, move: str) -> tuple[Cell, ...]:
        return ((0, 0),)

    def turned_move(self, move: str, symmetry: Symmetry) -> str:
        return move

    def turned(self, position: Position, symmetry: Symmetry) -> Position:
        return self.start(position)

    def moves(self, position: Position) -> tuple[str, ...]:
        return ("1,1",) if position[1] < position[0] else ()

    def play(self, position: Position, move: str) -> Position:
        if move not in self.moves(position):
            raise IllegalMove("No such move: {move}.", move=move)
        return position[0], position[1] + 1

    def judge(self, position: Position) -> Verdict:
        is_over = position[0] == position[1]
        return Verdict(solved=is_over, over=is_over)

    def draw(self, position: Position) -> Picture:
        return Picture(1, 1, Message("A number"), str(position[0]), ())

    def sample(self, rng: object, size: int) -> Position:
        return size, 0
