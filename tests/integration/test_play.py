"""A student's moves while the web server dies."""

import os
import re
import signal
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.integration.lessons import give_lesson
from tests.integration.processes import WEB, wait_for

pytestmark = pytest.mark.integration

STONES = 4
TOKEN = "c" * 32


class Student:
    """The student's browser, which repeats a step until it gets an answer, as board.js does."""

    def __init__(self, site, path: str, session: str) -> None:
        self.site, self.path = site, path
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def send(self, number: int) -> HTTPConnection:
        """Send the step and return the connection. Its answer has not been read yet."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        fields = {"action": "move", "move": f"1,{number + 1}", "step": number}
        connection.request("POST", self.path, urlencode(fields), self.headers)
        return connection

    def send_until_answered(self, number: int) -> None:
        def answered() -> bool:
            try:
                return self.send(number).getresponse().status == 200
            except (OSError, HTTPException):
                return False

        wait_for(answered, 60, f"an answer to step {number}")


@pytest.fixture
def student(small_site) -> Student:
    lesson = give_lesson(small_site, [("goishi", "o" * STONES)])
    board = Request(small_site.address + lesson.boards[0])
    board.add_header("Cookie", f"sessionid={lesson.student}")
    with urlopen(board, timeout=60) as page:
        path = re.search("/attempts/[^/]+/steps/", page.read().decode())
    return Student(small_site, path.group(), lesson.student)


def steps(site) -> list[tuple[int, str]]:
    return site.rows("SELECT number, move FROM play_step ORDER BY id")


def test_moves_count_once_whenever_the_web_server_dies(student):
    site = student.site

    def kill_web_server() -> None:
        os.kill(site.child(WEB), signal.SIGKILL)

    # It dies at once, in the middle of a request, and after the step is stored but before its
    # answer is read. Each restart waits longer than the one before.
    for number, pause in enumerate([0, 0.01]):
        lost = student.send(number)
        time.sleep(pause)
        kill_web_server()
        lost.close()
        student.send_until_answered(number)
    lost = student.send(2)
    wait_for(lambda: len(steps(site)) == 3, 60, "the stored step")
    kill_web_server()
    lost.close()
    student.send_until_answered(2)
    student.send_until_answered(3)
    assert steps(site) == [(number, f"1,{number + 1}") for number in range(STONES)]
    assert site.rows("SELECT state, next_step FROM play_attempt") == [("solved", STONES)]
    assert len(site.rows("SELECT id FROM play_foundsolution")) == 1
