"""Tasks of a teacher, with the presses that each takes from the signed-in home page.

The numbers are what a task takes today. One that rises needs a reason. A browser with scripts needs
one press less where a list is shown while it is typed. Six boards for a group are assigned with
scripts, in `tests/browser/test_assignment_form.py`.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Answer, Question
from puzzleclass.puzzles.models import Puzzle
from tests.presses import Reader

BOARDS = [
    ("goishi", "oo/oo"),
    ("tonari", "Bb/bb"),
    ("maxstrings", "../.. 2"),
    ("kikazu", "3/3/3 2K"),
]


TEN_BOARDS = "\n".join("o" * stones + "/" + "o" * stones for stones in range(3, 13))


@pytest.fixture
def desk(teacher, teacher_client, make_class, make_puzzle, assign, tried) -> Reader:
    """Provide a teacher's home page: two classes, twelve puzzles, a running assignment with an
    attempt in it, and a draft."""
    classroom = make_class(teacher, "5-1", "Abe Haruto", "Ito Yui", "Ueda Ren")
    make_class(teacher, "5-2", "Endo Mio")
    puzzles = [
        make_puzzle(*BOARDS[number % 4], title=f"Board {number + 1}") for number in range(12)
    ]
    running = assign(classroom, *puzzles[:4], title="Monday")
    assign(classroom, puzzles[5], title="Tuesday", is_draft=True)
    student = classroom.students.order_by("pk").first()
    tried(student, running.puzzles.get(number=1), "1,1", "1,2")
    return Reader(teacher_client)


TASKS: dict[str, tuple[int, int, Callable[[Reader], object]]] = {
    # Name: presses, fields to type into, and what is done.
    "see who needs help": (1, 0, lambda desk: desk.press("5-1 · Monday")),
    "open the class table": (1, 0, lambda desk: desk.press("Monday")),
    "lead the lesson": (2, 0, lambda desk: desk.press("Monday").press("Lead the lesson")),
    "pause all boards": (
        3,
        0,
        lambda desk: desk.press("Monday").press("Lead the lesson").press("Pause"),
    ),
    "see what the class found": (2, 0, lambda desk: desk.press("Monday").press("What we found")),
    "open the grade book": (2, 0, lambda desk: desk.press("5-1").press("Grade book")),
    "save the grades for Excel": (3, 0, lambda desk: desk.press("Monday").press("Excel file")),
    "print a worksheet of an assignment": (
        3,
        0,
        lambda desk: desk.press("Monday").press("Worksheet"),
    ),
    "print a worksheet of three puzzles of the library": (
        6,
        0,
        lambda desk: (
            desk.press("All puzzles")
            .tick("puzzle", 3)
            .press("Worksheet")
            .press("Print or save as PDF")
        ),
    ),
    "close an assignment": (3, 0, lambda desk: desk.press("Monday").press("Close now")),
    "publish a draft": (2, 0, lambda desk: desk.press("Tuesday").press("Publish")),
    "copy an assignment to another class": (
        2,
        0,
        lambda desk: desk.press("5-2", within="Assign to another class"),
    ),
    "delete an assignment": (3, 0, lambda desk: desk.press("Monday").press("Delete")),
    "undo the deletion of an assignment": (
        4,
        0,
        lambda desk: desk.press("Monday").press("Delete").press("Undo"),
    ),
    "try an assignment as a student": (
        3,
        0,
        lambda desk: desk.press("Monday").press("Try it as a student"),
    ),
    "replay an attempt": (
        3,
        0,
        lambda desk: desk.press("Monday").press("…").press("Replay attempt 1"),
    ),
    "ask about an attempt": (
        5,
        0,
        lambda desk: (
            desk.press("Monday").press("…").press("Replay attempt 1").press("Which move next?")
        ),
    ),
    "open the class map of a puzzle": (
        3,
        0,
        lambda desk: desk.press("Monday").press("What we found").press("Class map"),
    ),
    "stamp all that was begun": (
        3,
        0,
        lambda desk: desk.press("Monday").tick("all").press("A flower for you"),
    ),
    "stamp a student's puzzles": (
        3,
        0,
        lambda desk: desk.press("Monday").tick("student").press("A flower for you"),
    ),
    "give one student a week more": (
        3,
        0,
        lambda desk: desk.press("Monday").tick("student").press("A week later"),
    ),
    "open a student's page": (2, 0, lambda desk: desk.press("Students: 3").press("Abe Haruto")),
    "write a note about a student": (
        3,
        1,
        lambda desk: (
            desk.press("Students: 3")
            .press("Abe Haruto")
            .type("text", "Counts aloud")
            .press("Save note")
        ),
    ),
    "print a sheet about each student for the parents": (
        2,
        0,
        lambda desk: desk.press("Students: 3").press("Sheets for parents"),
    ),
    "write to two students": (
        5,
        1,
        lambda desk: (
            desk.press("Students: 3")
            .tick("only", 2)
            .press("Message")
            .type("message", "Bring your tablets")
            .press("Send")
        ),
    ),
    "add students": (
        4,
        1,
        lambda desk: (
            desk.press("Students: 1")
            .press("Add students")
            .type("students", "Ogawa Sora\nKato Rin")
            .press("Add")
            .press("Add")
        ),
    ),
    "print the cards of a class": (
        2,
        0,
        lambda desk: desk.press("Students: 3").press("Print the cards"),
    ),
    "open a class for an hour": (
        2,
        0,
        lambda desk: desk.press("Students: 3").press("Open for an hour"),
    ),
    "change the grade of a class": (
        5,
        0,
        lambda desk: desk.press("5-1").press("Settings").choose("grade", "5").press("Save"),
    ),
    "make a group of two students": (
        5,
        1,
        lambda desk: (
            desk.press("Students: 3")
            .tick("only", 2)
            .press("New group")
            .type("name", "Red")
            .press("Save")
        ),
    ),
    "move a class to the next year": (
        3,
        0,
        lambda desk: (
            desk.press("Students: 3")
            .press("Next school year")
            .press("Move everybody, with the same numbers")
        ),
    ),
    "find a puzzle by its title": (
        2,
        1,
        lambda desk: desk.press("All puzzles").type("q", "Board 7").press("Search"),
    ),
    "assign a puzzle": (3, 0, lambda desk: desk.press("Board 12").press("5-1").press("Assign")),
    "assign from the ready collection": (
        4,
        0,
        lambda desk: desk.press("Goishi Hiroi").tick("boards").press("5-1").press("Assign"),
    ),
    "start a lesson in one of two classes": (
        3,
        0,
        lambda desk: desk.press("Start a lesson in 5-2").press("Start with this plan"),
    ),
    "assign a lesson plan": (
        2,
        0,
        lambda desk: desk.press("Elementary school, years 1–2").press("Start this lesson"),
    ),
    "draw a puzzle": (1, 0, lambda desk: desk.press("Create a puzzle")),
    "generate puzzles": (
        3,
        0,
        lambda desk: desk.press("Create a puzzle").press("Generate").press("Generate"),
    ),
    "assign ten boards from a text": (
        4,
        1,
        lambda desk: (
            desk.press("Create a puzzle")
            .press("Import")
            .type("text", TEN_BOARDS)
            .press("5-1")
            .press("Assign")
        ),
    ),
    "read the help about a page": (2, 0, lambda desk: desk.press("Monday").press("Help")),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_takes_this_many_presses(desk, task):
    presses, typed, done = TASKS[task]
    done(desk)
    assert desk.response.status_code == 200
    assert (desk.presses, desk.typed) == (presses, typed)


MAX_PRESSES_OF_A_LESSON = 25


def test_a_lesson_of_45_minutes_by_the_plan(
    teacher_client, client_of, student, classmate, done, monkeypatch
):
    monkeypatch.setattr(Question, "CLOSING", timedelta())
    clients = [client_of(student), client_of(classmate)]
    reader = Reader(teacher_client, reverse("plan", args=["counting-cases"]))

    def answer(*answers: str, why: str = "") -> None:
        question = Question.objects.exclude(stage="over").get()
        page = reverse("question", args=[question.pk])
        for client, text in zip(clients, answers):
            sent = {"answer": text, "round": str(question.round)}
            assert client.post(page, sent).status_code == 302
            if why:
                client.post(page, {"words": why, "round": str(question.round)})
        for job in Job.objects.filter(state=Job.State.WAITING):
            done(job)

    def look_back() -> None:
        for client in clients:
            page = reverse("look_back")
            ticket = client.get(page).context["ticket"]
            client.post(page, {"lesson": ticket, "face": "good", "sentence": "One by one"})

    reader.press("Start this lesson")
    reader.press("Next ▶ 1")
    answer("3", "6")
    reader.press("Close").press("Show the answer")
    reader.press("Next ▶ 2")
    answer("2,2", "3,1")
    reader.press("Close").press("Answer again")
    answer("2,2", "2,2", why="Then nothing is cut off")
    reader.press("Close").press("Look at the answers").press("Show this reason")
    reader.press("Show the answer")
    reader.press("Next ▶ 3")
    answer("5", "6")
    reader.press("Close")
    reader.press("Next ▶ 4").press("Pause").press("Resume")
    reader.press("1 Abe Haruto").type("message", "Which branch is left?")
    reader.press("Send", within="Abe Haruto")
    assert Attendance.objects.get(message="Which branch is left?").student == student
    reader.press("Next ▶ 5").press("Show the missing ones")
    reader.press("Next ▶ 6")
    look_back()
    reader.press("End the lesson", within="Have not looked back yet")
    assert reader.url.endswith("/reflections/")
    assert "One by one" in reader.response.content.decode()
    assert Answer.objects.filter(is_chosen=True).count() == 1
    assert reader.presses <= MAX_PRESSES_OF_A_LESSON and reader.typed == 1


NAMES = "\n".join(f"{number}\tStudent {number}" for number in range(1, 36))


def test_a_newcomers_class_plays_after_nine_presses_and_three_texts(client_of, db, settings):
    """From the empty sign-up page, without scripts."""
    settings.SIGN_UP_OPEN = True
    reader = Reader(client_of(None, "en"), "/sign-up/")
    reader.type("username", "hana").type("password", "goishi-in-5-3")
    reader.press("Create account").type("students", NAMES).press("Grade 5").press("3")
    reader.press("Create a class").press("Create a class")
    # The page's button and the browser's own.
    assert reader.find("Print")
    reader.presses += 2
    reader.press("Choose a lesson").press("Start with this plan")
    assert reader.url.endswith("/lesson/") and reader.response.status_code == 200
    assert (reader.presses, reader.typed) == (9, 3)
    classroom = Classroom.objects.get(name="5-3")
    assert classroom.grade == 5 and classroom.students.count() == 35
    assignment = classroom.assignments.get()
    assert assignment.is_shown and assignment.puzzles.count() == 5
    assert not Puzzle.objects.exists()
