"""The people of the web tests, and the fixtures with which they work."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Barrier, Thread
from typing import NamedTuple

import msgspec
import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection, connections
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs import runner, transitions
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import begin, current_attempt, take_step
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import from_json
from solvers.grid import write_cell
from solvers.kind import split_moves
from solvers.picture import CELL, Picture, Text
from solvers.registry import get_kind
from tests.broker import Broker, living_workers

PASSWORD = "a good password"
PIN = "1234"


class Lines(NamedTuple):
    """Lines of moves on the study's example: o . / o o / . . / o o."""

    solution: str = "1,1 2,1 2,2 4,2 4,1"
    other_solution: str = "1,1 2,1 4,1 4,2 2,2"
    jam: str = "2,1 1,1"
    """A line after which no move is left."""
    lost: str = "4,2"
    """A line after which moves are left, but no solution."""


@pytest.fixture(autouse=True)
def nothing_kept():
    """Clear the cache, so that no test sees a page that was cached for guests by another."""
    cache.clear()


# People


@pytest.fixture
def make_class() -> Callable[..., Classroom]:
    """Return a function that creates a class of a teacher, with students numbered from 1 and
    `PIN`."""

    def make_class(teacher: User, name: str, *students: str) -> Classroom:
        classroom = Classroom.objects.create(name=name)
        classroom.teachers.add(teacher)
        for number, student in enumerate(students, 1):
            classroom.enrolments.create(
                student=User.objects.create_student(student, PIN), number=number
            )
        return classroom

    return make_class


@pytest.fixture
def teacher(db) -> User:
    return User.objects.create_teacher("sato", "Sato Keiko", PASSWORD)


@pytest.fixture
def other_teacher(db) -> User:
    """Return a teacher of other classes only."""
    return User.objects.create_teacher("mori", "Mori Jun", PASSWORD)


@pytest.fixture
def colleague(classroom) -> User:
    """Return a second teacher of the class."""
    colleague = User.objects.create_teacher("ueda", "Ueda Rie", PASSWORD)
    classroom.teachers.add(colleague)
    return colleague


@pytest.fixture
def substitute(classroom) -> User:
    """Return a teacher who may look at the class and change nothing."""
    substitute = User.objects.create_teacher("oka", "Oka Emi", PASSWORD)
    classroom.teachers.add(substitute, through_defaults={"role": "substitute"})
    return substitute


@pytest.fixture
def classroom(teacher, make_class) -> Classroom:
    return make_class(teacher, "4-2", "Abe Haruto", "Ito Yui", "Kato Ren")


@pytest.fixture
def student(classroom) -> User:
    """Return the student with number 1 of the class."""
    return classroom.students.get(enrolments__number=1)


@pytest.fixture
def classmate(classroom) -> User:
    """Return the student with number 2 of the class."""
    return classroom.students.get(enrolments__number=2)


@pytest.fixture
def other_student(other_teacher, make_class) -> User:
    """Return a student of another class."""
    return make_class(other_teacher, "6-1", "Wada Sora").students.get()


# Puzzles and assignments


@pytest.fixture
def make_puzzle(teacher) -> Callable[..., Puzzle]:
    """Return a function that puts a board into the teacher's library."""

    def make_puzzle(kind_slug: str, position: str, title: str = "", **fields: object) -> Puzzle:
        board = {"kind_slug": kind_slug, "position": position, "title": title}
        return Puzzle.objects.create(owner=teacher, **board, **fields)

    return make_puzzle


@pytest.fixture
def puzzle(make_puzzle) -> Puzzle:
    """Return the study's example in the teacher's library: `o./oo/../oo`, with five solutions."""
    return make_puzzle("goishi", "o./oo/../oo", "Five stones")


@pytest.fixture
def assign() -> Callable[..., Assignment]:
    """Return a function that assigns puzzles to a class as they are, due tomorrow by default."""

    def assign(classroom: Classroom, *puzzles: Puzzle, **fields: object) -> Assignment:
        fields = {"title": "Homework", "due_at": timezone.now() + timedelta(days=1)} | fields
        assignment = classroom.assignments.create(teacher=classroom.teachers.first(), **fields)
        for number, puzzle in enumerate(puzzles, 1):
            assignment.puzzles.create(number=number, puzzle=puzzle, **puzzle.copied)
        return assignment

    return assign


@pytest.fixture
def assignment(classroom, puzzle, assign) -> Assignment:
    """Return an assignment of the puzzle to the class, due tomorrow."""
    return assign(classroom, puzzle)


@pytest.fixture
def assigned(assignment) -> AssignedPuzzle:
    """Return the assigned puzzle as the students have it."""
    return assignment.puzzles.get()


@pytest.fixture
def overdue(assignment) -> Assignment:
    """Return the assignment after its due date has passed."""
    assignment.due_at = timezone.now() - timedelta(minutes=1)
    assignment.save()
    return assignment


# Workers


@pytest.fixture(autouse=True)
def broker(monkeypatch) -> Broker:
    """Return a broker in memory to which all workers and the sweeper have just reported."""
    return living_workers(monkeypatch)


# Browsers


@pytest.fixture
def client_of() -> Callable[..., Client]:
    """Return a function that creates a browser in which somebody is signed in (None: nobody).

    The browser prefers `language`.
    """

    def client_of(user: User | None, language: str = "en", **options: object) -> Client:
        client = Client(headers={"accept-language": language}, **options)
        if user is not None:
            client.force_login(user)
        return client

    return client_of


@pytest.fixture
def anonymous(client_of, db) -> Client:
    return client_of(None)


