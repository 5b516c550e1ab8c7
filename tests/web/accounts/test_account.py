"""A teacher's account: its settings, the reset of a forgotten password, and the second factor."""

import hashlib
import io
import os
import re
import subprocess
import sys
import threading
import time
import zipfile
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.core.management import call_command
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from puzzleclass.accounts import recovery_views, two_factor
from puzzleclass.accounts.forms import ProfileForm, time_zones
from puzzleclass.accounts.models import User
from puzzleclass.classes.account_deletion import delete_account, plan_deletion
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from tests.web.conftest import PASSWORD

PROFILE = {"name": "Sato K.", "language": "", "time_zone": "", "signs": "", "words": ""}


def letters() -> list[mail.EmailMessage]:
    """Return the e-mails that have been sent, once they are on their way."""
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join(timeout=10)
    return mail.outbox


# Settings


def test_name_language_and_signs_follow_the_teacher_to_another_browser(
    teacher_client, teacher, client_of
):
    sent = PROFILE | {"language": "ja", "signs": "letters", "words": "usual"}
    answer = teacher_client.post("/account/", sent, follow=True)
    assert "保存しました。" in answer.content.decode()
    assert User.objects.get(pk=teacher.pk).name == "Sato K."
    elsewhere = client_of(None)
    elsewhere.post("/sign-in/", {"username": "sato", "password": PASSWORD})
    page = elsewhere.get("/").content.decode()
    assert '<html lang="ja" data-signs="letters">' in page and "Sato K." in page
    shared = client_of(None)
    answer = shared.post("/sign-in/", {"username": "sato", "password": PASSWORD, "shared": "on"})
    assert answer.cookies["signs"]["max-age"] == ""
    assert elsewhere.post("/account/", PROFILE).cookies["signs"].value == ""


def test_a_teacher_elsewhere_reads_the_zone_of_a_due_date(teacher_client, teacher, assignment):
    assignment.due_at = datetime(2031, 5, 5, 3, 0, tzinfo=UTC)
    assignment.save()
    page = f"/assignments/{assignment.pk}/"
    assert "Japan Standard Time" not in teacher_client.get(page).content.decode()
    answer = teacher_client.post("/account/", PROFILE | {"time_zone": "Europe/Berlin"})
    assert answer.status_code == 302
    assert "12:00 (Japan Standard Time)" in teacher_client.get(page).content.decode()
    User.objects.filter(pk=teacher.pk).update(time_zone="Gone/Nowhere")
    assert "Japan Standard Time" not in teacher_client.get(page).content.decode()


@pytest.mark.parametrize(
    "bad", [{"name": ""}, {"name": "x" * 61}, {"time_zone": "Asia"}, {"language": "xx"}]
)
def test_bad_choices_are_answered_in_words(teacher_client, teacher, bad):
    answer = teacher_client.post("/account/", PROFILE | bad)
    assert answer.status_code == 422 and "errorlist" in answer.content.decode()
    teacher.refresh_from_db()
    assert teacher.name == "Sato Keiko"


def test_the_account_takes_few_queries(teacher_client, queries_of):
    assert queries_of(teacher_client, "/account/") <= 8


def test_the_old_address_is_told_of_a_new_one(teacher_client, teacher):
    for address in ("sato@school.example", "sato@elsewhere.example"):
        assert teacher_client.post("/account/email/", {"email": address}).status_code == 302
    assert teacher_client.post("/account/email/", {"email": "no address"}).status_code == 422
    teacher.refresh_from_db()
    assert teacher.email == "sato@elsewhere.example"
    [letter] = letters()
    assert letter.to == ["sato@school.example"] and "/password/" in letter.body


def test_a_new_password_ends_other_browsers(teacher_client, teacher, client_of):
    other = client_of(teacher)
    assert teacher_client.post("/account/password/", {"password": "short"}).status_code == 422
    answer = teacher_client.post("/account/password/", {"password": "another good one"})
    assert answer.url == "/account/"
    assert teacher_client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
    teacher.refresh_from_db()
    assert teacher.check_password("another good one")


