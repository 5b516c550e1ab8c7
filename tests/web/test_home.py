"""The front door, for whoever comes."""

import re
import struct
from pathlib import Path

import pytest
from django.conf import settings

from puzzleclass.guides import STUDENT_HELP, TEACHER_HELP
from solvers.registry import kinds


@pytest.mark.parametrize(
    ("language", "words"), [("en", "For students"), ("ja", "生徒のみなさんへ")]
)
def test_a_visitor_sees_both_doors_and_every_kind(client_of, db, language, words):
    page = client_of(None, language).get("/")
    assert page.status_code == 200
    text = page.content.decode()
    assert words in text
    assert [shown["kind"] for shown in page.context["kinds"]] == list(kinds().values())
    assert text.count('class="picture"') == 1 + len(kinds())


def test_the_class_code_leads_to_the_class(anonymous, classroom):
    answer = anonymous.post("/join/", {"code": f" {classroom.code.lower()} "})
    assert (answer.status_code, answer.url) == (302, f"/join/{classroom.code}/")


def test_a_new_teacher_is_told_how_to_begin(teacher_client):
    page = teacher_client.get("/").content.decode()
    assert "In three steps to the first lesson" in page
    assert "/puzzles/new/" in page


def test_the_desk_shows_the_teachers_own(teacher_client, other_client, assigned):
    desk = teacher_client.get("/")
    assert [a.title for a in desk.context["running"]] == ["Homework"]
    assert [c.name for c in desk.context["classrooms"]] == ["4-2"]
    assert "In three steps" not in desk.content.decode()
    strangers = other_client.get("/")
    assert not strangers.context["running"]
    assert not strangers.context["classrooms"]
    assert not strangers.context["puzzles"]


def test_the_desk_counts_students_and_solutions_once(teacher_client, assigned, student, classmate):
    from puzzleclass.play.attempts import current_attempt, restart, take_step

    for someone in (student, classmate):
        attempt = current_attempt(someone, assigned)
        for _ in range(2):
            for move in ("1,1", "2,1", "2,2", "4,2", "4,1"):
                attempt = take_step(attempt, attempt.next_step, "move", move)
            attempt = restart(attempt)
    running = teacher_client.get("/").context["running"][0]
    assert (running.puzzle_count, running.begun_count, running.found_count) == (1, 2, 2)


def test_what_is_over_is_not_under_way(teacher_client, overdue):
    assert not teacher_client.get("/").context["running"]


def test_a_student_sees_what_is_due(student_client, assigned):
    page = student_client.get("/").content.decode()
    assert "Homework" in page
    assert f"/play/{assigned.pk}/" in page


def test_the_site_can_be_installed(anonymous):
    answer = anonymous.get("/app.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    said = answer.json()
    assert (said["start_url"], said["display"]) == ("/", "standalone")
    for icon in said["icons"]:
        png = Path(settings.BASE_DIR, "static", icon["src"].split("/")[-1]).read_bytes()
        width, height = struct.unpack(">II", png[16:24])
        assert f"{width}x{height}" == icon["sizes"]
    assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}
    assert 'rel="manifest" href="/app.webmanifest"' in anonymous.get("/").content.decode()


def test_the_service_worker_is_new_with_the_language_and_names_nobody(anonymous, student_client):
    answer = anonymous.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert "importScripts(" in answer.content.decode()
    japanese = anonymous.get("/service-worker.js", headers={"Accept-Language": "ja"})
    assert (
        japanese.content
        != anonymous.get("/service-worker.js", headers={"Accept-Language": "en"}).content
    )
    assert student_client.get("/offline/").content == anonymous.get("/offline/").content


def test_the_help_speaks_to_who_reads_it(anonymous, student_client, teacher_client):
    for client, has_guide in ((anonymous, True), (student_client, False), (teacher_client, True)):
        page = client.get("/help/").content.decode()
        assert "When you are stuck" in page
        assert ("Seat your class in five minutes" in page) is has_guide
        assert 'href="/help/"' in page


def test_the_guides_pictures_are_there_small_and_lazy(anonymous):
    guides = [guide for guide in (*STUDENT_HELP, *TEACHER_HELP) if guide.picture]
    folder = Path(settings.BASE_DIR, "static")
    files = {folder / guide.path(language) for guide in guides for language in ("ja", "en")}
    assert files == set((folder / "guide").iterdir())
    assert sum(file.stat().st_size for file in files) < 1_500_000
    for file in files:
        assert file.read_bytes()[8:12] == b"WEBP"
    pictures = re.findall("<img[^>]*>", anonymous.get("/help/").content.decode())
    assert len(pictures) == len(guides)
    for picture in pictures:
        assert 'loading="lazy"' in picture
        assert re.search(r'alt="[^"]{10,}"\s+width="800"\s+height="500"', picture)
