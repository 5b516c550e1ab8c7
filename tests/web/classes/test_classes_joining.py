"""The protection of a class from strangers: PINs, class codes, the switch. The class itself gets
in."""

import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count, cycle

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from puzzleclass.accounts import locks, models
from puzzleclass.classes import joining, services
from puzzleclass.classes.models import Classroom

PIN = "1234"
A_DAY = timedelta(days=1)


class Clock:
    """The time of the test, and the times of the guesses that were checked."""

    def __init__(self) -> None:
        self.now = timezone.now()
        self.guesses: list[datetime] = []

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def most_in_a_day(self) -> int:
        return max(sum(at <= guess < at + A_DAY for guess in self.guesses) for at in self.guesses)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    right = models.check_password

    def look(pin: str, encoded: str) -> bool:
        clock.guesses.append(clock.now)
        return right(pin, encoded)

    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    monkeypatch.setattr(models, "check_password", look)
    return clock


@pytest.fixture
def forty(teacher, make_class) -> Classroom:
    return make_class(teacher, "4-1", *(f"student {number}" for number in range(40)))


def guess(classroom, student, address="192.0.2.1", pin="8642", device=None) -> bool:
    """Type a PIN in a stranger's browser, or on a device that has these cookies."""
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    request.COOKIES |= device or {}
    return joining.check_pin(request, classroom, student, pin)


def device_of(classroom, student, before: dict[str, str] | None = None) -> dict[str, str]:
    """Return the cookies of a browser after the student has signed in there."""
    request = RequestFactory().post("/")
    request.COOKIES |= before or {}
    response = joining.remember_browser(request, HttpResponse(), classroom, student)
    return {name: cookie.value for name, cookie in response.cookies.items()}


@pytest.fixture
def attack(clock, forty) -> Callable[[], None]:
    """Return a function that guesses one student's PIN after the other, until no guess is checked
    any more, whoever is guessed.

    Each guess comes from another address.
    """
    students, addresses = cycle(forty.students.all()), count(1)

    def attack() -> None:
        refused_in_a_row = 0
        while refused_in_a_row < 40:
            looked_at = len(clock.guesses)
            guess(forty, next(students), f"2001:db8:{next(addresses):x}::1")
            refused_in_a_row = 0 if len(clock.guesses) > looked_at else refused_in_a_row + 1

    return attack


def test_strangers_open_one_of_forty_pins_with_less_than_a_hundredth_a_day(clock, forty, attack):
    """They use as many addresses as they like and choose the best times, around the turn of the
    day."""
    guess(forty, forty.students.first(), "2001:db8:ffff::1")  # the first guess begins the day
    for pause in (23 * 60 + 58, 4, 10 * 60, 14 * 60 - 4, 4):
        clock.wait(minutes=pause)
        attack()
    most = clock.most_in_a_day()
    assert most > 48  # the limits leave enough for the class
    assert most / 10**models.PIN_LENGTH < 0.01


@pytest.fixture
def lesson(forty, clock) -> Classroom:
    """Return a class of forty that its teacher has opened for an hour."""
    services.open_until(forty, clock.now + timedelta(hours=1))
    return forty


def test_forty_children_with_new_devices_come_in_after_two_mistakes_each(clock, lesson):
    """They are all behind one address, as at school, and make one mistake after the other."""
    students = list(lesson.students.all())
    for pin in ("8642", "7531"):
        for student in students:
            assert not guess(lesson, student, pin=pin)
            clock.wait(seconds=1)
    assert not joining.kept_out(lesson, students)
    assert all(guess(lesson, student, pin=PIN) for student in students)


