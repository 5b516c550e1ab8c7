"""Teachers in bulk: invitations of a school, what joining gives, and classes without a teacher."""

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import schools_of_teacher
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.school_models import School
from puzzleclass.rosters import invitations
from puzzleclass.rosters.models import TeacherInvitation, UserId
from tests.oneroster import packed, tables
from tests.web.rosters.test_schools import press, school, send

__all__ = ["school", "send"]
pytestmark = pytest.mark.django_db
NEW = {"username": "mori", "password": "a good password"}


@pytest.fixture
def teachers_page(school) -> str:
    return reverse("school_teachers", args=[school.pk])


@pytest.fixture
def invited(school) -> TeacherInvitation:
    return school.invitations.create(name="Mori Aya", email="mori@example.jp")


def page_of(invitation) -> str:
    return reverse("school_join", args=[invitation.word])


def test_a_list_of_360_teachers_is_invited_at_once(teachers_page, teacher_client, queries_of):
    lines = [f"Teacher {n}\tt{n}@example.jp" for n in range(360)]
    teacher_client.post(teachers_page, {"do": "invite", "people": "\n".join(lines)})
    assert TeacherInvitation.objects.count() == 360
    teacher_client.post(teachers_page, {"do": "invite", "people": "\n".join(lines[:2])})
    assert TeacherInvitation.objects.count() == 360
    assert queries_of(teacher_client, teachers_page) < 20
    sheet = teacher_client.get(
        reverse("school_invitations", args=[TeacherInvitation.objects.first().school_id])
    )
    assert sheet.content.decode().count("<svg") >= 40


def test_faults_of_a_list_name_their_lines(teachers_page, teacher_client):
    text = "Mori, mori@example.jp\nno address@\n\n, sato@example.jp\nMori 2, mori@example.jp"
    page = teacher_client.post(teachers_page, {"do": "invite", "people": text})
    said = page.content.decode()
    assert page.status_code == 422 and "Mori, mori@example.jp" in said
    assert [line for line in (1, 2, 4, 5) if f"Line {line}:" in said] == [2, 4, 5]
    assert not TeacherInvitation.objects.exists()


def test_invitations_are_sent_once(teachers_page, invited, teacher_client, settings):
    settings.EMAIL_HOST = "mail.example.jp"
    sent = []
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    before = invitations.send_all
    invitations.send_all = lambda letters, lost: sent.extend(letters.values())
    try:
        for _ in range(2):
            teacher_client.post(teachers_page, {"do": "send"})
    finally:
        invitations.send_all = before
    [message] = sent
    assert message.to == ["mori@example.jp"] and page_of(invited) in message.body
    assert mail.outbox == []


def test_a_new_teacher_joins_where_sign_up_is_closed(invited, school, client, settings):
    settings.SIGN_UP_OPEN = False
    url = page_of(invited)
    assert "Mori Aya" in client.get(url).content.decode()
    assert TeacherInvitation.objects.exists()
    assert client.post(url, {**NEW, "password": "1"}).status_code == 422
    assert client.post(url, NEW).status_code == 302
    mori = User.objects.get(username="mori")
    assert (mori.name, mori.email, mori.is_teacher) == ("Mori Aya", "", True)
    assert list(schools_of_teacher(mori)) == [school]
    assert not mori.schools.exists()
    client.logout()
    assert client.post(url, NEW | {"username": "other"}).status_code == 403
    assert not User.objects.filter(username="other").exists()


def test_an_invitation_opens_no_account_that_exists(invited, other_teacher, client, client_of):
    taken = client.post(page_of(invited), NEW | {"username": other_teacher.username})
    assert taken.status_code == 422 and "_auth_user_id" not in client.session
    client_of(other_teacher).post(page_of(invited))
    assert other_teacher.school_places.get().school == invited.school
    assert not TeacherInvitation.objects.exists()


def test_a_withdrawn_or_old_invitation_opens_nothing(
    invited, teachers_page, teacher_client, client
):
    old = timezone.now() - timezone.timedelta(days=31)
    TeacherInvitation.objects.update(made_at=old)
    assert client.get(page_of(invited)).status_code == 403
    assert list(TeacherInvitation.expired()) == [invited]
    TeacherInvitation.objects.update(made_at=timezone.now())
    teacher_client.post(teachers_page, {"do": "withdraw", "invitation": invited.pk})
    assert client.post(page_of(invited), NEW).status_code == 403


