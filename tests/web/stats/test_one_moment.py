"""A class that has everything is asked at one moment: all pages and files state one number."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone, translation

from puzzleclass.api.models import ApiToken
from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import change_pace
from puzzleclass.classes.models import Classroom
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.play.hints import record_hint
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.restarts import begin_anew, restart
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.class_ledger import class_ledger
from puzzleclass.stats.dead_ends import look_at_running_attempts
from puzzleclass.stats.models import PseudonymKey
from puzzleclass.stats.statements import pseudonym, write_statements
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
    url = reverse("class_ledger", args=[room.pk])
    _page, as_csv, in_excel = shown_everywhere(teacher_client, url, {})
    for name, rows in (("CSV", as_csv), ("Excel", in_excel)):
        figures[name] = {row[1]: (int(row[2]), int(row[3])) for row in rows if row[1] in NAMES}
    lines = teacher_client.get(url).context["ledger"].lines
    figures["grade book"] = {
        each.enrolment.student.name: (each.total.solved, each.total.given) for each in lines
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
        each.enrolment.student.name: (each.all.solved, each.all.given) for each in sheets
    }
    weeks = teacher_client.get(reverse("student_weeks", args=[room.pk])).context["paper_sheets"]
    figures["week"] = {
        each.enrolment.student.name: (each.all.solved, each.all.given) for each in weeks
    }
    pages = {
        name: teacher_client.get(reverse("student", args=[pk])).context["sheet"]
        for pk, name in keys.items()
    }
    figures["student"] = {
        name: (sheet.all.solved, sheet.all.given) for name, sheet in pages.items()
    }
    counted = room.assignments.filter(title__in=["Several", "Dealt"])
    rows = [row for each in counted for row in assignment_ledger(each).rows]
    figures["tables"] = {
        name: (
            sum(row.work.solved for row in rows if row.enrolment.student.name == name),
            sum(row.work.given for row in rows if row.enrolment.student.name == name),
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
    assert (sheet.all.solved, sheet.all.given) == (2, 4)
    url = reverse("student_sheets", args=[everything.pk])
    sheets = teacher_client.get(url, {"gallery": "on"}).context["paper_sheets"]
    assert (sheets[0].all.solved, sheets[0].all.given) == (2, 4)


def test_who_is_stuck_now_and_who_was_is_the_same_everywhere(
    several, everything, teacher_client, script
):
    """The board of Mori at which the student is not now, and the one of Wada, who is gone, are
    stuck; neither student is stuck now."""

    def counts() -> dict[str, int]:
        running = teacher_client.get("/").context["running"].rows
        [home] = [each for each in running if each.assignment == several]
        table, wall = assignment_ledger(several), wall_of(several)
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
    table = assignment_ledger(several)
    assert {
        row.enrolment.student.name: any(c.status.was_stuck for c in row.work.row)
        for row in table.rows
    } == was
    assert table.were_stuck == 4
    assert {tile.name: tile.line for tile in wall_of(several).tiles}["Kato"] == ""
    url = reverse("class_ledger", args=[everything.pk])
    page, *files = shown_everywhere(teacher_client, url, {"show": "status"})
    for rows in files:
        [foot] = [row for row in rows if row[1] == "Was stuck"]
        assert (
            foot[2] == foot[next(at for at, head in enumerate(rows[0]) if "Several" in head)] == "4"
        )
    [foot] = [row for row in page if row[0] == "Was stuck"]
    assert "4" in foot
    results = script.get(reverse("api_results", args=[several.pk])).json()["items"]
    marked = {row["name"] for row in results if row["was_stuck"]}
    assert marked == {name for name, is_marked in was.items() if is_marked}
    of_class = script.get(reverse("api_class_results", args=[everything.pk])).json()["items"]
    assert sum(row["was_stuck"] or 0 for row in of_class) == 4

    begin_anew(several.puzzles.first(), timezone.now())
    after = assignment_ledger(several)
    assert after.stuck_now == 0 and after.were_stuck == 4


def test_hints_and_solutions_are_the_same_everywhere(several, everything, teacher_client, script):
    kato = everything.students.get(name="Kato")
    table = assignment_ledger(several)
    hints = {row.enrolment.student.name: row.work.hints for row in table.rows}
    assert hints == {"Abe": 0, "Ito": 0, "Kato": 2, "Mori": 0, "Wada": 0}
    results = script.get(reverse("api_results", args=[several.pk])).json()["items"]
    assert sum(row["hints"] for row in results) == 2
    of_class = script.get(reverse("api_class_results", args=[everything.pk])).json()["items"]
    assert sum(row["hints"] for row in of_class) == 2
    sheet = teacher_client.get(reverse("student", args=[kato.pk])).context["sheet"]
    assert sheet.all.hints == 2
    page = teacher_client.get(reverse("attempts", args=[several.puzzles.first().pk, kato.pk]))
    assert len(page.context["hints"]) == 2
    said = " ".join(page.content.decode().split())
    assert "The next move" in said and "?3" not in said
    url = reverse("assignment", args=[several.pk])
    assert "?2" in teacher_client.get(url, {"show": "hints"}).content.decode()

    puzzles = script.get(reverse("api_puzzles", args=[several.pk])).json()["items"]
    assert [row["found"] for row in puzzles] == ["2", "0"]
    assert [column.found_together for column in table.columns] == [2, 0]
    found = teacher_client.get(reverse("found", args=[several.puzzles.first().pk]))
    assert found.context["hunt"].found == 2
    head = teacher_client.get(reverse("assignment", args=[several.pk])).content.decode()
    assert "Solutions: none found yet" in head and "Solutions found: 2" in head


def test_every_figure_is_the_same_everywhere(several, everything, teacher_client, script):
    """Of each student: attempts, time, hints and solutions on all pages and in all files."""
    Attempt.objects.filter(next_step__gt=0).update(seconds=71)
    keys = ("attempts", "seconds", "hints", "found")
    figures: dict[str, dict[str, tuple[int, ...]]] = {}
    results = [
        row
        for each in everything.assignments.counted()
        for row in script.get(reverse("api_results", args=[each.pk])).json()["items"]
    ]
    figures["API"] = {
        name: tuple(sum(int(row[key]) for row in results if row["name"] == name) for key in keys)
        for name in NAMES
    }
    table = teacher_client.get(reverse("class_ledger", args=[everything.pk])).context["ledger"]
    sheets = {
        line.enrolment.student.name: teacher_client.get(
            reverse("student", args=[line.enrolment.student_id])
        ).context["sheet"]
        for line in table.lines
    }
    papers = teacher_client.get(reverse("student_sheets", args=[everything.pk]))
    tallies = {
        "grade book": {each.enrolment.student.name: each.total for each in table.lines},
        "student": {name: sheet.all for name, sheet in sheets.items()},
        "parents": {
            each.enrolment.student.name: each.all for each in papers.context["paper_sheets"]
        },
    }
    for name, own in tallies.items():
        figures[name] = {who: tuple(getattr(all, key) for key in keys) for who, all in own.items()}
    url = reverse("class_ledger", args=[everything.pk])
    asked = {"show": "attempts time hints solutions"}
    _page, as_csv, in_excel = shown_everywhere(teacher_client, url, asked)
    for name, rows in (("CSV", as_csv), ("Excel", in_excel)):
        figures[name] = {}
        for row in rows:
            if row[1] in NAMES:
                of_each = [row[at : at + 4] for at in range(5, len(row), 4)]
                times, attempts, hints, found = zip(*of_each)
                seconds = [
                    sum(int(n) * 60**p for p, n in zip((2, 1, 0), t.split(":"))) for t in times
                ]
                counts = (sum(map(int, numbers)) for numbers in (attempts, hints, found))
                tries, hinted, together = counts
                figures[name][row[1]] = (tries, sum(seconds), hinted, together)
    assert figures == dict.fromkeys(figures, figures["API"])
    assert len(figures) == 6 and figures["API"]["Kato"][:3] == (1, 71, 2)

    key = PseudonymKey.objects.get_or_create(classroom=everything)[0].salt
    file = io.BytesIO()
    request = RequestFactory().get("/")
    write_statements(file, class_ledger(everything), request, as_array=True)
    statements = json.loads(file.getvalue())
    for line in table.lines:
        name = pseudonym(everything, key, line.enrolment.student_id)
        own = [each for each in statements if each["actor"]["account"]["name"] == name]
        verbs = Counter(each["verb"]["display"]["en"] for each in own)
        assert verbs["attempted"] == line.total.attempts
        assert verbs["passed"] == line.total.solved
