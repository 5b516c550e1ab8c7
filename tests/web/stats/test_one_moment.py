"""A class that has everything is asked at one moment: all pages and files state one number."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from puzzleclass.api.models import ApiToken
from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import change_pace
from puzzleclass.classes.models import Classroom
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.play.attempts import begin_anew, restart
from puzzleclass.play.hints import record_hint
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.stats.class_table import class_table
from puzzleclass.stats.dead_ends import look_at_running_attempts
from tests.web.sheets import shown_everywhere

NAMES = ("Abe", "Ito", "Kato", "Mori", "Wada")


@pytest.fixture(autouse=True)
def english(monkeypatch) -> Iterator[None]:
    """Activate English, because English words are compared, and let looks take their time."""
    monkeypatch.setattr("puzzleclass.stats.dead_ends.SLICE_SECONDS", 60)
    with translation.override("en"):
        yield


@pytest.fixture
def room(teacher, make_class) -> Classroom:
    return make_class(teacher, "Everything", *NAMES)


@pytest.fixture
def several(room, puzzle, make_puzzle, assign, tried, lines, play) -> Assignment:
    """Return an assignment of two boards that asks for two solutions of each.

    Abe has solved the first, Ito has one solution and is stuck in the next attempt, Kato was stuck
    and got an untouched board, Mori is stuck at the first board and at the second one now, and Wada
    was stuck an hour ago.
    """
    assignment = assign(room, puzzle, make_puzzle("goishi", "oo/oo"), title="Several", wanted=2)
    abe, ito, kato, mori, wada = room.students.order_by("enrolments__number")
    first, second = assignment.puzzles.all()
    play(restart(tried(abe, first, lines.solution)), lines.other_solution)
    play(restart(tried(ito, first, lines.solution)), lines.lost)
    stuck = tried(kato, first, lines.lost)
    record_hint(stuck, HintUse.Level.NEXT, timezone.now())
    record_hint(stuck, HintUse.Level.ALIVE, timezone.now())
    tried(mori, first, lines.lost)
    tried(wada, first, lines.lost)
    look_at_running_attempts()
    restart(Attempt.objects.get(student=kato))
    tried(mori, second, "1,1")
    Attempt.objects.filter(student=wada).update(last_at=timezone.now() - timedelta(hours=1))
    return assignment


@pytest.fixture
def everything(room, several, puzzle, make_puzzle, assign, tried, lines) -> Classroom:
    """Return the class with everything else: dealt boards, a gallery, practice, what is hidden."""
    abe = room.students.order_by("enrolments__number").first()
    dealt = assign(
        room, puzzle, make_puzzle("goishi", "ooo"), title="Dealt", dealing=Assignment.Dealing.EACH
    )
    deal(dealt)
    for title, fields in {
        "Gallery": {"is_gallery": True},
        "Practice": {"is_practice": True},
        "Draft": {"is_draft": True},
        "Not yet": {"starts_at": timezone.now() + timedelta(hours=5)},
        "Deleted": {"deleted_at": timezone.now()},
    }.items():
        hidden = assign(room, puzzle, title=title)
        tried(abe, hidden.puzzles.get(), lines.solution)
        Assignment.every.filter(pk=hidden.pk).update(**fields)
    return room


@pytest.fixture
def script(teacher) -> Client:
    token = ApiToken(teacher=teacher, name="Script")
    headers = {"authorization": f"Bearer {token.make_word()}", "accept-language": "en"}
    token.save()
    return Client(headers=headers)


def test_the_boards_given_and_solved_are_the_same_everywhere(everything, teacher_client, script):
    room = everything
    keys = dict(room.enrolments.values_list("student", "student__name"))
    figures: dict[str, dict[str, tuple[int, int]]] = {}
    with translation.override("en"):
        statistics, as_csv, in_excel = shown_everywhere(
            teacher_client, reverse("class_statistics", args=[room.pk]), {}
        )
    for name, rows in (("statistics", statistics), ("CSV", as_csv), ("Excel", in_excel)):
        figures[name] = {
            row[1]: (int(row[2]), int(row[3])) for row in rows if len(row) > 3 and row[1] in NAMES
        }
    results = script.get(reverse("api_class_results", args=[room.pk])).json()["items"]
    figures["API"] = {
        name: (
            sum(row["solved"] for row in results if row["name"] == name),
            sum(row["boards"] for row in results if row["name"] == name),
        )
        for name in NAMES
    }
    sheets = teacher_client.get(reverse("student_sheets", args=[room.pk])).context["paper_sheets"]
    figures["parents"] = {
        each.enrolment.student.name: (each.solved, len(each.puzzles)) for each in sheets
    }
    weeks = teacher_client.get(reverse("student_weeks", args=[room.pk])).context["paper_sheets"]
    figures["week"] = {each.enrolment.student.name: (each.solved, each.puzzles) for each in weeks}
    pages = {
        name: teacher_client.get(reverse("student", args=[pk])).context["sheet"]
        for pk, name in keys.items()
    }
    figures["student"] = {name: (sheet.solved, len(sheet.puzzles)) for name, sheet in pages.items()}
    tables = [class_table(each) for each in room.assignments.filter(title__in=["Several", "Dealt"])]
    figures["tables"] = {
        name: (
            sum(row.solved for table in tables for row in table.rows if row.name == name),
            sum(row.assigned for table in tables for row in table.rows if row.name == name),
        )
        for name in NAMES
    }
    expected = {name: (int(name == "Abe"), 3) for name in NAMES}
    assert figures == dict.fromkeys(figures, expected)
    assert len(figures) == 8


def test_the_gallery_counts_where_its_switch_is_on(everything, teacher_client):
    student = everything.students.get(name="Abe")
    with_gallery = teacher_client.get(reverse("student", args=[student.pk]), {"gallery": "on"})
    sheet = with_gallery.context["sheet"]
    assert (sheet.solved, len(sheet.puzzles)) == (2, 4)
    url = reverse("student_sheets", args=[everything.pk])
    sheets = teacher_client.get(url, {"gallery": "on"}).context["paper_sheets"]
    assert (sheets[0].solved, len(sheets[0].puzzles)) == (2, 4)


def test_who_is_stuck_now_and_who_was_is_the_same_everywhere(
    several, everything, teacher_client, script
):
    """The board of Mori at which the student is not now, and the one of Wada, who is gone, are
    stuck; neither student is stuck now."""

    def counts() -> dict[str, int]:
        running = teacher_client.get("/").context["running"].rows
        [home] = [each for each in running if each.assignment == several]
        table, wall = class_table(several), wall_of(several)
        page = teacher_client.get(reverse("lesson", args=[several.pk])).context["wall"]
        return {
            "home": home.stuck_now,
            "table": table.stuck_now,
            "wall": dict(wall.counts)[WallState.STUCK],
            "needs": sum(tile.need.reason == 1 for tile in wall.in_need),
            "page": dict(page.counts)[WallState.STUCK],
        }

    assert set(counts().values()) == {1}
    change_pace(several)
    assert set(counts().values()) == {2}

    was = {"Abe": False, "Ito": True, "Kato": True, "Mori": True, "Wada": True}
    table = class_table(several)
    assert {row.name: any(c.status.was_stuck for c in row.cells) for row in table.rows} == was
    assert table.were_stuck == 4
    assert {tile.name: tile.line for tile in wall_of(several).tiles}["Kato"] == ""
    url = reverse("class_statistics", args=[everything.pk])
    for rows in shown_everywhere(teacher_client, url, {"table": "assignments"}):
        at = next(row.index("Was stuck") for row in rows if "Was stuck" in row)
        assert next(row for row in rows if row[0] == "Several")[at] == "4"
    results = script.get(reverse("api_results", args=[several.pk])).json()["items"]
    marked = {row["name"] for row in results if row["was_stuck"]}
    assert marked == {name for name, is_marked in was.items() if is_marked}
    of_class = script.get(reverse("api_class_results", args=[everything.pk])).json()["items"]
    assert sum(row["was_stuck"] for row in of_class) == 4

    begin_anew(several.puzzles.first(), timezone.now())
    after = class_table(several)
    assert after.stuck_now == 0 and after.were_stuck == 4


def test_hints_and_solutions_are_the_same_everywhere(several, everything, teacher_client, script):
    kato = everything.students.get(name="Kato")
    table = class_table(several)
    hints = {row.name: sum(cell.hints for cell in row.cells) for row in table.rows}
    assert hints == {"Abe": 0, "Ito": 0, "Kato": 2, "Mori": 0, "Wada": 0}
    results = script.get(reverse("api_results", args=[several.pk])).json()["items"]
    assert sum(row["hints"] for row in results) == 2
    of_class = script.get(reverse("api_class_results", args=[everything.pk])).json()["items"]
    assert sum(row["hints"] for row in of_class) == 2
    sheet = teacher_client.get(reverse("student", args=[kato.pk])).context["sheet"]
    assert sheet.hints == 2
    page = teacher_client.get(reverse("attempts", args=[several.puzzles.first().pk, kato.pk]))
    assert len(page.context["hints"]) == 2
    said = " ".join(page.content.decode().split())
    assert "The next move" in said and "?3" not in said
    assert "?×2" in teacher_client.get(reverse("assignment", args=[several.pk])).content.decode()

    puzzles = script.get(reverse("api_puzzles", args=[several.pk])).json()["items"]
    assert [row["found"] for row in puzzles] == ["2", "0"]
    assert [column.found for column in table.columns] == [2, 0]
    found = teacher_client.get(reverse("found_solutions", args=[several.puzzles.first().pk]))
    assert found.context["found"] == 2
    head = teacher_client.get(reverse("assignment", args=[several.pk])).content.decode()
    assert "Solutions: none found yet" in head and "Solutions found: 2" in head
