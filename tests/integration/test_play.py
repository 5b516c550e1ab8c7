"""A student's moves, while the web server dies under them."""

import json
import os
import signal
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

import pytest

from tests.integration.processes import child_of, wait_for

pytestmark = pytest.mark.integration

STONES = 6
GIVE_A_PUZZLE = f"""
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import give
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.play.services import current_attempt
from puzzleclass.puzzles.models import Puzzle
teacher = User.objects.create_teacher("t", "T", "x")
student = User.objects.create_student("S", "1234")
classroom = Classroom.objects.create(name="C")
classroom.teachers.add(teacher)
Enrolment.objects.create(classroom=classroom, student=student, number=1)
puzzle = Puzzle.objects.create(
    owner=teacher, kind_slug="goishi", position="{"o" * STONES}", title="P"
)
assignment = give(classroom, teacher, "A", timezone.now() + timedelta(days=1), [puzzle])
attempt = current_attempt(student, assignment.puzzles.get())
client = Client()
client.force_login(student)
session = client.cookies["sessionid"].value
print(json.dumps({{"key": str(attempt.key), "session": session}}))
"""
TOKEN = "c" * 32


class Student:
    """The student's browser: it sends a step until it has an answer, as board.js does."""

    def __init__(self, site, key: str, session: str) -> None:
        self.site, self.path = site, f"/attempts/{key}/steps/"
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def send(self, number: int) -> HTTPConnection:
        """Send the step and return the connection, its answer not yet read."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=20)
        fields = {"action": "move", "move": f"1,{number + 1}", "step": number}
        connection.request("POST", self.path, urlencode(fields), self.headers)
        return connection

    def send_until_answered(self, number: int) -> None:
        def answered() -> bool:
            try:
                return self.send(number).getresponse().status == 200
            except (OSError, HTTPException):
                return False

        wait_for(answered, 30, f"an answer to step {number}")


@pytest.fixture
def student(site) -> Student:
    return Student(site, **json.loads(site.manage(GIVE_A_PUZZLE)))


def steps(site) -> list[tuple[int, str]]:
    return site.rows("SELECT number, move FROM play_step ORDER BY id")


def test_moves_count_once_whenever_the_web_server_dies(site, student):
    # Killed at once, in the middle, and after the step is stored but before its answer is read.
    for number, pause in enumerate([0, 0.005, 0.01, 0.02]):
        process = child_of(site.child("gunicorn"))  # the one that answers
        lost = student.send(number)
        time.sleep(pause)
        os.kill(process, signal.SIGKILL)
        lost.close()
        student.send_until_answered(number)
    lost = student.send(4)
    wait_for(lambda: len(steps(site)) == 5, 10, "the stored step")
    site.kill_child("gunicorn")
    lost.close()
    student.send_until_answered(4)
    student.send_until_answered(5)
    assert steps(site) == [(number, f"1,{number + 1}") for number in range(STONES)]
    assert site.rows("SELECT state, next_step FROM play_attempt") == [("solved", STONES)]
    assert len(site.rows("SELECT id FROM play_foundsolution")) == 1
