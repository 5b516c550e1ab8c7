"""The same on real PostgreSQL, with several workers started by hand."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.integration.postgres import NotHere, Postgres, postgres
from tests.integration.processes import ROOT, wait_for

pytestmark = pytest.mark.integration

MAKE_TEACHERS = """
from puzzleclass.accounts.models import User
for name in "abcd":
    User.objects.create_teacher(name, name, "x")
"""
ASK_ALL = """
import random
from puzzleclass.accounts.models import User
from puzzleclass.jobs.services import ask
from puzzleclass.jobs.delivery import send
teacher = User.objects.get(username={name!r})
boards = ["o" * n for n in range(1, 13)]
random.shuffle(boards)
for board in boards:
    send(ask(teacher, "goishi", "count", board))  # one message too many
"""
REPORT = """
from puzzleclass.jobs.models import Job
rows = [(len(j.position), j.state, j.value, j.tries, j.askers.count()) for j in Job.objects.all()]
print(sorted(rows))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Postgres]:
    """A server whose own database has our tables: `database_url` makes copies of it."""
    try:
        with postgres() as server:
            manage(server.url, tmp_path_factory.mktemp("migrate"), "migrate", "--verbosity", "0")
            yield server
    except NotHere as error:
        pytest.skip(str(error))


@pytest.fixture
def database_url(server, request) -> str:
    """The address of a PostgreSQL database of this test's own, with empty tables."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{request.node.name[:60]}" TEMPLATE postgres')
    return server.url.removesuffix("postgres") + request.node.name[:60]


def test_many_ask_and_many_workers_answer_each_question_once(new_site, database_url):
    site = new_site(DATABASE_URL=database_url).start_prepared()
    site.manage(MAKE_TEACHERS)
    by_hand = (
        "-m",
        "celery",
        "--quiet",
        "-A",
        "puzzleclass",
        "worker",
        "-Q",
        "hint,review,solve",
        "-c1",
    )
    settings = {"cwd": ROOT, "env": site.environment | {"C_FORCE_ROOT": "1"}}
    workers = [
        subprocess.Popen(
            (sys.executable, *by_hand, "-n", f"{name}@test"), stderr=subprocess.DEVNULL, **settings
        )
        for name in ("one", "two")
    ]
    try:
        names = "from puzzleclass.celery import app; print(app.control.inspect(timeout=2).ping())"
        wait_for(lambda: site.manage(names).count("pong") == 6, 90, "all workers")
        code = [f"import django; django.setup()\n{ASK_ALL.format(name=name)}" for name in "abcd"]
        settings["env"] |= {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
        askers = [subprocess.Popen((sys.executable, "-c", text), **settings) for text in code]
        assert [asker.wait(60) for asker in askers] == [0, 0, 0, 0]
        # A row of n stones is picked from either end: 2 ways; a single stone 1 way.
        expected = [(n, "done", 1 if n == 1 else 2, 1, 4) for n in range(1, 13)]
        wait_for(lambda: site.manage(REPORT) == str(expected), 90, "every answer, once")
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait(60)


def manage(database_url: str, folder: Path, *command: str) -> str:
    """Run a command of `manage.py` on the database; returns what it says."""
    done = subprocess.run(
        (sys.executable, "manage.py", *command),
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url, "VAR_DIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(copy: Path) -> list[object]:
    """Return the lines of a backup, without the checksums: jsonb keeps no order of keys."""
    lines = [json.loads(line) for line in gzip.decompress(copy.read_bytes()).splitlines()]
    return [line | {"sha256": ""} if isinstance(line, dict) else line for line in lines]


def test_a_school_moves_from_sqlite_to_postgresql_and_back(database_url, tmp_path):
    first, second, third = (tmp_path / f"{name}.jsonl.gz" for name in ("first", "second", "third"))
    stored = ROOT / "tests" / "releases" / "0.1.sqlite3.gz"
    (tmp_path / "school.sqlite3").write_bytes(gzip.decompress(stored.read_bytes()))
    school, again = (f"sqlite:///{tmp_path / name}.sqlite3" for name in ("school", "again"))
    for url in (school, again):
        manage(url, tmp_path, "migrate", "--verbosity", "0")
    manage(school, tmp_path, "backup", str(first))
    manage(database_url, tmp_path, "restore", str(first))
    manage(database_url, tmp_path, "backup", str(second))
    manage(again, tmp_path, "restore", str(second))
    manage(again, tmp_path, "backup", str(third))
    assert rows(first) == rows(second) == rows(third)
    # The sequences go on after the rows.
    code = "from puzzleclass.accounts.models import User as U; print(U.objects.last().pk);"
    code += "print(U.objects.create_teacher('new', 'New', 'a good password').pk)"
    last, new = manage(database_url, tmp_path, "shell", "--verbosity", "0", "-c", code).split()
    assert int(new) == int(last) + 1


def test_a_backup_of_postgresql_is_of_one_moment(database_url, tmp_path):
    """Somebody signs up between two tables, without waiting, and is not in the backup."""
    code = """
import io, gzip
from threading import Thread
from puzzleclass import backup
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
User.objects.create_teacher("before", "Before", "a good password")
plain = backup._plain
def meanwhile(value):
    backup._plain = plain
    late = Thread(target=lambda: Classroom.objects.create(name="Late"))
    late.start()
    late.join()
    return plain(value)
backup._plain = meanwhile
file = io.BytesIO()
backup.write(file)
text = gzip.decompress(file.getvalue()).decode()
print("Before" in text, "Late" in text, Classroom.objects.get().name)
"""
    said = manage(database_url, tmp_path, "shell", "--verbosity", "0", "-c", code)
    assert said.split() == ["True", "False", "Late"]
