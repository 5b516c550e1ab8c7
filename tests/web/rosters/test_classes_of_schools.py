"""Classes that belong to a school without a roster: who gives them to it, and what follows."""

import io

import pytest
from django.urls import reverse

from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import ClassId
from tests.oneroster import packed, tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def school(teacher) -> School:
    """Return a school that the teacher administers."""
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    return school


@pytest.fixture
def settings_of(classroom):
    """Return a function that sends the settings of the class with a school."""

    def send(client, school):
        return client.post(
            reverse("classroom_edit", args=[classroom.pk]),
            {"name": classroom.name, "school": getattr(school, "pk", "")},
        )

    return send


def test_a_new_class_belongs_to_the_only_school_of_its_teacher(school, teacher_client):
    page = teacher_client.get(reverse("classroom_new"))
    assert page.context["form"].initial["school"] == school
    teacher_client.post(reverse("classroom_new"), {"name": "6-1", "school": school.pk})
    assert Classroom.objects.get(name="6-1").school == school
    teacher_client.post(reverse("classroom_new"), {"name": "6-2", "school": ""})
    assert Classroom.objects.get(name="6-2").school is None


def test_a_teacher_of_no_school_chooses_none(school, client_of, other_teacher):
    client = client_of(other_teacher)
    assert "school" not in client.get(reverse("classroom_new")).context["form"].fields
    client.post(reverse("classroom_new"), {"name": "6-1", "school": school.pk})
    assert Classroom.objects.get(name="6-1").school is None


def test_a_teacher_on_the_roster_chooses_the_school(school, client_of, other_teacher):
    source = school.sources.create(name="koumu")
    source.userids.create(sourced_id="t", user=other_teacher)
    client = client_of(other_teacher)
    client.post(reverse("classroom_new"), {"name": "6-1", "school": school.pk})
    assert Classroom.objects.get(name="6-1").school == school


def test_only_the_owner_gives_the_class_to_an_own_school(
    school, classroom, colleague, client_of, teacher_client, settings_of
):
    foreign = School.objects.create(name="Another school")
    assert settings_of(teacher_client, foreign).status_code == 422
    school.administrators.add(colleague)
    classroom.teachings.filter(teacher=colleague).update(role="teacher")
    assert settings_of(client_of(colleague), school).status_code == 302
    classroom.refresh_from_db()
    assert classroom.school is None
    settings_of(teacher_client, school)
    classroom.refresh_from_db()
    assert classroom.school == school
    school.administrators.clear()
    settings_of(teacher_client, None)
    classroom.refresh_from_db()
    assert classroom.school is None


def test_what_the_school_has_chosen_holds_in_the_class(
    school, classroom, client, teacher_client, settings_of
):
    School.objects.filter(pk=school.pk).update(takes_pins=False)
    settings_of(teacher_client, school)
    page = client.get(reverse("join_class", args=[classroom.code])).content.decode()
    assert 'name="pin"' not in page
    figures = teacher_client.get(reverse("school", args=[school.pk])).context
    assert (figures["classes"], figures["students"]) == (1, classroom.enrolments.count())


def test_an_administrator_lists_the_classes_and_gives_one_away(school, classroom, teacher_client):
    second = School.objects.create(name="Second school")
    second.administrators.add(*school.administrators.all())
    Classroom.objects.filter(pk=classroom.pk).update(school=school)
    school.classrooms.create(name="Nobody's")
    listed = teacher_client.get(reverse("school_class_list", args=[school.pk])).context["page"]
    assert [each.name for each in listed] == ["Nobody's", classroom.name]
    url = reverse("school_class", args=[school.pk, classroom.pk])
    foreign = School.objects.create(name="Foreign school")
    assert teacher_client.post(url, {"school": foreign.pk}).status_code == 422
    teacher_client.post(url, {"school": second.pk})
    classroom.refresh_from_db()
    assert classroom.school == second
    assert teacher_client.get(url).status_code == 404
    url = reverse("school_class", args=[second.pk, classroom.pk])
    teacher_client.post(url, {"school": ""})
    classroom.refresh_from_db()
    assert classroom.school is None


def test_the_roster_decides_about_its_classes(school, teacher, teacher_client):
    import_roster(io.BytesIO(packed(tables())), target=school, by=teacher, link=True)
    of_roster = ClassId.objects.first().classroom
    url = reverse("school_class", args=[school.pk, of_roster.pk])
    assert b'name="school"' not in teacher_client.get(url).content
    teacher_client.post(url, {"school": ""})
    of_roster.teachings.update_or_create(teacher=teacher, defaults={"role": "owner"})
    page = reverse("classroom_edit", args=[of_roster.pk])
    teacher_client.post(page, {"name": of_roster.name, "school": ""})
    of_roster.refresh_from_db()
    assert of_roster.school == school


def test_the_list_of_classes_needs_a_constant_number_of_queries(
    school, teacher, teacher_client, make_class, queries_of
):
    url = reverse("school_class_list", args=[school.pk])
    make_class(teacher, "1-1", "a")
    Classroom.objects.update(school=school)
    few = queries_of(teacher_client, url)
    for number in range(2, 6):
        make_class(teacher, f"1-{number}", "a", "b")
    Classroom.objects.update(school=school)
    assert queries_of(teacher_client, url) == few
