"""Students sign in with class code, name and PIN."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import FORGOTTEN, HOLDS, WRONG_TRIES_ALLOWED, Lock, User

PIN = "1234"
"""Every student's."""


@pytest.fixture
def code(classroom):
    classroom.code = "ABC234"
    classroom.save()
    return classroom.code


@pytest.fixture
def door(code, student):
    return f"/join/{code}/1/"


@pytest.mark.parametrize("typed", ["ABC234", "abc234", " abc 234 ", "ＡＢＣ２３４", "abc-234"])
def test_the_code_is_read_however_it_is_typed(anonymous, code, typed):
    assert anonymous.post("/join/", {"code": typed}).url == "/join/ABC234/"
    assert anonymous.get(f"/join/{typed}/", follow=True).status_code == 200


@pytest.mark.parametrize(
    ("language", "wrong", "missing"),
    [
        ("en", "No class has the code “ZZZ999”", "Type in the class code."),
        ("ja", "「ZZZ999」というコードのクラスはありません", "クラスコードを入力してください"),
    ],
)
def test_a_wrong_code_is_said_so(client_of, code, language, wrong, missing):
    client = client_of(None, language)
    assert wrong in client.post("/join/", {"code": "zzz999"}).content.decode()
    assert missing in client.post("/join/", {"code": " ", "next": ""}).content.decode()
    printed = client.get("/join/zzz999/")
    assert printed.status_code == 404
    assert wrong in printed.content.decode()


@pytest.mark.parametrize("hostile", ["x" * 5000, "\0", "<script>", "%s %(n)s {x}"])
def test_a_hostile_code_does_no_harm(anonymous, code, hostile):
    answer = anonymous.post("/join/", {"code": hostile})
    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode().replace("<script src", "")


def test_the_printed_link_shows_the_class_list(anonymous, code):
    page = anonymous.get("/join/ABC234/").content.decode()
    for number, name in enumerate(("Abe Haruto", "Ito Yui", "Kato Ren"), 1):
        assert f"/join/ABC234/{number}/" in page
        assert name in page


def test_a_class_without_names_says_what_to_do(anonymous, teacher, make_class):
    empty = make_class(teacher, "4-3")
    page = anonymous.get(f"/join/{empty.code}/").content.decode()
    assert "no names on this class" in page


@pytest.mark.parametrize("url", ["/join/ABC234/9/", "/join/ZZZ999/1/", f"/join/ABC234/{10**30}/"])
def test_a_number_or_class_that_is_not_there_answers_404(anonymous, code, url):
    assert anonymous.get(url).status_code == 404


@pytest.mark.parametrize("typed", [PIN, "１２３４", " 12 34 "])
def test_the_right_pin_signs_in(anonymous, door, student, typed):
    assert anonymous.post(door, {"pin": typed}).url == "/"
    assert anonymous.session["_auth_user_id"] == str(student.pk)


def test_a_students_session_ends_with_the_browser_and_after_three_hours(
    anonymous, door, monkeypatch
):
    anonymous.post(door, {"pin": PIN})
    assert anonymous.session.get_expire_at_browser_close()
    assert anonymous.cookies["sessionid"]["max-age"] == ""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3 * 3600 - 60)
    assert anonymous.get("/").wsgi_request.user.is_authenticated
    monkeypatch.setattr(time, "time", lambda: now + 3 * 3600 + 60)
    assert not anonymous.get("/").wsgi_request.user.is_authenticated


def test_the_next_student_gets_a_session_of_their_own(anonymous, door, classmate):
    anonymous.post(door, {"pin": PIN})
    first = anonymous.cookies["sessionid"].value
    anonymous.post("/join/ABC234/2/", {"pin": PIN})
    assert anonymous.cookies["sessionid"].value != first
    assert anonymous.session["_auth_user_id"] == str(classmate.pk)


def test_signing_out_leads_to_the_list_of_the_class(anonymous, door):
    anonymous.post(door, {"pin": PIN})
    assert anonymous.post("/sign-out/").url == "/join/ABC234/"
    assert "_auth_user_id" not in anonymous.session


