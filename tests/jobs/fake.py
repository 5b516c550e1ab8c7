"""A puzzle kind for job tests: to solve n, play `1,1` n times. What its solver does is set
by the test."""

from collections.abc import Callable, Sequence
from typing import Any

from solvers.kind import Answer, BadText, IllegalMove, Kind, Progress, Question, Run, Verdict
from solvers.message import Message
from solvers.picture import Picture

Position = tuple[int, int]
"""Moves needed, moves played."""


def counted(position: Position) -> Run:
    """A solver without fault: one step, then the only solution."""
    yield Progress(0, 1)
    need, played = position
    return Answer(1, moves=("1,1",) * (need - played))


behaviour: Callable[[Position], Run] = counted


def work(kind: "Fake", position: Position, **options: object) -> Run:
    return behaviour(position)


def parts(kind: "Fake", position: Position, number: int) -> list[dict[str, Any]]:
    """As many as there are moves to play, if so many are wanted."""
    return [{"part": part} for part in range(min(number, position[0]))]


def combine(answers: Sequence[Answer]) -> Answer:
    moves = next((answer.moves for answer in answers if answer.moves), ())
    is_proven = all(answer.proven for answer in answers)
    return Answer(sum(answer.value or 0 for answer in answers), moves, is_proven)


class Fake(Kind[Position, str]):
    slug = "fake"
    title = "Fake"
    rule = "Play."
    family = "sequence"
    version = 1
    questions = {
        "count": Question("Number of solutions", "tests.jobs.fake:work"),
        "solve": Question("A solution", "tests.jobs.fake:work"),
        "long": Question("Solutions in parts", "tests.jobs.fake:work", split="tests.jobs.fake"),
        "review": Question("Where it went wrong", "tests.jobs.fake:work", queue="hint"),
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