@pytest.mark.parametrize("page", ["email", "password", "codes", "delete"])
def test_what_matters_asks_for_the_password_again(teacher_client, page, monkeypatch):
    now = time.time() + 16 * 60
    monkeypatch.setattr(time, "time", lambda: now)
    url = f"/account/{page}/"
    assert teacher_client.get(url).url == f"/confirm/?next={url.replace('/', '%2F')}"
    teacher_client.post("/confirm/", {"password": PASSWORD})
    assert teacher_client.get(url).status_code == 200


# A forgotten password


@pytest.fixture
def reachable(teacher) -> User:
    teacher.email = "sato@school.example"
    teacher.save()
    return teacher


def ask(client, address: str) -> str:
    answer = client.post("/password/", {"email": address}, follow=True)
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())


def test_a_link_by_e_mail_sets_a_new_password(anonymous, reachable, client_of):
    session = client_of(reachable)
    for _ in range(5):
        anonymous.post("/sign-in/", {"username": "sato", "password": "wrong"})
    assert "we have sent it an e-mail with a link" in ask(anonymous, "Sato@School.example")
    [letter] = letters()
    assert letter.to == ["sato@school.example"] and "sato" in letter.body
    link = re.search(r"http://testserver(/password/\S+)", letter.body)[1]
    form = anonymous.get(link, follow=True)
    assert "New password" in form.content.decode()
    set_at = form.redirect_chain[-1][0]
    assert "too short" in anonymous.post(set_at, {"password": "x"}).content.decode()
    anonymous.post(set_at, {"password": "stones on a board"})
    # The old sessions end, the lock is released, and the link is used up.
    assert session.get("/account/").status_code == 302
    answer = anonymous.post("/sign-in/", {"username": "sato", "password": "stones on a board"})
    assert answer.url == "/"
    assert "This link no longer works" in anonymous.get(link, follow=True).content.decode()
    assert "A new password was set by e-mail." in letters()[-1].body


def test_a_link_ends_after_its_hours(anonymous, reachable, settings):
    ask(anonymous, reachable.email)
    link = re.search(r"http://testserver(/password/\S+)", letters()[0].body)[1]
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "This link no longer works" in anonymous.get(link, follow=True).content.decode()


def test_nobody_learns_whether_an_address_is_known(anonymous, reachable, student):
    student.email = "student@school.example"
    student.save()
    known, unknown = (ask(anonymous, a) for a in (reachable.email, "nobody@school.example"))
    assert known == unknown == ask(anonymous, student.email)
    assert [letter.to for letter in letters()] == [[reachable.email]]


def test_links_are_few(anonymous, reachable):
    pages = [ask(anonymous, reachable.email) for _ in range(recovery_views.MAX_TO_AN_ADDRESS + 2)]
    assert len(set(pages)) == 1
    assert len(letters()) == recovery_views.MAX_TO_AN_ADDRESS
    for number in range(recovery_views.MAX_FROM_AN_ADDRESS - len(pages)):
        ask(anonymous, f"somebody{number}@school.example")
    answer = anonymous.post("/password/", {"email": reachable.email})
    assert (
        answer.status_code == 429
        and "Too many requests have come from here." in answer.content.decode()
    )


def test_a_mail_that_fails_is_no_fault_of_the_page(anonymous, reachable, monkeypatch, caplog):
    def fail(self, fail_silently=False):
        raise ConnectionRefusedError

    monkeypatch.setattr(mail.EmailMessage, "send", fail)
    assert "we have sent it" in ask(anonymous, reachable.email)
    letters()
    assert "An e-mail could not be sent" in caplog.text


def test_a_teacher_without_an_address_is_told_whom_to_ask(anonymous, teacher_client):
    for client, url in ((anonymous, "/password/"), (teacher_client, "/account/")):
        page = client.get(url).content.decode()
        assert "looks after PuzzleClass at your school" in page and "manage.py" not in page


# The second factor


