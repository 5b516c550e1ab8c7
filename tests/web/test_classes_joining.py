"""What keeps strangers out of a class: PINs, class codes, the switch; and lets the class in."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

import pytest
from django.test import RequestFactory
from django.utils import timezone

from puzzleclass.accounts import models
from puzzleclass.classes import joining, services
from puzzleclass.classes.models import Classroom

PIN = "1234"
A_DAY = timedelta(days=1)


class Clock:
    """The time of the test, and the guesses that were looked at."""

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


def guess(classroom, student, address="192.0.2.1", pin="8642") -> bool:
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    return joining.check_pin(request, classroom, student, pin)


@pytest.fixture
def attack(clock, forty) -> Callable[[], None]:
    """Guesses at every student, always from another address, until no guess is looked at."""
    students, addresses = list(forty.students.all()), count(1)

    def attack() -> None:
        looked_at = -1
        while looked_at < len(clock.guesses):
            looked_at = len(clock.guesses)
            for student in students:
                guess(forty, student, f"2001:db8:{next(addresses):x}::1")
            clock.wait(seconds=1)

    return attack


def test_strangers_open_one_of_forty_pins_with_less_than_a_hundredth_a_day(clock, forty, attack):
    """As many addresses as they like, and the moments chosen best: around the day's turn."""
    guess(forty, forty.students.first(), "2001:db8:ffff::1")  # the first one begins the day
    for pause in (23 * 60 + 58, 4, 10 * 60, 14 * 60 - 4, 4):
        clock.wait(minutes=pause)
        attack()
    most = clock.most_in_a_day()
    assert most > 48  # the limits let the class work
    assert most / 10**models.PIN_LENGTH < 0.01


@pytest.fixture
def lesson(forty, clock) -> Classroom:
    """A class of forty that its teacher has opened for an hour."""
    services.let_in(forty, clock.now + timedelta(hours=1))
    return forty


def test_forty_children_with_new_devices_come_in_after_two_mistakes_each(clock, lesson):
    """All behind one address, as they are at school, one mistake after the other."""
    students = list(lesson.students.all())
    for pin in ("8642", "7531"):
        for student in students:
            assert not guess(lesson, student, pin=pin)
            clock.wait(seconds=1)
    assert not joining.kept_out(lesson, students)
    assert all(guess(lesson, student, pin=PIN) for student in students)


def test_a_lesson_gives_strangers_no_more_than_a_hundredth_a_day(clock, forty, attack):
    """Who guesses between lessons, in them, around the day's turn and the hour's."""
    for minutes in (0, 30, 14, 15 * 60, 8 * 60 + 59, 2, 59, 12 * 60, 12 * 60, 3):
        clock.wait(minutes=minutes)
        services.let_in(forty, None)
        attack()
        services.let_in(forty, clock.now + timedelta(minutes=50))
        attack()
    most = clock.most_in_a_day()
    assert most == joining.WRONG_PINS >= 40 * 2
    # Each guess is right with the same chance, whatever was guessed of other students.
    chance = 1 - (1 - 10**-models.PIN_LENGTH) ** most
    assert chance < most / 10**models.PIN_LENGTH < 0.01


def test_between_lessons_strangers_leave_something_for_the_lesson(clock, forty):
    students = list(forty.students.all())
    for number in range(400):
        guess(forty, students[number % 40], f"2001:db8:{number:x}::1")
    assert joining.kept_out(forty, students).strangers
    assert not guess(forty, students[0], "192.0.2.9", PIN)
    services.let_in(forty, clock.now + timedelta(hours=1))
    assert not joining.kept_out(forty, students).strangers
    assert len(clock.guesses) == joining.WRONG_PINS_BETWEEN_LESSONS
    for student in students[:30]:
        guess(forty, student, pin="7531")
    clock.wait(minutes=1)
    assert all(guess(forty, student, pin=PIN) for student in students)


def test_one_stranger_does_not_lock_the_class_out(clock, forty):
    students = list(forty.students.all())
    for _ in range(3):
        for student in students:
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
        client_of(None).post(door, {"pin": "8642"}, REMOTE_ADDR=f"192.0.2.{number}")
    joining_request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.200")
    for _ in range(60):
        joining.count_wrong_code(joining_request)
    assert student.pin_lock().is_closed
    assert known.post(door, {"pin": PIN}).status_code == 302
    # Its own wrong tries close it all the same, and a browser can't say so of itself.
    forged = client_of(None)
    forged.cookies[f"class-{classroom.pk}"] = "1"
    assert forged.post(door, {"pin": PIN}).status_code == 200


