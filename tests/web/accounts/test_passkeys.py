"""Passkeys of teachers: adding, signing in, proving oneself again, and every refusal."""

import csv
import io
import json
import threading
import time
import zipfile

import pytest
from django.contrib.messages import get_messages
from django.core import mail

from puzzleclass.accounts import passkeys, two_factor
from puzzleclass.accounts.locks import Lock
from puzzleclass.accounts.models import Passkey, User
from puzzleclass.accounts.sign_in import PROVEN_AT
from tests.passkey_device import PRESENT, Device

ORIGIN = "https://puzzles.example"
HERE = {"HTTP_HOST": "puzzles.example", "secure": True}


@pytest.fixture(autouse=True)
def own_address(settings):
    settings.PUBLIC_URL = ORIGIN
    settings.ALLOWED_HOSTS = ["puzzles.example", "testserver"]


@pytest.fixture
def device(teacher_client) -> Device:
    """Return a device with a passkey of the teacher."""
    device = Device(ORIGIN)
    add(teacher_client, device)
    return device


def add(client, device, name="Laptop"):
    asked = client.post("/account/passkeys/question/", **HERE).json()
    sent = {"name": name, "passkey": json.dumps(device.make(asked))}
    return client.post("/account/passkeys/", sent, **HERE)


def ask(client):
    return client.post("/sign-in/passkey/question/", **HERE).json()


def sign_in(client, answer, **more):
    sent = {"passkey": json.dumps(answer)} | more
    return client.post("/sign-in/passkey/", sent, **HERE)


def said(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def assert_refused(client, answer, why="was not accepted"):
    response = sign_in(client, answer)
    assert response.status_code == 302 and response["Location"] == "/sign-in/"
    assert why in said(response)[-1]
    assert "_auth_user_id" not in client.session


# What works


def test_a_teacher_adds_a_passkey_and_signs_in_with_it(teacher, device, client_of):
    passkey = teacher.passkeys.get()
    assert (passkey.name, passkey.used_at, passkey.sign_count) == ("Laptop", None, 1)
    client = client_of(None)
    asked = ask(client)
    assert asked["userVerification"] == "required" and asked["rpId"] == "puzzles.example"
    assert not asked.get("allowCredentials")
    answer = sign_in(client, device.sign(asked), next="/puzzles/")
    assert answer["Location"] == "/puzzles/"
    assert client.session["_auth_user_id"] == str(teacher.pk)
    passkey.refresh_from_db()
    assert passkey.sign_count == 2 and passkey.used_at


def test_a_passkey_counts_as_both_factors_and_as_a_typed_password(teacher, device, client_of):
    two_factor.begin(teacher)
    two_factor.pending_app(teacher).__class__.objects.update(confirmed=True)
    assert two_factor.is_on(teacher)
    client = client_of(None)
    assert sign_in(client, device.sign(ask(client)))["Location"] == "/"
    assert client.get("/account/password/", **HERE).status_code == 200


def test_on_a_shared_computer_the_session_ends_with_the_browser(device, client_of):
    client = client_of(None)
    sign_in(client, device.sign(ask(client)), shared="on")
    assert client.session.get_expire_at_browser_close()


def test_devices_that_do_not_count_sign_in_again_and_again(teacher_client, client_of):
    device = Device(ORIGIN, count=0)
    add(teacher_client, device)
    for _ in range(2):
        device.count, client = -1, client_of(None)
        assert sign_in(client, device.sign(ask(client)))["Location"] == "/"


def test_the_page_lists_the_passkeys_and_removes_one(teacher_client, teacher, device, client_of):
    page = teacher_client.get("/account/passkeys/", **HERE).content.decode()
    assert "Laptop" in page and "Not used yet" in page and "Add a passkey" in page
    teacher_client.post("/account/passkeys/", {"remove": teacher.passkeys.get().pk}, **HERE)
    assert not teacher.passkeys.exists()
    client = client_of(None)
    assert_refused(client, device.sign(ask(client)))


def test_only_the_owner_removes_a_passkey(device, teacher, other_teacher, client_of):
    key = teacher.passkeys.get().pk
    client = client_of(other_teacher)
    assert client.post("/account/passkeys/", {"remove": key}, **HERE).status_code == 404
    for odd in ("²", "9" * 5000):
        assert client.post("/account/passkeys/", {"remove": odd}, **HERE).status_code == 404
    assert teacher.passkeys.exists()


def test_the_password_is_asked_for_before_passkeys_are_changed(teacher_client, teacher, device):
    session = teacher_client.session
    session[PROVEN_AT] = 0
    session.save()
    for method, path in (
        (teacher_client.get, "/account/passkeys/"),
        (teacher_client.post, "/account/passkeys/"),
        (teacher_client.post, "/account/passkeys/question/"),
    ):
        answer = method(path, {"remove": teacher.passkeys.get().pk}, **HERE)
        assert answer["Location"].startswith("/confirm/")
    page = teacher_client.get("/confirm/", **HERE).content.decode()
    assert "Use a passkey" in page
    asked = ask(teacher_client)
    assert len(asked["allowCredentials"]) == 1
    sent = {"passkey": json.dumps(device.sign(asked)), "next": "/account/passkeys/"}
    answer = teacher_client.post("/confirm/passkey/", sent, **HERE)
    assert answer["Location"] == "/account/passkeys/"
    assert teacher_client.get("/account/passkeys/", **HERE).status_code == 200


def test_an_account_holds_ten_passkeys(teacher_client, teacher, device):
    waiting = teacher_client.post("/account/passkeys/question/", **HERE).json()
    one = teacher.passkeys.get()
    for number in range(passkeys.MAX_PASSKEYS - 1):
        one.pk, one.credential_id = None, f"x{number}"
        one.save()
    sent = {"name": "11", "passkey": json.dumps(Device(ORIGIN).make(waiting))}
    answer = teacher_client.post("/account/passkeys/", sent, **HERE)
    assert "at most 10" in said(answer)[-1] and teacher.passkeys.count() == 10
    assert teacher_client.post("/account/passkeys/question/", **HERE).status_code == 409
    page = teacher_client.get("/account/passkeys/", **HERE).content.decode()
    assert "as many passkeys as it can" in page and "data-passkey=" not in page


def test_changes_are_told_by_e_mail_and_logged(teacher, client_of, caplog):
    caplog.set_level("INFO", "puzzleclass.security")
    teacher.email = "sato@school.example"
    teacher.save()
    client, device = client_of(teacher), Device(ORIGIN)
    add(client, device)
    visitor = client_of(None)
    sign_in(visitor, device.sign(ask(visitor)))
    client.post("/account/passkeys/", {"remove": teacher.passkeys.get().pk}, **HERE)
    lines = [json.loads(r.getMessage()) for r in caplog.records if r.name == "puzzleclass.security"]
    events = [line["event"] for line in lines if line["who"] == teacher.pk]
    assert events[1:] == ["passkey added", "passkey accepted", "signed in", "passkey removed"]
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join(timeout=10)
    said = [letter.body.partition(".")[0] for letter in mail.outbox]
    assert sorted(said) == [
        "A passkey was added to your account",
        "A passkey was removed from your account",
    ]


def test_the_export_of_the_account_names_the_passkeys_and_its_deletion_removes_them(
    teacher_client, teacher, device
):
    answer = teacher_client.post("/account/data/", **HERE)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = archive.read("accounts.passkey.csv").decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(text))
    assert row["name"] == "Laptop"
    User.objects.get(pk=teacher.pk).delete()
    assert not Passkey.objects.exists()


