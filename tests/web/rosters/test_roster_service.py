"""Fetching the roster of a school from a OneRoster service over the network."""

import tracemalloc
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from celery.exceptions import Retry
from django.test import RequestFactory
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Enrolment
from puzzleclass.classes.school_models import School
from puzzleclass.outbound.sealed import seal, unseal
from puzzleclass.outbound.tasks import AT_ONCE, place_of
from puzzleclass.rosters import rest as rest_client
from puzzleclass.rosters import uploads
from puzzleclass.rosters.models import RosterService, RosterUpload, UserId
from puzzleclass.rosters.service_views import ServiceForm
from solvers.message import Message
from tests.roster_service import CLIENT_ID, MASTER_ID, SECRET, running_service

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["v1p1", "v1p2"])
def rest(request, settings):
    """Return a running service with seven students, of each version; local servers are allowed."""
    settings.LOCAL_SERVERS = True
    with running_service(7, request.param) as service:
        yield service


@pytest.fixture
def school(teacher) -> School:
    """Return a school that the teacher administers."""
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    return school


@pytest.fixture
def service(rest, school, teacher) -> RosterService:
    """Return our side of the service."""
    return RosterService.objects.create(
        school=school,
        teacher=teacher,
        address=rest.address,
        token_address=rest.token_address,
        client_id=CLIENT_ID,
        sealed_secret=seal(SECRET),
        source="koumu",
        is_nightly=True,
    )


def fault_of(service):
    service.refresh_from_db()
    return str(Message.from_json(service.fault)) if service.fault else ""


@pytest.mark.parametrize("tells_total", [True, False])
def test_all_pages_are_fetched_and_imported(rest, service, tells_total):
    rest.tells_total = tells_total
    uploads.fetch(service.pk, stores=True)
    assert fault_of(service) == ""
    students = User.objects.filter(role="student")
    assert students.count() == 7
    assert sorted(Enrolment.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]
    first = Enrolment.objects.get(number=1)
    assert (first.student.name, first.student.reading) == ("安部 1郎", "アベ")
    assert (first.classroom.name, first.classroom.grade) == ("4年1組", 4)
    assert first.classroom.school == service.school
    has_master_ids = rest.version == "v1p2"
    master_ids = {f"{MASTER_ID[:-4]}{n:04}" if has_master_ids else "" for n in range(1, 8)}
    assert set(UserId.objects.values_list("master_id", flat=True)) == master_ids


def test_a_press_shows_the_dry_run_first(service):
    uploads.fetch(service.pk)
    upload = RosterUpload.objects.get()
    assert (upload.state, upload.file_name) == ("checked", "koumu.zip")
    assert upload.report["counts"]["users"]["new"] == 7
    assert not Enrolment.objects.exists()


def test_the_same_roster_again_changes_nothing_and_who_is_gone_leaves(rest, service):
    uploads.fetch(service.pk, stores=True)
    uploads.fetch(service.pk, stores=True)
    assert RosterUpload.objects.first().report["counts"]["users"]["unchanged"] == 7
    rest.tables["users"][6]["status"] = "tobedeleted"
    del rest.tables["enrollments"][6]
    uploads.fetch(service.pk, stores=True)
    assert Enrolment.objects.filter(classroom__archived_at=None).count() == 6
    assert User.objects.filter(role="student").count() == 7


def test_a_fault_stores_nothing_and_is_shown(rest, service, teacher_client):
    rest.tables["enrollments"][0]["user"] = {"sourcedId": "nobody"}
    uploads.fetch(service.pk, stores=True)
    upload = RosterUpload.objects.get()
    assert upload.state == "checked" and upload.report["fault_count"] == 1
    assert not Enrolment.objects.exists()
    page = teacher_client.get(reverse("school", args=[service.school_id])).content.decode()
    assert "not imported" in page


def test_a_wrong_secret_is_told(service, teacher_client):
    RosterService.objects.update(sealed_secret=seal("wrong"))
    uploads.fetch(service.pk, stores=True)
    assert "refuses the client ID" in fault_of(service)
    page = teacher_client.get(reverse("roster_service", args=[service.school_id]))
    assert "refuses the client ID" in page.content.decode()