def test_a_lesson_gives_strangers_no_more_than_a_hundredth_a_day(clock, forty, attack):
    """Strangers guess in lessons, between them, and around the turns of the day and of the hour."""
    for minutes in (0, 30, 14, 15 * 60, 8 * 60 + 59, 2, 59, 12 * 60, 12 * 60, 3):
        clock.wait(minutes=minutes)
        services.open_until(forty, None)
        attack()
        services.open_until(forty, clock.now + timedelta(minutes=50))
        attack()
    most = clock.most_in_a_day()
    assert most == joining.WRONG_PINS >= 40 * 2
    # Each guess is right with the same chance, whatever was guessed for other students.
    chance = 1 - (1 - 10**-models.PIN_LENGTH) ** most
    assert chance < most / 10**models.PIN_LENGTH < 0.01


def test_between_lessons_strangers_leave_something_for_the_lesson(clock, forty):
    students = list(forty.students.all())
    for number in range(2 * joining.WRONG_PINS_BETWEEN_LESSONS):
        guess(forty, students[number % 40], f"2001:db8:{number:x}::1")
    assert joining.kept_out(forty, students).strangers
    assert not guess(forty, students[0], "192.0.2.9", PIN)
    stranger = RequestFactory().get("/", REMOTE_ADDR="192.0.2.9")
    assert not joining.may_guess_pins(stranger, forty)
    services.open_until(forty, clock.now + timedelta(hours=1))
    assert not joining.kept_out(forty, students).strangers
    assert len(clock.guesses) == joining.WRONG_PINS_BETWEEN_LESSONS
    for student in students[:30]:
        guess(forty, student, pin="7531")
    clock.wait(minutes=1)
    assert all(guess(forty, student, pin=PIN) for student in students)


def test_strangers_who_guess_a_little_every_day_come_to_an_end(clock, forty):
    """Every day they make one guess fewer than one address may, which nobody would notice. After a
    week they have no more left in this month, and try a few times every day all the same."""
    students = list(forty.students.all())
    for day in range(29):
        for number in range(joining.WRONG_PINS_OF_ADDRESS - 1 if day < 7 else 3):
            guess(forty, students[number], f"192.0.2.{number}")
        clock.wait(days=1)
    assert len(clock.guesses) == joining.WRONG_PINS_OF_MONTH
    assert joining.kept_out(forty, students).strangers
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.200")
    assert not joining.may_guess_pins(request, forty)
    # Known devices still work, lessons have guesses of their own, and the teacher can allow more.
    assert guess(forty, students[0], pin=PIN, device=device_of(forty, students[0]))
    services.open_until(forty, clock.now + timedelta(hours=1))
    assert guess(forty, students[0], pin=PIN)
    assert not joining.kept_out(forty, students).strangers
    services.open_until(forty, None)
    joining.reset_locks(forty)
    assert guess(forty, students[0], pin=PIN)


def test_one_stranger_does_not_lock_the_class_out(clock, forty):
    students = list(forty.students.all())
    for _ in range(3):
        for student in students[:12]:
            for _ in range(4):
                guess(forty, student)
        clock.wait(minutes=31)
    came_in = [guess(forty, student, "192.0.2.2", PIN) for student in students]
    assert sum(came_in) >= 39


@pytest.fixture
def door(classroom, student) -> str:
    return f"/join/{classroom.code}/1/"


def test_strangers_leave_known_browsers_alone(client_of, classroom, student, door):
    known = client_of(None)
    assert known.post(door, {"pin": PIN}).status_code == 302
    known.post("/sign-out/")
    for number in range(80):
        guess(classroom, student, f"192.0.2.{number}")
    joining_request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.200")
    for _ in range(60):
        joining.count_wrong_code(joining_request)
    assert student.pin_lock().is_closed
    assert known.post(door, {"pin": PIN}).status_code == 302
    # A known device's own wrong PINs block it all the same, and no browser can forge being known.
    forged = client_of(None)
    forged.cookies[f"class-{classroom.pk}"] = "1"
    assert forged.post(door, {"pin": PIN}).status_code == 200


