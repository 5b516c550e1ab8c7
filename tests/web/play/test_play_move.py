"""The path of a move: its number of database queries, and the size of its answer."""

import gzip
import random
from contextlib import suppress
from functools import cache
from itertools import islice, product

import pytest
from django.db import connection
from django.http import Http404, HttpResponse
from django.test.utils import CaptureQueriesContext

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs.models import Job
from puzzleclass.play.access import get_attempt_for_student
from puzzleclass.play.attempts import begin, current_attempt, take_step
from puzzleclass.play.hints import ask_hint, look_ahead
from puzzleclass.play.models import Attempt, HintUse, RefusedMove
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution
from solvers.kind import Kind, PuzzleError
from solvers.registry import get_kind, kinds

HTMX_PLAIN = {"HX-Request": "true"}
HTMX = HTMX_PLAIN | {"Accept-Encoding": "gzip"}

MAX_QUERIES = 6
"""Queries for an accepted move: session with student, attempt, BEGIN, two writes, COMMIT."""
MAX_QUERIES_WITH_SCORE = MAX_QUERIES + 2
"""For a kind with a score also the best scores and a third write."""
MAX_QUERIES_TO_SOLVE = MAX_QUERIES + 8
"""A move that solves a board also queries what is left to be solved in the assignment, and what the
solution has earned."""

MAX_QUERIES_WITH_HELP = 12
"""Queries for a move when hints were taken and there is the look-ahead."""

MAX_BYTES = 3 * 1024
"""Bytes of the compressed answer to a move on a board of 10 x 10."""

LARGE = 10


@pytest.fixture
def assign_board(classroom, assign, make_puzzle):
    """Return a function that assigns a board, among others, to the class."""

    def assign_board(kind: Kind, position: str, **fields: object) -> AssignedPuzzle:
        puzzles = [make_puzzle(kind.slug, position, f"Board {number}") for number in (1, 2, 3)]
        return assign(classroom, *puzzles, **fields).puzzles.get(number=2)

    return assign_board


def line(kind: Kind, position: object, number: int) -> list[str]:
    """Return a number of moves that can be played from a position; they are the same every time."""
    for seed in range(1000):
        rng, here, played = random.Random(seed), position, []
        while len(played) < number and (moves := list(kind.moves(here))):
            move = rng.choice(moves)
            here = kind.play(here, move)
            played.append(kind.write_move(move))
            if kind.judge(here).solved:
                break
        if len(played) == number:
            return played
    raise AssertionError("no line is as long as that")


