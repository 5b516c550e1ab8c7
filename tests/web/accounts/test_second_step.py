"""The second step that a school requires at the sign-in of its teachers."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.models import User
from puzzleclass.accounts.second_step import required_from
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.school_models import School
from tests.web.accounts.test_account import code_of, enter
from tests.web.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def school(teacher) -> School:
    school = School.objects.create(name="みどり小学校", second_step_from=timezone.localdate())
    school.staff.create(teacher=teacher)
    return school


def sign_in(client, teacher):
    return client.post("/sign-in/", {"username": teacher.username, "password": PASSWORD})


def test_a_password_alone_leads_to_the_set_up_and_nowhere_else(school, teacher, anonymous):
    client = anonymous
    sign_in(client, teacher)
    for page in ("/", "/classes/", "/account/", "/schools/", "/account/delete/", "/nowhere"):
        answer = client.get(page)
        assert answer.status_code == 404 or answer.url == reverse("account_codes"), page
    assert client.post("/account/").url == reverse("account_codes")
    page = client.get("/account/codes/")
    assert "Your school requires a second step" in page.content.decode()
    assert client.get("/account/passkeys/").status_code == 200
    fragment = client.get("/search/", headers={"HX-Request": "true"})
    assert fragment.status_code == 403
    assert fragment["HX-Redirect"] == reverse("account_codes")
    assert client.post("/sign-out/").url == "/"


def test_the_set_up_opens_the_site(school, teacher, anonymous):
    client = anonymous
    sign_in(client, teacher)
    client.post("/account/codes/", {"do": "begin"})
    page = client.post("/account/codes/", {"do": "confirm", "code": code_of(teacher)})
    assert len(page.context["codes"]) == two_factor.RECOVERY_CODES
    assert client.get("/classes/").status_code == 200
    # It can't be turned off, and the next sign-in asks for a code.
    client.post("/account/codes/", {"do": "off"})
    assert two_factor.is_on(teacher)
    assert "Turn off" not in client.get("/account/codes/").content.decode()
    client.post("/sign-out/")
    sign_in(client, teacher)
    enter(client, page.context["codes"][0])
    assert client.get("/classes/").status_code == 200


def test_before_the_day_there_is_only_a_reminder(school, teacher, anonymous):
    School.objects.update(second_step_from=timezone.localdate() + timedelta(days=14))
    sign_in(anonymous, teacher)
    page = anonymous.get("/classes/")
    assert page.status_code == 200 and "your school requires" in page.content.decode()
    # The day comes in the middle of the session.
    School.objects.update(second_step_from=timezone.localdate())
    assert anonymous.get("/classes/").url == reverse("account_codes")


def test_an_open_session_meets_the_rule_at_its_next_request(school, teacher, anonymous):
    School.objects.update(second_step_from=None)
    sign_in(anonymous, teacher)
    assert anonymous.get("/classes/").status_code == 200
    School.objects.update(second_step_from=timezone.localdate())
    assert anonymous.get("/classes/").url == reverse("account_codes")
    School.objects.update(second_step_from=None)
    assert anonymous.get("/classes/").status_code == 200
    # So does whoever joins such a school, and nobody who has taken the second step.
    School.objects.update(second_step_from=timezone.localdate())
    school.staff.all().delete()
    assert anonymous.get("/classes/").status_code == 200
    school.staff.create(teacher=teacher)
    anonymous.post("/account/codes/", {"do": "begin"})
    anonymous.post("/account/codes/", {"do": "confirm", "code": code_of(teacher)})
    assert anonymous.get("/classes/").status_code == 200


@pytest.mark.parametrize("is_administrator", [False, True])
def test_it_is_asked_of_the_own_teachers_and_administrators_alone(
    school, teacher, other_teacher, is_administrator
):
    if is_administrator:
        school.staff.all().delete()
        school.administrators.add(teacher)
    assert required_from(teacher) == school.second_step_from
    assert required_from(other_teacher) is None
    school.delete()
    assert required_from(teacher) is None


def test_an_administrator_of_the_site_resets_it(school, teacher, client_of):
    two_factor.begin(teacher)
    assert two_factor.turn_on(teacher, code_of(teacher))
    kubo = User.objects.create_teacher("kubo", "Kubo Aya", PASSWORD)
    User.objects.filter(pk=kubo.pk).update(is_staff=True)
    asked = {"action": "reset_second_step", "_selected_action": [teacher.pk]}
    client_of(kubo).post("/administration/records/accounts/user/", asked)
    assert not two_factor.is_on(teacher)
    line = DataRecord.objects.get(event="second step reset")
    assert (line.actor, line.person_key) == (kubo, teacher.pk)


def test_a_school_sets_the_day_on_its_page(teacher, teacher_client):
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    day = timezone.localdate() + timedelta(days=14)
    page = reverse("school_edit", args=[school.pk])
    teacher_client.post(page, {"takes_pins": "on", "second_step_from": day.isoformat()})
    school.refresh_from_db()
    assert school.second_step_from == day
    assert DataRecord.objects.filter(event="school changed", school_key=school.pk).exists()