def test_a_lock_holds_longer_each_time_and_then_the_teacher_opens(
    client_of, teacher, classroom, student, clock, door
):
    stranger = client_of(None)
    for minutes in (1, 5, 30):
        for _ in range(locks.WRONG_TRIES_ALLOWED):
            assert not student.pin_lock().is_closed
            guess(classroom, student)
        clock.wait(minutes=minutes, seconds=-1)
        assert student.pin_lock().seconds == 1
        clock.wait(seconds=2)
    for _ in range(locks.WRONG_TRIES_ALLOWED):
        guess(classroom, student)
    clock.wait(days=30)
    teacher_client = client_of(teacher)
    student.check_pin("8642")  # clears away locks that have expired
    for language, words in (("en", "Only your teacher"), ("ja", "先生だけ")):
        stranger.cookies["django_language"] = language
        assert words in stranger.post(door, {"pin": PIN}).content.decode()
    assert b"Unlock all" in teacher_client.get(f"/classes/{classroom.pk}/students/").content
    teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "unlock"})
    assert stranger.post(door, {"pin": PIN}).status_code == 302


# Devices known to the class


def test_wrong_pins_on_a_device_count_across_students_whoever_signs_in_between(clock, forty):
    guesser, *others = forty.students.all()
    device = device_of(forty, guesser)
    for number in range(joining.WRONG_PINS_OF_DEVICE):
        assert not guess(forty, others[number % 39], device=device)
        # The guessed student signs in, on a device of their own and on this one.
        owner = others[number % 39]
        assert guess(forty, owner, pin=PIN, device=device_of(forty, owner))
        assert guess(forty, owner, pin=PIN, device=device)
    looked_at = len(clock.guesses)
    request = RequestFactory().get("/")
    request.COOKIES |= device
    assert not joining.is_known(request, forty)
    assert joining.kept_out(forty, forty.students.all()).devices == {guesser.pk}
    # The device now counts as a stranger's, and its guesses reduce the strangers' allowance.
    assert not guess(forty, others[0], device=device)
    assert len(clock.guesses) == looked_at + 1
    assert joining._wrong_pins(forty) == 1


def test_signing_in_again_gives_no_new_guesses(clock, forty):
    """Neither private windows, nor devices first used by others, nor deleted cookies give new
    guesses."""
    guesser, *others = forty.students.all()
    for number in range(joining.WRONG_PINS_OF_DEVICE):
        private_window = device_of(forty, guesser)
        assert not guess(forty, others[number % 39], device=private_window)
    for device in (
        device_of(forty, guesser),
        device_of(forty, others[0], device_of(forty, guesser)),
    ):
        request = RequestFactory().get("/")
        request.COOKIES |= device
        assert not joining.is_known(request, forty)


def test_guesses_on_a_device_close_nothing_for_the_student_who_is_guessed(forty):
    guesser, victim = forty.students.all()[:2]
    device = device_of(forty, guesser)
    for _ in range(joining.WRONG_PINS_OF_DEVICE + 30):
        guess(forty, victim, device=device)
    assert guess(forty, victim, pin=PIN, device=device_of(forty, victim))
    assert not joining.kept_out(forty, [victim]).devices


def test_the_teacher_sees_devices_with_many_wrong_pins_and_opens_them(
    client_of, teacher_client, classroom, student, classmate, door
):
    device = client_of(None)
    assert device.post(door, {"pin": PIN}).status_code == 302
    device.post("/sign-out/")
    cookies = {name: cookie.value for name, cookie in device.cookies.items()}
    for _ in range(joining.WRONG_PINS_OF_DEVICE - 1):
        assert not guess(classroom, classmate, device=cookies)
    page = device.post(door.replace("/1/", "/2/"), {"pin": "8642"}).content.decode()
    assert "This PIN is wrong." in page
    assert "Attempts left: 4" in device.post(door, {"pin": "8642"}).content.decode()
    page = teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    assert "Many wrong PINs on this student" in page
    enrolment = classroom.enrolments.get(student=student)
    teacher_client.post(f"/classes/{classroom.pk}/students/{enrolment.pk}/unlock/")
    page = teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    assert "Many wrong PINs on this student" not in page
    assert "Attempts left" not in device.post(door, {"pin": "8642"}).content.decode()


