"""Whoever may write a row of a roster or a platform does not thereby become somebody else, and gets
nobody else's class: attacks of a school's administrator, and what teachers agree to."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.operations.doctor import findings
from puzzleclass.rosters.models import RosterRequest, RosterUpload, UserId
from tests.learning_platform import CLAIM
from tests.oneroster import packed, tables
from tests.web.lti.test_lti import Visitor, platform, registered, school

__all__ = ["platform", "registered", "school"]

pytestmark = pytest.mark.django_db


def naming(username="mori", email="", source="koumu"):
    """Return a roster whose only teacher has this username, and teaches 4年1組."""
    given = tables()
    given["manifest"] = [row for row in given["manifest"] if not row[0].startswith("source.")]
    given["manifest"].append(["source.systemCode", source])
    given["users"][4][2], given["users"][4][5] = username, email
    return packed(given)


@pytest.fixture
def send(school, teacher_client):
    """Return a function that uploads a roster and presses the buttons; it returns the page."""

    def send(content, *presses, **fields):
        file = SimpleUploadedFile("roster.zip", content, "application/zip")
        url = reverse("roster_new", args=[school.pk])
        page = teacher_client.post(url, {"file": file}, follow=True)
        address = page.request["PATH_INFO"]
        for do in presses:
            page = teacher_client.post(address, {"do": do, **fields}, follow=True)
        return page

    return send


@pytest.fixture
def victims_class(other_teacher) -> Classroom:
    """Return a class that a teacher of no school has made by hand."""
    classroom = Classroom.objects.create(name="4年1組")
    classroom.teachers.add(other_teacher)
    for number, name in ((1, "安部 陽斗"), (2, "伊藤 ゆい")):
        student = User.objects.create_student(name, "1234")
        classroom.enrolments.create(student=student, number=number)
    return classroom


# The attacks


@pytest.mark.parametrize("is_staff", [False, True])
def test_a_roster_in_the_name_of_a_platform_signs_nobody_in(
    send, platform, registered, other_teacher, is_staff
):
    """The administrator of a school registers a platform, imports a roster with the platform's
    former source whose teacher is the victim, and launches with the roster's identifier."""
    User.objects.filter(pk=other_teacher.pk).update(is_staff=is_staff)
    send(naming(source=f"lti {registered.pk}"), "import", links="on")
    visitor = Visitor(platform)
    platform.people["u9"] = platform.people["t-1"]
    page = visitor.come("u9")
    assert page.redirect_chain[-1][0] == reverse("lti_account")
    assert "_auth_user_id" not in visitor.client.session
    assert not registered.users.filter(user=other_teacher).exists()
    assert not UserId.objects.filter(user=other_teacher).exists()


def test_a_roster_takes_no_class_of_somebody_else(send, victims_class, other_teacher, teacher):
    """The administrator of a school names the class, its teacher and itself on a roster."""
    before = list(victims_class.enrolments.order_by("pk").values())
    given = tables()
    given["users"][4][2] = "mori"
    given["users"].append(["u8", "true", "sato", "恵子", "佐藤", *[""] * 4, "o1", "", "", ""])
    given["roles"].append(["r8", "u8", "primary", "teacher", "o1"])
    given["enrollments"].append(["e8", "c1", "o1", "u8", "teacher", "true", *[""] * 4])
    send(packed(given), "import", links="on")
    send(packed(given), "import", links="on")
    victims_class.refresh_from_db()
    assert victims_class.school is None
    assert [each.teacher for each in victims_class.teachings.all()] == [other_teacher]
    assert list(victims_class.enrolments.order_by("pk").values()) == before
    assert not other_teacher.classrooms.exclude(pk=victims_class.pk).exists()
    # The administrator has a class of the same name, with students of its own.
    assert teacher.classrooms.get(name="4年1組").school.name == "みどり小学校"


def test_a_roster_takes_no_class_of_a_teacher_of_the_school_without_a_word(
    send, victims_class, other_teacher, school
):
    source = school.sources.create(name="koumu")
    UserId.objects.create(source=source, sourced_id="u9", user=other_teacher)
    send(naming(), "import", links="on")
    victims_class.refresh_from_db()
    assert victims_class.school is None
    assert other_teacher.classrooms.exclude(pk=victims_class.pk).get().name == "4年1組"


def test_a_dry_run_tells_nothing_about_accounts(send, other_teacher):
    other_teacher.email = "mori@elsewhere.example"
    other_teacher.save()
    known = send(naming("x", "mori@elsewhere.example"), "check", "ask", links="on")
    unknown = send(naming("x", "nobody@elsewhere.example"), "check", "ask", links="on")
    for page in (known, unknown):
        assert page.context["unlinked"] == [["佐藤 恵子", ""]]
        assert "mori" not in page.content.decode()
    key = str(RosterUpload.objects.first().pk), str(RosterUpload.objects.last().pk)
    pages = [
        page.content.decode().split("<main")[1].split("</main")[0] for page in (known, unknown)
    ]
    for number in key:
        pages = [text.replace(f"/rosters/{number}/", "/rosters/N/") for text in pages]
    texts = [[line for line in text.splitlines() if "csrf" not in line] for text in pages]
    assert texts[0] == texts[1]