def anew(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


def send(client, attempt: Attempt, move: str) -> tuple[HttpResponse, int]:
    """Send a move as the page does. Return the answer and the number of queries."""
    before = Attempt.objects.filter(key=attempt.key).first() or attempt
    number, kind = before.next_step, before.puzzle.kind
    tool = next(iter(kind.tools.names(before.position)), "") if kind.tools else ""
    fields = {"action": "move", "step": number, "move": move, "typed": "", "tool": tool}
    with CaptureQueriesContext(connection) as seen:
        answer = client.post(f"/attempts/{attempt.key}/steps/", fields, headers=HTMX)
    assert answer.status_code == 200
    assert Attempt.objects.get(key=attempt.key).next_step == number + 1
    return answer, len(seen)


def queries(client, attempt: Attempt, move: str) -> int:
    return send(client, attempt, move)[1]


@cache
def small_boards(kind: Kind) -> list[str]:
    """Return up to four starts that a few moves don't finish.

    It takes 1,000 tries to refuse a board, so no more boards are tried than are needed.
    """
    rng = random.Random(5)
    boards = {kind.write(kind.sample(rng, 5)) for _ in range(40)}
    return list(islice((board for board in sorted(boards) if _lasts(kind, board)), 4))


def _lasts(kind: Kind, board: str) -> bool:
    try:
        return bool(line(kind, kind.read(board), 3))
    except AssertionError:
        return False


@pytest.mark.parametrize("slug", kinds())
def test_a_move_asks_at_most_six_times(student, student_client, assign_board, slug):
    """The first move also reads the puzzle and stores the attempt."""
    kind = get_kind(slug)
    boards = small_boards(kind)
    assert boards
    for board in boards:
        attempt = current_attempt(student, assign_board(kind, board, hints=0))
        usual = MAX_QUERIES if kind.score is None else MAX_QUERIES_WITH_SCORE
        most = usual + 3
        for move in line(kind, kind.read(board), 3):
            number = queries(student_client, attempt, move)
            has_solved = Attempt.objects.get(key=attempt.key).has_solved
            assert number <= (MAX_QUERIES_TO_SOLVE if has_solved else most)
            most = usual


def test_a_move_of_a_later_attempt_asks_no_more(student, student_client, assign_board):
    kind = get_kind("tonari")
    attempt = current_attempt(student, assign_board(kind, "Bbb/bbb/bbb", hints=0))
    for _ in range(4):
        attempt = restart(take_step(attempt, attempt.next_step, "move", "1,2"))
    assert attempt.failures == 4
    assert queries(student_client, attempt, "1,2") == MAX_QUERIES


def test_a_refused_move_is_drawn_from_what_was_read(student, student_client, assign_board):
    """The session with the student, the attempt, and the count of the refusal."""
    kind = get_kind("tonari")
    attempt = current_attempt(student, assign_board(kind, "Bbb/bbb/bbb", hints=0))
    attempt = take_step(attempt, 0, "move", "1,2")
    fields = {"action": "move", "step": 1, "move": "3,3"}
    for most in (5, 3):
        with CaptureQueriesContext(connection) as seen:
            answer = student_client.post(attempt.addresses["step"], fields, headers=HTMX_PLAIN)
        assert answer["Refused"] == "422" and len(seen) == most
        assert "play-status bad" in answer.content.decode()
    expected = student_client.post(
        attempt.addresses["step"], fields | {"expects": "refusal"}, headers=HTMX_PLAIN
    )
    # The browser has shown the refusal already.
    assert (expected.status_code, expected["Refused"], expected.content) == (204, "422", b"")
    assert RefusedMove.objects.get().times == 3
    # What it did not expect is drawn.
    allowed = {**fields, "move": "2,2", "expects": "refusal"}
    answer = student_client.post(attempt.addresses["step"], allowed, headers=HTMX_PLAIN)
    assert answer.status_code == 200 and 'id="play"' in answer.content.decode()


@pytest.mark.parametrize("slug", kinds())
def test_with_hints_and_the_look_ahead_at_most_twelve_times(
    student, student_client, assign_board, done, slug
):
    kind = get_kind(slug)
    board = small_boards(kind)[0]
    attempt = current_attempt(student, assign_board(kind, board, hints=9, warns=True))
    begin(attempt)
    for move in line(kind, kind.read(board), 3):
        attempt = anew(attempt)
        ask_hint(attempt, attempt.next_step, HintUse.Level.ALIVE)
        look_ahead(attempt, attempt.next_step)
        for job in Job.objects.filter(state=Job.State.WAITING):
            done(job)
        assert queries(student_client, attempt, move) <= MAX_QUERIES_WITH_HELP


def solved_line(kind: Kind) -> tuple[str, list[str]]:
    """Return a start and moves that solve it: the longest solution found at random on small
    boards."""
    rng, best = random.Random(2), ("", [])
    for _ in range(600):
        start = here = kind.sample(rng, 3)
        played: list[str] = []
        while not kind.judge(here).solved and (moves := list(kind.moves(here))):
            move = rng.choice(moves)
            here = kind.play(here, move)
            played.append(kind.write_move(move))
        if kind.judge(here).solved and len(played) > len(best[1]):
            best = kind.write(start), played
    return best


@pytest.mark.parametrize("slug", kinds())
def test_the_move_that_solves(student, student_client, assign_board, counted, slug):
    """This move also stores the solution, reads all solutions found, and their number."""
    kind = get_kind(slug)
    board, moves = solved_line(kind)
    assert moves
    attempt = current_attempt(student, assign_board(kind, board, hints=0))
    counted(attempt.puzzle, 2)
    for move in moves[:-1]:
        attempt = take_step(attempt, attempt.next_step, "move", move)
    # A kind with a score also queries whether the score can be beaten, and the boards of the class.
    most = MAX_QUERIES_TO_SOLVE + (0 if kind.score is None else 4)
    assert queries(student_client, attempt, moves[-1]) <= most
    assert FoundSolution.objects.filter(puzzle=attempt.puzzle).count() == 1


def full_boards(kind: Kind) -> list[str]:
    """Return playable boards of 10 x 10 that are filled by one brush."""
    boards = []
    for brush in kind.editor.brushes:
        draft = kind.editor.blank(LARGE, LARGE)
        for cell in product(range(LARGE), repeat=2):
            draft = kind.editor.paint(draft, cell, brush)
        with suppress(PuzzleError):
            start = kind.read(draft)
            if next(iter(kind.moves(start)), None) is not None:
                boards.append(kind.write(start))
    return boards


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(
    "slug", [slug for slug, kind in kinds().items() if min(kind.editor.largest) >= LARGE]
)
def test_an_answer_is_short_on_the_wire(client_of, student, assign_board, slug, language):
    kind, client = get_kind(slug), client_of(student, language)
    boards = full_boards(kind)
    assert boards
    for board in boards:
        attempt = current_attempt(student, assign_board(kind, board, hints=3, warns=True))
        for move in line(kind, attempt.position, 40):
            answer, _ = send(client, attempt, move)
            assert answer["Content-Encoding"] == "gzip" and "Accept-Encoding" in answer["Vary"]
            assert b'id="play"' in gzip.decompress(answer.content)
            # The head of the answer has up to 100 random bytes, against BREACH.
            random_bytes = answer.content.index(0, 10) - 10
            assert len(answer.content) - random_bytes <= MAX_BYTES


def test_an_attempt_is_read_as_django_reads_it(student, classmate, assigned, begun):
    """The prepared SQL yields the same columns and types, whichever attempts are read before."""
    for reader in (student, classmate, student):
        key = begun(reader, assigned).key
        read = get_attempt_for_student(reader, key)
        plain = Attempt.objects.get(key=key)
        for ours, theirs in (
            (read, plain),
            (read.puzzle, plain.puzzle),
            (read.puzzle.assignment, plain.puzzle.assignment),
        ):
            for field in ours._meta.concrete_fields:
                values = [getattr(each, field.attname) for each in (ours, theirs)]
                assert values[0] == values[1] and type(values[0]) is type(values[1])
    with pytest.raises(Http404):
        get_attempt_for_student(classmate, key)
