"""The list of students: adding, changing and removing them, and their PINs."""

import random
from unittest.mock import patch

import pytest

from puzzleclass.accounts.models import User
from puzzleclass.classes import pins, services
from puzzleclass.classes.models import Classroom, Enrolment, SignInCard
from puzzleclass.play.models import Attempt

PIN = "1234"
SURE = {"sure": "on"}
"""The confirmation that a form sends."""


@pytest.fixture
def enrolment(classroom, student) -> Enrolment:
    """Return the enrolment of the student with number 1."""
    return classroom.enrolments.get(student=student)


@pytest.fixture
def here(classroom) -> str:
    return f"/classes/{classroom.pk}/"


# Access


def test_a_student_of_another_class_is_not_reached_through_this_one(
    teacher_client, here, other_student, enrolment, teacher, make_class
):
    second = make_class(teacher, "Second", "Mori Aoi").enrolments.get()
    for enrolment in (other_student.enrolments.get(), second):
        assert teacher_client.get(f"{here}students/{enrolment.pk}/").status_code == 404
        assert teacher_client.post(f"{here}students/{enrolment.pk}/remove/").status_code == 404
    assert User.objects.filter(role="student").count() == 5


# Adding


def test_students_are_added_after_the_last_number(
    teacher_client, classroom, here, enrolment, confirmed
):
    enrolment.number = 40
    enrolment.save()
    fields = {"students": "Mori Aoi\n\nOno Mei\n"}
    answer = confirmed(teacher_client, f"{here}students/new/", fields)
    assert answer.url == f"{here}pins/"
    added = classroom.enrolments.filter(number__gt=40)
    assert [str(e) for e in added] == ["41 Mori Aoi", "42 Ono Mei"]
    slips = teacher_client.get(answer.url).context["slips"]
    assert [e.number for e, pin in slips] == [41, 42]
    assert all(e.student.check_pin(pin) for e, pin in slips)


def test_a_name_that_is_on_the_list_already_is_said(teacher_client, here):
    page = teacher_client.post(f"{here}students/new/", {"students": "Ito Yui"}).content.decode()
    assert "This student is already in the class." in page


@pytest.mark.parametrize("typed", ["", " \n\u3000\n", "\u200b"])
def test_no_name_is_no_list(client_of, teacher, here, typed):
    for language, said in (
        ("en", ("Paste a list, or choose a file.", "This list contains no students.")),
        (
            "ja",
            (
                "名簿を貼りつけるか、ファイルを選んでください。",
                "この名簿には生徒が見つかりません。",
            ),
        ),
    ):
        answer = client_of(teacher, language).post(f"{here}students/new/", {"students": typed})
        assert answer.status_code == 422
        assert any(text in answer.content.decode() for text in said)


# Changing


def test_name_and_number_are_changed(teacher_client, here, enrolment):
    fields = {"number": "12", "name": " Abe\u3000Haruka "}
    assert teacher_client.post(f"{here}students/{enrolment.pk}/", fields).url == (
        f"/students/{enrolment.student_id}/"
    )
    enrolment.refresh_from_db()
    assert str(enrolment) == "12 Abe Haruka"


@pytest.mark.parametrize(
    ("fields", "english", "japanese"),
    [
        ({"number": "2"}, "Number 2 is taken: Ito Yui.", "2番はIto Yuiさんが使っています。"),
        ({"name": ""}, "Enter a name.", "名前を入れてください。"),
        ({"name": "\u200b"}, "Enter a name.", "名前を入れてください。"),
        ({"name": "x" * 61}, "at most 60 characters", "60"),
        *(
            ({"number": number}, "a whole number from 1 to 9999.", "1から9999までの整数")
            for number in ("", "0", "-1", "10000", "9" * 5000, "one", "1.5")
        ),
    ],
)
def test_bad_changes_are_refused_in_words(
    client_of, teacher, here, enrolment, fields, english, japanese
):
    for language, said in (("en", english), ("ja", japanese)):
        answer = client_of(teacher, language).post(
            f"{here}students/{enrolment.pk}/", {"number": "1", "name": "Abe Haruto"} | fields
        )
        assert answer.status_code == 422
        assert said in answer.content.decode()
    enrolment.refresh_from_db()
    assert str(enrolment) == "1 Abe Haruto"


