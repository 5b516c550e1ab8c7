"""A database that is full: what can still be read, what is refused, and in which words.

SQLite is really full here, because it may use no more pages than it has.
`tests/integration/test_disk_runs_full.py` fills a disk.
"""

import errno
import secrets
from contextlib import suppress
from uuid import uuid4

import psycopg.errors
import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation
from prometheus_client import Histogram

from puzzleclass.accounts.models import Session
from puzzleclass.errors import is_disk_full, server_error
from puzzleclass.http import SessionMiddleware
from puzzleclass.operations.request_times import BUCKETS, LABELS, MEANING, NAME, RequestTimes
from tests.web.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fill():
    """Fill the database. It has space again after the test."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite can be told how large it may become")

    def fill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1")
        for size in (1_000_000, 1_000, 1):
            with suppress(OperationalError):
                while True:
                    Session.objects.create(
                        session_key=uuid4().hex, session_data="x" * size, expire_date=timezone.now()
                    )

    yield fill
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 4294967294")


def is_refused(answer) -> bool:
    return (answer.status_code, answer["Retry-After"]) == (503, "2")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_step_is_refused_with_the_reason_and_pages_are_read(
    client_of, student, assigned, begun, fill, language
):
    client = client_of(student, language)
    steps = f"/attempts/{begun(student, assigned).key}/steps/"
    fill()
    for number in range(500):  # until the last page of the table is full, too
        action = {"action": "undo"} if number % 2 else {"action": "move", "move": "1,1"}
        answer = client.post(steps, action | {"step": number}, headers={"HX-Request": "true"})
        if answer.status_code != 200:
            break
    assert is_refused(answer)
    assert ("disk is full" if language == "en" else "ディスク") in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert is_refused(client.post(steps, action | {"step": number}))
    for page in ("/", f"/play/{assigned.pk}/"):
        assert client.get(page).status_code == 200


def test_a_note_in_the_session_keeps_nobody_from_reading(student_client, student, fill):
    fill()

    def view(request):
        request.session["note"] = secrets.token_hex(5_000)
        return HttpResponse("read")

    middleware = SessionMiddleware(view)
    for method in ("GET", "POST"):
        request = RequestFactory().generic(method, "/")
        request.COOKIES = {name: morsel.value for name, morsel in student_client.cookies.items()}
        request.user = student
        answer = middleware(request)
        assert answer.content == b"read" if method == "GET" else is_refused(answer)


def test_errors_outside_of_views_are_reported_in_the_same_words(student):
    request = RequestFactory().post("/", headers={"HX-Request": "true", "Accept-Language": "en"})
    request.user = student
    with translation.override("en"):
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError:
            answer = server_error(request)
    assert is_refused(answer)
    assert "disk is full" in answer.content.decode()


def test_nobody_signs_in_and_the_page_says_why(client_of, teacher, fill):
    fill()
    client = client_of(None, raise_request_exception=False)
    answer = client.post("/sign-in/", {"username": teacher.username, "password": PASSWORD})
    assert is_refused(answer)
    assert "disk is full" in answer.content.decode()


def chained(cause: Exception) -> OperationalError:
    """Return the error as Django wraps it."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (chained(psycopg.errors.DiskFull("could not extend file")), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (chained(psycopg.errors.AdminShutdown("terminating connection")), False),
    ],
)
def test_which_errors_mean_a_full_disk(error, is_full):
    assert is_disk_full(error) is is_full


# Figures


def count_of(times: RequestTimes) -> float:
    (metric,) = times.collect()
    return sum(sample.value for sample in metric.samples if sample.name.endswith("_count"))


def test_the_figures_of_all_processes_are_added_up(tmp_path):
    times = RequestTimes(tmp_path)
    times.observe("home", "GET", 200, 0.1)
    times.save()
    (own,) = tmp_path.glob("*.json")
    (tmp_path / "1.json").write_bytes(own.read_bytes())
    (tmp_path / "2.json").write_text('[["cut o')
    assert count_of(times) == 2


def test_requests_are_counted_as_prometheus_own_histogram_counts_them(tmp_path):
    times = RequestTimes(tmp_path)
    reference = Histogram(NAME, MEANING, LABELS, buckets=BUCKETS, registry=None)
    for seconds in (0, 0.01, 0.011, 0.3, 2, 10, 11):
        times.observe("home", "GET", 200, seconds)
        reference.labels("home", "GET", "2xx").observe(seconds)
    times.observe("home", "POST", 302, 0.5)
    reference.labels("home", "POST", "3xx").observe(0.5)
    (own,), (metric,) = times.collect(), reference.collect()
    expected = [sample for sample in metric.samples if not sample.name.endswith("_created")]
    assert own.samples == expected
    assert (own.type, own.documentation) == (metric.type, metric.documentation)


def test_requests_are_counted_where_no_file_can_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    times = RequestTimes(tmp_path / "file" / "metrics")
    times.observe("home", "GET", 200, 0.1)
    times.save()
    assert count_of(times) == 1
