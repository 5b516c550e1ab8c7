"""Dynamic registration, with an independent platform."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse

from puzzleclass.lti import registration
from puzzleclass.lti.models import Platform
from tests.learning_platform import CLIENT_ID, DEPLOYMENT
from tests.web.lti.test_lti import platform, said, school

__all__ = ["platform", "school"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client_of):
    """Return a browser in the platform's frame: nobody is signed in."""
    return client_of(None)


@pytest.fixture
def link(platform, school, teacher_client) -> str:
    """Return the link of the school as the platform opens it."""
    page = teacher_client.get(reverse("platform_list", args=[school.pk]))
    added = {
        "openid_configuration": f"{platform.address}/.well-known/openid-configuration",
        "registration_token": "let it in",
    }
    return f"{page.context['registration_link']}&{urlencode(added)}"


def test_a_platform_registers_itself(link, platform, school, client):
    page = client.get(link)
    assert "X-Frame-Options" not in page and school.name in said(page)
    assert not Platform.objects.exists()
    assert "is registered" in said(client.post(link))
    made = Platform.objects.get()
    assert (made.school, made.name, made.client_id) == (school, "Moodle", CLIENT_ID)
    assert {name: getattr(made, name) for name in platform.registration} == platform.registration
    assert made.deployments.get().deployment_id == DEPLOYMENT
    assert platform.given == "Bearer let it in"
    assert platform.tool["redirect_uris"] == ["http://testserver/lti/launch/"]
    assert platform.tool["token_endpoint_auth_method"] == "private_key_jwt"
    assert client.post(link).status_code == 403
    assert Platform.objects.count() == 1


def test_a_link_that_is_forged_or_old_registers_nothing(link, platform, client, monkeypatch):
    assert client.post(link.replace("school=", "school=x")).status_code == 403
    monkeypatch.setattr(registration, "LINK_SECONDS", -1)
    assert "not valid any more" in said(client.post(link))
    assert platform.asked == []


@pytest.mark.parametrize(
    "changed",
    [
        {"issuer": "https://other.example"},
        {"issuer": 7},
        {"jwks_uri": "file:///etc/passwd"},
        {"registration_endpoint": ""},
        {"registration_endpoint": "http://127.0.0.1:1/"},
    ],
)
def test_a_configuration_that_does_not_fit_registers_nothing(link, platform, client, changed):
    platform.configuration |= changed
    page = client.post(link)
    assert (page.status_code, "by hand" in said(page)) == (403, True)
    assert not Platform.objects.exists()


def test_no_request_leaves_for_a_private_network(link, client, settings, platform):
    settings.LOCAL_SERVERS = False
    assert client.post(link).status_code == 403
    assert platform.asked == []