def code_of(teacher: User, later: int = 0) -> str:
    """Return the code that the app shows now, or some steps later."""
    device = TOTPDevice.objects.get(user=teacher)
    totp = TOTP(device.bin_key)
    totp.time = time.time() + 30 * later
    return f"{totp.token():06}"


@pytest.fixture
def recovery_codes(teacher_client, teacher) -> list[str]:
    """Set up the second factor as a teacher does, and return its recovery codes."""
    page = teacher_client.post("/account/codes/", {"do": "begin"}, follow=True)
    assert two_factor.secret_of(TOTPDevice.objects.get()) in page.content.decode()
    assert not two_factor.is_on(teacher)
    page = teacher_client.post("/account/codes/", {"do": "confirm", "code": "000000x"})
    assert "This is not the code" in page.content.decode() and not two_factor.is_on(teacher)
    sent = {"do": "confirm", "code": code_of(teacher)}
    codes = teacher_client.post("/account/codes/", sent).context["codes"]
    assert len(codes) == len(set(codes)) == two_factor.RECOVERY_CODES
    return codes


def test_the_code_is_asked_for_on_a_page_and_again_if_it_is_missing(
    anonymous, teacher, recovery_codes
):
    client = half_way(anonymous)
    for page in (client.get("/sign-in/code/?next=/puzzles/"), enter(client, "")):
        assert page.status_code == 200 and 'name="code"' in page.content.decode()
        assert page.context["next"] == "/puzzles/"
    assert enter(client, recovery_codes[0]).url == "/puzzles/"


def half_way(client, username: str = "sato"):
    sent = {"username": username, "password": PASSWORD, "next": "/puzzles/"}
    answer = client.post("/sign-in/", sent)
    assert answer.url == "/sign-in/code/?next=%2Fpuzzles%2F"
    return client


def enter(client, code: str):
    return client.post("/sign-in/code/", {"code": code, "next": "/puzzles/"})


def test_another_phone_can_be_given_up(teacher_client, teacher, recovery_codes):
    teacher_client.post("/account/codes/", {"do": "begin"})
    assert "scan this QR code" in teacher_client.get("/account/codes/").content.decode()
    assert teacher_client.post("/account/codes/", {"do": "cancel"}).url == "/account/"
    assert "Turn off" in teacher_client.get("/account/codes/").content.decode()
    assert two_factor.is_on(teacher)
    assert two_factor.codes_left(teacher) == len(recovery_codes)


def test_the_sign_in_asks_for_a_code(anonymous, teacher, recovery_codes):
    client = half_way(anonymous)
    assert client.get("/puzzles/").status_code == 302  # not signed in yet
    assert "Attempts left: 4" in enter(client, "123").content.decode()
    code = code_of(teacher, later=1)
    assert enter(client, f"{code[:3]} {code[3:]}").url == "/puzzles/"
    assert client.get("/puzzles/").status_code == 200
    client.post("/sign-out/")
    # A code that was used once is used up.
    assert enter(half_way(client), code).status_code == 200


def test_a_recovery_code_is_good_once(anonymous, teacher, recovery_codes):
    assert not StaticToken.objects.filter(token__in=recovery_codes).exists()
    answer = enter(half_way(anonymous), recovery_codes[0].upper())
    assert answer.status_code == 302
    assert "used one of your recovery codes. Codes left: 9" in anonymous.get("/").content.decode()
    assert two_factor.codes_left(teacher) == two_factor.RECOVERY_CODES - 1
    anonymous.post("/sign-out/")
    assert enter(half_way(anonymous), recovery_codes[0]).status_code == 200


def test_a_recovery_code_has_80_bits_and_each_set_a_salt(teacher, recovery_codes):
    assert all(len(code.replace("-", "")) * 5 == 80 for code in recovery_codes)
    first, second = (StaticToken.objects.values_list("token", flat=True) for _ in range(2))
    before, salts = set(first), {StaticDevice.objects.get().name}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_factor, "_new_code", iter(recovery_codes).__next__)
        two_factor.renew_codes(teacher)
    assert before.isdisjoint(second) and StaticDevice.objects.get().name not in salts


