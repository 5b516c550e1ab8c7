"""The pages for those who run the site: the probes, the administrator's page, the doctor."""

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from puzzleclass import __version__
from puzzleclass.jobs import delivery, workers
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.operations import state, views
from puzzleclass.operations.models import KeyProof
from solvers import registry
from solvers.message import Message
from tests.broker import Broker

PAGE = "/administration/"


@pytest.fixture(autouse=True)
def looked_anew(monkeypatch) -> None:
    """Let each look at the installation read everything again, on a disk that is large enough."""
    monkeypatch.setattr(state, "_recent", (float("-inf"), []))
    monkeypatch.setattr(state, "RECENT_SECONDS", 0)
    monkeypatch.setattr(state, "LEAST_FREE", 0)
    monkeypatch.setattr(state, "LEAST_FREE_MB", 0)


@pytest.fixture
def administrator(teacher, client_of):
    teacher.is_staff = True
    teacher.save()
    return client_of


# Readiness


def test_a_site_in_order_is_ready(anonymous):
    answer = anonymous.get("/readyz", HTTP_HOST="any.name.example")
    assert answer.status_code == 200
    parts = ("schema", "database", "broker", "workers", "sweeper", "disk")
    expected = {"status": "ok", "parts": dict.fromkeys(parts, "ok")}
    assert answer.json().items() >= expected.items()


def fail(name: str, monkeypatch, broker: Broker) -> None:
    """Let the part fail."""
    if name == "schema":
        last = MigrationLoader(connection).graph.leaf_nodes("jobs")[0]
        MigrationRecorder(connection).record_unapplied(*last)
    elif name == "database":

        def refuse(*args: object) -> None:
            raise DatabaseError("attempt to write a readonly database")

        monkeypatch.setattr(state.transaction, "atomic", refuse)
    elif name == "broker":
        broker.is_away = True
    elif name == "workers":
        del broker.kept["puzzleclass:worker:hint@here"]
    elif name == "sweeper":
        broker.kept["puzzleclass:swept"] = ("1", workers.KEPT_SECONDS - workers.SILENT_SECONDS - 1)
    else:
        monkeypatch.setattr(state, "LEAST_FREE", 1.01)


@pytest.mark.parametrize("name", ["schema", "database", "broker", "workers", "sweeper", "disk"])
def test_a_part_that_fails_is_named(anonymous, monkeypatch, broker, capsys, name):
    fail(name, monkeypatch, broker)
    answer = anonymous.get("/readyz")
    assert answer.status_code == 503
    failing = {part for part, how in answer.json()["parts"].items() if how == "failing"}
    # Without Redis, nothing is known of workers.
    assert failing == ({"broker", "workers", "sweeper"} if name == "broker" else {name})
    assert set(answer.json()["faults"]) == failing
    assert doctor(capsys)[0] == 1


def test_silent_workers_count_as_dead(anonymous, broker):
    broker.passes(workers.SILENT_SECONDS + 1)
    workers.record_sweep()
    answer = anonymous.get("/readyz").json()
    assert (answer["parts"]["workers"], answer["parts"]["sweeper"]) == ("failing", "ok")
    broker.finds("solve")
    assert {each.name for each in workers.workers() if each.is_alive} == {"solve@here"}


def test_the_sweeper_says_that_it_was_here(db, broker, monkeypatch):
    broker.kept.clear()
    monkeypatch.setattr(delivery, "messages_in", lambda queue: 0)
    delivery.sweep()
    assert workers.seconds_since_sweep() == 0