@pytest.fixture
def teacher_client(client_of, teacher) -> Client:
    return client_of(teacher)


@pytest.fixture
def colleague_client(client_of, colleague) -> Client:
    return client_of(colleague)


@pytest.fixture
def substitute_client(client_of, substitute) -> Client:
    return client_of(substitute)


@pytest.fixture
def other_client(client_of, other_teacher) -> Client:
    return client_of(other_teacher)


@pytest.fixture
def student_client(client_of, student) -> Client:
    return client_of(student)


@pytest.fixture
def confirmed() -> Callable[..., HttpResponse]:
    """Return a function that sends a form with a list of students and then confirms it, as a
    browser does."""

    def confirmed(client: Client, url: str, fields: dict, **options: object) -> HttpResponse:
        shown = client.post(url, fields, headers={"HX-Request": "true"})
        roster = shown.context["roster"]
        sent = fields | {"students": roster.text, "seen": roster.fingerprint}
        return client.post(url, sent, **options)

    return confirmed


# Attempts


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def play() -> Callable[..., Attempt]:
    """Return a function that makes moves in an attempt, and returns the attempt after them.

    Each text is one move or a line of moves.
    """

    def play(attempt: Attempt, *moves: str) -> Attempt:
        for move in " ".join(moves).split():
            attempt = take_step(attempt, attempt.next_step, "move", move)
        return attempt

    return play


@pytest.fixture
def begun() -> Callable[[User, AssignedPuzzle], Attempt]:
    """Return a function that returns the student's current attempt, stored even before its first
    step."""

    def begun(student: User, puzzle: AssignedPuzzle) -> Attempt:
        attempt = current_attempt(student, puzzle)
        begin(attempt)
        return attempt

    return begun


@pytest.fixture
def order_on() -> Callable[[Picture], str]:
    """Return a function that reads the numbers on a picture as a line of their cells, in order."""

    def order_on(picture: Picture) -> str:
        places = {int(text.text): text for text in picture.shapes if isinstance(text, Text)}
        cells = [(int(at.y // CELL), int(at.x // CELL)) for _, at in sorted(places.items())]
        return " ".join(map(write_cell, cells))

    return order_on


@pytest.fixture
def tried() -> Callable[..., Attempt]:
    """Return a function that makes moves in the student's current attempt; "undo" takes one back.

    All moves have the same time, so that no test depends on how long they took.
    """

    def tried(student: User, puzzle: AssignedPuzzle, *moves: str) -> Attempt:
        at = timezone.now()
        attempt = current_attempt(student, puzzle, at)
        for text in moves:
            for move in [""] if text == "undo" else split_moves(text):
                attempt = take_step(
                    attempt, attempt.next_step, "move" if move else "undo", move, at
                )
        return attempt

    return tried


@pytest.fixture
def at_once() -> Callable[..., list]:
    """Return a function that calls another one for each argument, all at the same moment.

    It returns the results in the order of the arguments; an exception is returned, too.
    """

    def at_once(function: Callable, *arguments: object) -> list:
        results: list[object] = [None] * len(arguments)
        start = Barrier(len(arguments))

        def run(place: int) -> None:
            try:
                start.wait()
                results[place] = function(arguments[place])
            except Exception as error:
                results[place] = error
            finally:
                connections.close_all()

        threads = [Thread(target=run, args=(place,)) for place in range(len(arguments))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
        return results

    return at_once


@pytest.fixture
def queries_of() -> Callable[..., int]:
    """Return a function that counts the queries of a page, which must answer 200.

    Content types are read beforehand. A running site reads each of them once and keeps it, so
    otherwise only the first page that needs one would count that query.
    """

    def queries_of(client: Client, url: str, fields: object = None) -> int:
        ContentType.objects.get_for_models(*apps.get_models())
        with CaptureQueriesContext(connection) as seen:
            assert client.get(url, fields).status_code == 200
        return len(seen)

    return queries_of


# Jobs


@pytest.fixture
def answered() -> Callable[..., Job]:
    """Return a function that completes a job with an answer that no solver gave."""

    def answered(job: Job, value: int | str | None, proven: bool = True, **others: object) -> Job:
        details = msgspec.to_builtins(others, enc_hook=str)
        stored = {"value": value, "proven": proven, "moves": [], "details": details}
        question = get_kind(job.kind_slug).questions[job.question]
        job.answer = from_json(question.answer, stored).to_json()
        job.state = Job.State.DONE
        job.save()
        job.refresh_from_db()
        transitions.finished.send(Job, job=job)
        return job

    return answered


@pytest.fixture
def reviewed(answered) -> Callable[..., Job]:
    """Return a function that completes a review of an attempt as it stands."""

    def reviewed(attempt: Attempt, fatal: int | None, left: Sequence[str | None] = ()) -> Job:
        puzzle = attempt.puzzle
        asker = puzzle.assignment.teacher
        job = jobs.ask(asker, puzzle.kind_slug, "review", attempt.position_text)
        return answered(job, fatal, left=list(left))

    return reviewed


@pytest.fixture
def counted(answered) -> Callable[..., Job]:
    """Return a function that completes a count of the solutions of an assigned puzzle."""

    def counted(puzzle: AssignedPuzzle, value: int, proven: bool = True) -> Job:
        job = jobs.ask(puzzle.assignment.teacher, puzzle.kind_slug, "count", puzzle.position)
        return answered(job, value, proven)

    return counted


@pytest.fixture
def done() -> Callable[[Job], Job]:
    """Return a function that runs a job to its end, as a worker does."""

    def done(job: Job) -> Job:
        runner.run(job.pk)
        job.refresh_from_db()
        return job

    return done