def test_a_lock_holds_longer_each_time_and_then_the_teacher_opens(
    client_of, teacher, classroom, student, clock, door
):
    known = client_of(None)
    known.post(door, {"pin": PIN})
    for minutes in (1, 5, 30):
        for _ in range(models.WRONG_TRIES_ALLOWED):
            assert not student.pin_lock(is_known=True).is_closed
            known.post(door, {"pin": "8642"})
        clock.wait(minutes=minutes, seconds=-1)
        assert student.pin_lock(is_known=True).seconds == 1
        clock.wait(seconds=2)
    for _ in range(models.WRONG_TRIES_ALLOWED):
        known.post(door, {"pin": "8642"})
    clock.wait(days=30)
    teacher_client = client_of(teacher)
    student.check_pin("8642")  # clears away what says nothing any more
    for language, words in (("en", "Only your teacher"), ("ja", "先生だけ")):
        known.cookies["django_language"] = language
        assert words in known.post(door, {"pin": PIN}).content.decode()
    assert b"Open the locks" in teacher_client.get(f"/classes/{classroom.pk}/").content
    teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "unlock"})
    assert known.post(door, {"pin": PIN}).status_code == 302


def test_slow_guesses_are_counted_too(student, clock):
    for _ in range(4):
        student.check_pin("8642")
    clock.wait(hours=2)
    student.check_pin("8642")
    assert student.pin_lock().is_closed


def test_strangers_get_their_tries_back_from_the_teacher(
    client_of, teacher_client, classroom, classmate, door
):
    stranger = client_of(None)
    for number in range(1, 4):
        for _ in range(20):
            stranger.post(door.replace("/1/", f"/{number}/"), {"pin": "8642"})
            models.Lock.objects.filter(key__startswith="pin ").update(wrong_tries=0)
    for language, words in (("en", "Ask your teacher to open"), ("ja", "先生にロックを")):
        answer = client_of(None, language).post(door, {"pin": PIN})
        assert words in answer.content.decode()
    teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "unlock"})
    assert client_of(None).post(door, {"pin": PIN}).status_code == 302


def test_right_pins_cost_strangers_nothing(client_of, door):
    for _ in range(joining.WRONG_PINS_BETWEEN_LESSONS + 1):
        assert client_of(None).post(door, {"pin": PIN}).status_code == 302


@pytest.mark.parametrize("way", ["field", "class", "student"])
def test_guesses_of_class_codes_are_throttled(client_of, classroom, clock, door, way):
    client = client_of(None)
    client.post(door, {"pin": PIN})
    client.post("/sign-out/")

    def guess(browser, code, **options):
        if way == "field":
            return browser.post("/join/", {"code": code}, **options)
        return browser.get(f"/join/{code}/" + ("1/" if way == "student" else ""), **options)

    for number in range(joining.WRONG_CODES):
        assert "No class has" in guess(client_of(None), f"ZZZ{number:03}").content.decode()
    said = guess(client_of(None, "ja"), classroom.code)
    assert "10分たってから" in said.content.decode()
    # Others, and a browser that is known to the class, come in.
    assert guess(client_of(None), classroom.code, REMOTE_ADDR="192.0.2.9").status_code < 400
    assert guess(client, classroom.code).status_code == (302 if way == "field" else 200)
    clock.wait(minutes=11)
    assert guess(client_of(None), classroom.code).status_code < 400


def test_the_class_is_open_for_a_lesson_or_always(
    client_of, teacher_client, classroom, clock, door
):
    def press(do: str) -> None:
        answer = teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": do})
        assert answer.url == f"/classes/{classroom.pk}/"

    def lets_in() -> bool:
        return client_of(None).post(door, {"pin": PIN}).status_code == 302

    assert lets_in()
    press("lesson")
    assert lets_in()
    clock.wait(minutes=61)
    assert not lets_in()
    for language, words in (("en", "Nobody can come in just now"), ("ja", "先生が授業のときに")):
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


def test_what_the_door_does_not_know_is_refused(teacher_client, classroom):
    assert teacher_client.post(f"/classes/{classroom.pk}/door/", {"do": "burn"}).status_code == 400