def test_a_classmate_who_guesses_every_day_opens_a_pin_with_less_than_a_hundredth(clock, forty):
    """All students sign in each school day, with typing errors, and one guesses wherever it is
    known.

    The guesser uses a device of their own, private windows, and a shared device that each of five
    classmates uses in turn, but never guesses so often that strangers would be shut out.
    """
    dice = random.Random(17)
    guesser, *others = forty.students.all()[:12]
    own = {student.pk: device_of(forty, student) for student in others}
    shared = device_of(forty, guesser)
    for student in others[:5]:
        shared = device_of(forty, student, shared)
    guesses = 0
    for _day in range(10):
        for number, student in enumerate(others):
            while dice.random() < 0.15:
                assert not guess(forty, student, pin="7531", device=own[student.pk])
            assert guess(forty, student, pin=PIN, device=shared if number < 5 else own[student.pk])
            for device in (shared, device_of(forty, guesser)):
                request = RequestFactory().get("/")
                request.COOKIES |= device
                if joining.is_known(request, forty):
                    guesses += 1
                    assert not guess(forty, student, device=device)
        clock.wait(hours=23)
    assert guesses == joining.WRONG_PINS_OF_DEVICE
    assert joining._wrong_pins(forty) == 0
    chance = 1 - (1 - 10**-models.PIN_LENGTH) ** guesses
    assert chance < guesses / 10**models.PIN_LENGTH == 0.003
    kept_out = joining.kept_out(forty, forty.students.all())
    assert kept_out.devices == {guesser.pk}
    assert not kept_out.students


def test_shared_devices_of_five_classes_a_day_stay_known(clock, teacher, make_class):
    """A trolley of devices is used for a week by another class each lesson. Devices are dealt out
    at random, and one PIN in six is mistyped."""
    dice = random.Random(5)
    classes = [
        make_class(teacher, f"4-{number}", *(f"student {number}-{n}" for n in range(6)))
        for number in range(5)
    ]
    students = {one.pk: list(one.students.all()) for one in classes}
    trolley: list[dict[str, str]] = [{} for _ in range(6)]
    for _day in range(5):
        for one in classes:
            services.open_until(one, clock.now + timedelta(hours=1))
            dice.shuffle(trolley)
            for student, device in zip(students[one.pk], trolley, strict=True):
                while dice.random() < 1 / 6:
                    assert not guess(one, student, pin="7531", device=device)
                assert guess(one, student, pin=PIN, device=device)
                device |= device_of(one, student, device)
            assert not joining.kept_out(one, students[one.pk])
            clock.wait(hours=1)
        clock.wait(hours=19)


def test_slow_guesses_are_counted_too(student, clock):
    for _ in range(4):
        student.check_pin("8642")
    clock.wait(hours=2)
    student.check_pin("8642")
    assert student.pin_lock().is_closed


def test_a_teacher_gives_strangers_their_guesses_back(
    client_of, teacher_client, classroom, classmate, door
):
    for guessed in classroom.students.all():
        for _ in range(20):
            guess(classroom, guessed, "127.0.0.1")
            locks.Lock.objects.filter(key__startswith="pin ").update(wrong_tries=0)
    for language, words in (("en", "Ask your teacher to unlock"), ("ja", "先生にロックを")):
        answer = client_of(None, language).post(door, {"pin": PIN})
        assert words in answer.content.decode()
    teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "unlock"})
    assert client_of(None).post(door, {"pin": PIN}).status_code == 302


def test_right_pins_cost_strangers_nothing(classroom, student):
    for _ in range(joining.WRONG_PINS_BETWEEN_LESSONS + 1):
        assert guess(classroom, student, pin=PIN)


# Class codes


@pytest.fixture
def spent(db) -> None:
    """Use up the wrong class codes that are allowed to the tests' address."""
    request = RequestFactory().get("/")
    for _ in range(joining.WRONG_CODES):
        joining.count_wrong_code(request)


