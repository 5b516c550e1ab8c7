"""The site on a full disk: pages can be read, writing says why it fails, and everything
recovers."""

import json
import os
import re
import signal
import subprocess
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

import pytest

from tests.integration.lessons import give_lesson
from tests.integration.processes import SMALL, WEB, Site, wait_for

pytestmark = pytest.mark.integration

TOKEN = "c" * 32
DISK = "300m"
"""A size above the free space below which `/readyz` calls a disk nearly full."""


@pytest.fixture
def small_disk(tmp_path):
    """Provide a file system of its own, so that a test can fill it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder))
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may not mount a file system")
    yield folder
    subprocess.run(("umount", "--lazy", str(folder)), check=True)


class Visitor:
    """A signed-in browser."""

    def __init__(self, site: Site, session: str) -> None:
        self.site = site
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}; django_language=en",
            "X-CSRFToken": TOKEN,
            "Accept-Language": "en",
        }

    def ask(self, path: str, **fields: object) -> tuple[int, str]:
        """Return the status and the text of a GET, or of a POST if there are fields."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        form = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        try:
            if fields:
                headers = self.headers | form
                connection.request("POST", path, urlencode(fields), headers)
            else:
                connection.request("GET", path, headers=self.headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, HTTPException):
            return 0, ""
        finally:
            connection.close()

    def step(self, path: str, number: int) -> tuple[int, str]:
        """Take a stone from the row of stones."""
        return self.ask(path, action="move", move=f"1,{number + 1}", step=number)


def fill(path) -> None:
    """Write until there is no space left."""
    with path.open("wb", buffering=0) as file:
        for size in (1_000_000, 10_000, 100, 1):
            with suppress(OSError):
                while file.write(b"\0" * size):
                    pass


def test_a_full_disk_keeps_nobody_from_reading(small_disk, tmp_path):
    settings = {"MEMORY_MB": SMALL, "WEB_PROCESSES": "2"}
    with Site(small_disk / "var", tmp_path / "log", **settings) as site:
        site.start_prepared()
        lesson = give_lesson(site, [("goishi", "o" * 12)])
        student, teacher = Visitor(site, lesson.student), Visitor(site, lesson.teacher)
        board = lesson.boards[0]
        steps = re.search("/attempts/[^/]+/steps/", student.ask(board)[1]).group()
        # Below, steps are made until the database needs another page.
        assert student.step(steps, 0)[0] == 200
        ready = Visitor(site, "")
        wait_for(lambda: ready.ask("/readyz")[0] == 200, 60, "a site that is ready")

        fill(small_disk / "rubbish")

        def check_reading() -> None:
            for reader, pages in ((student, ("/", board)), (teacher, ("/", "/puzzles/", "/help/"))):
                for page in pages * 3:
                    status, content = reader.ask(page)
                    assert status == 200, (page, content)

        check_reading()
        answer = None
        for number in range(1, 9):
            answer = student.step(steps, number)
            if answer[0] != 200:
                break
        assert answer[0] == 503
        assert "disk is full" in answer[1]

        def tells_of_the_disk() -> bool:
            status, content = ready.ask("/readyz")
            return status == 503 and json.loads(content)["parts"]["disk"] == "failing"

        wait_for(tells_of_the_disk, 10, "a probe that names the disk")
        assert ready.ask("/healthz")[0] == 200
        assert ready.ask("/metrics")[0] == 200
        # A web process that starts while the disk is full can read too.
        for process in site.children(WEB):
            os.kill(process, signal.SIGKILL)
        wait_for(lambda: ready.ask("/healthz")[0] == 200, 60, "new web processes")
        check_reading()

        (small_disk / "rubbish").unlink()
        assert student.step(steps, number)[0] == 200
        wait_for(lambda: ready.ask("/readyz")[0] == 200, 90, "a site that is ready again")
        check_reading()