def test_codes_of_older_releases_work_and_new_ones_are_asked_for(
    teacher_client, anonymous, teacher, recovery_codes
):
    page = "shorter kind"
    assert page not in teacher_client.get("/account/").content.decode()
    StaticDevice.objects.all().delete()
    paper = StaticDevice.objects.create(user=teacher, name="paper")
    old = hashlib.sha256(b"abcdefgh").hexdigest()[:16]
    paper.token_set.create(token=old)
    for url in ("/account/", "/account/codes/"):
        assert page in teacher_client.get(url).content.decode()
    assert enter(half_way(anonymous), "abcd-efgh").status_code == 302
    assert page not in teacher_client.get("/account/").content.decode()


def test_without_a_mail_server_no_link_gets_into_the_log():
    code = """
import django
django.setup()
from django.conf import settings
from django.core.mail import send_mail
send_mail("New password", "https://school.example/password/secret/", None, ["a@school.example"])
"""
    environment = {key: value for key, value in os.environ.items() if key != "EMAIL_HOST"}
    environment["DJANGO_SETTINGS_MODULE"] = "puzzleclass.settings"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == done.stderr == ""


def test_wrong_codes_close_a_lock_that_strangers_share(
    client_of, teacher, recovery_codes, teacher_client
):
    known = client_of(None)
    enter(half_way(known), recovery_codes[0])
    known.post("/sign-out/")
    stranger = half_way(client_of(None))
    for _ in range(5):
        answer = enter(stranger, "000000")
    assert "Too many wrong codes." in answer.content.decode()
    assert enter(half_way(client_of(None)), recovery_codes[1]).status_code == 200
    assert enter(half_way(known), recovery_codes[1]).status_code == 302


def test_without_phone_and_codes_the_operator_lets_her_in_by_a_new_password(
    client_of, teacher, recovery_codes, capsys
):
    call_command("password", "sato")
    new = capsys.readouterr().out.strip().removeprefix("New password: ")
    sent = {"username": "sato", "password": new, "next": "/puzzles/"}
    assert client_of(None).post("/sign-in/", sent).url.startswith("/sign-in/code/")
    call_command("password", "sato", no_code=True)
    sent["password"] = capsys.readouterr().out.strip().removeprefix("New password: ")
    assert client_of(None).post("/sign-in/", sent).url == "/puzzles/"
    assert not TOTPDevice.objects.exists()


def test_half_way_ends(anonymous, teacher, recovery_codes, monkeypatch, client_of):
    stale = half_way(client_of(None))
    client = half_way(anonymous)
    User.objects.get(pk=teacher.pk).save()
    now = time.time() + 601
    monkeypatch.setattr(time, "time", lambda: now)
    assert enter(client, recovery_codes[0]).url == "/sign-in/"
    monkeypatch.undo()
    teacher.set_password("another good one")
    teacher.save()
    assert enter(stale, recovery_codes[0]).url == "/sign-in/"
    assert client_of(None).get("/sign-in/code/").url == "/sign-in/"


def test_codes_are_turned_off_renewed_and_no_export_has_them(
    teacher_client, teacher, recovery_codes
):
    renewed = teacher_client.post("/account/codes/", {"do": "renew"}).context["codes"]
    assert not set(renewed) & set(recovery_codes)
    with exported(teacher_client) as packed:
        assert not [name for name in packed.namelist() if name.startswith("otp")]
    teacher_client.post("/account/codes/", {"do": "off"})
    assert not two_factor.is_on(teacher) and not two_factor.codes_left(teacher)


# Deleting the account


def exported(client) -> zipfile.ZipFile:
    answer = client.post("/account/data/")
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))


def delete(client, username: str = "sato"):
    return client.post("/account/delete/", {"username": username})