def test_wrong_codes_are_counted_however_they_are_typed(anonymous):
    request = RequestFactory().get("/")
    for _ in range(joining.WRONG_CODES - 3):
        joining.count_wrong_code(request)
    for path, fields in (
        ("/join/", {"code": "ZZZ001"}),
        ("/join/ZZZ002/", {}),
        ("/join/ZZZ003/1/", {}),
    ):
        assert joining.may_guess_codes(request)
        answer = anonymous.post(path, fields) if fields else anonymous.get(path)
        assert "No class has" in answer.content.decode()
    assert not joining.may_guess_codes(request)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_link_of_a_class_works_with_the_right_pin_after_any_number_of_wrong_codes(
    client_of, spent, classroom, language
):
    browser = client_of(None, language)
    onward = browser.post("/join/", {"code": classroom.code.lower(), "next": "/account/x/"})
    assert onward.url.startswith(f"/join/{classroom.code}/?next=")
    words = "番号とひみつの番号" if language == "ja" else "type your number and your PIN together"
    for path in (f"/join/{classroom.code}/", f"/join/{classroom.code}/1/"):
        assert words in browser.get(path).content.decode()
        answer = client_of(None, language).post(path, {"who": "1", "pin": PIN, "next": "/x/"})
        assert (answer.status_code, answer.url) == (302, "/x/")
    by_name = client_of(None).post(f"/join/{classroom.code}/", {"who": "Ito Yui", "pin": PIN})
    assert by_name.status_code == 302


def test_after_many_wrong_codes_no_answer_reveals_whether_a_code_exists(
    client_of, spent, classroom, student
):
    def pages(code: str) -> list[str]:
        path = f"/join/{code}/"
        answers = [
            client_of(None).get(path),
            client_of(None).post(path, {"who": "1"}),
            client_of(None).post(path, {"who": "1", "pin": "8642"}),
            client_of(None).post(path, {"who": "77", "pin": PIN}),
            client_of(None).get(f"{path}2/"),
            client_of(None).get(f"{path}77/"),
        ]
        assert {answer.status_code for answer in answers} == {200}
        texts = [answer.content.decode().replace(code, "CODE") for answer in answers]
        return [re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text) for text in texts]

    assert pages(classroom.code) == pages("ZZZ999")
    # A closed class answers like a missing one, even with the right PIN.
    right = {"who": "1", "pin": PIN}
    services.open_until(classroom, timezone.now())
    closed = client_of(None).post(f"/join/{classroom.code}/", right)
    assert "PIN do not match" in closed.content.decode()


def test_pins_cost_as_much_where_all_is_asked_for_at_once(client_of, spent, classroom, student):
    students = list(classroom.students.all())
    for number in range(joining.WRONG_PINS_OF_ADDRESS - 1):
        guess(classroom, students[number % 3], "127.0.0.1")
        locks.Lock.objects.filter(key__startswith="pin ").update(wrong_tries=0)
    request = RequestFactory().get("/")
    assert joining.may_guess_pins(request, classroom)
    client_of(None).post(f"/join/{classroom.code}/", {"who": "1", "pin": "8642"})
    assert not joining.may_guess_pins(request, classroom)
    answer = client_of(None).post(f"/join/{classroom.code}/", {"who": "1", "pin": PIN})
    assert answer.status_code == 200


@pytest.mark.parametrize("code", ["-", "A/B", "../x", "あ", "　"])
def test_an_impossible_code_is_reported_even_after_many_wrong_ones(client_of, spent, code):
    answer = client_of(None).post("/join/", {"code": code})
    assert answer.status_code == 200
    assert "notice bad" in answer.content.decode()


def test_other_addresses_and_known_devices_see_their_class_as_ever(
    client_of, classroom, clock, door
):
    known = client_of(None)
    known.post(door, {"pin": PIN})
    known.post("/sign-out/")
    request = RequestFactory().get("/")
    for _ in range(joining.WRONG_CODES):
        joining.count_wrong_code(request)
    path = f"/join/{classroom.code}/"
    assert classroom.name in known.get(path).content.decode()
    other = client_of(None).get(path, REMOTE_ADDR="192.0.2.9")
    assert classroom.name in other.content.decode()
    assert classroom.name not in client_of(None).get(path).content.decode()
    clock.wait(minutes=11)
    assert classroom.name in client_of(None).get(path).content.decode()


