"""Teachers sign in, sign up and sign out."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from django.utils import timezone

from puzzleclass.accounts import views
from puzzleclass.accounts.locks import WRONG_TRIES_ALLOWED, Lock
from puzzleclass.accounts.models import Invitation, User, hashing
from puzzleclass.accounts.visitors import address_of
from puzzleclass.errors import Busy

PASSWORD = "a good password"
"""The password of every teacher."""


def sign_in(client, username="sato", password=PASSWORD, *, next="", **options):
    fields = {"username": username, "password": password, "next": next}
    return client.post("/sign-in/", fields, **options)


def test_the_right_password_opens_the_desk(anonymous, teacher):
    assert sign_in(anonymous).url == "/"
    assert anonymous.session["_auth_user_id"] == str(teacher.pk)
    assert "ends_at" not in anonymous.session


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The username or password is wrong."),
        ("ja", "ユーザー名とパスワードの組み合わせが正しくありません。"),
    ],
)
@pytest.mark.parametrize("wrong", [{"password": "wrong"}, {"username": "nobody"}])
def test_a_wrong_password_or_name_gets_the_same_words(client_of, teacher, language, text, wrong):
    answer = sign_in(client_of(None, language), **wrong)
    assert text in answer.content.decode()
    assert "_auth_user_id" not in answer.wsgi_request.session


@pytest.mark.parametrize(
    ("language", "left", "locked"),
    [
        ("en", "Attempts left: {}", "Too many wrong passwords. Try again in 60 seconds."),
        ("ja", "あと{}回試せます", "あと60秒待ってから"),
    ],
)
@pytest.mark.parametrize("username", ["sato", "nobody", "佐藤"])
def test_wrong_passwords_are_counted_and_then_lock(
    client_of, teacher, username, language, left, locked
):
    client = client_of(None, language)
    for number in range(WRONG_TRIES_ALLOWED - 1, 0, -1):
        page = sign_in(client, username, "wrong").content.decode()
        assert left.format(number) in page
    assert locked in sign_in(client, username, "wrong").content.decode()
    # Now even the right password is refused.
    assert locked in sign_in(client, username).content.decode()
    assert "_auth_user_id" not in client.session


def lock_out(client, username="sato", **options):
    for _ in range(WRONG_TRIES_ALLOWED):
        sign_in(client, username, "wrong", **options)


def test_the_lock_opens_by_itself(anonymous, teacher):
    lock_out(anonymous)
    Lock.objects.update(counts_until=timezone.now() - timedelta(seconds=1))
    assert "Attempts left: 4" in sign_in(anonymous, password="wrong").content.decode()
    assert sign_in(anonymous).status_code == 302
    assert "Attempts left: 4" in sign_in(anonymous, password="wrong").content.decode()


def test_a_class_behind_one_address_locks_nobody_else_out(client_of, teacher, other_teacher):
    """Forty students each mistype a name of their own, and one of them guesses a teacher's
    password."""
    for number in range(40):
        sign_in(client_of(None), f"student {number}", "wrong")
    lock_out(client_of(None), "mori")
    assert sign_in(client_of(None)).status_code == 302


def test_students_cannot_lock_a_teacher_out_of_her_own_browser(client_of, anonymous, teacher):
    sign_in(anonymous)
    anonymous.post("/sign-out/")
    lock_out(client_of(None))
    assert "Too many wrong passwords" in sign_in(client_of(None)).content.decode()
    assert sign_in(anonymous).status_code == 302
    # Guesses are counted there too.
    anonymous.post("/sign-out/")
    lock_out(anonymous)
    assert "Too many wrong passwords" in sign_in(anonymous).content.decode()


def test_a_browser_is_known_to_its_own_teacher_alone(client_of, anonymous, teacher, other_teacher):
    sign_in(anonymous)
    anonymous.post("/sign-out/")
    lock_out(client_of(None), "mori")
    assert "Too many wrong passwords" in sign_in(anonymous, "mori").content.decode()
    anonymous.cookies["known"] = "f" * 16
    lock_out(client_of(None))
    assert "Too many wrong passwords" in sign_in(anonymous).content.decode()


def test_another_address_has_a_lock_of_its_own(client_of, teacher):
    lock_out(client_of(None), REMOTE_ADDR="192.0.2.1")
    assert (
        "Too many wrong passwords"
        in sign_in(client_of(None), REMOTE_ADDR="192.0.2.1").content.decode()
    )
    # All of 2^64 addresses of IPv6 can belong to the same visitor.
    lock_out(client_of(None), REMOTE_ADDR="2001:db8::1")
    assert (
        "Too many wrong passwords"
        in sign_in(client_of(None), REMOTE_ADDR="2001:db8::2:2").content.decode()
    )
    assert sign_in(client_of(None), REMOTE_ADDR="2001:db8:0:1::1").status_code == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", "10.0.0.1"),
        (0, "192.0.2.8", "10.0.0.1"),
        (1, "", "10.0.0.1"),
        (1, "192.0.2.7", "192.0.2.7"),
        (1, "192.0.2.8, 192.0.2.7", "192.0.2.7"),
        (2, "192.0.2.9, 192.0.2.8,192.0.2.7", "192.0.2.8"),
        (2, "192.0.2.7", "192.0.2.7"),
        (1, "192.0.2.7:5678", "192.0.2.7"),
        (1, "[2001:db8::5]:5678", "2001:db8::/64"),
        (1, "::ffff:192.0.2.7", "192.0.2.7"),
        (1, "nonsense", "unknown"),
    ],
)
def test_visitors_behind_our_proxies_have_addresses_of_their_own(
    settings, proxies, forwarded, address
):
    """Visitors gain nothing by writing addresses before those that our proxies add."""
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
    assert address_of(request) == address


def test_a_class_behind_a_proxy_is_not_one_visitor(client_of, teacher, settings):
    settings.TRUSTED_PROXIES = 1
    lock_out(client_of(None), HTTP_X_FORWARDED_FOR="192.0.2.7")
    forged = sign_in(client_of(None), HTTP_X_FORWARDED_FOR="192.0.2.8, 192.0.2.7")
    assert "Too many wrong passwords" in forged.content.decode()
    assert sign_in(client_of(None), HTTP_X_FORWARDED_FOR="192.0.2.8").status_code == 302


def test_a_student_does_not_come_in_by_the_teachers_door(anonymous, student):
    answer = sign_in(anonymous, student.username, "1234")
    assert "The username or password is wrong" in answer.content.decode()
    assert "_auth_user_id" not in anonymous.session


@pytest.mark.parametrize("field", [{"username": ""}, {"password": ""}, {"username": "a\0b"}])
def test_a_field_missing_or_unreadable_is_said_at_the_field(anonymous, teacher, field):
    assert "errorlist" in sign_in(anonymous, **field).content.decode()


def test_it_leads_to_the_page_that_was_wanted(anonymous, teacher):
    assert sign_in(anonymous, next="/sign-up/").url == "/sign-up/"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"]
)
def test_it_never_redirects_to_another_site(anonymous, teacher, elsewhere):
    assert sign_in(anonymous, next=elsewhere).url == "/"


def test_a_signed_in_teacher_skips_the_sign_in(teacher_client):
    assert teacher_client.get("/sign-in/").url == "/"


def test_the_session_gets_a_new_key(anonymous, teacher):
    anonymous.get("/sign-in/")
    session = anonymous.session
    session["planted"] = True
    session.save()
    before = session.session_key
    anonymous.cookies["sessionid"] = before
    sign_in(anonymous)
    assert anonymous.cookies["sessionid"].value != before


def sign_up(client, **fields):
    usual = {"username": "kondo", "password": "stones on a board"}
    return client.post("/sign-up/", usual | fields)


def test_a_school_starts_by_itself(anonymous, db):
    assert sign_up(anonymous).url == "/classes/new/"
    teacher = User.objects.get(username="kondo")
    assert teacher.is_teacher
    assert teacher.name == "kondo"
    assert teacher.check_password("stones on a board")
    assert anonymous.session["_auth_user_id"] == str(teacher.pk)


@pytest.mark.parametrize("is_open", [True, False])
def test_a_second_press_on_the_sign_up_leads_to_the_account_of_the_first(
    client_of, db, settings, is_open
):
    """Without scripts, browsers show the answer to the second press, and not that to the first."""
    settings.SIGN_UP_OPEN = is_open
    address = f"/sign-up/?invitation={Invitation.make()}"
    person = {"username": "kondo", "password": "stones on a board"}
    for _press in range(2):
        pressed = client_of(None)
        assert pressed.post(address, person).url == "/classes/new/"
        assert pressed.get("/classes/new/").status_code == 200
    assert User.objects.count() == 1
    # Somebody else does not get in, and neither does anybody long afterwards.
    other = client_of(None).post(address, person | {"password": "stones of another"})
    assert other.status_code == (200 if is_open else 403)
    User.objects.update(date_joined=timezone.now() - timedelta(hours=1))
    late = client_of(None).post(address, person)
    assert late.status_code == (200 if is_open else 403)


def test_two_presses_on_the_sign_up_at_the_same_moment_make_one_account(client_of, db, monkeypatch):
    real = views._make_teacher

    def make_second(request, form):
        monkeypatch.setattr(views, "_make_teacher", real)
        assert sign_up(client_of(None)).url == "/classes/new/"
        return real(request, form)

    monkeypatch.setattr(views, "_make_teacher", make_second)
    assert sign_up(client_of(None)).url == "/classes/new/"
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "english", "japanese"),
    [
        ({"username": "sato"}, "This username is taken.", "すでに使われています"),
        ({"password": "short"}, "too short", "短すぎます"),
        ({"password": "password1"}, "too common", "一般的すぎます"),
        ({"username": "  "}, "required", "必須"),
        ({"username": "a b"}, "valid username", "有効なユーザー名"),
    ],
)
def test_a_faulty_sign_up_says_what_is_wrong(client_of, teacher, fields, english, japanese):
    for language, text in (("en", english), ("ja", japanese)):
        answer = sign_up(client_of(None, language), **fields)
        assert text in answer.content.decode()
    assert User.objects.count() == 1


def test_nobody_signs_up_as_more_than_a_teacher(anonymous, db):
    sign_up(anonymous, is_superuser="on", is_staff="on", role="student")
    teacher = User.objects.get()
    assert (teacher.is_superuser, teacher.is_staff, teacher.role) == (False, False, "teacher")


def test_sign_out_is_a_post_and_leads_home(teacher_client):
    assert teacher_client.get("/sign-out/").status_code == 405
    assert teacher_client.post("/sign-out/").url == "/"
    assert "_auth_user_id" not in teacher_client.session


@pytest.mark.parametrize("url", ["/sign-in/", "/sign-up/", "/sign-out/", "/join/"])
def test_a_forged_post_is_refused(client_of, teacher, url):
    visitor = teacher if url == "/sign-out/" else None
    for language, text in (("en", "open for too long"), ("ja", "長い間")):
        client = client_of(visitor, language, enforce_csrf_checks=True)
        answer = client.post(url, {"username": "sato", "password": PASSWORD, "code": "ABC234"})
        assert answer.status_code == 403
        assert text in answer.content.decode()


@pytest.mark.parametrize("word", ["foo", "sign_in", "", ".", "?x", "puzzleclass.home.views"])
def test_a_word_is_no_address_to_return_to(client_of, teacher, student, word):
    code = student.enrolments.get().classroom.code
    assert sign_in(client_of(None), next=word).url == "/"
    assert sign_up(client_of(None), next=word).url == "/classes/new/"
    assert client_of(None).post(f"/join/{code}/1/", {"pin": "1234", "next": word}).url == "/"
    assert client_of(teacher).get("/sign-in/", {"next": word}).url == "/"


def test_a_shared_computer_forgets_the_teacher(anonymous, teacher):
    anonymous.post("/sign-in/", {"username": "sato", "password": PASSWORD, "shared": "on"})
    assert anonymous.session.get_expire_at_browser_close()
    assert anonymous.session["ends_at"] <= time.time() + 3 * 3600
    assert "known" not in anonymous.cookies


def test_the_browser_is_told_to_forget_at_the_sign_out(teacher_client):
    answer = teacher_client.post("/sign-out/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'


@pytest.mark.parametrize(
    "url", ["/", "/sign-in/", "/classes/", "/classes/new/", "/puzzles/", "/learn/", "/nowhere/"]
)
def test_no_page_is_kept_by_browser_or_proxy(client_of, teacher, classroom, url):
    for who in (teacher, None):
        answer = client_of(who).get(url)
        assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


@pytest.mark.parametrize(("minutes", "stays"), [(59, True), (61, False)])
def test_idle_teachers_are_signed_out(teacher_client, settings, monkeypatch, minutes, stays):
    settings.IDLE_MINUTES = 60
    start = time.time()
    monkeypatch.setattr(time, "time", lambda: start + minutes * 60)
    assert teacher_client.get("/").wsgi_request.user.is_authenticated == stays


@pytest.mark.parametrize(("headers", "stays"), [({}, True), ({"HX-Request": "true"}, False)])
def test_an_automatic_request_does_not_count_as_activity(
    teacher_client, settings, monkeypatch, headers, stays
):
    settings.IDLE_MINUTES = 60
    start = time.time()
    for minutes in (40, 80):
        monkeypatch.setattr(time, "time", lambda: start + minutes * 60)  # noqa: B023
        answer = teacher_client.get("/", headers=headers if minutes == 40 else {})
    assert answer.wsgi_request.user.is_authenticated == stays


def test_idle_time_can_be_without_a_limit(teacher_client, settings, monkeypatch):
    settings.IDLE_MINUTES = 0
    start = time.time()
    monkeypatch.setattr(time, "time", lambda: start + 7 * 24 * 3600)
    assert teacher_client.get("/").wsgi_request.user.is_authenticated


@pytest.mark.parametrize("password", ["kondo-mei", "Kondo Mei", "kondomei1"])
def test_a_password_is_not_the_name(client_of, db, password):
    names = {"username": "kondo-mei", "password": password}
    for language, words in (("en", "too similar"), ("ja", "似すぎています")):
        assert words in sign_up(client_of(None, language), **names).content.decode()
    assert not User.objects.exists()


def test_sign_up_can_need_an_invitation(client_of, db, settings, capsys):
    settings.SIGN_UP_OPEN = False
    for language, words in (("en", "requires an invitation"), ("ja", "招待が必要です")):
        closed = client_of(None, language).get("/sign-up/?invitation=guess")
        assert closed.status_code == 403
        assert words in closed.content.decode()
    assert sign_up(client_of(None)).status_code == 403
    call_command("invite")
    link = urlsplit(capsys.readouterr().out.strip())
    invited = f"{link.path}?{link.query}"
    person = {"name": "Kondo Mei", "password": "stones on a board"}
    assert client_of(None).get(invited).status_code == 200
    assert client_of(None).post(invited, {"username": "a b", **person}).status_code == 200
    assert client_of(None).post(invited, {"username": "kondo", **person}).url == "/classes/new/"
    # The link is used up. Another one expires.
    assert client_of(None).post(invited, {"username": "second", **person}).status_code == 403
    word = Invitation.make()
    Invitation.objects.update(good_until=timezone.now())
    assert not Invitation.take(word)
    assert [user.username for user in User.objects.all()] == ["kondo"]


def test_an_invitation_makes_one_account_of_two_requests_at_the_same_moment(
    client_of, db, settings, monkeypatch
):
    settings.SIGN_UP_OPEN = False
    word, is_good = Invitation.make(), Invitation.is_good

    def other_request_comes_next(word: str) -> bool:
        good = is_good(word)
        Invitation.take(word)
        return good

    monkeypatch.setattr(Invitation, "is_good", other_request_comes_next)
    person = {"username": "kondo", "password": "stones on a board"}
    answer = client_of(None).post(f"/sign-up/?invitation={word}", person)
    assert answer.status_code == 403
    assert not User.objects.exists()


def test_unknown_names_meet_the_lock_as_known_ones_do(client_of, teacher, monkeypatch):
    """Both get the same words, the same locks and as many hashes: one each, and none while
    locked."""
    hashes = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *a: hashes.append(1) or encode(*a))
    told = {}
    for username in ("sato", "nobody"):
        client, told[username] = client_of(None), []
        for _ in range(12):
            hashes.clear()
            page = sign_in(client, username, "wrong")
            # The seconds differ, because time passes.
            faults = [re.sub("[0-9]+", "_", f) for f in page.context["form"].non_field_errors()]
            told[username].append((faults, len(hashes)))
    assert told["sato"] == told["nobody"]
    assert [count for _, count in told["sato"]] == [1] * 5 + [0] * 7


@pytest.mark.django_db(transaction=True)
def test_two_passwords_are_hashed_at_once_and_few_wait(client_of, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    refused, inside, most = [], [], []
    all_came = Event()

    def come(number: int) -> None:
        try:
            with hashing():
                inside.append(number)
                most.append(len(inside))
                all_came.wait(30)
                inside.remove(number)
        except Busy:
            refused.append(number)
            if len(refused) == 4:
                said = sign_in(client_of(None, "ja"), "sato", "wrong")
                all_came.set()
                assert "ログインが混み合っています" in said.content.decode()

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(come, range(10)))
    assert len(refused) == 4
    assert (len(most), max(most)) == (6, 2)


# Forgotten passwords


@pytest.fixture
def reset(capsys):
    """Run the command and return the password that it prints."""

    def reset(username: str) -> str:
        call_command("password", username)
        return capsys.readouterr().out.strip().removeprefix("New password: ")

    return reset


def test_a_forgotten_password_is_replaced_and_the_old_one_ends(
    client_of, teacher_client, teacher, reset
):
    for _ in range(WRONG_TRIES_ALLOWED):
        sign_in(client_of(None), password="forgotten")
    password = reset("sato")
    assert len(password) >= 12
    assert sign_in(client_of(None), password=password).status_code == 302
    assert sign_in(client_of(None)).status_code == 200
    assert teacher_client.get("/classes/").url.startswith("/sign-in/")


def test_only_teachers_have_passwords(student, reset):
    for username in ("nobody", student.username):
        with pytest.raises(CommandError, match="No teacher has the username"):
            reset(username)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (["stones on a board"] * 2, None),
        (["stones on a board", "stones on the board"], "two different"),
        (["sato", "sato"], "."),
    ],
)
def test_a_password_can_be_typed(teacher, monkeypatch, typed, fault):
    words = iter(typed)
    monkeypatch.setattr(
        "puzzleclass.operations.management.commands.password.getpass", lambda prompt: next(words)
    )
    if fault:
        with pytest.raises(CommandError, match=fault):
            call_command("password", "sato", type=True)
    else:
        call_command("password", "sato", type=True)
    teacher.refresh_from_db()
    assert teacher.check_password("stones on a board") == (fault is None)
