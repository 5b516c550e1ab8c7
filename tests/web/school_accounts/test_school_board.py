"""The page for the school board, filled in from the installation's settings."""

import pytest
from django.urls import reverse

from puzzleclass.classes.school_models import Board, School, owned_by
from puzzleclass.lti.models import Platform
from puzzleclass.rosters.models import UserId
from puzzleclass.school_accounts.models import SignInProvider

PAGE = reverse("school_board")


def text(client) -> str:
    return " ".join(client.get(PAGE).content.decode().split())


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "PUBLIC_URL",
            "https://puzzles.school.example",
            "https://puzzles.school.example/: all pages.",
        ),
        ("PUBLIC_URL", "https://puzzles.school.example", "Connections are encrypted"),
        ("PUBLIC_URL", "http://10.0.0.5", "Connections are not encrypted"),
        ("KEPT_YEARS", 7, "due for 7 years"),
        ("IDLE_MINUTES", 15, "after 15 minutes"),
        ("EMAIL_HOST", "mail.school.example", "through mail.school.example"),
        ("EMAIL_HOST", "", "sends no e-mail"),
        ("SIGN_UP_OPEN", False, "by invitation only"),
        ("SIGN_UP_OPEN", True, "can create a teacher account"),
    ],
)
def test_the_settings_are_on_the_page(teacher_client, settings, name, value, said):
    setattr(settings, name, value)
    assert said in text(teacher_client)


@pytest.fixture
def school(teacher) -> School:
    """Return a school of a board, with the teacher's roster."""
    school = Board.objects.create(name="City").schools.create(name="Midori")
    source = school.sources.create(name="koumu")
    UserId.objects.create(source=source, sourced_id="u1", user=teacher)
    return school


def connect(platform_of, number=1):
    urls = dict.fromkeys(("auth_url", "token_url", "key_set_url"), f"https://moodle{number}.jp/x")
    Platform.objects.create(
        name="Moodle", issuer="i", client_id=str(number), **owned_by(platform_of), **urls
    )


def test_connected_platforms_are_named(teacher_client, school):
    assert "Learning platforms" not in text(teacher_client)
    connect(school)
    connect(school.board, 2)
    shown = text(teacher_client)
    assert "moodle1.jp" in shown and "moodle2.jp" in shown


def test_the_servers_of_school_accounts_are_named_once_they_are_on(teacher_client, school):
    provider = SignInProvider.objects.create(school=school, kind="microsoft", client_id="c")
    assert "login.microsoftonline.com" not in text(teacher_client)
    provider.is_on = True
    provider.save()
    assert "login.microsoftonline.com" in text(teacher_client)


def test_the_servers_of_other_schools_are_for_administrators_of_the_site_alone(
    teacher_client, school, other_teacher, client_of
):
    other = Board.objects.create(name="Town").schools.create(name="Aoba")
    connect(school)
    connect(other, 3)
    connect(other.board, 4)
    issuer = "https://accounts.aoba.jp"
    SignInProvider.objects.create(
        school=other, kind="openid", issuer=issuer, client_id="c", is_on=True
    )
    SignInProvider.objects.create(board=school.board, kind="google", client_id="c", is_on=True)
    foreign = ("moodle3.jp", "moodle4.jp", "accounts.aoba.jp")
    shown = text(teacher_client)
    assert "moodle1.jp" in shown and "accounts.google.com" in shown
    assert not any(host in shown for host in foreign)
    nobody = text(client_of(other_teacher))
    assert not any(host in nobody for host in (*foreign, "moodle1.jp", "accounts.google.com"))
    other_teacher.is_staff = True
    other_teacher.save()
    everything = text(client_of(other_teacher))
    assert all(host in everything for host in (*foreign, "moodle1.jp", "accounts.google.com"))


def test_a_board_s_administrator_sees_what_the_board_has_connected(teacher, teacher_client):
    board = Board.objects.create(name="Town")
    board.administrators.add(teacher)
    connect(board)
    assert "moodle1.jp" in text(teacher_client)


def test_what_other_systems_are_told_is_named(teacher_client):
    shown = text(teacher_client)
    assert "Identifiers by which the school" in shown and "the public keys of passkeys" in shown
    assert "secret addresses for their calendars and tokens" in shown


def test_the_page_of_data_protection_leads_to_it(teacher_client):
    assert PAGE in teacher_client.get(reverse("data_log")).content.decode()