def test_the_class_is_open_for_a_lesson_or_always(
    client_of, teacher_client, classroom, clock, door
):
    def press(do: str) -> None:
        answer = teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": do})
        assert answer.url == f"/classes/{classroom.pk}/students/"

    def lets_in() -> bool:
        return client_of(None).post(door, {"pin": PIN}).status_code == 302

    assert lets_in()
    press("lesson")
    assert lets_in()
    clock.wait(minutes=61)
    assert not lets_in()
    for language, words in (("en", "t join right now"), ("ja", "先生が授業のときに")):
        for url in (door, f"/join/{classroom.code}/"):
            answer = client_of(None, language).get(url)
            assert answer.status_code == 403
            assert words in answer.content.decode()
            assert "Ito Yui" not in answer.content.decode()
    press("always")
    assert lets_in()
    press("close")
    assert not lets_in()


def test_a_new_class_code_ends_the_old_one(client_of, teacher_client, classroom, door):
    teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "code"})
    assert client_of(None).get(door).status_code == 404
    classroom.refresh_from_db()
    assert client_of(None).get(f"/join/{classroom.code}/1/").status_code == 200


def test_unknown_actions_are_refused(teacher_client, classroom):
    assert teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "burn"}).status_code == 400


@pytest.mark.parametrize(
    "typed",
    [
        "{code}\u200b",
        "\ufeff{code}",
        "\u2060{code}\u00ad\u200f",
        "http://testserver/join/{code}/",
        "https://example.org/join/{code}/?next=/play/",
        "クラスコード：{code}",
        "クラスコード {code}",
        "「クラスコード：{code}」",
        "Class code: {code}",
        "{wide}",
    ],
)
def test_a_pasted_code_is_taken_with_what_was_copied_with_it(client_of, classroom, typed):
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in classroom.code)
    answer = client_of(None).post("/join/", {"code": typed.format(code=classroom.code, wide=wide)})
    assert answer.headers["Location"] == f"/join/{classroom.code}/"


@pytest.mark.parametrize("typed", ["１\u200b", "\ufeff1番", "出席番号 １"])
def test_a_number_and_a_pin_are_taken_in_full_width_and_with_invisible_characters(
    client_of, classroom, student, typed
):
    client = client_of(None)
    answer = client.post(f"/join/{classroom.code}/", {"who": typed})
    assert answer.headers["Location"].endswith("/1/")
    answer = client.post(answer.headers["Location"], {"pin": "１２\u200b３\ufeff４"})
    assert answer.status_code == 302


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("タカハシ アオイ", "たかはし あおい"),
        ("たかはし あおい", "タカハシアオイ"),
        ("髙橋 葵", "高橋葵"),
    ],
)
def test_a_child_is_found_by_the_name_in_every_form(client_of, classroom, student, stored, typed):
    type(student).objects.filter(pk=student.pk).update(name=stored)
    answer = client_of(None).post(f"/join/{classroom.code}/", {"who": typed})
    assert answer.headers["Location"] == f"/join/{classroom.code}/1/"


def test_of_two_names_that_differ_in_a_variant_the_typed_one_is_meant(
    client_of, teacher, make_class
):
    classroom = make_class(teacher, "4-1", "渡辺 蓮", "渡邊 蓮")
    client = client_of(None)
    for number, name in enumerate(("渡辺 蓮", "渡邊 蓮"), 1):
        answer = client.post(f"/join/{classroom.code}/", {"who": name})
        assert answer.headers["Location"] == f"/join/{classroom.code}/{number}/"
    answer = client.post(f"/join/{classroom.code}/", {"who": "渡邉 蓮"})
    assert "Several students" in answer.content.decode()
