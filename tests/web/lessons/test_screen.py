"""The projector: what it shows, what it is never sent, and who may open it."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.cases import whole_tree
from puzzleclass.lessons.models import Answer, Question, Screen, Slide
from puzzleclass.lessons.scenes import scene_of
from puzzleclass.lessons.screens import MAX_TYPED
from puzzleclass.lessons.slides import Showable, add_slides
from puzzleclass.play.models import Attempt

HTMX = {"HX-Request": "true"}


@pytest.fixture
def lead(teacher_client):
    """Return a function that presses a button of the lesson page."""

    def lead(assignment, do: str, **fields: object):
        return teacher_client.post(reverse("lead", args=[assignment.pk]), {"do": do, **fields})

    return lead


@pytest.fixture
def device(client_of, lead, assignment):
    """Return a browser without an account that has typed the code of the lesson."""
    lead(assignment, "code")
    client = client_of(None)
    assert client.post("/screen/", {"code": Screen.objects.get().code}).url == "/screen/"
    return client


def scene(client) -> str:
    return client.get("/screen/now/", headers=HTMX).content.decode()


@pytest.fixture
def full(lead, tried, student, classmate, assigned, lines):
    """Put everything into the class that a projector must not show; return all scenes."""
    student.reading = "よみがな"
    student.save()
    lost = tried(student, assigned, "4,2")
    Attempt.objects.filter(pk=lost.pk).update(is_jammed=True)
    solved = tried(classmate, assigned, lines.solution)
    assignment = assigned.assignment
    lead(assignment, "write", message="Only for you", student=student.pk)
    slides = [
        Slide.objects.create(puzzle=assigned, sort=sort, line=line, move=move, student=of)
        for sort, line, move, of in (
            ("mistake", "", "4,2", student),
            ("solution", lines.solution, "", None),
        )
    ]
    return [
        *("wait", "wall", "clock", "message", "garden", "blank"),
        *(f"{sort} {assigned.pk}" for sort in ("board", "tree", "map")),
        *(f"slide {slide.pk}" for slide in slides),
        "slides {} {}".format(*(slide.pk for slide in slides)),
        f"replay {lost.pk} 1",
        f"replay {solved.pk} 3",
    ]


def test_no_scene_says_who_anybody_is(
    full, lead, device, teacher_client, teacher, assignment, student, classmate
):
    """Neither the teacher's own window nor a device gets a name, a number, a key or a personal
    message, whatever is shown."""
    hidden = {"よみがな", "Only for you", teacher.name, teacher.username, "data-student"}
    for each in (student, classmate):
        hidden |= {each.name, *each.name.split(), f'id="t{each.pk}"', f"student={each.pk}"}
    for shown in full:
        assert lead(assignment, f"show:{shown}").status_code == 302
        assert Pace.objects.get().shown == shown
        for client in (teacher_client, device):
            page = scene(client)
            assert "There is no lesson" not in page
            assert [text for text in hidden if text in page] == [], shown


def test_names_are_shown_only_with_the_switch_and_only_for_that_scene(
    full, lead, device, assignment, student
):
    lead(assignment, "show:wall names")
    assert student.name in scene(device)
    lead(assignment, "show:wall")
    assert student.name not in scene(device)


def test_a_stuck_board_looks_like_any_other_until_it_is_shown(full, lead, device, assignment):
    lead(assignment, "show:wall")
    page = scene(device)
    assert "stuck" not in page.lower() and page.count('class="working"') == 1
    Attempt.objects.update(is_jammed=False)
    assert scene(device) == page
    Attempt.objects.filter(line="4,2").update(is_jammed=True)
    lead(assignment, "show:wall stuck")
    assert page.count('class="solved"') == 1 and 'class="stuck"' in scene(device)


def test_no_byte_of_the_projector_depends_on_the_answers_before_they_are_revealed(
    lead, device, assignment, assigned, student, classmate, done
):
    lead(assignment, "ask:move", board=assigned.pk)
    question = Question.objects.get()
    for number in (1, 2):
        for stage in ("open", "closed"):
            Question.objects.update(stage=stage, round=number)
            seen = set()
            for answers in (("1,1", "1,1"), ("4,2", "4,2"), ("1,1", "4,2")):
                Answer.objects.filter(round=number).delete()
                for each, answer in zip((student, classmate), answers, strict=True):
                    Answer.objects.create(
                        question=question, student=each, round=number, answer=answer
                    )
                seen.add(scene(device))
            assert len(seen) == 1
            [page] = seen
            assert "2 of" in page and "olution" not in page and "asked-table" not in page
    Question.objects.update(closes_at=timezone.now())
    lead(assignment, "question:reveal")
    assert "asked-table" in scene(device)


def test_a_board_that_is_solved_together_counts_without_numbers_of_students(
    lead, device, assignment, assigned, student
):
    lead(assignment, "ask:solve", board=assigned.pk)
    Pace.objects.update(starts_at=timezone.now() - timedelta(seconds=9))
    assignment.questions.update(starts_at=timezone.now() - timedelta(seconds=9))
    page = scene(device)
    assert "Solved: 0 of" in page and "solving-students" not in page and student.name not in page


def test_nothing_is_sent_while_nothing_changes(lead, device, assignment):
    have = re.search(r"have=(\w+)", scene(device))[1]
    assert device.get(f"/screen/now/?have={have}", headers=HTMX).status_code == 204
    lead(assignment, "show:blank")
    assert device.get(f"/screen/now/?have={have}", headers=HTMX).status_code == 200


@pytest.mark.parametrize("text", ["dance", "board", "board x y", "slide 1 2", "wall 3", "x" * 100])
def test_what_names_no_scene_is_refused(lead, assignment, text):
    lead(assignment, "begin")
    assert scene_of(text) is None
    assert lead(assignment, f"show:{text}").status_code == 400


def test_a_board_of_another_assignment_is_not_shown(lead, assignment, classroom, assign, puzzle):
    other = assign(classroom, puzzle).puzzles.get()
    for sort in ("board", "tree", "map"):
        assert lead(assignment, f"show:{sort} {other.pk}").status_code == 400


def test_what_is_no_longer_there_is_replaced_by_the_wall(full, lead, device, assignment):
    lead(assignment, f"show:{next(each for each in full if each.startswith('slide '))}")
    Slide.objects.all().delete()
    assert "scene-wall" in scene(device)


@pytest.fixture
def large(classroom, assign, make_puzzle):
    """Return a board whose solutions have to be listed before they are a tree."""
    puzzle = assign(
        classroom, make_puzzle("goishi", "...o.o/o...o./.....o/o.o.oo/o....o")
    ).puzzles.get()
    assert whole_tree(puzzle.kind_slug, puzzle.position) is None
    return puzzle


UNKNOWN = {
    "tree": "The tree is not ready yet.",
    "groups": "The solutions are not in groups yet.",
    "solutions total": "Not everything has been counted yet.",
    "solutions missing": "Not everything has been counted yet.",
}


@pytest.mark.parametrize("shown", UNKNOWN)
def test_what_is_not_known_yet_is_asked_for_and_is_not_nothing(shown, lead, large, done, client_of):
    view, _space, flag = shown.partition(" ")
    lead(large.assignment, f"show:{view} {large.pk} {flag}")
    lead(large.assignment, "code")
    screen = client_of(None)
    screen.post("/screen/", {"code": Screen.objects.exclude(code=None).get().code})
    page = scene(screen)
    assert UNKNOWN[shown] in page and "Nothing has been found" not in page
    for job in Job.objects.filter(state=Job.State.WAITING):
        done(job)
    assert UNKNOWN[shown] not in scene(screen)


# Who may open it


def test_a_code_opens_one_device_once(client_of, lead, assignment):
    lead(assignment, "code")
    code = Screen.objects.get().code
    first, second = client_of(None), client_of(None)
    assert first.post("/screen/", {"code": f" {code[:3].lower()} {code[3:]} "}).status_code == 302
    assert second.post("/screen/", {"code": code}).status_code == 422
    assert "scene" in scene(first) and "not connected any more" in scene(second)
    assert "Code from the lesson page" in second.get("/screen/").content.decode()


def test_a_code_that_was_not_used_in_time_opens_nothing(client_of, lead, assignment):
    lead(assignment, "code")
    code = Screen.objects.get().code
    Screen.objects.update(made_at=timezone.now() - Screen.LASTS - timedelta(seconds=1))
    assert client_of(None).post("/screen/", {"code": code}).status_code == 422


def test_an_empty_code_opens_nothing(device, client_of):
    """The code of a device that is connected is no longer stored, so nothing equals it."""
    for code in ("", " ", "None"):
        assert client_of(None).post("/screen/", {"code": code}).status_code == 422


def test_guessing_codes_ends_soon(client_of, lead, assignment):
    lead(assignment, "code")
    client = client_of(None)
    for _guess in range(MAX_TYPED):
        assert client.post("/screen/", {"code": "AAAAAA"}).status_code == 422
    code = Screen.objects.get().code
    assert client.post("/screen/", {"code": code}).status_code == 422
    assert Screen.objects.get().code == code


def test_a_lesson_has_few_devices(client_of, lead, assignment):
    devices = []
    for _device in range(Screen.MAX_COUNT + 1):
        lead(assignment, "code")
        devices.append(client_of(None))
        devices[-1].post("/screen/", {"code": Screen.objects.exclude(code=None).get().code})
    assert Screen.objects.count() == Screen.MAX_COUNT
    assert "not connected any more" in scene(devices[0])
    assert "not connected" not in scene(devices[-1])


@pytest.mark.parametrize("do", ["unplug", "end", "close"])
def test_a_device_is_disconnected(device, lead, assignment, do):
    lead(assignment, do)
    lead(assignment, "begin")
    assert "This screen is not connected any more." in scene(device)
    assert "There is no lesson" not in scene(device)


def test_a_device_waits_for_a_lesson_that_was_forgotten(device):
    Pace.objects.update(changed_at=timezone.now() - Pace.LASTS)
    assert "There is no lesson now." in scene(device)


def test_a_device_has_no_other_right(device, assignment, assigned):
    for name, key in (("lesson", assignment.pk), ("assignment", assignment.pk)):
        answer = device.get(reverse(name, args=[key]))
        assert answer.status_code == 302 and "sign-in" in answer.url
    assert device.get(reverse("play", args=[assigned.pk])).status_code == 302


def test_a_teacher_sees_only_lessons_of_own_classes(
    lead, assignment, other_client, substitute_client, student_client
):
    lead(assignment, "begin")
    for client in (other_client, substitute_client):
        assert "There is no lesson" in scene(client)
    assert "not connected" in scene(student_client)


def test_the_teachers_screen_follows_the_lesson_that_the_teacher_leads(
    lead, teacher_client, assignment, teacher, make_class, assign, puzzle
):
    other = assign(make_class(teacher, "6-2", "Endo Mio"), puzzle)
    lead(assignment, "begin")
    lead(other, "begin")
    Pace.objects.filter(assignment=other).update(led_by=None)
    assert assignment.classroom.code in scene(teacher_client)


def test_a_mistake_is_shown_with_the_reason_once_a_worker_has_found_it(
    lead, assigned, assignment, lines, teacher_client
):
    add_slides(assigned, [Showable(Slide.Sort.MISTAKE, "", lines.lost)])
    lead(assignment, f"show:slide {Slide.objects.get().pk}")
    before = scene(teacher_client)
    assert "could no longer be solved" in before and "Why:" not in before
    job = Job.objects.get(question="reason")
    runner.run(job.pk)
    after = scene(teacher_client)
    assert "Why:" in after and after.count("<svg") == before.count("<svg") + 1
    job.refresh_from_db()
    marked = len(job.result.reason.cells)
    assert marked and after.count("doomed") == marked