def test_a_silent_service_and_odd_answers_are_told(rest, service):
    rest.tables["users"] = "none"
    uploads.fetch(service.pk)
    assert "lacks" in fault_of(service)
    del rest.tables["users"]
    uploads.fetch(service.pk)
    assert "status 404 (page: users, 0)" in fault_of(service)
    rest.server.shutdown()
    rest.server.server_close()
    uploads.fetch(service.pk)
    assert "not answered correctly (ConnectionError; page: token)" in fault_of(service)
    assert not RosterUpload.objects.exists()


@pytest.fixture
def waited(monkeypatch) -> list[float]:
    """Provide the seconds that the client would have waited between two requests."""
    seconds: list[float] = []
    monkeypatch.setattr(rest_client, "sleep", seconds.append)
    return seconds


def test_a_token_that_expires_is_renewed(rest, service):
    rest.refusals = [(401, {})]
    uploads.fetch(service.pk, stores=True)
    assert (fault_of(service), rest.tokens) == ("", 2)
    assert User.objects.filter(role="student").count() == 7
    rest.refusals = [(401, {}), (401, {})]
    uploads.fetch(service.pk)
    assert "status 401 (page: orgs, 0)" in fault_of(service)


def test_a_busy_service_is_asked_again_when_it_wishes(rest, service, waited):
    later = format_datetime(datetime.now(UTC) + timedelta(minutes=1), usegmt=True)
    rest.refusals = [(429, {"Retry-After": "30"}), (503, {"Retry-After": later}), (502, {})]
    uploads.fetch(service.pk, stores=True)
    assert fault_of(service) == ""
    assert waited[0] == 30 and 50 < waited[1] <= 61 and waited[2] == 15
    assert User.objects.filter(role="student").count() == 7


def test_a_service_that_stays_busy_is_told_with_status_and_page(rest, service, waited):
    rest.refusals = [(503, {})] * 4
    uploads.fetch(service.pk, stores=True)
    assert "status 503 (page: orgs, 0)" in fault_of(service) and waited == [1, 5, 15]
    rest.refusals = [(503, {"Retry-After": "86400"})]
    uploads.fetch(service.pk, stores=True)
    assert "minutes" in fault_of(service) and len(waited) == 3


@pytest.mark.parametrize(
    ("limit", "said"), [("MAX_SECONDS", "minutes"), ("MAX_BYTES", "MB"), ("MAX_ROWS", "rows")]
)
def test_a_service_without_end_is_not_listened_to_for_ever(rest, service, monkeypatch, limit, said):
    rest.tells_total = False
    monkeypatch.setattr(rest_client, limit, -1)
    uploads.fetch(service.pk, stores=True)
    assert said in fault_of(service) and not RosterUpload.objects.exists()


def test_one_bound_holds_for_all_tables_together(rest, service, monkeypatch):
    """Each table is within the bound, but not all of them: 1, 1, 7 and 7 rows."""
    monkeypatch.setattr(rest_client, "MAX_ROWS", 15)
    uploads.fetch(service.pk)
    assert "rows" in fault_of(service) and not RosterUpload.objects.exists()
    monkeypatch.setattr(rest_client, "MAX_ROWS", 16)
    uploads.fetch(service.pk)
    assert fault_of(service) == "" and RosterUpload.objects.exists()


def test_what_is_not_needed_of_a_row_is_not_held(rest, service):
    for user in rest.tables["users"]:
        user["agents"] = [[[{}] * 3_000] * 20]
    rest.most = 1
    tracemalloc.start()
    try:
        rest_client.fetch_roster(service)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 25_000_000


def test_an_answer_that_is_nested_too_deeply_is_told(rest, service):
    rest.raw = b"[" * 200_000
    uploads.fetch(service.pk)
    assert "not a JSON object" in fault_of(service)