def test_the_account_goes_once_it_was_downloaded(
    teacher_client, teacher, classroom, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    page = teacher_client.get("/account/delete/").content.decode()
    assert "4-2" in page and "Students: 3, assignments: 1, attempts: 1" in page
    assert "Download your data first." in delete(teacher_client).content.decode()
    with exported(teacher_client) as packed:
        people = packed.read("accounts.user.csv").decode()
        assert "Sato Keiko" in people and "Abe Haruto" in people
        assert "Five stones" in packed.read("puzzles.puzzle.csv").decode()
        assert {"play.attempt.csv", "play.step.csv"} <= set(packed.namelist())
    answer = delete(teacher_client, "mori")
    assert answer.status_code == 422 and "This is not your username." in answer.content.decode()
    answer = delete(teacher_client)
    assert "Your account is deleted" in answer.content.decode()
    receipt = DataRecord.objects.get(action="deleted")
    assert (receipt.actor, receipt.rows["puzzles.Puzzle"]) == (None, 1)
    for model in (User, Classroom, Puzzle, Attempt):
        assert not model.objects.exists()
    assert teacher_client.get("/account/").status_code == 302


def test_shared_classes_go_on_with_their_work(
    teacher_client, teacher, colleague, colleague_client, classroom, assigned, student, tried, lines
):
    classroom.teachings.filter(teacher=colleague).update(role="teacher")
    tried(student, assigned, lines.solution)
    assert "becomes the owner" in teacher_client.get("/account/delete/").content.decode()
    with exported(teacher_client) as packed:
        assert "play.attempt.csv" not in packed.namelist()
    delete(teacher_client)
    assigned.refresh_from_db()
    assert assigned.assignment.teacher == colleague and assigned.puzzle is None
    assert classroom.teachings.get().role == "owner"
    assert Attempt.objects.get().student == student
    page = colleague_client.get(f"/assignments/{assigned.assignment_id}/")
    assert page.status_code == 200 and "Five stones" in page.content.decode()


def test_assignments_of_a_departed_teacher_go_to_the_owner(
    teacher_client, teacher, colleague, classroom, assignment
):
    classroom.teachings.filter(teacher=teacher).delete()
    exported(teacher_client)
    delete(teacher_client)
    assignment.refresh_from_db()
    assert assignment.teacher == colleague


def test_a_substitute_never_comes_to_own_a_class(teacher, classroom, substitute):
    plan = plan_deletion(teacher)
    assert ([each.pk for each in plan.deleted], plan.kept) == ([classroom.pk], [])
    delete_account(teacher)
    assert not Classroom.objects.exists()
    assert User.objects.get(pk=substitute.pk)


def test_a_teacher_of_the_class_comes_before_a_substitute(teacher, classroom, substitute):
    other = User.objects.create_teacher("ueda", "Ueda Rie", PASSWORD)
    classroom.teachers.add(other, through_defaults={"role": "teacher"})
    [handover] = plan_deletion(teacher).kept
    assert (handover.colleague, handover.is_new_owner) == (other, True)
    delete_account(teacher)
    assert dict(classroom.teachings.values_list("teacher__username", "role")) == {
        "oka": "substitute",
        "ueda": "owner",
    }


def test_the_last_administrator_stays(teacher_client, teacher):
    teacher.is_staff = True
    teacher.save()
    exported(teacher_client)
    assert "You are the only administrator of this site." in delete(teacher_client).content.decode()
    assert User.objects.filter(pk=teacher.pk).exists()


def test_the_download_counts_for_an_hour(teacher_client, monkeypatch):
    exported(teacher_client)
    later = time.time() + 3601
    monkeypatch.setattr(time, "time", lambda: later)
    teacher_client.post("/confirm/", {"password": PASSWORD})
    assert "Download your data first." in delete(teacher_client).content.decode()


def test_each_time_zone_is_listed_once_under_the_name_in_use(teacher):
    said = [title for _name, title in time_zones()]
    assert len(said) == len(set(said)) > 300
    names = {name for name, _title in time_zones()}
    assert {"Asia/Tokyo", "Asia/Kolkata"} <= names and "Asia/Calcutta" not in names
    teacher.time_zone = "Asia/Calcutta"
    form = ProfileForm({"name": "Yamada", "time_zone": "Asia/Calcutta"}, instance=teacher)
    assert form.is_valid() and "Asia/Kolkata" not in dict(form.fields["time_zone"].choices)
