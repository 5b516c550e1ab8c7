"""What each role is sent of a question, field by field, in each stage."""

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Question, Screen

HTMX = {"HX-Request": "true"}
WHY, OTHER_WHY = "It stands alone", "Only a guess"

FIELDS = {
    "question": "Can this still be solved?",
    "board": 'class="picture"',
    "number": "Answers: 2",
    "waiting": "Kato Ren",
    "tally": "asked-table",
    "truth": "Solutions from this board: 0",
    "why": "doomed",
    "chosen": f"<q>{WHY}</q>",
    "reasons": OTHER_WHY,
    "names": "Ito Yui",
    "late": "Came after the answer",
    "own": "Your answer:",
}
"""A text that is sent with each field, and only with it."""

STAGES = ("open", "closed", "closed reasons", "revealed")
RESULT = "tally truth why board"
LOOKS = "question number chosen"
"""What a teacher sees who does not peek."""
PEEKS = f"{LOOKS} {RESULT} reasons names"

SENT = {
    "teacher": {
        "": (f"{LOOKS} waiting", LOOKS, LOOKS, f"{LOOKS} {RESULT}"),
        "peek=on": (f"{PEEKS} waiting", PEEKS, PEEKS, f"{PEEKS} late waiting"),
        "peek=on&names=none": (LOOKS, LOOKS, LOOKS, LOOKS),
    },
    "projector": {
        "": (
            "question board number",
            "question board number",
            "question board number chosen",
            f"question number chosen {RESULT}",
        )
    },
    "student": {
        "": (
            "question board own",
            "question board own",
            "question board own chosen",
            f"question own number chosen {RESULT}",
        )
    },
    "student without an answer": {
        "": (
            "question board",
            "question board",
            "question board chosen",
            f"question own number chosen {RESULT}",
        )
    },
}
"""Role -> query -> the fields in each of the stages. The table of the design, as it is tested."""
SENT["colleague"] = SENT["substitute"] = SENT["teacher"]


@pytest.fixture
def asked(teacher_client, assigned, student, classmate, done):
    """Return a question with two answers; the reason of the first is chosen, the truth is known."""
    url = reverse("lead", args=[assigned.assignment_id])
    fields = {"do": "ask:solvable", "board": assigned.pk, "line": "4,2"}
    teacher_client.post(url, fields, headers=HTMX)
    question = Question.objects.get()
    give = question.answers.create
    give(student=student, round=1, answer="yes", words=WHY, is_chosen=True)
    give(student=classmate, round=1, answer="no", words=OTHER_WHY)
    for job in Job.objects.filter(state=Job.State.WAITING):
        done(job)
    return question


@pytest.fixture
def sent(asked, assigned, classroom, client_of, teacher, colleague, substitute, student):
    """Return a function that returns what a role is sent of the question."""
    assignment = assigned.assignment_id
    third = classroom.students.get(enrolments__number=3)
    Attendance.objects.create(assignment_id=assignment, student=third, came_at=timezone.now())
    Screen.objects.create(assignment_id=assignment, code="ABCDEF")
    device = client_of(None)
    device.post("/screen/", {"code": "ABCDEF"})
    lesson, page = reverse("lesson", args=[assignment]), reverse("question", args=[asked.pk])
    pages = {
        "teacher": (client_of(teacher), lesson, 'id="side"'),
        "colleague": (client_of(colleague), lesson, 'id="side"'),
        "substitute": (client_of(substitute), lesson, 'id="side"'),
        "projector": (device, reverse("screen_now"), ""),
        "student": (client_of(student), page, 'id="question"'),
        "student without an answer": (client_of(third), page, 'id="question"'),
    }

    def sent(role: str, query: str) -> str:
        client, url, begin = pages[role]
        text = client.get(f"{url}?{query}").content.decode()
        # The frame, which every page of a student asks for, is the same for all.
        news = client.get("/lesson/now/", headers=HTMX).content.decode() if role[0] == "s" else ""
        return (text.split(begin)[-1] if begin else text) + (news if "student" in role else "")

    return sent


@pytest.mark.parametrize("stage", range(len(STAGES)))
@pytest.mark.parametrize(("role", "query"), [(role, q) for role in SENT for q in SENT[role]])
def test_each_field(role, query, stage, sent, asked, teacher_client, assigned, classroom):
    name, _space, reasons = STAGES[stage].partition(" ")
    Question.objects.update(stage=name, closes_at=timezone.now())
    if reasons:
        url = reverse("lead", args=[assigned.assignment_id])
        teacher_client.post(url, {"do": f"show:question {asked.pk} reasons"}, headers=HTMX)
    if name == "revealed":
        late = classroom.students.get(enrolments__number=3)
        asked.answers.create(student=late, round=1, answer="yes", is_late=True)
    text = sent(role, query)
    found = {field for field, mark in FIELDS.items() if mark in text}
    assert found == set(SENT[role][query][stage].split())
