"""What no page may say: the private estimate of skill, and to students no word that is too hard."""

from copy import deepcopy
from html import unescape
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from puzzleclass.language.furigana import SOURCES
from puzzleclass.practice.models import StoredSkill
from solvers.registry import kinds
from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import RIGHTS, SENT

__all__ = ["administrator", "clients", "world"]

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_the_private_estimate_of_skill_leaves_only_in_the_export_of_the_student(clients, world):
    """No page, no file, no export of a class and no answer to a script has it, whoever asks."""
    values = {"value": 731597.25, "results": 908170}
    for slug in kinds():
        StoredSkill.objects.create(student_id=world["student"], kind_slug=slug, **values)
    formats = ("", "?format=csv", "?format=xlsx", "?format=csv&rows=tries")
    admitted = [ROLES.index(role) for role in ("student", "classmate", "owner")]
    told = set()
    for name, methods, letters, words in RIGHTS:
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        for place in admitted:
            client, cookies = clients[place], deepcopy(clients[place].cookies)
            if letters.replace(" ", "")[place] != "+":
                continue
            # Only teachers are offered files.
            ends = formats if ROLES[place] == "owner" else ("",)
            with transaction.atomic():
                received = [client.get(url + end) for end in ends if "GET" in methods]
                received += [client.post(url, SENT)] if "POST" in methods else []
                if any(has_estimate(content_of(response)) for response in received):
                    told.add(name)
                transaction.set_rollback(True)
            client.cookies = cookies
    assert told == {"student_data"}


FOR_EVERYBODY = {
    *("home", "join", "join_class", "join_student", "offline", "help", "help_task", "practice"),
    *("practice_level", "introduction"),
}
"""The pages that students see, among those that are open to everybody."""
RETIRED_WORDS = ("挑戦", "準備", "操作", "暗証番号", "引用符", "行,列")


@pytest.fixture
def pages_of_students(client_of, student, world) -> list[tuple[str, HttpResponse]]:
    """Open each page that students see, and return it with the name of its address."""
    client, pages = client_of(student, "ja"), []
    for name, methods, letters, words in RIGHTS:
        admitted = dict(zip(ROLES, letters.replace(" ", "")))
        is_for_students = admitted["student"] == "+" and admitted["owner"] != "+"
        if "GET" not in methods or not (is_for_students or name in FOR_EVERYBODY):
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        pages.append((name, client.get(url, follow=True)))
    assert len(pages) > 25
    return pages


def test_the_pages_of_students_have_no_words_that_are_too_hard(pages_of_students):
    assert [
        (name, word)
        for name, page in pages_of_students
        for word in RETIRED_WORDS
        if word in unescape(page.content.decode())
    ] == []


def test_every_word_of_the_pages_of_students_is_checked_for_a_reading(pages_of_students):
    shown = {template.name for _name, page in pages_of_students for template in page.templates}
    ours = sorted(path for name in shown if (ROOT / (path := f"templates/{name}")).exists())
    assert " ".join(path for path in ours if not SOURCES.match(path)) == ""


def content_of(response: HttpResponse) -> bytes:
    content: bytes = response.getvalue()
    if not content.startswith(b"PK"):
        return content
    with ZipFile(BytesIO(content)) as archive:
        return b"".join(map(archive.read, archive.namelist()))


def has_estimate(content: bytes) -> bool:
    return any(figure in content for figure in (b"731597", b"731,597", b"908170", b"908,170"))
