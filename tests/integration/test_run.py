"""`manage.py run` as an operator sees it: its start, its end, a second start, and its errors."""

import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.request import urlopen

import pytest

from tests import prepared
from tests.integration.processes import (
    END_SECONDS,
    ONLY_WORKER,
    SECOND_START_SECONDS,
    SMALL,
    START_SECONDS,
    WEB,
    Site,
    processes,
    wait_for,
)

pytestmark = pytest.mark.integration

MAKE_TEACHER_OF_DEMO = """
from puzzleclass.accounts.models import User
from puzzleclass.demo.school import TEACHER
User.objects.create_teacher(*TEACHER)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """Provide a running installation in a folder with a long name that has unusual characters."""
    folder = tmp_path_factory.mktemp("site")
    with Site(folder / "長い 名前 100%" / ("x" * 120), folder / "log") as site:
        yield site.start_prepared()


def wait_for_the_end_of(pids) -> None:
    """Wait until the killed processes have ended, which takes a moment."""
    wait_for(lambda: not set(pids) & set(processes()), 5, f"the end of {pids}")


def refused(site) -> str:
    """Start an installation that can't start, and return its one line of output."""
    site.begin("--no-demo")
    assert site.process.wait(60) == 1
    assert "Traceback" not in site.said
    assert len(site.said.strip().splitlines()) == 1, site.said
    return site.said


@pytest.mark.journey
def test_start_end_and_start_again(small_site):
    site = small_site
    with urlopen(f"{site.address}/", timeout=60) as answer:
        assert answer.status == 200
    site.manage(MAKE_TEACHER_OF_DEMO)
    family = site.family()
    assert site.end(signal.SIGINT) < END_SECONDS
    assert site.process.returncode == 0
    assert "ERROR" not in site.said
    wait_for_the_end_of(family)

    start = time.monotonic()
    site.start()
    assert time.monotonic() - start < SECOND_START_SECONDS
    assert "teacher   demo" in site.said
    assert site.rows("SELECT username FROM accounts_user") == [("demo",)]
    family = site.family()
    assert site.end(signal.SIGTERM) < END_SECONDS
    wait_for_the_end_of(family)
    assert "Traceback" not in site.said
    # The demo's password is public.
    site.environment["HOST"] = "0.0.0.0"
    assert "The demo school is in this database" in refused(site)


def test_a_start_after_an_update_backs_up_first(new_site):
    site = new_site(MEMORY_MB=SMALL)
    site.folder.mkdir(parents=True)
    prepared.copy_not_up_to_date_to(site.folder / "puzzleclass.sqlite3")
    site.begin("--no-demo")
    wait_for(lambda: site.is_up or site.process.poll() is not None, START_SECONDS, "the start")
    [path] = (site.folder / "backups").iterdir()
    assert f"{path} (" in site.said and "To go back" in site.said
    site.end()
    site.start("--no-demo")
    assert "To go back" not in site.said
    assert list((site.folder / "backups").iterdir()) == [path]


def test_pages_are_there_while_the_solvers_are_compiled(new_site, tmp_path):
    """The installation finds no compiled solvers, as the first one on a machine."""
    site = new_site(NUMBA_CACHE_DIR=str(tmp_path / "kernels"), TIMES="1").start_prepared()
    compiler = site.child("solvers.warm")
    assert "Compiling the solvers in the background" in site.said
    with urlopen(f"{site.address}/", timeout=60) as answer:
        assert answer.status == 200
    # Workers that die meanwhile take the compilation with them, and both begin anew.
    family = [pid for pid, command in site.family().items() if "spawn_main" in command]
    site.kill_child("puzzleclass.launcher.workers")
    wait_for_the_end_of([compiler, *family])
    assert site.child("solvers.warm") != compiler
    assert (site.folder / "compiling-solvers").exists()
    family = site.family()
    assert site.end() < END_SECONDS
    wait_for_the_end_of(family)
    assert "Traceback" not in site.said
    for part in ("database", "static files", "pages"):
        assert re.search(rf"^ +\d+\.\d s  {part}$", site.said, re.MULTILINE)