# Removing


def test_removing_tells_what_is_deleted(teacher_client, here, enrolment, assigned, tried):
    tried(enrolment.student, assigned, "1,1")
    page = teacher_client.get(f"{here}students/{enrolment.pk}/remove/").content.decode()
    assert "all of their data will be deleted. This can't be undone. Attempts: 1" in page
    answer = teacher_client.post(f"{here}students/{enrolment.pk}/remove/", follow=True)
    assert "Abe Haruto is no longer in this class." in answer.content.decode()
    assert not User.objects.filter(pk=enrolment.student_id).exists()
    assert not Attempt.objects.exists()


def test_a_student_of_another_class_stays_there(
    teacher_client, here, enrolment, other_student, assigned, tried
):
    other_student.student_classrooms.get().enrolments.create(student=enrolment.student, number=2)
    tried(enrolment.student, assigned, "1,1")
    page = teacher_client.get(f"{here}students/{enrolment.pk}/remove/").content.decode()
    assert "The student is also in another class and stays there." in page
    teacher_client.post(f"{here}students/{enrolment.pk}/remove/")
    assert enrolment.student.student_classrooms.get().name == "6-1"
    assert Attempt.objects.count() == 1


# PINs


def test_one_student_gets_another_pin_once_it_is_confirmed(
    teacher_client, here, enrolment, classmate
):
    assert [enrolment.student.check_pin("8642") for _ in range(5)] == [False] * 5
    assert enrolment.student.pin_lock().is_closed
    asked = teacher_client.get(f"{here}students/{enrolment.pk}/").content.decode()
    assert "The current PIN works until you press the button" in asked
    enrolment.student.refresh_from_db()
    assert enrolment.student.pin_lock().is_closed
    answer = teacher_client.post(f"{here}students/{enrolment.pk}/pin/", follow=True)
    [(enrolment, pin)] = answer.context["slips"]
    assert enrolment == enrolment
    assert pin in answer.content.decode()
    enrolment.student.refresh_from_db()
    assert not enrolment.student.pin_lock().is_closed
    assert enrolment.student.check_pin(pin)
    assert classmate.check_pin(PIN)


def test_the_whole_class_gets_new_pins_only_when_asked_for(teacher_client, classroom, here):
    page = teacher_client.get(f"{here}pins/")
    assert "all 3 students of the class" in page.content.decode()
    assert page.context["slips"] == []
    unsure = teacher_client.post(f"{here}pins/new/", follow=True).content.decode()
    assert "Nothing has changed. Confirm that the old PINs should stop working." in unsure
    assert all(student.check_pin(PIN) for student in classroom.students.all())
    slips = teacher_client.post(f"{here}pins/new/", SURE, follow=True).context["slips"]
    assert [e.number for e, pin in slips] == [1, 2, 3]
    assert all(e.student.check_pin(pin) for e, pin in slips)


def test_pins_made_one_after_the_other_stand_on_one_list(teacher_client, classroom, here):
    for enrolment in classroom.enrolments.all()[:2]:
        teacher_client.post(f"{here}students/{enrolment.pk}/pin/")
    slips = teacher_client.get(f"{here}pins/").context["slips"]
    assert [e.number for e, pin in slips] == [1, 2]


