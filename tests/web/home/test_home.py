"""The home page for each sort of visitor."""

import re
import struct
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import Assignment, WrittenPuzzle
from puzzleclass.classes.models import SignInCard
from puzzleclass.classes.school_models import School
from puzzleclass.gallery.services import approve, open_gallery, send_back
from puzzleclass.home.student_home import NEWS_DAYS
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.services import ask
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.nicknames import nickname
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice import services as practice
from puzzleclass.puzzles.worlds import worlds
from puzzleclass.rosters.models import StudentMatch
from puzzleclass.sharing.plans import plans
from solvers.message import Message
from solvers.registry import collection, get_kind, kinds


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
    assert "Three steps to your first lesson" in page
    assert "/classes/new/" in page


STEPS = {
    "en": ("Create a class", "Hand out the cards", "Start a lesson"),
    "ja": ("クラスを作る", "カードを配る", "授業を始める"),
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("page", ["/", "/sign-up/", "home", "/help/teachers/first-lesson/"])
def test_the_first_steps_have_one_order(client_of, teacher, language, page, settings):
    settings.SIGN_UP_OPEN = True
    user = teacher if page in ("home", "/help/teachers/first-lesson/") else None
    shown = client_of(user, language).get("/" if page == "home" else page).content.decode()
    places = [shown.find(f">{step}<") for step in STEPS[language]]
    assert -1 not in places and places == sorted(places)


def test_the_first_steps_are_ticked_one_by_one(
    teacher_client, teacher, make_class, make_puzzle, assign
):
    def ticks() -> int:
        return teacher_client.get("/").content.decode().count("✓")

    assert ticks() == 0
    room = make_class(teacher, "5-1", "Wada")
    assert ticks() == 1
    SignInCard.objects.create(student=room.students.get())
    assert ticks() == 2
    assign(room, make_puzzle("goishi", "oo/oo"))
    assert "Three steps" not in teacher_client.get("/").content.decode()


def test_an_assignment_without_a_library_is_ticked_too(teacher_client, classroom, assign):
    assign(classroom)
    page = teacher_client.get("/")
    assert page.context["steps"].has_lesson and page.context["steps"].are_done


def test_the_desk_says_that_students_puzzles_wait(
    teacher_client, substitute_client, classroom, student, other_student
):
    def hand_in(author, state="waiting"):
        author.written_puzzles.create(
            kind_slug="goishi", position="oo/oo", title="Mine", state=state, classroom=classroom
        )

    def waiting(client):
        return [room.name for room in client.get("/").context["now"].waiting.rows]

    hand_in(student, "draft")
    hand_in(other_student)  # this student is in another class by now
    assert not waiting(teacher_client)
    hand_in(student)
    assert "1 puzzle is waiting for you" in teacher_client.get("/").content.decode()
    hand_in(student)
    page = teacher_client.get("/").content.decode()
    assert "2 puzzles are waiting for you" in page
    assert f"/classes/{classroom.pk}/gallery/" in page
    assert waiting(teacher_client) == ["4-2"]
    assert not waiting(substitute_client)


def test_the_desk_shows_the_teachers_own(teacher_client, other_client, assigned):
    desk = teacher_client.get("/")
    assert [each.assignment.title for each in desk.context["running"].rows] == ["Homework"]
    assert [room.name for room in desk.context["classrooms"].rows] == ["4-2"]
    assert "Three steps" not in desk.content.decode()
    strangers = other_client.get("/")
    assert not strangers.context["running"]
    assert not strangers.context["classrooms"]
    assert not strangers.context["puzzles"]


def test_the_desk_counts_solved_boards_once(teacher_client, assigned, student, tried):
    for _ in range(2):
        restart(tried(student, assigned, "1,1 2,1 2,2 4,2 4,1"))
    (running,) = teacher_client.get("/").context["running"].rows
    assert (len(running.works), running.begun, running.finished, running.stuck_now) == (3, 1, 1, 0)


def test_the_desk_says_who_is_stuck(
    teacher_client, substitute_client, assigned, student, classmate, tried
):
    assert not teacher_client.get("/").context["now"].stuck
    for count, someone in enumerate((student, classmate), 1):
        attempt = tried(someone, assigned, "1,1")
        Attempt.objects.filter(pk=attempt.pk).update(is_jammed=True)
        for client in (teacher_client, substitute_client):
            page = client.get("/")
            (stuck,) = page.context["now"].stuck.rows
            assert stuck.stuck_now == count
            assert f"/assignments/{assigned.assignment_id}/?order=help" in page.content.decode()
            assert f"/assignments/{assigned.assignment_id}/lesson/" in page.content.decode()
    assert "2 students are stuck now" in page.content.decode()


def test_the_desk_has_the_lessons_of_today_and_the_next_one(teacher_client, classroom, assign):
    now = timezone.now()
    tonight = timezone.localtime().replace(hour=23, minute=59, second=59)

    def lessons() -> list[str]:
        shown = teacher_client.get("/").context["now"].lessons.rows
        return [each.assignment.title for each in shown]

    assert lessons() == []
    assign(classroom, title="In a week", due_at=now + timedelta(days=7))
    assign(classroom, title="Draft", due_at=tonight, is_draft=True)
    assert lessons() == ["In a week"]
    soon = {"starts_at": now + timedelta(days=2), "due_at": now + timedelta(days=9)}
    assign(classroom, title="Starts soon", **soon)
    assert lessons() == ["Starts soon"]
    assign(classroom, title="Today", due_at=tonight)
    assert lessons() == ["Today", "Starts soon"]


def test_the_desk_names_classes_without_students(
    teacher_client, substitute_client, teacher, make_class, classroom
):
    assert not teacher_client.get("/").context["now"].empty
    room = make_class(teacher, "5-1")
    page = teacher_client.get("/").content.decode()
    assert "No students yet" in page
    assert f"/classes/{room.pk}/students/new/" in page
    assert not substitute_client.get("/").context["now"].empty


def test_the_desk_names_classes_whose_students_wait_to_be_confirmed(
    teacher_client, student, classroom
):
    assert not teacher_client.get("/").context["now"].unconfirmed
    match = {"sourced_user": "u", "sourced_enrolment": "e"}
    school = School.objects.create(name="North")
    StudentMatch.objects.create(
        enrolment=student.enrolments.get(), source=school.sources.create(name="s"), **match
    )
    page = teacher_client.get("/").content.decode()
    assert "Students to be confirmed" in page
    assert f"/classes/{classroom.pk}/students/" in page


def test_failed_jobs_are_shown_for_some_days(teacher_client, other_client, teacher, student):
    job = ask(teacher, "goishi", "count", "oo/oo")
    for_student = ask(teacher, "goishi", "hint", "oo/oo", served=student.pk)
    fault = Message("The solver stopped.").to_json()
    failed = Job.objects.filter(pk__in=[job.pk, for_student.pk])
    failed.update(state=Job.State.FAILED, fault=fault, ended_at=timezone.now())
    page = teacher_client.get("/").content.decode()
    assert "1 job has failed" in page
    jobs = teacher_client.get("/jobs/")
    assert [job for job, _puzzle in jobs.context["failed"]] == [job]
    assert "The solver stopped." in jobs.content.decode()
    assert "has failed" not in other_client.get("/").content.decode()
    failed.update(ended_at=timezone.now() - timedelta(days=4))
    assert "has failed" not in teacher_client.get("/").content.decode()


def test_the_desk_leads_to_plans_and_the_ready_collection(teacher_client):
    page = teacher_client.get("/").content.decode()
    for slug in plans():
        assert f"/packs/plans/{slug}/" in page
    for slug, kind in kinds().items():
        assert (reverse("collection", args=[slug, 1]) in page) is bool(collection(kind))


def test_a_long_list_has_a_beginning(teacher_client, teacher, classroom, make_class, assign):
    for number in range(9):
        make_class(teacher, f"5-{number}", "Wada")
        assign(classroom, title=f"Homework {number}")
    page = teacher_client.get("/")
    for name, more in (("running", 3), ("classrooms", 4)):
        shown = page.context[name]
        assert (len(shown.rows), shown.more) == (6, more)
    assert "And 3 more" in page.content.decode()


def test_an_overdue_assignment_is_not_under_way(teacher_client, overdue):
    assert not teacher_client.get("/").context["running"]


def test_a_student_sees_what_is_due(student_client, assigned):
    page = student_client.get("/").content.decode()
    assert "Homework" in page
    assert f"/play/{assigned.pk}/" in page


def test_one_press_on_the_picture_starts_the_next_board(student_client, assigned):
    page = student_client.get("/").content.decode()
    start = page.partition("picture-button start")[2].partition("</a>")[0]
    assert f'href="/play/{assigned.pk}/"' in start and "<svg" in start


def test_without_an_assignment_the_path_of_the_kind_played_last_comes_first(
    student, student_client, classroom
):
    def starts() -> list[str]:
        page = student_client.get("/").content.decode()
        return re.findall(r'action="([^"]+)"[^>]*>\s*<input[^>]*>\s*<button class="picture', page)

    daily = [each.daily.url for each in practice.daily_states(student, classroom)]
    page = student_client.get("/").content.decode()
    assert starts() == daily and 'href="/how-to-play/' in page
    third = worlds(get_kind("tonari"))[1][2]
    student_client.post(third.url)
    assert starts() == [third.url, *daily]
    classroom.practice = False
    classroom.save()
    assert "picture-button" not in student_client.get("/").content.decode()


def test_feedback_is_news_on_the_home_page_and_stands_over_the_board(
    student, student_client, client_of, classmate, teacher, assigned, tried
):
    attempt = tried(student, assigned, "1,1")
    stamp = Feedback.Stamp.GOOD_IDEA
    Feedback.objects.create(attempt=attempt, teacher=teacher, stamp=stamp, comment="Try a corner.")
    for url in ("/", f"/play/{assigned.pk}/"):
        page = student_client.get(url).content.decode()
        assert "Good idea" in page and "Try a corner." in page
        assert "Try a corner." not in client_of(classmate).get(url).content.decode()
    assert page.index("Try a corner.") < page.index('id="play"')
    later = timezone.now() + timedelta(days=1)
    Assignment.objects.update(starts_at=later)
    assert "Try a corner." not in student_client.get("/").content.decode()
    Assignment.objects.update(starts_at=None)
    assert "Try a corner." in student_client.get("/").content.decode()
    Feedback.objects.update(at=timezone.now() - timedelta(days=NEWS_DAYS + 1))
    assert "Try a corner." not in student_client.get("/").content.decode()


def test_an_author_reads_who_has_solved_the_puzzle(
    teacher, classroom, student, student_client, classmate, client_of
):
    board = {"kind_slug": "goishi", "position": "oo", "title": "Mine", "classroom": classroom}
    waiting = WrittenPuzzle.State.WAITING
    written = WrittenPuzzle.objects.create(author=student, state=waiting, **board)
    assert "in the gallery" not in student_client.get("/").content.decode()
    puzzle = approve(written, open_gallery(classroom, teacher), written.mark)
    assert "Your puzzle is in the gallery." in student_client.get("/").content.decode()
    FoundSolution.objects.create(student=classmate, puzzle=puzzle, text="x", line="")
    page = student_client.get("/").content.decode()
    assert f"Solved by {nickname(classmate.pk)}" in page and classmate.name not in page
    send_back(WrittenPuzzle.objects.get(pk=written.pk), "Too easy")
    page = student_client.get("/").content.decode()
    assert "sent this puzzle back" in page and "Too easy" in page
    assert "Mine" not in client_of(classmate).get("/").content.decode()


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


def test_the_desk_names_who_has_not_begun_what_is_due_tomorrow(
    teacher_client, classroom, puzzle, assign, student, tried
):
    due = assign(classroom, puzzle, title="Soon", due_at=timezone.now() + timedelta(days=1))
    tried(student, due.puzzles.get(), "1,1")
    page = teacher_client.get("/").content.decode()
    line = page.partition("Due tomorrow")[2].partition("</li>")[0]
    assert "2 students have not begun" in " ".join(line.split())
    assert "Ito Yui" in line and student.name not in line