def test_the_end_comes_at_once_in_the_middle_of_the_first_start(new_site):
    site = new_site().prepare()
    site.begin()
    wait_for(lambda: "Making the demo" in site.said, 60, "the demo's making")
    family = site.family()
    assert site.end() < END_SECONDS
    wait_for_the_end_of(family)
    assert "Traceback" not in site.said
    assert site.rows("SELECT count(*) FROM accounts_user") == [(0,)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_start_that_is_ended_while_it_prepares_the_database_goes_on_later(new_site, number):
    site = new_site(MEMORY_MB=SMALL)
    site.begin("--no-demo")
    migrate = site.child("migrate")
    wait_for(lambda: tables_of(site) > 10, 60, "the first tables")
    assert site.end(number) < END_SECONDS
    wait_for_the_end_of({migrate})
    assert "Traceback" not in site.said
    if number != signal.SIGKILL:
        assert "Interrupted; the next start continues from here." in site.said
    assert tables_of(site) > 10
    site.start("--no-demo")
    assert "Preparing the database" in site.said
    with urlopen(f"{site.address}/", timeout=60) as answer:
        assert answer.status == 200


def tables_of(site) -> int:
    """Return the number of tables that the preparation of the database has made so far."""
    with suppress(sqlite3.OperationalError):
        [(number,)] = site.rows("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
        return number
    return 0


def test_a_child_that_does_not_listen_is_killed(small_site):
    family = small_site.family()
    os.kill(small_site.child(ONLY_WORKER), signal.SIGSTOP)
    assert small_site.end() < END_SECONDS
    wait_for_the_end_of(family)


def test_children_end_with_a_killed_launcher(small_site):
    family = small_site.family()
    small_site.end(signal.SIGKILL)
    wait_for_the_end_of(family)


@pytest.mark.parametrize(
    "word", [WEB, "--queues solve", "--queues hint", "--queues sweep", "redis"]
)
def test_a_child_that_dies_is_started_again(site, word):
    old = site.child(word)
    os.kill(old, signal.SIGKILL)
    wait_for_the_end_of({old})
    # No visitor is refused meanwhile, because the launcher holds the listening socket.
    with urlopen(f"{site.address}/healthz", timeout=60) as answer:
        assert json.load(answer)["status"] == "ok"
    wait_for(lambda: word in str(site.family().values()), 60, "its restart")


def test_a_port_in_use_is_told_in_one_line(new_site):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refused(new_site(port=port))
    assert f"127.0.0.1:{port}" in line and "in use" in line


def test_an_impossible_port_is_told_in_one_line(new_site):
    assert "70000" in refused(new_site(port=70000))


def test_a_second_run_in_the_same_folder_is_told_so(site, tmp_path):
    line = refused(Site(site.folder, tmp_path / "log"))
    assert "already runs" in line and str(site.process.pid) in line
    with urlopen(f"{site.address}/healthz", timeout=60) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("settings", [{}, {"SECRET_KEY": secrets.token_urlsafe(50)}])
def test_a_folder_that_cannot_be_written_is_told_in_one_line(new_site, tmp_path, settings):
    (tmp_path / "file").touch()
    assert str(tmp_path / "file" / "var") in refused(new_site("file/var", **settings))


def test_every_program_runs_also_below_a_long_path(site):
    assert len(str(site.folder)) > 140
    queues = ("solve", "hint", "live,review", "sweep")
    for word in (WEB, "redis", *(f"--queues {queue}" for queue in queues)):
        assert site.child(word)


def test_the_pages_are_served_alone(new_site):
    """`manage.py serve` is for a server whose database, Redis and workers run elsewhere."""
    site = new_site(WEB_PROCESSES="1").prepare()
    site.begin(command="serve")

    def answers() -> bool:
        with suppress(OSError), urlopen(f"{site.address}/healthz", timeout=10) as answer:
            return answer.status == 200
        return False

    wait_for(answers, START_SECONDS, "the first answer")
    [first] = site.children(WEB)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: site.children(WEB) not in ([], [first]), START_SECONDS, "a new process")
    wait_for(answers, START_SECONDS, "an answer of the new process")
    second = new_site(port=site.port)
    second.begin(command="serve")
    assert second.process.wait(60) == 1
    assert "Traceback" not in second.said and "can't be used" in second.said
    family = site.family()
    site.process.terminate()
    assert site.process.wait(END_SECONDS) == 0
    assert family.keys().isdisjoint(processes())