def test_the_page_that_was_wanted_comes_after_the_pin(anonymous, door, assigned):
    wanted = f"/play/{assigned.pk}/"
    first = anonymous.get(wanted)
    assert first.url == f"/join/?next=%2Fplay%2F{assigned.pk}%2F"
    page = anonymous.post("/join/", {"code": "abc234", "next": wanted})
    assert page.url == f"/join/ABC234/?next=%2Fplay%2F{assigned.pk}%2F"
    assert (
        f"/join/ABC234/1/?next=%2Fplay%2F{assigned.pk}%2F"
        in anonymous.get(page.url).content.decode()
    )
    assert anonymous.post(door, {"pin": PIN, "next": wanted}).url == wanted
    assert anonymous.post(door, {"pin": PIN, "next": "//evil.example"}).url == "/"


@pytest.mark.parametrize(
    ("language", "left", "locked"),
    [
        ("en", "Tries left: {}", "Seconds to wait: 60"),
        ("ja", "あと{}回ためせます", "あと60秒待ってから"),
    ],
)
def test_wrong_pins_are_counted_and_then_lock(client_of, door, student, language, left, locked):
    client = client_of(None, language)
    for tries in range(WRONG_TRIES_ALLOWED - 1, 0, -1):
        page = client.post(door, {"pin": "8642"}).content.decode()
        assert left.format(tries) in page
        assert "8642" not in page
    assert locked in client.post(door, {"pin": "8642"}).content.decode()
    # Not even the right one opens now; a classmate's door is another one.
    assert locked in client.post(door, {"pin": PIN}).content.decode()
    assert "_auth_user_id" not in client.session
    assert client.post("/join/ABC234/2/", {"pin": PIN}).status_code == 302


def test_the_lock_opens_by_itself_with_all_tries(anonymous, door, student):
    for _ in range(WRONG_TRIES_ALLOWED):
        anonymous.post(door, {"pin": "8642"})
    Lock.objects.filter(key=student.pin_keys[0]).update(
        counts_until=timezone.now() - timedelta(seconds=1)
    )
    assert "Tries left: 4" in anonymous.post(door, {"pin": "8642"}).content.decode()
    assert anonymous.post(door, {"pin": PIN}).status_code == 302
    assert student.pin_lock().tries_left == WRONG_TRIES_ALLOWED


def test_what_locks_no_longer_say_goes_with_the_next_try(student, classmate):
    student.check_pin("8642")
    Lock.objects.update(counts_until=timezone.now() - FORGOTTEN - timedelta(seconds=1))
    classmate.check_pin("8642")
    assert [lock.key for lock in Lock.objects.all()] == [classmate.pin_keys[0]]


def test_a_new_pin_opens_the_lock(anonymous, door, student):
    for _ in range(WRONG_TRIES_ALLOWED):
        anonymous.post(door, {"pin": "8642"})
    student.set_pin("9876")
    assert anonymous.post(door, {"pin": "9876"}).status_code == 302


def test_guesses_held_by_other_windows_do_not_outrun_the_count(student):
    """Each window read the student before any guess was counted."""
    windows = [User.objects.get(pk=student.pk) for _ in range(10)]
    for window in windows[:-1]:
        assert not window.check_pin("8642")
    assert windows[-1].check_pin(PIN) is False
    assert 0 < student.pin_lock().seconds <= HOLDS[0].total_seconds()


@pytest.mark.parametrize("typed", ["12", "12345", "abcd", "１２a４", "٣٤٥٦a"])
def test_what_can_be_no_pin_costs_no_try(client_of, door, student, typed):
    for language, text in (("en", "A PIN has 4 digits."), ("ja", "暗証番号は4けたの数字です。")):
        assert text in client_of(None, language).post(door, {"pin": typed}).content.decode()
    assert student.pin_lock().tries_left == WRONG_TRIES_ALLOWED


def test_a_teachers_pages_are_closed_to_students(student_client):
    assert student_client.get("/puzzles/").status_code == 403