def test_doctor_names_the_rosters_that_have_the_name_of_a_platform(school):
    def named():
        return [each for each in findings() if "learning platform" in str(each.fault)]

    school.sources.create(name="koumu")
    assert named() == []
    school.sources.create(name="lti 7")
    [found] = named()
    assert found.fault.values == {"school": "みどり小学校", "name": "lti 7"}
    assert not found.is_serious


# Agreeing


def test_a_teacher_who_agrees_is_linked_when_the_school_confirms_it(
    send, other_teacher, other_client, victims_class, school
):
    send(naming(), "ask")
    [asked] = other_client.get("/").context["now"].roster_requests.rows
    url = reverse("roster_request", args=[asked.pk])
    page = other_client.get(url)
    assert list(page.context["classes"]) == [victims_class]
    other_client.post(url, {"do": "agree", "classes": victims_class.pk})
    asked.refresh_from_db()
    assert asked.agrees and asked.answered_at and list(asked.given.all()) == [victims_class]
    assert not other_client.get("/").context["now"].roster_requests
    # The school sees whose account it is, and confirms that it is this person.
    page = send(naming())
    assert page.context["unlinked"] == [["佐藤 恵子", "mori"]]
    send(naming(), "import", links="on")
    victims_class.refresh_from_db()
    assert victims_class.school == school
    assert UserId.objects.get(user=other_teacher).source.school == school
    assert victims_class.teachings.get().teacher == other_teacher
    # The row still tells who has agreed to what.
    assert RosterRequest.objects.get().agrees


def test_an_account_with_the_username_of_a_roster_is_not_linked_by_agreeing_alone(
    send, other_client, other_teacher
):
    send(naming(), "ask")
    other_client.post(
        reverse("roster_request", args=[RosterRequest.objects.get().pk]), {"do": "agree"}
    )
    send(naming(), "import")
    assert not UserId.objects.filter(user=other_teacher).exists()
    assert RosterRequest.objects.get().agrees


def test_a_class_that_is_not_given_stays_with_its_teacher(
    send, other_teacher, other_client, victims_class
):
    send(naming(), "ask")
    url = reverse("roster_request", args=[RosterRequest.objects.get().pk])
    other_client.post(url, {"do": "agree"})
    send(naming(), "import", links="on")
    victims_class.refresh_from_db()
    assert victims_class.school is None
    assert other_teacher.classrooms.count() == 2


def test_nobody_is_linked_who_declines_and_the_school_does_not_learn_of_it(
    send, other_teacher, other_client, victims_class
):
    send(naming(), "ask")
    url = reverse("roster_request", args=[RosterRequest.objects.get().pk])
    other_client.post(url, {"do": "decline", "classes": victims_class.pk})
    page = send(naming(), "import", links="on")
    assert not UserId.objects.filter(user=other_teacher).exists()
    victims_class.refresh_from_db()
    assert victims_class.school is None and not RosterRequest.objects.get().given.exists()
    assert "mori" not in page.content.decode()
    # The answer stays, so that nobody asks every night.
    assert not other_client.get("/").context["now"].roster_requests


def test_only_the_own_classes_can_be_given(send, other_client, teacher, classroom, other_teacher):
    send(naming(), "ask")
    Classroom.objects.filter(pk=classroom.pk).update(name="4年1組")
    Teaching.objects.create(classroom=classroom, teacher=other_teacher, role=Teaching.Role.TEACHER)
    asked = RosterRequest.objects.get()
    other_client.post(
        reverse("roster_request", args=[asked.pk]), {"do": "agree", "classes": classroom.pk}
    )
    assert not asked.given.exists()


def test_the_gift_ends_with_the_ownership(
    send, other_client, other_teacher, teacher, victims_class
):
    send(naming(), "ask")
    url = reverse("roster_request", args=[RosterRequest.objects.get().pk])
    other_client.post(url, {"do": "agree", "classes": victims_class.pk})
    victims_class.teachings.update(role=Teaching.Role.TEACHER)
    send(naming(), "import", links="on")
    victims_class.refresh_from_db()
    assert victims_class.school is None


def test_a_question_ends_when_the_roster_no_longer_names_the_teacher_or_after_months(
    send, other_teacher, school
):
    send(naming(), "ask")
    assert RosterRequest.objects.count() == 1
    send(naming("nobody"), "ask")
    assert not RosterRequest.objects.exists()
    send(naming(), "ask")
    RosterRequest.objects.update(asked_at="2026-01-01T00:00:00Z")
    assert RosterRequest.expired().count() == 1


def test_an_import_asks_as_well(send, other_teacher):
    send(naming(), "import")
    assert RosterRequest.objects.get().teacher == other_teacher


def test_the_importer_needs_no_question(send, teacher):
    page = send(naming("sato"))
    assert page.context["unlinked"] == [["佐藤 恵子", "sato"]]
    send(naming("sato"), "import", links="on")
    assert UserId.objects.get(user=teacher).sourced_id == "u9"


# Platforms


def test_a_platform_of_another_school_finds_nobody_by_a_roster(platform, registered, student):
    other = School.objects.create(name="あおば小学校")
    UserId.objects.create(source=other.sources.create(name="k"), sourced_id="u-9", user=student)
    registered.roster_claim = "lis.person_sourcedid"
    registered.save()
    visitor = Visitor(platform)
    visitor.come("s-1", **{f"{CLAIM}lis": {"person_sourcedid": "u-9"}})
    assert visitor.client.session.get("_auth_user_id") != str(student.pk)
    assert not registered.users.filter(user=student).exists()
