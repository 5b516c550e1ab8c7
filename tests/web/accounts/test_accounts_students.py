"""Students sign in with their class code, name and PIN."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.locks import FORGOTTEN, HOLDS, WRONG_TRIES_ALLOWED, Lock
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, SignInCard
from puzzleclass.classes.services import renew_pins

PIN = "1234"
"""The PIN of every student."""


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
        ("en", "No class has the code “ZZZ999”", "Type the class code."),
        ("ja", "「ZZZ999」というコードのクラスはありません", "クラスコードを入れてください"),
    ],
)
def test_a_wrong_code_is_reported(client_of, code, language, wrong, missing):
    client = client_of(None, language)
    client.cookies["furigana"] = "off"
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


def test_the_printed_link_shows_numbers_and_names_only_if_the_class_wants_it(
    anonymous, code, classroom
):
    for shows_names in (False, True):
        Classroom.objects.filter(pk=classroom.pk).update(shows_names=shows_names)
        page = anonymous.get("/join/ABC234/").content.decode()
        for number, name in enumerate(("Abe Haruto", "Ito Yui", "Kato Ren"), 1):
            assert f"/join/ABC234/{number}/" in page
            at_number = anonymous.get(f"/join/ABC234/{number}/").content.decode()
            assert (name in page, name in at_number) == (shows_names, shows_names)


@pytest.mark.parametrize("typed", ["2", "２番", "Ito Yui", "ito　yui", "いとうゆい"])
def test_number_name_or_reading_leads_to_the_pin(anonymous, code, classmate, typed):
    classmate.reading = "いとう ゆい"
    classmate.save()
    answer = anonymous.post("/join/ABC234/", {"who": typed, "next": "/play/1/"})
    assert answer.url == "/join/ABC234/2/?next=%2Fplay%2F1%2F"


@pytest.mark.parametrize(
    ("typed", "english", "japanese"),
    [
        ("Wada", "No student in this class has that number or name.", "その番号や名前の人は"),
        ("9" * 30, "No student in this class has that number or name.", "その番号や名前の人は"),
        ("Abe Haruto", "Several students have this name.", "同じ名前の人がいます。"),
        ("", "Type your number or your name.", "番号か名前を入れてください。"),
    ],
)
def test_a_missing_name_or_number_is_reported(client_of, code, classmate, typed, english, japanese):
    classmate.name = "Abe Haruto"
    classmate.save()
    for language, said in (("en", english), ("ja", japanese)):
        page = client_of(None, language).post("/join/ABC234/", {"who": typed}).content.decode()
        assert said in page


def test_a_large_class_has_a_field_and_no_buttons(anonymous, code, classroom):
    students = User.objects.bulk_create(
        User(username=f"s-{n}", name="x", role="student") for n in range(4, 100)
    )
    classroom.enrolments.bulk_create(
        Enrolment(classroom=classroom, student=student, number=number)
        for number, student in enumerate(students, 4)
    )
    page = anonymous.get("/join/ABC234/").content.decode()
    assert "/join/ABC234/1/" not in page
    assert anonymous.post("/join/ABC234/", {"who": "99"}).url == "/join/ABC234/99/"


def test_little_ones_press_pictures(anonymous, code, classroom, door):
    assert "#picture-3" not in anonymous.get(door).content.decode()
    Classroom.objects.filter(pk=classroom.pk).update(picture_pins=True)
    page = anonymous.get(door).content.decode()
    assert all(f"#picture-{digit}" in page for digit in range(10))
    assert 'aria-label="fish"' in page


def test_an_idle_student_is_signed_out_when_the_class_says_so(
    anonymous, door, classroom, monkeypatch
):
    Classroom.objects.filter(pk=classroom.pk).update(idle_minutes=10)
    anonymous.post(door, {"pin": PIN})
    assert 'data-idle="600"' in anonymous.get("/").content.decode()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 9 * 60)
    assert anonymous.get("/").wsgi_request.user.is_authenticated
    monkeypatch.setattr(time, "time", lambda: now + 9 * 60 + 11 * 60)
    assert not anonymous.get("/").wsgi_request.user.is_authenticated


@pytest.mark.parametrize("by", ["page", "server"])
def test_after_an_idle_time_only_the_pin_is_asked_for(client_of, door, classroom, monkeypatch, by):
    Classroom.objects.filter(pk=classroom.pk).update(idle_minutes=10)
    for language, said in (("en", "nothing was pressed"), ("ja", "しばらく何も")):
        client = client_of(None, language)
        client.post(door, {"pin": PIN})
        if by == "page":
            answer = client.post("/sign-out/", {"idle": "1", "next": "/gallery/"})
            # What has not been sent stays in the browser.
            assert "Clear-Site-Data" not in answer
        else:
            now = time.time()
            monkeypatch.setattr(time, "time", lambda: now + 700)  # noqa: B023
            answer = client.get("/gallery/")
            monkeypatch.undo()
        assert answer.url == f"{door}?next=%2Fgallery%2F"
        page = client.get(answer.url).content.decode()
        assert said in page
        assert "Abe Haruto" not in page
        # Somebody else at this computer begins at the list of the class, and not on that page.
        assert 'href="/join/ABC234/"' in page
        assert said in client.get("/").content.decode()
        assert f'href="{door}"' in client.get("/").content.decode()
        assert client.post(answer.url, {"pin": PIN}).url == "/gallery/"
        assert client.session.get_expire_at_browser_close()
        assert "ended" not in client.session


def test_a_page_in_use_keeps_the_session(anonymous, door, classroom, monkeypatch):
    Classroom.objects.filter(pk=classroom.pk).update(idle_minutes=10)
    anonymous.post(door, {"pin": PIN})
    now = time.time()
    for minutes in (8, 16, 24):
        monkeypatch.setattr(time, "time", lambda: now + minutes * 60)  # noqa: B023
        assert anonymous.post("/stay/").status_code == 204
    monkeypatch.setattr(time, "time", lambda: now + 35 * 60)
    assert anonymous.post("/stay/").status_code == 403


def test_the_front_page_says_whose_it_is_and_has_one_way_out(anonymous, door):
    anonymous.post(door, {"pin": PIN})
    page = anonymous.get("/").content.decode()
    assert "Hello, Abe Haruto!" in page
    assert page.count('action="/sign-out/"') == 1


# Cards


@pytest.fixture
def card(student) -> SignInCard:
    return SignInCard.objects.create(student=student)


def test_a_card_signs_in_at_once_but_a_get_of_its_page_does_not(anonymous, card, student, code):
    url = f"/card/{card.word}/"
    page = anonymous.get(url)
    assert "data-at-once" in page.content.decode()
    assert student.name not in page.content.decode()
    assert "_auth_user_id" not in anonymous.session
    assert anonymous.post(url).url == "/"
    assert anonymous.session["_auth_user_id"] == str(student.pk)
    assert anonymous.session["class_code"] == code


def test_a_revoked_card_and_a_guessed_one_sign_nobody_in(anonymous, card, classmate):
    other = SignInCard.objects.create(student=classmate)
    words = [card.word, f"{card.pk}-{'0' * 24}", f"{other.pk}-{card.word.partition('-')[2]}"]
    card.delete()
    for word in [*words, "x", f"{10**30}-x", "-"]:
        for answer in (anonymous.get(f"/card/{word}/"), anonymous.post(f"/card/{word}/")):
            assert answer.status_code == 404
            assert "This card is no longer valid" in answer.content.decode()
    assert anonymous.post(f"/card/{other.word}/").status_code == 302


@pytest.mark.parametrize("do", ["revoke", "renew"])
def test_revoking_a_card_ends_its_sessions(
    anonymous, teacher_client, card, student, classroom, door, do
):
    anonymous.post(f"/card/{card.word}/")
    assert anonymous.get("/").wsgi_request.user == student
    place = classroom.enrolments.get(student=student)
    teacher_client.post(f"/classes/{classroom.pk}/students/{place.pk}/card/", {"do": do})
    assert not anonymous.get("/").wsgi_request.user.is_authenticated
    anonymous.post(door, {"pin": PIN})
    assert anonymous.get("/").wsgi_request.user == student


def test_a_card_opens_no_closed_class(anonymous, card, classroom):
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    assert anonymous.post(f"/card/{card.word}/").status_code == 403
    assert "_auth_user_id" not in anonymous.session


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
        ("en", "Attempts left: {}", "Try again in 60 seconds"),
        ("ja", "あと{}回試せます", "あと60秒待ってから"),
    ],
)
def test_wrong_pins_are_counted_and_then_lock(client_of, door, student, language, left, locked):
    client = client_of(None, language)
    for number in range(WRONG_TRIES_ALLOWED - 1, 0, -1):
        page = client.post(door, {"pin": "8642"}).content.decode()
        assert left.format(number) in page
        assert "8642" not in page
    assert locked in client.post(door, {"pin": "8642"}).content.decode()
    # Now even the right PIN is refused. A classmate's sign-in is not affected.
    assert locked in client.post(door, {"pin": PIN}).content.decode()
    assert "_auth_user_id" not in client.session
    assert client.post("/join/ABC234/2/", {"pin": PIN}).status_code == 302


def test_the_lock_expires_and_allows_all_attempts(anonymous, door, student):
    for _ in range(WRONG_TRIES_ALLOWED):
        anonymous.post(door, {"pin": "8642"})
    Lock.objects.filter(key=student.pin_keys[0]).update(
        counts_until=timezone.now() - timedelta(seconds=1)
    )
    assert "Attempts left: 4" in anonymous.post(door, {"pin": "8642"}).content.decode()
    assert anonymous.post(door, {"pin": PIN}).status_code == 302
    assert student.pin_lock().attempts_left == WRONG_TRIES_ALLOWED


def test_expired_locks_are_deleted_at_the_next_attempt(student, classmate):
    student.check_pin("8642")
    Lock.objects.update(counts_until=timezone.now() - FORGOTTEN - timedelta(seconds=1))
    classmate.check_pin("8642")
    assert [lock.key for lock in Lock.objects.all()] == [classmate.pin_keys[0]]


def test_a_new_pin_opens_the_lock(anonymous, door, student, classroom):
    for _ in range(WRONG_TRIES_ALLOWED):
        anonymous.post(door, {"pin": "8642"})
    [pin] = renew_pins(classroom.enrolments.filter(student=student)).values()
    assert anonymous.post(door, {"pin": pin}).status_code == 302


def test_guesses_held_by_other_windows_do_not_outrun_the_count(student):
    """Each window has read the student before any guess is counted."""
    windows = [User.objects.get(pk=student.pk) for _ in range(10)]
    for window in windows[:-1]:
        assert not window.check_pin("8642")
    assert windows[-1].check_pin(PIN) is False
    assert 0 < student.pin_lock().seconds <= HOLDS[0].total_seconds()


@pytest.mark.parametrize("typed", ["12", "12345", "abcd", "１２a４", "٣٤٥٦a"])
def test_a_text_that_is_no_pin_costs_no_attempt(client_of, door, student, typed):
    for language, text in (
        ("en", "A PIN has 4 digits."),
        ("ja", "ひみつの番号は4けたの数字です。"),
    ):
        assert text in client_of(None, language).post(door, {"pin": typed}).content.decode()
    assert student.pin_lock().attempts_left == WRONG_TRIES_ALLOWED


def test_names_have_furigana_where_students_choose_themselves(client_of, code, classroom, student):
    student.name, student.reading = "高橋 颯太", "たかはし そうた"
    student.save()
    Classroom.objects.filter(pk=classroom.pk).update(shows_names=True)
    client = client_of(None, "ja")
    page = client.get("/join/ABC234/").content.decode()
    # The switch stands at the top of the list.
    assert page.index("ふりがな") < page.index("高橋 颯太")
    assert "たかはし" not in page
    client.post("/reader/", {"furigana": "on"})
    for url in ("/join/ABC234/", "/join/ABC234/1/"):
        page = client.get(url).content.decode()
        assert '<ruby>高橋<rt aria-hidden="true">たかはし</rt></ruby>' in page
        assert "<title>高橋 颯太" in page or url == "/join/ABC234/"
    assert "たかはし" not in client_of(None, "en").get("/join/ABC234/").content.decode()
