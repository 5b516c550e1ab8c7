"""The two boards of a day, and the garden in which the class's solved puzzles grow."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse

from puzzleclass.play.result_models import ClassFind
from puzzleclass.practice.garden import COLUMNS, Plant, garden_of
from puzzleclass.puzzles.daily import EASY, MAX_PETALS, daily_boards_of, daily_pair
from puzzleclass.puzzles.models import fingerprint
from puzzleclass.puzzles.worlds import HARD_BANDS, find_board, worlds

TODAY = date(2026, 11, 27)
APRIL = date(2026, 4, 1)


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    monkeypatch.setattr("puzzleclass.practice.services.today", lambda: TODAY)


@pytest.fixture
def since_april(classroom):
    type(classroom).objects.update(created_at="2026-04-01T00:00:00Z")
    classroom.refresh_from_db()
    return classroom


def found(classroom, key, number: int = 1) -> None:
    for each in range(number):
        ClassFind.objects.create(
            classroom=classroom, kind_slug=key[0], board=fingerprint(*key), solution=str(each)
        )


def flower(found: int, total: int | None) -> Plant:
    return Plant("goishi", "oo", "A", TODAY, found, total, 0, puzzle=1)


def test_every_day_has_an_easy_and_a_hard_board_of_two_kinds(db):
    names, several = set(), 0
    for number in range(365):
        easy, hard = daily_pair(APRIL + timedelta(days=number))
        assert daily_pair(easy.day) == (easy, hard)
        assert easy.board.kind_slug != hard.board.kind_slug
        assert hard.board.band in HARD_BANDS and easy.board.band in (EASY, "medium")
        several += easy.board.solutions > 1
        names |= {easy.name.text, hard.name.text}
    assert len(names) == 48 and several > 30
    kinds = {daily_pair(APRIL + timedelta(days=number))[0].board.kind_slug for number in range(8)}
    assert len(kinds) == 4


def test_the_boards_of_a_year_differ_and_have_the_solutions_of_the_collection(since_april):
    year = daily_boards_of(since_april, date(2027, 3, 31))
    assert len(year) > 600
    from_worlds = [key for key, each in year.items() if find_board(each.board.kind, key[1])]
    assert len(from_worlds) < 20
    for key, daily in list(year.items())[:16]:
        kind = daily.board.kind
        ready = worlds(kind)[daily.board.level][daily.board.number - 1]
        same = kind.canonical(kind.read(key[1])) == kind.canonical(kind.read(ready.position))
        assert same and ready.solutions == daily.board.solutions


def test_a_flower_has_as_many_petals_as_the_puzzle_has_solutions():
    three = flower(3, 5)
    assert three.petals == 5 and three.dashes == ".01 .99 .01 .99 .01 2.99"
    assert flower(5, 5).dashes == " ".join([".01 .99"] * 5)
    assert flower(1, 1).is_tulip and not flower(1, None).is_tulip
    # Nothing is told of a number that is not known.
    assert flower(3, None).petals == 3 and flower(3, None).dashes.endswith(".01 .99")
    many = flower(25, 36)
    assert many.has_many and many.petals == MAX_PETALS and many.dashes.count(".01") == 8
    assert flower(1, 10**6).dashes.count(".01") == 1


def test_the_garden_has_what_the_class_met_together(since_april, student, assigned):
    daily = daily_boards_of(since_april, TODAY)
    key, bloomed = next(each for each in daily.items() if not each[1].is_hard)
    fruit = next(each for each in daily.values() if each.is_hard)
    assert garden_of(since_april, TODAY).flowers == 0
    found(since_april, key)
    found(since_april, fruit.board.key)
    found(since_april, assigned.key, 2)
    found(since_april, ("goishi", "ooo"))
    garden = garden_of(since_april, TODAY, student)
    assert garden.flowers == 3 and [bed.flowers for bed in garden.beds][:8].count(0) >= 5
    april, now = garden.beds[0], garden.bed_of(TODAY)
    grown = [plant.daily for plant in april.plants if plant.found]
    assert sorted(grown, key=lambda each: each.is_hard) == [bloomed, fruit]
    (own,) = [plant for plant in now.plants if plant.puzzle]
    assert (own.name, own.found, own.total, own.own) == (assigned.title, 2, None, 0)
    assert [bed.is_to_come for bed in garden.beds] == [False] * 8 + [True] * 4
    places = [(plant.x, plant.y) for plant in now.plants]
    assert len(set(places)) == len(places) and max(x for x, _ in places) < now.width
    # Without practice nothing waits, and what was assigned stays.
    since_april.practice = False
    assert [plant.puzzle for bed in garden_of(since_april, TODAY).beds for plant in bed.plants] == [
        assigned.pk
    ]
    assert garden_of(since_april, date(2027, 4, 2)).flowers == 0
    assert now.width > COLUMNS * 40


def test_a_bud_can_be_opened_weeks_later_and_moves_no_pin(
    since_april, student, student_client, tried, django_assert_max_num_queries
):
    april = next(each for each in daily_boards_of(since_april, TODAY).values())
    page = student_client.get("/garden/?month=2026-04").content.decode()
    assert f'action="{april.url}"' in page and "Nobody has solved it yet." in page
    assert student_client.get(april.url).url == "/garden/"
    assert student_client.post(april.url).status_code == 302
    assert not student.path_places.exists()
    with django_assert_max_num_queries(12):
        student_client.get("/garden/")
    for wrong in ("2026-12", "2026-03", "x"):
        assert student_client.get("/garden/", {"month": wrong}).status_code == 404
    for wrong in ("2026-03-31/easy", "2026-11-28/easy", "2026-11-27/soft", "x/easy"):
        assert student_client.get(f"/daily/{wrong}/").status_code == 404


def test_home_and_the_page_of_the_class_show_the_same_garden(
    since_april, student_client, teacher_client, assigned
):
    found(since_april, assigned.key)
    assert "1 flower" in student_client.get("/").content.decode()
    page = teacher_client.get(reverse("classroom", args=[since_april.pk])).content.decode()
    assert "1 flower" in page and "by you" not in page


def test_the_garden_costs_the_same_however_much_grows(
    since_april, student_client, teacher_client, assigned, queries_of
):
    pages = [
        (student_client, "/"),
        (student_client, "/garden/"),
        (teacher_client, reverse("classroom", args=[since_april.pk])),
    ]

    def queries() -> list[int]:
        return [queries_of(client, url) for client, url in pages]

    found(since_april, assigned.key)
    before = queries()
    for key in list(daily_boards_of(since_april, TODAY))[:40]:
        found(since_april, key, 3)
    assert queries() == before


def test_guests_meet_the_boards_of_the_day_in_practice(anonymous):
    page = anonymous.get("/practice/").content.decode()
    for daily in daily_pair(TODAY):
        assert f'href="{daily.url}"' in page
        assert anonymous.get(daily.url).status_code == 200


def test_the_switch_of_the_class_hides_its_garden(
    since_april, student_client, teacher_client, assigned
):
    found(since_april, assigned.key)
    since_april.garden = False
    since_april.save()
    assert "Our garden" not in student_client.get("/").content.decode()
    assert student_client.get("/garden/").status_code == 404
    page = teacher_client.get(reverse("classroom", args=[since_april.pk])).content.decode()
    assert "1 flower" not in page
    day = next(iter(daily_boards_of(since_april, TODAY).values()))
    assert student_client.get(day.url).url == "/"


def test_what_was_found_today_opens(since_april, student_client, assigned):
    found(since_april, assigned.key)
    ClassFind.objects.update(at="2026-11-27T03:00:00Z")
    page = student_client.get("/").content.decode()
    assert len(re.findall(r'class="plant colour-\d new"', page)) == 1