def test_browsers_are_asked_only_where_they_can_answer(client_of, teacher, settings):
    page = client_of(None).get("/sign-in/", **HERE).content.decode()
    assert "data-passkey-offer" in page and "username webauthn" in page
    elsewhere = client_of(None).get("/sign-in/", HTTP_HOST="testserver").content.decode()
    assert "data-passkey-offer" not in elsewhere
    settings.PUBLIC_URL = ""
    for host, offers in (
        ("localhost:8000", True),
        ("127.0.0.1:8000", False),
        ("[::1]:8000", False),
        ("school.example", False),
    ):
        settings.ALLOWED_HOSTS = ["*"]
        page = client_of(None).get("/sign-in/", HTTP_HOST=host).content.decode()
        assert ("data-passkey-offer" in page) == offers, host
    page = client_of(teacher).get("/account/passkeys/", HTTP_HOST="127.0.0.1").content.decode()
    assert "they need HTTPS and a name" in page


# What is refused


def test_an_answer_of_another_site_is_refused(device, client_of):
    for origin in (
        "https://puzzles.example.evil.example",
        "http://puzzles.example",
        "https://puzzles.example:8443",
        "https://www.puzzles.example",
        "null",
    ):
        client = client_of(None)
        device.origin = origin
        assert_refused(client, device.sign(ask(client)))
    device.origin, device.rp_id, client = ORIGIN, "evil.example", client_of(None)
    assert_refused(client, device.sign(ask(client)))


def test_the_answer_to_another_question_is_refused(device, client_of):
    client = client_of(None)
    ask(client)
    assert_refused(client, device.sign({"challenge": "A" * 43}))
    stranger, victim = client_of(None), client_of(None)
    answer = device.sign(ask(victim))
    ask(stranger)
    assert_refused(stranger, answer)
    assert_refused(client_of(None), answer, "Try again")


def test_an_answer_is_accepted_once(device, client_of):
    client = client_of(None)
    answer = device.sign(ask(client))
    kept = client.session[passkeys.ASKED]
    assert sign_in(client, answer)["Location"] == "/"
    again = client_of(None)
    ask(again)
    session = again.session
    session[passkeys.ASKED] = kept
    session.save()
    assert_refused(again, answer, "Try again")