@pytest.mark.parametrize(
    ("token", "options", "is_trusted"),
    [
        ("", {}, True),
        ("", {"REMOTE_ADDR": "::1"}, True),
        ("", {"REMOTE_ADDR": "192.0.2.7"}, False),
        ("", {"REMOTE_ADDR": ""}, False),
        ("", {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, False),
        ("word", {}, False),
        ("word", {"HTTP_AUTHORIZATION": "Bearer wrong"}, False),
        ("word", {"HTTP_AUTHORIZATION": "Bearer word", "REMOTE_ADDR": "192.0.2.7"}, True),
    ],
)
def test_strangers_get_words_and_no_figures(client_of, db, settings, token, options, is_trusted):
    settings.MONITORING_TOKEN = token
    client = client_of(None, **options)
    known = set(client.get("/readyz").json()) - {"status", "parts"}
    assert known == ({"queues", "swept_seconds_ago", "workers", "faults"} if is_trusted else set())
    answer = client.get("/metrics")
    assert answer.status_code == (200 if is_trusted else 403)
    assert (b"puzzleclass_" in answer.content) == is_trusted


def test_readiness_is_looked_up_once_in_a_moment(anonymous, monkeypatch):
    monkeypatch.setattr(state, "RECENT_SECONDS", 60)
    looked = []
    monkeypatch.setattr(
        state, "parts", lambda: looked.append(1) or [state.InstallationPart("disk")]
    )
    for _ in range(5):
        assert anonymous.get("/readyz").status_code == 200
    assert len(looked) == 1


# Metrics


def test_the_figures_for_prometheus(anonymous, teacher):
    jobs.ask(teacher, "goishi", "count", "ooo")
    anonymous.get("/sign-in/")
    anonymous.get("/nowhere/at/all/")
    text = anonymous.get("/metrics").content.decode()
    assert 'puzzleclass_jobs{queue="solve",state="waiting"} 1.0' in text
    assert 'puzzleclass_part_up{part="workers"} 1.0' in text
    counted = 'puzzleclass_request_seconds_count{method="GET",status="2xx",view="sign_in"}'
    assert counted in text
    # An unknown address gets no figure of its own.
    assert "nowhere" not in text


# The page


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_says_how_the_site_does(administrator, teacher, broker, language):
    asked = jobs.ask(teacher, "goishi", "count", "ooo")
    fault = Message("The calculation was interrupted twice.").to_json()
    now = timezone.now()
    Job.objects.filter(pk=asked.pk).update(state="failed", ended_at=now, fault=fault)
    for seconds in range(1, 21):
        board = f"{seconds:05b}".translate({48: ".", 49: "o"})
        job = jobs.ask(teacher, "goishi", "count", board)
        Job.objects.filter(pk=job.pk).update(
            state="done", started_at=now - timedelta(seconds=seconds), ended_at=now
        )
    del broker.kept["puzzleclass:worker:hint@here"]
    text = administrator(teacher, language).get(PAGE).content.decode()
    for words in ("solve@here", "10.00", "19.00", "<code>ooo</code>", f"PuzzleClass {__version__}"):
        assert words in text
    fault = (
        "No worker is running for: hint" if language == "en" else "動いている計算係がない列：hint"
    )
    assert fault in text


def test_the_page_asks_as_often_for_many(administrator, teacher, queries_of):
    client, numbers = administrator(teacher), []
    for n in (2, 9):
        for board in range(1, n):
            job = jobs.ask(teacher, "goishi", "count", "o" * board)
            Job.objects.filter(pk=job.pk).update(state="failed", ended_at=timezone.now())
        numbers.append(queries_of(client, PAGE))
    assert numbers[0] == numbers[1] <= 17


def test_percentiles():
    numbers = [float(n) for n in range(1, 101)]
    found = [views.percentile(numbers, share) for share in (0.5, 0.95, 1.0)]
    assert found == [50, 95, 100]
    assert views.percentile([7.0], 0.95) == views.percentile([7.0], 0.5) == 7


# Accounts and classes

RECORDS = "/administration/records/"


def inline(text: str) -> list[str]:
    """Return the parts of the page that the content security policy would block."""
    return re.findall(r"<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>|<style| style=| on\w+=", text)


def test_the_records_are_the_administrators_alone(
    client_of, administrator, teacher, student, other_teacher, anonymous
):
    administrator(teacher)
    pages = [RECORDS, f"{RECORDS}accounts/user/", f"{RECORDS}accounts/user/{teacher.pk}/change/"]
    pages += [f"{RECORDS}accounts/user/{teacher.pk}/password/", f"{RECORDS}login/"]
    student.is_staff = True  # a student does not become an administrator by this
    student.save()
    for url in pages:
        assert anonymous.get(url, follow=True).redirect_chain[-1][0].startswith("/sign-in/")
        for someone in (student, other_teacher):
            assert client_of(someone).get(url, follow=True).status_code == 404
    # The admin's own sign-in would ignore our locks.
    answer = anonymous.post(f"{RECORDS}login/", {"username": "sato", "password": "a good password"})
    assert answer.url.startswith("/sign-in/")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_page_of_the_records(administrator, teacher, student, classroom, language):
    client = administrator(teacher, language)
    for path, words in (
        ("", ("アカウントとクラス", "Accounts and classes")),
        ("accounts/user/?q=sato", ("アカウントの種類", "Kind of account")),
        (f"accounts/user/{teacher.pk}/change/", ("できること", "What they may do")),
        (f"accounts/user/{student.pk}/change/", ("アカウントの種類", "Kind of account")),
        (f"accounts/user/{teacher.pk}/history/", ("変更履歴", "Change history")),
        (f"accounts/user/{teacher.pk}/password/", ("パスワード", "password")),
        ("classes/classroom/", ("クラスコード", "Class code")),
        (f"classes/classroom/{classroom.pk}/change/", ("終了した日時", "Closed on")),
    ):
        answer = client.get(f"{RECORDS}{path}")
        assert answer.status_code == 200
        text = answer.content.decode()
        assert words[language == "en"] in text
        assert inline(text) == []
        assert "script-src" not in answer["Content-Security-Policy"]
        assert "default-src 'self'" in answer["Content-Security-Policy"]


def test_an_administrator_changes_accounts(administrator, client_of, teacher, other_teacher):
    client, url = administrator(teacher), f"{RECORDS}accounts/user/{other_teacher.pk}/"
    fields = {"name": "Mori", "username": other_teacher.username, "is_staff": "on"}
    theirs = client_of(other_teacher)
    assert theirs.get("/classes/").status_code == 200
    assert client.post(f"{url}change/", fields).status_code == 302
    other_teacher.refresh_from_db()
    assert (other_teacher.name, other_teacher.is_active) == ("Mori", False)
    assert theirs.get("/classes/").status_code == 302
    words = {"password1": "stones on a board", "password2": "stones on a board"}
    assert client.post(f"{url}password/", words | {"usable_password": "true"}).status_code == 302
    other_teacher.refresh_from_db()
    assert other_teacher.check_password("stones on a board")


def test_nothing_is_added_or_deleted_and_students_have_no_password(
    administrator, teacher, student, classroom
):
    client = administrator(teacher)
    for path in (
        "accounts/user/add/",
        f"accounts/user/{student.pk}/delete/",
        "classes/classroom/add/",
        f"classes/classroom/{classroom.pk}/delete/",
    ):
        assert client.post(f"{RECORDS}{path}", {"post": "yes"}).status_code == 403
    assert client.get(f"{RECORDS}accounts/user/{student.pk}/password/").status_code == 404
    delete = {"action": "delete_selected", "_selected_action": [student.pk], "post": "yes"}
    client.post(f"{RECORDS}accounts/user/", delete)
    student.refresh_from_db()
    fields = {"name": "Abe", "is_active": "on", "is_staff": "on", "password": "x"}
    assert client.post(f"{RECORDS}accounts/user/{student.pk}/change/", fields).status_code == 302
    student.refresh_from_db()
    assert (student.name, student.is_staff, student.check_pin("1234")) == ("Abe", False, True)


def test_the_lists_ask_as_often_for_many(administrator, teacher, make_class, queries_of):
    client, numbers = administrator(teacher), []
    for n in (2, 9):
        for number in range(n):
            made = make_class(teacher, f"{n}-{number}", *"abcdef"[:n])
        urls = ["accounts/user/", "classes/classroom/", f"classes/classroom/{made.pk}/change/"]
        asked = []
        for url in urls:
            asked.append(queries_of(client, f"{RECORDS}{url}"))
        numbers.append(asked)
    assert numbers[0] == numbers[1]
    assert max(numbers[0]) <= 10


# The doctor


def doctor(capsys, language: str = "en") -> tuple[int, str]:
    """Return a function that returns the doctor's exit status and its output."""
    try:
        call_command("doctor", language=language)
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    return code, capsys.readouterr().out


@pytest.fixture
def healthy(db, settings, tmp_path, monkeypatch):
    """Use an installation without faults in a folder of its own."""
    # With a database server, the secret key must be configured.
    monkeypatch.setenv("SECRET_KEY", "given")
    settings.VAR_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")
    settings.SECRET_KEY = "k3J-9fQz_0Lm2Xv8Tq7Rw4Yb6Nc1Hd5Sg"
    KeyProof.make_new()
    settings.ALLOWED_HOSTS = ["localhost"]
    return settings


@pytest.mark.parametrize(
    ("memory", "alone", "workers"),
    [(1000, False, "one worker"), (8000, False, "four workers"), (8000, True, "without Redis")],
)
def test_a_healthy_site(healthy, capsys, memory, alone, workers):
    healthy.MEMORY_MB, healthy.IS_SMALL = memory, memory < 2000
    healthy.ONE_PROCESS = alone
    status, said = doctor(capsys)
    size, verdict = said.splitlines()
    assert size.startswith(f"{memory} MB") and workers in size
    assert (status, verdict) == (0, "Everything is in order.")
    assert doctor(capsys, "ja")[1].endswith("\n問題は見つかりませんでした。\n")


def weak_secret(settings) -> None:
    settings.SECRET_KEY = "x"
    KeyProof.make_new()


def debug(settings) -> None:
    settings.DEBUG = True


def no_hosts(settings) -> None:
    settings.ALLOWED_HOSTS = []


def no_jobs(settings) -> None:
    settings.MAX_JOBS = 0


def readable_secret(settings) -> None:
    path = Path(settings.VAR_DIR) / "secret-key"
    path.write_text("secret")
    path.chmod(0o644)


def no_static_files(settings) -> None:
    (settings.STATIC_ROOT / "staticfiles.json").unlink()


def clock_set_back(settings) -> None:
    Job.objects.create(
        key="1", kind_slug="goishi", question="count", position="o", queue="solve",
        state="done", asked_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip


def late_hint(settings) -> None:
    Job.objects.create(
        key="1", kind_slug="goishi", question="hint", position="o", queue="hint",
        asked_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("break_it", "code", "english", "japanese"),
    [
        (weak_secret, 1, "SECRET_KEY can be guessed", "SECRET_KEYが推測されやすい"),
        (debug, 0, "DEBUG is on", "DEBUGが有効です"),
        (no_hosts, 1, "ALLOWED_HOSTS is empty", "ALLOWED_HOSTSが空"),
        (no_jobs, 1, "MAX_JOBS is not above 0", "MAX_JOBS"),
        (readable_secret, 1, "Others on this machine can read", "ほかのユーザーが"),
        (no_static_files, 1, "have not been collected", "まだ集められていません"),
        (clock_set_back, 0, "The clock has been set back", "時計がもどされたようです"),
        (
            late_hint,
            0,
            "have been waiting for more than ten minutes: hint",
            "10分以上待っています：hint",
        ),
    ],
)
def test_faults_in_plain_words(healthy, capsys, break_it, code, english, japanese):
    break_it(healthy)
    for language, words in (("en", english), ("ja", japanese)):
        found, said = doctor(capsys, language)
        assert found == code
        assert words in said
        assert said.count("→") == 1


def test_a_clock_that_differs_from_redis(healthy, capsys, broker):
    broker.seconds_ahead = 3_600
    assert "clocks of this machine and of Redis differ by 3" in doctor(capsys)[1]


def test_a_module_that_is_no_kind_is_named(healthy, capsys, monkeypatch):
    monkeypatch.setenv(registry.VARIABLE, "json")
    registry.find_kinds.cache_clear()
    try:
        code, said = doctor(capsys)
    finally:
        registry.find_kinds.cache_clear()
    assert code == 0
    assert "A kind of puzzle is left out: json" in said and "take it out of PUZZLE_KINDS" in said


def test_stale_catalogues(healthy, capsys, tmp_path, monkeypatch):
    source = tmp_path / "puzzleclass" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text("")
    healthy.BASE_DIR = tmp_path
    assert "older than their sources: puzzleclass" in doctor(capsys)[1]
    source.with_suffix(".mo").write_text("")
    os.utime(source, (1, 1))
    assert doctor(capsys)[0] == 0


def test_a_folder_that_cannot_be_written(healthy, capsys):
    healthy.VAR_DIR = Path("/proc")
    code, said = doctor(capsys)
    assert code == 1
    assert "The folder /proc can't be written to" in said
