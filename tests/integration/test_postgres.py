"""Jobs and backups on a real PostgreSQL, with several workers started by hand."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import prepared
from tests.integration.postgres import SERVER, NotHere, Postgres, postgres
from tests.integration.processes import ROOT, SMALL, Site, wait_for

pytestmark = pytest.mark.integration

MAKE_TEACHERS = """
from puzzleclass.accounts.models import User
for name in "abcd":
    User.objects.create_teacher(name, name, "x")
"""
ASK_ALL = """
import random
from billiard import Process
from django.db import connection
from puzzleclass.accounts.models import User
from puzzleclass.jobs.services import ask
from puzzleclass.jobs.delivery import send
def ask_all(teacher):
    boards = ["o" * n for n in range(1, 13)]
    random.shuffle(boards)
    for board in boards:
        send(ask(teacher, "goishi", "count", board))  # one message too many
askers = [Process(target=ask_all, args=(teacher,)) for teacher in User.objects.all()]
connection.close()  # The processes can't share it.
for asker in askers:
    asker.start()
for asker in askers:
    asker.join()
"""
UPLOAD_ROSTER = """
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.models import RosterUpload
school, teacher = School.objects.create(name="Higashi"), User.objects.get(username="demo")
content = bytes(range(256))
RosterUpload.objects.create(school=school, teacher=teacher, file_name="r.zip", content=content)
"""
REPORT = """
from puzzleclass.jobs.models import Job
rows = [(len(j.position), j.state, j.value, j.tries, j.askers.count()) for j in Job.objects.all()]
print(sorted(rows))
"""


SESSIONS = "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
MAX_SESSIONS = 70
"""The most connections that may have been opened until the 48 messages are served. Workers that
open one for each message open 104, and workers that keep theirs 40."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Postgres]:
    """Provide a server with our tables in its own database, of which `database_url` makes
    copies."""

    def migrate(folder: Path) -> None:
        with postgres(syncs=False) as server:
            manage(server.url, tmp_path_factory.mktemp("migrate"), "migrate", "--verbosity", "0")
            server.stop()
            shutil.copytree(server.data, folder / "data")

    try:
        kept = prepared.postgres_data(str(SERVER), migrate)
        with postgres(syncs=False, kept=kept) as server:
            yield server
    except NotHere as error:
        pytest.skip(str(error))


@pytest.fixture
def database_url(server, request) -> str:
    """Return the address of a PostgreSQL database with empty tables that belongs to the test."""
    name = request.node.name[:60]
    with psycopg.connect(server.url, autocommit=True) as connection:
        # A test that runs a second time finds the database of the first time.
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE postgres')
    return server.url.removesuffix("postgres") + name


@pytest.fixture(scope="module")
def console(server, tmp_path_factory) -> Iterator[Site]:
    """Provide an installation that is not started, but runs code with the server's databases."""
    folder = tmp_path_factory.mktemp("console")
    with Site(folder, folder / "log", DATABASE_URL=server.url) as site:
        yield site


@pytest.fixture
def ask(console, database_url) -> Callable[[str], str]:
    """Provide a function that runs code with the test's database and returns what it printed."""
    name = Path(database_url).name
    use = f"from django.db import connection; connection.settings_dict['NAME'] = {name!r}"
    return lambda code: console.manage(f"{use}\n{code}")


def test_many_ask_and_many_workers_answer_each_question_once(new_site, database_url):
    """Four processes ask. A process with threads and two processes of another worker take the
    jobs, and keep their connections to the database."""
    site = new_site(DATABASE_URL=database_url, MEMORY_MB=SMALL).start_prepared()
    options = ("--queues", "hint,review,solve", "--concurrency", "2", "--hostname", "hand@%h")
    worker = subprocess.Popen(
        (sys.executable, "-m", "celery", "--quiet", "-A", "puzzleclass", "worker", *options),
        cwd=ROOT,
        env=site.environment | {"C_FORCE_ROOT": "1"},
        stderr=subprocess.DEVNULL,
    )
    try:
        site.manage(MAKE_TEACHERS)
        names = "from puzzleclass.celery import app; print(app.control.ping(timeout=2, limit=2))"
        wait_for(lambda: site.manage(names).count("pong") == 2, 90, "both workers")
        site.manage(ASK_ALL)
        # A row of n stones is picked from either end, in 2 ways; a single stone in 1 way.
        expected = [(n, "done", 1 if n == 1 else 2, 1, 4) for n in range(1, 13)]
        wait_for(lambda: site.manage(REPORT) == str(expected), 90, "every answer, once")
        with psycopg.connect(database_url) as connection:
            (sessions,) = connection.execute(SESSIONS).fetchone()
        assert sessions < MAX_SESSIONS
    finally:
        worker.terminate()
        worker.wait(60)


def manage(database_url: str, folder: Path, *command: str) -> str:
    """Run a command of `manage.py` on the database and return its output."""
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
    """Return the lines of a backup as PostgreSQL stores them: with U+FFFD instead of U+0000, and
    without the checksums, because jsonb keeps no order of keys."""
    text = gzip.decompress(copy.read_bytes()).replace(rb"\u0000", rb"\ufffd")
    lines = [json.loads(line) for line in text.splitlines()]
    return [line | {"sha256": ""} if isinstance(line, dict) else line for line in lines]