def test_pins_are_seen_in_this_browser_by_this_teacher_for_minutes(
    teacher_client, colleague, colleague_client, here, monkeypatch
):
    response = teacher_client.post(f"{here}pins/new/", SURE)
    assert teacher_client.get(f"{here}pins/").context["slips"]
    assert colleague_client.get(f"{here}pins/").context["slips"] == []
    cookie = next(iter(response.cookies.values()))
    assert (cookie["path"], cookie["httponly"], cookie["max-age"]) == (here, True, 600)
    monkeypatch.setattr(pins, "MINUTES", -1)
    assert teacher_client.get(f"{here}pins/").context["slips"] == []
    monkeypatch.undo()
    teacher_client.force_login(colleague)  # at the same computer
    assert teacher_client.get(f"{here}pins/").context["slips"] == []


def test_a_forged_list_of_pins_is_not_shown(teacher_client, classroom, here):
    teacher_client.cookies[f"pins-{classroom.pk}"] = '[[1,"0000"]]:abc:def'
    assert teacher_client.get(f"{here}pins/").context["slips"] == []


def test_pins_are_not_kept_by_browser_or_database(teacher_client, classroom, here):
    answer = teacher_client.post(f"{here}pins/new/", SURE, follow=True)
    assert "no-store" in answer["Cache-Control"]
    shown = [pin for enrolment, pin in answer.context["slips"]]
    stored = list(classroom.students.values_list("password", flat=True))
    assert all(password.startswith("pin$") for password in stored)
    assert not any(password.endswith(pin) for password in stored for pin in shown)


def test_a_class_without_students_has_no_pins(teacher_client, teacher, make_class):
    empty = make_class(teacher, "Empty")
    page = teacher_client.get(f"/classes/{empty.pk}/pins/").content.decode()
    assert "There are no students yet." in page
    assert "Create new PINs" not in page


def test_the_pins_of_the_largest_class_fit_into_a_cookie(teacher_client, teacher, classroom, here):
    """A browser drops a cookie of more than 4096 bytes, including its name and attributes."""
    students = User.objects.bulk_create(
        User(username=f"s-{n}", name="x" * 60, role="student") for n in range(4, 1001)
    )
    Enrolment.objects.bulk_create(
        Enrolment(classroom=classroom, student=student, number=number)
        for number, student in enumerate(students, 4)
    )
    made = {
        enrolment.pk: f"{random.randrange(10_000):04}" for enrolment in classroom.enrolments.all()
    }
    with patch.object(services, "renew_pins", return_value=made):
        cookie = teacher_client.post(f"{here}pins/new/", SURE).cookies[f"pins-{classroom.pk}"]
    assert len(cookie.OutputString()) < 4096
    slips = teacher_client.get(f"{here}pins/").context["slips"]
    assert {enrolment.pk: pin for enrolment, pin in slips} == made


# Cards


def test_every_new_student_has_a_card_that_is_printed_with_the_pin(
    teacher_client, classroom, here, confirmed
):
    answer = confirmed(teacher_client, f"{here}students/new/", {"students": "Mori Aoi"})
    page = teacher_client.get(answer.url)
    [card] = [card for card in page.context["cards"] if card.pin]
    assert card.enrolment.student.name == "Mori Aoi"
    assert "<svg" in card.code
    assert page.context["without_card"] == 3
    teacher_client.post(f"{here}cards/new/")
    page = teacher_client.get(f"{here}pins/?sheet=10")
    assert all(card.code for card in page.context["cards"])
    assert "per-10" in page.content.decode()
    assert classroom.students.filter(card=None).count() == 0


def test_a_card_is_printed_singly_renewed_and_revoked(teacher_client, here, enrolment):
    at = f"{here}students/{enrolment.pk}/card/"
    url = teacher_client.post(at, {"do": "renew"}).url
    assert url == f"{here}pins/?only={enrolment.pk}"
    assert len(teacher_client.get(url).context["cards"]) == 1
    first = SignInCard.objects.get().word
    teacher_client.post(at, {"do": "renew"})
    assert SignInCard.objects.get().word != first
    assert SignInCard.by_word(first) is None
    teacher_client.post(at, {"do": "revoke"})
    assert not SignInCard.objects.exists()
    assert teacher_client.post(at, {"do": "x"}).status_code == 400


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Move to another class…"), ("ja", "ほかのクラスへ移す…")]
)
def test_the_button_to_another_class_says_where_it_leads(
    client_of, teacher, here, classroom, language, words
):
    enrolment = classroom.enrolments.first()
    for page in (f"{here}students/", f"{here}students/{enrolment.pk}/"):
        answer = client_of(teacher, language).get(page)
        assert answer.status_code == 200
        assert words in answer.content.decode()