def test_a_question_is_valid_for_five_minutes(device, client_of):
    client = client_of(None)
    answer = device.sign(ask(client))
    session = client.session
    session[passkeys.ASKED] |= {"at": time.time() - passkeys.QUESTION_SECONDS}
    session.save()
    assert_refused(client, answer, "Try again")


def test_a_question_for_one_purpose_serves_no_other(teacher_client, teacher, device):
    asked = teacher_client.post("/account/passkeys/question/", **HERE).json()
    answer = {"passkey": json.dumps(device.sign(asked))}
    refused = teacher_client.post("/confirm/passkey/", answer, **HERE)
    assert "Try again" in said(refused)[-1]
    proof = ask(teacher_client) | {"user": {"id": "x"}}
    sent = {"name": "Two", "passkey": json.dumps(Device(ORIGIN).make(proof))}
    assert "Try again" in said(teacher_client.post("/account/passkeys/", sent, **HERE))[-1]
    assert teacher.passkeys.count() == 1


def test_a_colleagues_passkey_is_no_proof(device, other_teacher, client_of):
    client = client_of(other_teacher)
    session = client.session
    session[PROVEN_AT] = 0
    session.save()
    sent = {"passkey": json.dumps(device.sign(ask(client)))}
    refused = client.post("/confirm/passkey/", sent, **HERE)
    assert "was not accepted" in said(refused)[-1] and client.session[PROVEN_AT] == 0


def test_a_passkey_that_names_another_account_is_refused(device, client_of):
    for handle in ("", "AAAA"):
        device.handle, client = handle, client_of(None)
        assert_refused(client, device.sign(ask(client)))


def test_a_counter_that_does_not_rise_is_refused(device, teacher, client_of):
    client = client_of(None)
    device.count = 9
    sign_in(client, device.sign(ask(client)))
    for count in (9, 4, -1):
        device.count, client = count, client_of(None)
        assert_refused(client, device.sign(ask(client)), "copied")
    assert teacher.passkeys.get().sign_count == 10


def test_a_person_whom_the_device_has_not_recognised_is_refused(teacher_client, device, client_of):
    device.flags, client = PRESENT, client_of(None)
    assert_refused(client, device.sign(ask(client)))
    device.flags, client = 0, client_of(None)
    assert_refused(client, device.sign(ask(client)))
    careless = Device(ORIGIN)
    careless.flags = PRESENT
    assert "no passkey was stored" in said(add(teacher_client, careless))[-1]


def test_a_false_signature_is_refused(device, client_of):
    client, thief = client_of(None), Device(ORIGIN)
    thief.credential_id, thief.handle = device.credential_id, device.handle
    assert_refused(client, thief.sign(ask(client)))


def test_an_unknown_passkey_and_a_closed_account_get_the_same_answer(device, teacher, client_of):
    client = client_of(None)
    assert_refused(client, Device(ORIGIN).sign(ask(client)))
    User.objects.filter(pk=teacher.pk).update(is_active=False)
    client = client_of(None)
    assert_refused(client, device.sign(ask(client)))


def test_a_passkey_of_another_site_is_not_stored(teacher_client, teacher):
    for origin in ("https://evil.example", "http://puzzles.example"):
        answer = add(teacher_client, Device(origin))
        assert "no passkey was stored" in said(answer)[-1]
    assert not teacher.passkeys.exists()


def test_the_passkey_of_another_account_is_not_stored_again(device, other_teacher, client_of):
    answer = add(client_of(other_teacher), device)
    assert "has a passkey" in said(answer)[-1] and not other_teacher.passkeys.exists()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "{}", '{"id": 3}', '{"id": "x", "response": 4}', "[" * 15000, "x" * 30000],
)
def test_what_is_no_answer_gets_a_message(text, device, teacher_client, client_of):
    client = client_of(None)
    ask(client)
    answer = client.post("/sign-in/passkey/", {"passkey": text}, **HERE)
    assert answer.status_code == 302 and said(answer)
    teacher_client.post("/account/passkeys/question/", **HERE)
    sent = {"name": "x", "passkey": text}
    assert teacher_client.post("/account/passkeys/", sent, **HERE).status_code in (302, 422)


def test_a_malformed_answer_with_a_known_passkey_gets_a_message(device, client_of):
    client = client_of(None)
    good = device.sign(ask(client))
    for part in ("clientDataJSON", "authenticatorData", "signature"):
        for value in (None, "", "!", 5, "AAAA"):
            client = client_of(None)
            ask(client)
            assert_refused(client, good | {"response": good["response"] | {part: value}})


def test_questions_are_limited_by_address(client_of, db):
    client = client_of(None)
    ask(client)
    Lock.objects.filter(key__startswith="passkeys from").update(wrong_tries=1000)
    assert client.post("/sign-in/passkey/question/", **HERE).status_code == 429


def test_a_visitors_question_is_forgotten_soon(client_of, db):
    client = client_of(None)
    ask(client)
    assert client.session.get_expiry_age() <= passkeys.QUESTION_SECONDS