def test_a_school_moves_from_sqlite_to_postgresql_and_back(database_url, tmp_path, ask):
    first, second, third = (tmp_path / f"{name}.jsonl.gz" for name in ("first", "second", "third"))
    prepared.copy_school_to(tmp_path / "school.sqlite3")
    with closing(sqlite3.connect(tmp_path / "school.sqlite3")) as database:
        database.execute("UPDATE puzzles_puzzle SET title = 'A' || char(0) WHERE id = 1")
        database.commit()
    prepared.copy_database_to(tmp_path / "again.sqlite3")
    school, again = (f"sqlite:///{tmp_path / name}.sqlite3" for name in ("school", "again"))
    manage(school, tmp_path, "shell", "--command", UPLOAD_ROSTER)
    manage(school, tmp_path, "backup", str(first))
    assert "1 of them held characters" in manage(database_url, tmp_path, "restore", str(first))
    manage(database_url, tmp_path, "backup", str(second))
    manage(again, tmp_path, "restore", str(second))
    manage(again, tmp_path, "backup", str(third))
    assert rows(first) == rows(second) == rows(third)
    # The sequences continue after the restored rows.
    code = "from puzzleclass.accounts.models import User as U; print(U.objects.last().pk);"
    code += "print(U.objects.create_teacher('new', 'New', 'a good password').pk)"
    last, new = ask(code).split()
    assert int(new) == int(last) + 1


def test_a_null_comes_neither_by_a_file_nor_by_a_field(ask):
    code = """
import json
from django.core.files.uploadedfile import SimpleUploadedFile
from django.conf import settings
from django.test import Client
from puzzleclass.accounts.models import User
plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.STORAGES["staticfiles"] = {"BACKEND": plain}
teacher = User.objects.create_teacher("sato", "Sato", "a good password")
puzzles = [{"kind": "goishi", "title": "A\\0B", "position": "oo"}]
pack = {"format": "puzzleclass-pack", "version": 1, "title": "One", "puzzles": puzzles}
client = Client(SERVER_NAME="localhost")
client.force_login(teacher)
file = SimpleUploadedFile("pack.json", json.dumps(pack).encode())
print(client.post("/packs/import/", {"file": file}).status_code)
print(client.get("/classes/", {"q": "\\0"}).status_code)
"""
    said = ask(code)
    assert said.split() == ["422", "400"]