def test_a_slow_service_keeps_no_review_waiting(service, teacher_client, monkeypatch):
    queues = []
    monkeypatch.setattr(
        uploads.fetch, "apply_async", lambda *args, queue: queues.append(queue), raising=True
    )
    uploads.fetch_every_night()
    teacher_client.post(reverse("roster_service", args=[service.school_id]), {"do": "fetch"})
    assert queues == ["outbound", "outbound"]
    with ExitStack() as busy:
        for _ in range(AT_ONCE):
            busy.enter_context(place_of(None))
        with pytest.raises(Retry):
            uploads.fetch.apply((service.pk,), throw=True)
    service.refresh_from_db()
    assert service.fetched_at is None


def test_no_service_in_a_private_network(rest, service, settings):
    settings.LOCAL_SERVERS = False
    uploads.fetch(service.pk)
    assert "not answered" in fault_of(service) and rest.asked == []


def test_an_administrator_sets_it_up(school, teacher_client):
    url = reverse("roster_service", args=[school.pk])
    form = {
        "address": "https://koumu.example/ims/oneroster/rostering/v1p2/",
        "token_address": "https://koumu.example/token",
        "client_id": "c",
        "secret": "hush",
        "source": "koumu",
    }
    assert teacher_client.post(url, form).status_code == 302
    row = school.service
    assert row.address.endswith("/v1p2") and unseal(row.sealed_secret) == "hush"
    assert "hush" not in teacher_client.get(url).content.decode()
    for wrong in (
        {"address": "https://koumu.example/"},
        {"address": "http://koumu.example/v1p2"},
        {"token_address": "ftp://koumu.example/"},
        {"client_id": ""},
    ):
        assert teacher_client.post(url, form | wrong).status_code == 422
    teacher_client.post(url, {"do": "remove"})
    assert not RosterService.objects.exists()


SET_UP = {
    "address": "https://koumu.example/v1p2",
    "token_address": "https://koumu.example/token",
    "client_id": "c",
    "secret": "hush",
    "source": "koumu",
}


@pytest.mark.parametrize(
    "change",
    [
        {"token_address": "https://attacker.example/token"},
        {"token_address": "https://koumu.example:8443/token"},
        {"token_address": "https://koumu.example.attacker.example/token"},
        {"address": "https://attacker.example/v1p2"},
    ],
)
def test_the_secret_is_entered_again_for_another_server(school, teacher_client, change):
    url = reverse("roster_service", args=[school.pk])
    teacher_client.post(url, SET_UP)
    answer = teacher_client.post(url, SET_UP | change | {"secret": ""})
    assert answer.status_code == 422 and "entered for another server" in answer.content.decode()
    assert RosterService.objects.get().token_address == SET_UP["token_address"]
    assert teacher_client.post(url, SET_UP | change | {"secret": "new"}).status_code == 302
    assert unseal(RosterService.objects.get().sealed_secret) == "new"


def test_the_secret_is_kept_for_the_same_server(school, teacher_client):
    url = reverse("roster_service", args=[school.pk])
    teacher_client.post(url, SET_UP)
    change = {"token_address": "https://KOUMU.example:443/other", "client_id": "d", "secret": ""}
    assert teacher_client.post(url, SET_UP | change).status_code == 302
    row = RosterService.objects.get()
    assert (row.client_id, unseal(row.sealed_secret)) == ("d", "hush")


def test_a_secret_that_another_key_has_sealed_is_asked_for(service, teacher_client, settings, rest):
    settings.SECRET_KEY = "another key of another computer, as long as the first one"
    uploads.fetch(service.pk)
    assert "secret key was replaced" in fault_of(service) and rest.asked == []
    form = {
        "address": service.address,
        "token_address": service.token_address,
        "client_id": service.client_id,
        "source": service.source,
    }
    posts = [RequestFactory().post("/", form | more).POST for more in ({}, {"secret": SECRET})]
    refused, accepted = (ServiceForm(service, post) for post in posts)
    assert "was replaced" in str(refused.errors["secret"])
    assert accepted.is_valid()
