"""The page for the school board, filled in from the installation's settings."""

import pytest
from django.urls import reverse

from puzzleclass.classes.school_models import School
from puzzleclass.lti.models import Platform
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


def test_connected_platforms_are_named(teacher_client):
    assert "Learning platforms" not in text(teacher_client)
    school = School.objects.create(name="Midori")
    urls = dict.fromkeys(("auth_url", "token_url", "key_set_url"), "https://moodle.example/x")
    Platform.objects.create(school=school, name="Moodle", issuer="i", client_id="c", **urls)
    assert "moodle.example" in text(teacher_client)


def test_the_servers_of_school_accounts_are_named_once_they_are_on(teacher_client):
    school = School.objects.create(name="Midori")
    provider = SignInProvider.objects.create(school=school, kind="microsoft", client_id="c")
    assert "login.microsoftonline.com" not in text(teacher_client)
    provider.is_on = True
    provider.save()
    assert "login.microsoftonline.com" in text(teacher_client)


def test_what_other_systems_are_told_is_named(teacher_client):
    shown = text(teacher_client)
    assert "Identifiers by which the school" in shown and "the public keys of passkeys" in shown
    assert "secret addresses for their calendars and tokens" in shown


def test_the_page_of_data_protection_leads_to_it(teacher_client):
    assert PAGE in teacher_client.get(reverse("data_log")).content.decode()
