"""The site's address on cards, in QR codes, invitations, worksheets, packs and e-mails."""

import re
from urllib.parse import urlsplit

import pytest
import segno
from django.core.management import call_command

from puzzleclass import address
from puzzleclass.address import absolute, is_loopback
from puzzleclass.sharing.packs import make_pack
from tests.web.accounts.test_account import letters

SCHOOL = "https://puzzles.school.example:8443"


@pytest.fixture
def public(settings):
    settings.PUBLIC_URL = SCHOOL


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """Return the list of the texts for which QR codes are drawn."""
    texts: list[str] = []
    for name in ("make", "make_qr"):
        make = getattr(segno, name)
        monkeypatch.setattr(
            segno, name, lambda text, make=make, **o: texts.append(text) or make(text, **o)
        )
    return texts


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8000/join/", True),
        ("http://127.1.2.3/", True),
        ("http://[::1]:8000/", True),
        ("http://localhost:8000/", True),
        ("http://site.localhost/", True),
        ("http://192.168.1.20:8000/", False),
        ("https://puzzles.school.example/", False),
    ],
)
def test_which_addresses_only_this_computer_opens(url, expected):
    assert is_loopback(url) is expected


def test_cards_bear_the_public_address(public, teacher_client, classroom, drawn):
    teacher_client.post(f"/classes/{classroom.pk}/cards/new/")
    page = teacher_client.get(f"/classes/{classroom.pk}/pins/").content.decode()
    assert drawn and all(text.startswith(f"{SCHOOL}/") for text in drawn)
    assert "only this computer" not in page


def test_a_teacher_is_warned_of_cards_that_only_this_computer_opens(
    client_of, teacher, classroom, settings, drawn
):
    settings.ALLOWED_HOSTS = ["*"]
    for language, words in (("en", "only this computer"), ("ja", "このコンピューターでしか")):
        client = client_of(teacher, language)
        client.defaults["HTTP_HOST"] = "127.0.0.1:8000"
        client.post(f"/classes/{classroom.pk}/cards/new/")
        page = client.get(f"/classes/{classroom.pk}/pins/").content.decode()
        assert words in page
    assert all(text.startswith("http://127.0.0.1:8000/") for text in drawn)


def test_every_page_that_prints_an_address_prints_the_public_one(
    public, teacher, teacher_client, classroom, assignment, puzzle, drawn
):
    assert f"{SCHOOL}/" in teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    pack = make_pack(teacher, [puzzle], "First lesson")
    page = teacher_client.get(f"/packs/{pack.key}/").content.decode()
    assert f"{SCHOOL}/packs/{pack.key}/" in page
    teacher_client.get(f"/assignments/{assignment.pk}/worksheet/")
    assert [text for text in drawn if text.startswith(f"{SCHOOL}/play/")]


def test_a_link_to_a_new_password_bears_it(public, anonymous, teacher, settings):
    teacher.email = "sato@school.example"
    teacher.save()
    anonymous.post("/password/", {"email": teacher.email})
    link = re.search(r"https?://\S+", letters()[0].body)[0]
    assert link.startswith(f"{SCHOOL}/password/")


def test_an_invitation_bears_it(public, db, capsys):
    call_command("invite")
    said = capsys.readouterr()
    assert said.out.startswith(f"{SCHOOL}/sign-up/?invitation=") and not said.err


def test_an_invitation_bears_the_port_that_run_serves(db, capsys, monkeypatch, tmp_path, settings):
    settings.PUBLIC_URL = ""
    monkeypatch.setattr(address, "ADDRESS_FILE", tmp_path / "address")
    (tmp_path / "address").write_text("http://127.0.0.1:8123")
    call_command("invite")
    said = capsys.readouterr()
    assert urlsplit(said.out).netloc == "127.0.0.1:8123"
    assert "Set PUBLIC_URL" in said.err


def test_without_a_proxy_the_typed_name_counts(rf, settings):
    settings.PUBLIC_URL = ""
    request = rf.get("/", SERVER_NAME="testserver", SERVER_PORT="8000")
    assert absolute("/join/", request) == "http://testserver:8000/join/"
