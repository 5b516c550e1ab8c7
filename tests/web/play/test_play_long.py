"""Long attempts: remembered positions are right, and a step takes as long as at the beginning."""

import random
import sys
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.attempts import begin, current_attempt
from puzzleclass.play.models import Attempt
from puzzleclass.play.steps import MAX_STEPS
from puzzleclass.puzzles import positions
from puzzleclass.puzzles.positions import MAX_MOVES_AHEAD, position_after
from solvers.kind import LONGEST_TEXT
from solvers.registry import get_kind, kinds

HTMX = {"HX-Request": "true"}

SHOGI = "9/9/9/9/9/9/9/9/9 2R2B4G4S4N4L18P2K"
THERE_AND_BACK = ["P 5,5", "- 5,5"]

MAX_GROWTH = 1.02
"""How many times as many functions a step may call after a thousand moves as after ten. It calls
3.5 times as many when the whole line is played again for every step. Calls are counted, because the
time that they take depends on what else the machine does."""


@pytest.fixture
def shogi(classroom, assign, make_puzzle) -> AssignedPuzzle:
    return assign(classroom, make_puzzle("kikazu", SHOGI)).puzzles.get()


@pytest.fixture
def after(student, shogi):
    """Return a function that returns the attempt after this number of moves, there and back."""

    def after(number: int) -> Attempt:
        attempt = current_attempt(student, shogi)
        begin(attempt)
        line = " ".join(THERE_AND_BACK * (number // 2))
        Attempt.objects.filter(pk=attempt.pk).update(line=line, next_step=number)
        return Attempt.objects.get(pk=attempt.pk)

    return after


@pytest.mark.parametrize("slug", kinds())
def test_remembered_positions_are_those_after_the_moves(slug):
    """Lines are asked for in any order: longer by one move or by many, shorter, and on another
    branch."""
    kind, rng = get_kind(slug), random.Random(3)
    start = kind.write_start(kind.sample(rng, 6))
    for _ in range(20):
        here, line = kind.read(start), ""
        lines = [line]
        while len(lines) < 2 * MAX_MOVES_AHEAD and (moves := list(kind.moves(here))):
            here = kind.play(here, rng.choice(moves))
            lines.append(kind.write_line(here))
        for line in rng.sample(lines, min(8, len(lines))):
            expected = kind.play_line(kind.read(start), line)
            assert position_after(kind, start, line) == expected
            assert kind.write_line(position_after(kind, start, line)) == line


def test_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(positions, "MAX_REMEMBERED", 5)
    monkeypatch.setattr(positions, "_positions", type(positions._positions)())
    kind = get_kind("kikazu")
    for number in range(9):
        position_after(kind, SHOGI, " ".join(THERE_AND_BACK * number))
    assert len(positions._positions) == 5


def calls_of(run: Callable[[], object]) -> int:
    """Return how many functions of Python and of C are called while `run` runs."""
    calls = 0

    def count(frame, event: str, argument) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def calls_of_a_step(client, attempt: Attempt) -> int:
    """Return the least number of calls of four steps in a row. The first may fill memories."""

    def step() -> None:
        number = attempt.next_step + len(calls)
        fields = {"action": "move", "step": number, "move": THERE_AND_BACK[number % 2]}
        assert client.post(attempt.addresses["step"], fields, headers=HTMX).status_code == 200

    calls: list[int] = []
    while len(calls) < 4:
        calls.append(calls_of(step))
    return min(calls)


def test_a_step_takes_no_longer_after_a_thousand_moves(student_client, after):
    calls_of_a_step(student_client, after(0))
    early, late = (calls_of_a_step(student_client, after(number)) for number in (10, 1_000))
    assert late < MAX_GROWTH * early


LARGE = {
    "goishi": "/".join(["o" * 10] * 10),
    "tonari": "/".join(["Bbwbwbbw", *["bwbbwbwb"] * 7]),
    "maxstrings": "10x10",
    "kikazu": SHOGI,
}
SIGNS_OF_NUMBERS = 60
"""The most bytes that longer numbers may add to an answer: of the move, and of the next step."""
MAX_MORE_BYTES = 1.4
"""How much larger the picture of a board with all its pieces may be than that of the empty one."""


@pytest.fixture
def make_move(student, student_client, classroom, assign, make_puzzle):
    """Return a function that puts the moves of a line and the number of the next step into an
    attempt at a large board, makes a move, and returns the queries and the bytes of the answer."""
    attempts = {}

    def make_move(slug: str, line: str, step: int, move: str) -> tuple[int, int]:
        if slug not in attempts:
            puzzle = assign(classroom, make_puzzle(slug, start_of(slug))).puzzles.get()
            attempts[slug] = current_attempt(student, puzzle)
            begin(attempts[slug])
        attempt = attempts[slug]
        Attempt.objects.filter(pk=attempt.pk).update(line=line, next_step=step)
        fields = {"action": "move", "step": step, "move": move}
        with CaptureQueriesContext(connection) as asked:
            answer = student_client.post(attempt.addresses["step"], fields, headers=HTMX)
        assert answer.status_code == 200
        return len(asked), len(answer.content)

    return make_move


@pytest.mark.parametrize("slug", kinds())
def test_the_last_move_takes_no_more_queries_than_the_first(slug, make_move):
    kind, positions = get_kind(slug), game_of(slug)
    lines = [kind.write_line(position) for position in positions]
    moves = [kind.write_move(kind.line(position)[-1]) for position in positions[1:]]
    queries, size = make_move(slug, lines[2], 2, moves[2])
    last_queries, last_size = make_move(slug, lines[-2], 2_000, moves[-1])
    assert last_queries <= queries
    assert last_size < MAX_MORE_BYTES * size


@pytest.mark.parametrize(
    ("slug", "there", "back"), [("maxstrings", "x 5,5", "- 5,5"), ("kikazu", *THERE_AND_BACK)]
)
def test_the_answer_to_a_move_is_the_same_after_a_thousand_moves(slug, there, back, make_move):
    few, many = (" ".join([there, back] * times) for times in (1, 500))
    queries, size = make_move(slug, few, 2, there)
    later_queries, later_size = make_move(slug, many, 1_000, there)
    assert later_queries <= queries
    assert abs(later_size - size) < SIGNS_OF_NUMBERS


def start_of(slug: str) -> str:
    kind = get_kind(slug)
    return kind.write(kind.read(LARGE[slug]))


def game_of(slug: str) -> list:
    """Return the positions of a game on a large board, to its end or to 100 moves, without a
    solution."""
    kind = get_kind(slug)
    for seed in range(100):
        rng, positions = random.Random(seed), [kind.read(start_of(slug))]
        while len(positions) <= 100 and (moves := list(kind.moves(positions[-1]))):
            positions.append(kind.play(positions[-1], rng.choice(moves)))
        if not any(kind.judge(position).solved for position in positions):
            return positions
    raise AssertionError(f"every game of {slug} ends with a solution")


def test_an_attempt_ends_before_its_text_is_too_long_to_be_read(student_client, after):
    most = (LONGEST_TEXT - len(f"{SHOGI} | ")) // len("P 5,5 - 5,5 ") * 2
    attempt, status = after(most), 200
    url = attempt.addresses["step"]
    while status == 200:
        move = THERE_AND_BACK[most % 2]
        step = {"action": "move", "step": most, "move": move}
        answer = student_client.post(url, step, headers=HTMX)
        status, most = answer.status_code, most + 1
    assert most < MAX_STEPS
    assert status == 409
    assert "too many moves" in answer.content.decode()
    assert student_client.get(f"/play/{attempt.puzzle_id}/").status_code == 200
