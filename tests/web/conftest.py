"""The cast of the web tests, and what they work with."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import get_kind

STUDY_EXAMPLE = "5\n1 1\n1 3\n1 4\n2 1\n2 3"
"""The school poster's five stones; five solutions."""
PASSWORD = "a good password"
PIN = "1234"


def make_class(teacher: User, name: str, *students: str) -> Classroom:
    """Return a class of this teacher with students numbered from 1; their PIN is `PIN`."""
    classroom = Classroom.objects.create(name=name)
    classroom.teachers.add(teacher)
    for number, student in enumerate(students, 1):
        classroom.enrolments.create(
            student=User.objects.create_student(student, PIN), number=number
        )
    return classroom


def assign(classroom: Classroom, *puzzles: Puzzle, **fields: object) -> Assignment:
    """Return an assignment of the puzzles to the class, due tomorrow unless told otherwise."""
    fields = {"title": "Homework", "due_at": timezone.now() + timedelta(days=1)} | fields
    assignment = classroom.assignments.create(teacher=classroom.teachers.first(), **fields)
    for number, puzzle in enumerate(puzzles, 1):
        assignment.puzzles.create(
            number=number,
            puzzle=puzzle,
            kind_slug=puzzle.kind_slug,
            position=puzzle.position,
            title=puzzle.title,
        )
    return assignment


# People


@pytest.fixture
def teacher(db) -> User:
    return User.objects.create_teacher("sato", "Sato Keiko", PASSWORD)


@pytest.fixture
def other_teacher(db) -> User:
    """A stranger: teaches other classes."""
    return User.objects.create_teacher("mori", "Mori Jun", PASSWORD)


@pytest.fixture
def colleague(classroom) -> User:
    """Teaches the same class."""
    colleague = User.objects.create_teacher("ueda", "Ueda Rie", PASSWORD)
    classroom.teachers.add(colleague)
    return colleague


@pytest.fixture
def classroom(teacher) -> Classroom:
    return make_class(teacher, "4-2", "Abe Haruto", "Ito Yui", "Kato Ren")


@pytest.fixture
def student(classroom) -> User:
    """Number 1 of the class."""
    return classroom.students.get(enrolments__number=1)


@pytest.fixture
def classmate(classroom) -> User:
    """Number 2 of the class."""
    return classroom.students.get(enrolments__number=2)


@pytest.fixture
def other_student(other_teacher) -> User:
    """A student of another class."""
    return make_class(other_teacher, "6-1", "Wada Sora").students.get()


# Things


@pytest.fixture
def puzzle(teacher) -> Puzzle:
    """The study's example in the teacher's library: `o./oo/../oo`, five solutions."""
    kind = get_kind("goishi")
    return Puzzle.objects.create(
        owner=teacher,
        kind_slug=kind.slug,
        position=kind.write(kind.read(STUDY_EXAMPLE)),
        title="Five stones",
    )


@pytest.fixture
def assignment(classroom, puzzle) -> Assignment:
    """The puzzle given to the class, due tomorrow."""
    return assign(classroom, puzzle)


@pytest.fixture
def assigned(assignment) -> AssignedPuzzle:
    """The puzzle in the students' hands."""
    return assignment.puzzles.get()


@pytest.fixture
def overdue(assignment) -> Assignment:
    """The same assignment, its due date past."""
    assignment.due_at = timezone.now() - timedelta(minutes=1)
    assignment.save()
    return assignment


# Browsers


@pytest.fixture
def client_of() -> Callable[..., Client]:
    """Makes a browser with somebody signed in (None: nobody), reading `language`."""

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
def other_client(client_of, other_teacher) -> Client:
    return client_of(other_teacher)


@pytest.fixture
def student_client(client_of, student) -> Client:
    return client_of(student)


# Jobs


@pytest.fixture
def done() -> Callable[[Job], Job]:
    """Does what a worker would: runs the job to its end."""

    def done(job: Job) -> Job:
        runner.run(job.pk)
        job.refresh_from_db()
        return job

    return done


@pytest.fixture
def ended() -> Callable[..., None]:
    """Puts an answer on a job that no solver gave."""

    def ended(job: Job, value: str, *, proven: bool, details: dict | None = None) -> None:
        answer = {"value": value, "proven": proven, "moves": [], "details": details or {}}
        Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, answer=answer)

    return ended