def test_selected_students_get_cards_pins_and_a_group(teacher_client, classroom, here):
    first, second, third = classroom.enrolments.select_related("student")
    chosen = {"only": [first.pk, third.pk]}
    page = teacher_client.get(f"{here}pins/", chosen)
    assert [card.enrolment for card in page.context["cards"]] == [first, third]
    assert "The 2 selected students get new PINs" in page.content.decode()
    answer = teacher_client.post(f"{here}pins/new/", chosen | {"sure": "on"})
    page = teacher_client.get(answer.url)
    assert [card.enrolment for card in page.context["cards"] if card.pin] == [first, third]
    second.student.refresh_from_db()
    assert second.student.check_pin(PIN)
    form = teacher_client.get(f"{here}groups/new/", chosen).context["form"]
    assert [box.data["selected"] for box in form["members"]] == [True, False, True]


def test_an_archived_class_and_a_substitute_have_no_selection(
    teacher_client, substitute_client, classroom, here
):
    assert 'name="only"' in teacher_client.get(f"{here}students/").content.decode()
    assert 'name="only"' not in substitute_client.get(f"{here}students/").content.decode()
    teacher_client.post(f"{here}archive/", {"do": "archive"})
    assert 'name="only"' not in teacher_client.get(f"{here}students/").content.decode()


def test_cards_have_readings_for_students(client_of, teacher, classroom, here, enrolment):
    page = f"{here}pins/"
    student = enrolment.student
    student.name, student.reading = "阿部 はると", "あべ はると"
    student.save()
    ruby = '<ruby>{}<rt aria-hidden="true">{}</rt></ruby>'
    client = client_of(teacher, "ja")
    cards = client.get(page).content.decode()
    assert f"{ruby.format('阿部', 'あべ')} はると" in cards
    # The words of the cards have readings if the students of the class see furigana.
    assert "クラスコード <b" in cards
    Classroom.objects.update(grade=4)
    pins = client.post(f"{page}new/", {"sure": "on"})
    assert ruby.format("番号", "ばんごう") in client.get(pins.url).content.decode()


def test_one_press_opens_a_students_lock(teacher_client, here, enrolment):
    assert [enrolment.student.check_pin("8642") for _ in range(5)] == [False] * 5
    assert "Unlock" in teacher_client.get(f"{here}students/").content.decode()
    assert teacher_client.post(f"{here}students/{enrolment.pk}/unlock/").url == f"{here}students/"
    assert enrolment.student.check_pin(PIN)


def test_cards_take_the_same_queries_for_many_students(
    teacher_client, teacher, make_class, queries_of
):
    large = make_class(teacher, "Large", *(f"Student {n}" for n in range(40)))
    teacher_client.post(f"/classes/{large.pk}/cards/new/")
    assert queries_of(teacher_client, f"/classes/{large.pk}/pins/") <= 9


def test_how_students_sign_in_is_a_setting_of_the_class(teacher_client, classroom, here):
    fields = {"name": "4-2", "shows_names": "on", "picture_pins": "on", "idle_minutes": "15"}
    assert teacher_client.post(f"{here}edit/", fields).url == f"{here}edit/"
    classroom.refresh_from_db()
    assert (classroom.shows_names, classroom.picture_pins, classroom.idle_minutes) == (
        True, True, 15,
    )  # fmt: skip
    for minutes in ("241", "-1", "x"):
        answer = teacher_client.post(f"{here}edit/", fields | {"idle_minutes": minutes})
        assert answer.status_code == 422
        assert "from 0 to 240" in answer.content.decode()
