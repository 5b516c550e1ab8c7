"""Teachers sign in, sign up and sign out."""

import pytest

from puzzleclass.accounts.models import User
from tests.web.conftest import PASSWORD


def sign_in(client, username="sato", password=PASSWORD, **fields):
    return client.post("/sign-in/", {"username": username, "password": password} | fields)


def test_the_right_password_opens_the_desk(anonymous, teacher):
    assert sign_in(anonymous).url == "/"
    assert anonymous.session["_auth_user_id"] == str(teacher.pk)
    assert "ends_at" not in anonymous.session


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "This username and password don&#x27;t belong together."),
        ("ja", "ユーザー名とパスワードの組み合わせが正しくありません。"),
    ],
)
@pytest.mark.parametrize("wrong", [{"password": "wrong"}, {"username": "nobody"}])
def test_a_wrong_password_or_name_gets_the_same_words(client_of, teacher, language, text, wrong):
    answer = sign_in(client_of(None, language), **wrong)
    assert text in answer.content.decode()
    assert "_auth_user_id" not in answer.wsgi_request.session


def test_a_student_does_not_come_in_by_the_teachers_door(anonymous, student):
    answer = sign_in(anonymous, student.username, "1234")
    assert "belong together" in answer.content.decode()
    assert "_auth_user_id" not in anonymous.session


@pytest.mark.parametrize("field", [{"username": ""}, {"password": ""}, {"username": "a\0b"}])
def test_a_field_missing_or_unreadable_is_said_at_the_field(anonymous, teacher, field):
    assert "errorlist" in sign_in(anonymous, **field).content.decode()


def test_it_leads_to_the_page_that_was_wanted(anonymous, teacher):
    assert sign_in(anonymous, next="/sign-up/").url == "/sign-up/"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"]
)
def test_it_never_leads_elsewhere(anonymous, teacher, elsewhere):
    assert sign_in(anonymous, next=elsewhere).url == "/"


def test_who_is_signed_in_goes_on(teacher_client):
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
    usual = {"name": "Kondo Mei", "username": "kondo", "password": "stones on a board"}
    return client.post("/sign-up/", usual | fields)


def test_a_school_starts_by_itself(anonymous, db):
    assert sign_up(anonymous).url == "/"
    teacher = User.objects.get(username="kondo")
    assert teacher.is_teacher
    assert teacher.name == "Kondo Mei"
    assert teacher.check_password("stones on a board")
    assert anonymous.session["_auth_user_id"] == str(teacher.pk)


@pytest.mark.parametrize(
    ("fields", "english", "japanese"),
    [
        ({"username": "sato"}, "This username is taken.", "すでに使われています"),
        ({"password": "short"}, "too short", "短すぎます"),
        ({"password": "password1"}, "too common", "一般的すぎます"),
        ({"name": "  "}, "required", "必須"),
        ({"name": "x" * 61}, "at most 60", "60 文字以下"),
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
    for language, text in (("en", "open for too long"), ("ja", "長い間")):
        client = client_of(teacher, language, enforce_csrf_checks=True)
        answer = client.post(url, {"username": "sato", "password": PASSWORD, "code": "ABC234"})
        assert answer.status_code == 403
        assert text in answer.content.decode()