def test_every_page_answers_503_while_postgresql_is_stopped(server, database_url, tmp_path):
    """This includes pages for which a middleware or the error page itself queries the database."""
    code = """
import os, signal
from django.conf import settings
from django.db import connection
from django.test import Client
from puzzleclass.accounts.models import User
plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.STORAGES["staticfiles"] = {"BACKEND": plain}
teacher = User.objects.create_teacher("sato", "Sato", "a good password")
client = Client(SERVER_NAME="localhost", raise_request_exception=False)
client.force_login(teacher)
assert client.get("/classes/").status_code == 200
print("begun", flush=True)
input()
for headers in ({}, {"HX-Request": "true"}):
    for ask in (client.get, client.post):
        for address in ("/", "/classes/", "/classes/new/", "/account/", "/nowhere/", "/healthz"):
            answer = ask(address, headers=headers)
            said = answer.content.decode()
            good = answer.status_code == 503 and ("データ" in said or address == "/healthz")
            print("ok" if good else (address, answer.status_code, said))
"""
    asking = subprocess.Popen(
        (sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code),
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url, "VAR_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    assert asking.stdout.readline() == "begun\n"
    server.kill()
    try:
        said, _ = asking.communicate("go\n", timeout=120)
    finally:
        server.start()
    assert set(said.split("\n")) == {"ok", ""}, said
    assert said.count("ok") == 24


def test_two_approvals_at_one_moment_take_two_numbers(ask):
    code = """
from threading import Barrier, BrokenBarrierError, Thread
from django.db import connection
from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import WrittenPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.gallery.services import approve, open_gallery
teacher = User.objects.create_teacher("sato", "Sato", "a good password")
room = Classroom.objects.create(name="4-2")
room.teachers.add(teacher)
student = User.objects.create_student("Abe", "1234")
room.enrolments.create(student=student, number=1)
gallery = open_gallery(room, teacher)
written = [
    WrittenPuzzle.objects.create(
        author=student, classroom=room, state="waiting", kind_slug="goishi", title="A", position=at
    )
    for at in ("oo", "ooo")
]
both = Barrier(2)
def wait_before_it_is_stored(execute, sql, params, many, context):
    # Without a lock both have read the same last number by now.
    if sql.startswith('INSERT INTO "assignments_assignedpuzzle"'):
        try:
            both.wait(2)
        except BrokenBarrierError:
            pass
    return execute(sql, params, many, context)
def put(puzzle):
    with connection.execute_wrapper(wait_before_it_is_stored):
        approve(puzzle, gallery, puzzle.mark)
    connection.close()
threads = [Thread(target=put, args=(puzzle,)) for puzzle in written]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*gallery.puzzles.order_by("number").values_list("number", flat=True))
"""
    said = ask(code)
    assert said.split() == ["1", "2"]


def test_two_requests_at_once_do_not_make_more_kinds_than_a_student_may_have(ask):
    code = """
from threading import Barrier, BrokenBarrierError, Thread
from django.db import connection
from puzzleclass.accounts.models import User
from puzzleclass.errors import QuotaReached
from puzzleclass.workshop.services import begin_with
student = User.objects.create_student("Ito", "1234")
begin_with(student, "stars")
begin_with(student, "stars")
both = Barrier(2)
def wait_before_it_is_stored(execute, sql, params, many, context):
    # Without a lock both have counted two by now.
    if sql.startswith('INSERT INTO "kinds_invention"'):
        try:
            both.wait(2)
        except BrokenBarrierError:
            pass
    return execute(sql, params, many, context)
def make(number):
    with connection.execute_wrapper(wait_before_it_is_stored):
        try:
            begin_with(student, "stars")
        except QuotaReached:
            pass
    connection.close()
threads = [Thread(target=make, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(student.inventions.count())
"""
    assert ask(code).split() == ["3"]


def test_a_backup_of_postgresql_is_of_one_moment(ask):
    """A class created between two tables does not have to wait, and is not in the backup."""
    code = """
import io, gzip
from threading import Thread
from puzzleclass.operations import backup
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
User.objects.create_teacher("before", "Before", "a good password")
plain = backup._json_value
def meanwhile(value):
    backup._json_value = plain
    late = Thread(target=lambda: Classroom.objects.create(name="Late"))
    late.start()
    late.join()
    return plain(value)
backup._json_value = meanwhile
file = io.BytesIO()
backup.write(file)
text = gzip.decompress(file.getvalue()).decode()
print("Before" in text, "Late" in text, Classroom.objects.get().name)
"""
    said = ask(code)
    assert said.split() == ["True", "False", "Late"]


def test_an_update_of_postgresql_backs_up_what_leads_back(ask, tmp_path):
    """The database is one migration behind, gets data, and is updated and restored again."""
    code = f"""
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from puzzleclass.accounts.models import User
settings.VAR_DIR = Path({str(tmp_path)!r})
call_command("migrate", "calendars", "zero", verbosity=0)
User.objects.create_teacher("before", "Before", "a good password")
call_command("migrate", verbosity=0)
[path] = (settings.VAR_DIR / "backups").iterdir()
User.objects.all().delete()
call_command("migrate", "calendars", "zero", verbosity=0)
call_command("restore", str(path), verbosity=0)
print(path.name.startswith("before-"), User.objects.get().username)
"""
    assert ask(code).split()[-2:] == ["True", "before"]


def test_prepared_queries_return_the_same_as_djangos_on_postgresql_too(server):
    """The tests of `database/prepared_queries.py` run on SQLite; here they run once more."""
    files = ("tests/web/database/test_prepared_queries.py", "tests/web/accounts/test_sessions.py")
    tests = ("-m", "pytest", "-q", "-n", "0", *files)
    done = subprocess.run(
        (sys.executable, *tests),
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": server.url, "TEST_TEMPLATE": "postgres"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_a_lost_connection_is_recognized_and_a_kept_one_costs_no_question(ask):
    code = """
from django.db import connection, connections
other = connections.create_connection("default")
def asked(sql, pid):
    with other.cursor() as cursor:
        cursor.execute(sql, [pid])
        return cursor.fetchone()[0]
with connection.cursor() as cursor:
    cursor.execute("SELECT pg_backend_pid()")
    [pid] = cursor.fetchone()
print(connection.is_usable())
print("SELECT 1" in asked("SELECT query FROM pg_stat_activity WHERE pid = %s", pid))
print(asked("SELECT pg_terminate_backend(%s, 5000)", pid))
print(connection.is_usable())
connection.close()
print(connection.is_usable())
"""
    said = ask(code)
    assert said.split() == ["True", "False", "True", "False", "False"]


def test_a_class_that_signs_in_at_once_is_not_told_to_try_again(ask):
    """Each sign-in counts a guess in three rows and takes it back. PostgreSQL ends a transaction
    that waits for one that waits for it."""
    code = """
from threading import Thread
from django.db import connection
from django.test import RequestFactory
from puzzleclass.accounts.models import User
from puzzleclass.classes import joining
from puzzleclass.classes.models import Classroom
classroom = Classroom.objects.create(name="4-A")
students = [User.objects.create_student(str(number), "2580") for number in range(6)]
entered = []
def sign_in(student):
    request = RequestFactory().post("/")
    entered.extend(joining.check_pin(request, classroom, student, "2580") for _ in range(30))
    connection.close()
threads = [Thread(target=sign_in, args=(student,)) for student in students]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(entered.count(True))
"""
    assert ask(code).split() == ["180"]
