"""A large import is stored in portions, so that nobody waits for it, and can be interrupted."""

import io
from threading import Thread

import pytest
from django.db import IntegrityError, connection

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, SignInCard
from puzzleclass.classes.school_models import Board
from puzzleclass.rosters import changes, portions
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import EnrolmentId, RosterImport, UserId
from puzzleclass.rosters.undo import undo_import
from tests.oneroster import packed, tables_of_two_schools

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 20


@pytest.fixture
def board(teacher, monkeypatch):
    """Return a board whose imports are stored in portions of four."""
    monkeypatch.setattr(portions, "BATCH_ROWS", 4)
    monkeypatch.setattr("puzzleclass.database.batches.BATCH_ROWS", 4)
    monkeypatch.setattr("puzzleclass.database.batches.PAUSE_SECONDS", 0)
    return Board.objects.create(name="City")


def city() -> bytes:
    given = tables_of_two_schools()
    for number in range(PEOPLE):
        key = f"s{number}"
        given["users"].append([key, "true", key, f"子{number}", "山", *[""] * 4, "o1", "", "", ""])
        given["roles"].append([f"r{key}", key, "primary", "student", "o1"])
        row = [f"e{key}", "c1", "o1", key, "student", "false", "", "", str(number + 10), ""]
        given["enrollments"].append(row)
    return packed(given)


def importing(board):
    with io.BytesIO(city()) as file:
        return import_roster(file, target=board)


def numbers():
    return tuple(
        model.objects.count()
        for model in (User, SignInCard, Classroom, Enrolment, UserId, EnrolmentId)
    )


def test_portions_store_the_same_as_one_transaction(board, monkeypatch):
    assert importing(board).is_stored
    in_portions, record = numbers(), RosterImport.objects.get()
    marks = set(UserId.objects.values_list("by_board", "left_at"))
    assert marks == {(board.pk, None)}
    undo_import(record)
    assert not Enrolment.objects.exists() and not UserId.objects.exists()
    assert not User.objects.filter(role="student").exists()
    monkeypatch.setattr(portions, "BATCH_ROWS", 500)
    assert importing(board).is_stored
    assert numbers() == in_portions


def test_others_write_between_the_portions(board, teacher, monkeypatch):
    wrote = []

    def write():
        wrote.append(User.objects.filter(pk=teacher.pk).update(reading="さとう"))
        connection.close()

    def somebody_signs_in():
        thread = Thread(target=write)
        thread.start()
        thread.join()

    monkeypatch.setattr(portions, "let_others_write", somebody_signs_in)
    assert importing(board).is_stored
    assert len(wrote) >= (PEOPLE + PEOPLE) / 4 and set(wrote) == {1}


class Interrupted(BaseException):
    """The end of the process."""


@pytest.mark.parametrize("part", ["store_classes", "store_people", "store_places", "rest"])
def test_an_import_that_was_interrupted_goes_on(board, monkeypatch, part):
    def interrupt(*_args):
        raise Interrupted

    with monkeypatch.context() as patched:
        if part == "rest":
            patched.setattr(changes, "_store_teachings", interrupt)
        else:
            patched.setattr(portions._Portions, part, interrupt)
        with pytest.raises(Interrupted):
            importing(board)
    before = User.objects.filter(role="student").count()
    assert before == UserId.objects.filter(user__role="student").count()
    assert importing(board).is_stored
    places = Enrolment.objects.values("student", "classroom")
    assert User.objects.filter(role="student").count() == PEOPLE + 4
    assert Enrolment.objects.count() == places.distinct().count() == PEOPLE + 4
    for record in RosterImport.objects.order_by("-pk"):
        undo_import(record)
    assert not Enrolment.objects.exists() and not UserId.objects.exists()


def test_what_cannot_be_stored_leaves_nothing(board, monkeypatch):
    def collide(*_args):
        raise IntegrityError

    monkeypatch.setattr(changes, "_store_teachings", collide)
    done = importing(board)
    assert done.faults.count == 1 and not done.is_stored
    assert not Enrolment.objects.exists() and not User.objects.filter(role="student").exists()