def test_another_school_keeps_its_invitations(invited, client_of, other_teacher):
    foreign = School.objects.create(name="Foreign school")
    foreign.administrators.add(other_teacher)
    url = reverse("school_teachers", args=[foreign.pk])
    refused = client_of(other_teacher).post(url, {"do": "withdraw", "invitation": invited.pk})
    assert refused.status_code == 404 and TeacherInvitation.objects.exists()


def test_a_teacher_leaves_the_school(school, teachers_page, teacher_client, other_teacher):
    place = school.staff.create(teacher=other_teacher)
    assert other_teacher.name in teacher_client.get(teachers_page).content.decode()
    teacher_client.post(teachers_page, {"do": "remove", "place": place.pk})
    assert not schools_of_teacher(other_teacher).exists()


def test_teachers_of_the_roster_are_invited_and_get_their_classes(
    school, teacher, send, teacher_client, client
):
    User.objects.filter(pk=teacher.pk).update(username="head")
    page = send(packed(tables()))
    press(teacher_client, page, "import")
    press(teacher_client, page, "invite")
    invited = TeacherInvitation.objects.get()
    assert (invited.name, invited.source.school) == ("佐藤 恵子", school)
    client.post(page_of(invited), NEW)
    mori = User.objects.get(username="mori")
    assert UserId.objects.get(user=mori).sourced_id == invited.sourced_id
    press(teacher_client, send(packed(tables())), "import")
    assert [each.name for each in mori.classrooms.all()] == ["4年1組"]


def test_a_class_without_a_teacher_is_given_to_one(school, teacher_client, other_teacher, client):
    empty = school.classrooms.create(name="4-1")
    url = reverse("school_class", args=[school.pk, empty.pk])
    foreign = teacher_client.post(url, {"do": "owner", "teacher": other_teacher.pk})
    assert foreign.status_code == 422
    assert teacher_client.post(url, {"do": "owner"}).status_code == 422
    teacher_client.post(url, {"do": "owner", "name": "Mori Aya"})
    client.post(page_of(TeacherInvitation.objects.get()), NEW | {"username": "aya"})
    owner = empty.teachings.get()
    assert (owner.teacher.username, owner.role) == ("aya", "owner")
    school.staff.create(teacher=other_teacher)
    teacher_client.post(url, {"do": "owner", "teacher": other_teacher.pk})
    assert empty.teachings.get() == owner
    second = school.classrooms.create(name="4-2")
    url = reverse("school_class", args=[school.pk, second.pk])
    teacher_client.post(url, {"do": "owner", "teacher": other_teacher.pk})
    assert second.teachings.get().teacher == other_teacher


def test_a_class_without_a_teacher_is_exported_and_deleted(
    school, classroom, teacher_client, make_class, teacher
):
    lonely = make_class(teacher, "4-1", "a", "b")
    lonely.teachings.all().delete()
    Classroom.objects.filter(pk=lonely.pk).update(school=school)
    at = [school.pk, lonely.pk]
    assert teacher_client.post(reverse("school_class_data", args=at)).status_code == 200
    page = teacher_client.get(reverse("school_class_delete", args=at))
    assert page.context["loss"].students == 2
    receipt = teacher_client.post(reverse("school_class_delete", args=at), follow=True)
    assert receipt.status_code == 200 and not Classroom.objects.filter(pk=lonely.pk).exists()
    actions = DataRecord.objects.exclude(action="sign-in").values_list("action", flat=True)
    assert [*actions] == ["deleted", "exported"]
    Classroom.objects.filter(pk=classroom.pk).update(school=school)
    for name in ("school_class_data", "school_class_delete"):
        refused = teacher_client.post(reverse(name, args=[school.pk, classroom.pk]))
        assert refused.status_code == 404


def test_a_second_press_leads_to_the_account_of_the_first(invited, client, client_of):
    url = page_of(invited)
    first, again = (client.post(url, NEW) for _ in range(2))
    assert again.status_code == first.status_code == 302 and again.url == first.url
    assert User.objects.filter(username="mori").count() == 1
    elsewhere = client_of(None).post(url, NEW)  # the same press, before the cookie has come
    assert elsewhere.url == first.url
    assert client_of(None).post(url, NEW | {"password": "guessed"}).status_code == 403


def test_a_second_press_of_a_teacher_who_joins_leads_on(invited, client_of, other_teacher):
    url, client = page_of(invited), client_of(other_teacher)
    assert client.post(url).url == client.post(url).url == reverse("classroom_list")
    assert client.get(url).status_code == 403
