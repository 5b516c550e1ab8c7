"""The library: searching, sorting, actions on many puzzles, and its speed."""

import re
from time import process_time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from puzzleclass.puzzles.answers import COUNT, RATE, ask_about
from puzzleclass.puzzles.models import Puzzle, Tag

LIST, BULK = reverse("puzzle_list"), reverse("puzzles_bulk")


@pytest.fixture
def make(make_puzzle):
    def make(title: str, position: str = "oo/oo", kind: str = "goishi", **fields) -> Puzzle:
        return make_puzzle(kind, position, title, **fields)

    return make


@pytest.fixture
def shelf(make, teacher, answered):
    """Return four puzzles that differ in everything that can be searched."""
    easy, hard = make("Warm-up 2"), make("Warm-up 10", "o" * 9, note="for Monday")
    make("Lamps", ".../.../... 3", kind="maxstrings", author="Mori Aoi")
    make("Empty end", ".o./ooo/.o.")
    answered(ask_about(teacher, easy, COUNT), 8)
    answered(ask_about(teacher, easy, RATE), 1, band="easy")
    answered(ask_about(teacher, hard, COUNT), 1)
    answered(ask_about(teacher, hard, RATE), 4, band="very hard")
    return {puzzle.title: puzzle for puzzle in Puzzle.objects.all()}


def titles(client, **wanted) -> list[str]:
    return [puzzle.title for puzzle in client.get(LIST, wanted).context["page"]]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"q": "warm 10"}, ["Warm-up 10"]),
        ({"q": "monday"}, ["Warm-up 10"]),
        ({"q": "aoi"}, ["Lamps"]),
        ({"kind": "maxstrings"}, ["Lamps"]),
        ({"level": "4"}, ["Warm-up 10"]),
        ({"kind": "goishi", "level": "1"}, ["Warm-up 2"]),
        ({"solutions": "one"}, ["Warm-up 10"]),
        ({"solutions": "few"}, ["Warm-up 2"]),
        ({"solutions": "unknown", "sort": "title"}, ["Empty end", "Lamps"]),
        ({"size": "large"}, ["Warm-up 10"]),
        ({"least": "5", "most": "5", "kind": "goishi"}, ["Empty end"]),
        ({"author": "mori"}, ["Lamps"]),
        ({"tag": "no such"}, []),
        ({"q": "warm", "sort": "title"}, ["Warm-up 2", "Warm-up 10"]),
        ({"sort": "easy", "q": "warm"}, ["Warm-up 2", "Warm-up 10"]),
        ({"sort": "hard", "q": "warm"}, ["Warm-up 10", "Warm-up 2"]),
        ({"sort": "few", "q": "warm"}, ["Warm-up 10", "Warm-up 2"]),
        ({"sort": "small", "kind": "goishi"}, ["Warm-up 2", "Empty end", "Warm-up 10"]),
        ({"sort": "oldest", "q": "warm"}, ["Warm-up 2", "Warm-up 10"]),
        ({"kind": "chess", "level": "9", "least": "x", "q": "lamps"}, ["Lamps"]),
    ],
)
def test_searched_fields(teacher_client, shelf, wanted, found):
    assert titles(teacher_client, **wanted) == found


def test_an_answer_reaches_all_libraries_with_the_board(shelf, other_teacher, teacher, answered):
    position = shelf["Empty end"].position
    theirs = Puzzle.objects.create(
        owner=other_teacher, kind_slug="goishi", position=position, title="Theirs"
    )
    answered(ask_about(teacher, shelf["Empty end"], COUNT), 0)
    theirs.refresh_from_db()
    assert (theirs.solutions, theirs.is_counted) == ("0", True)
    later = Puzzle.objects.create(
        owner=other_teacher, kind_slug="goishi", position=position, title="Later"
    )
    assert (later.solutions, later.is_counted) == ("0", True)
    later.position = "oo"
    later.save()
    assert (later.solutions, later.rows, later.columns, later.stones) == ("", 1, 2, 2)


def test_a_number_of_any_size_is_kept(make, teacher, answered):
    large = make("Large")
    answered(ask_about(teacher, large, COUNT), str(10**40))
    large.refresh_from_db()
    assert large.known_count.value == 10**40
    assert large.solutions_order == 2**63 - 1


# Actions on many puzzles


def press(client, do: str, *puzzles: Puzzle, **others):
    return client.post(BULK, {"do": do, "puzzle": [p.pk for p in puzzles]} | others)


def test_tags(teacher_client, teacher, shelf):
    chosen = shelf["Warm-up 2"], shelf["Lamps"]
    answer = press(teacher_client, "tag", *chosen, tag="  May  1 ", query="q=warm&page=7&x=y")
    assert answer.url == f"{LIST}?q=warm"
    assert sorted(titles(teacher_client, tag="May 1")) == ["Lamps", "Warm-up 2"]
    assert titles(teacher_client, q="may 1", kind="goishi") == ["Warm-up 2"]
    press(teacher_client, "tag", *chosen, tag="May 1")
    press(teacher_client, "untag", shelf["Lamps"], tag="May 1")
    assert titles(teacher_client, tag="May 1") == ["Warm-up 2"]
    press(teacher_client, "untag", shelf["Warm-up 2"], tag="May 1")
    assert not Tag.objects.exists()


def test_there_are_only_so_many_tags(teacher_client, teacher, shelf, monkeypatch):
    monkeypatch.setattr("puzzleclass.puzzles.library.MAX_TAGS", 1)
    press(teacher_client, "tag", shelf["Lamps"], tag="one")
    press(teacher_client, "tag", shelf["Lamps"], tag="two")
    assert [tag.name for tag in Tag.objects.all()] == ["one"]


def test_copies_keep_what_is_known(teacher_client, shelf):
    # No job knows the level of a board of the ready-made collection.
    Puzzle.objects.filter(title="Lamps").update(level=3)
    press(teacher_client, "copy", shelf["Warm-up 2"], shelf["Lamps"])
    assert Puzzle.objects.get(title="Lamps 2").level == 3
    copied = Puzzle.objects.get(title="Warm-up 3")
    assert (copied.solutions, copied.level) == ("8", 1)
    assert Puzzle.objects.count() == 6


def test_a_deletion_of_many_can_be_undone_as_one(teacher_client, shelf, make_puzzle):
    sent = {"do": "delete", "all": "1", "query": "kind=goishi"}
    page = teacher_client.post(BULK, sent, follow=True).content.decode()
    assert "Deleted: 3" in page and ">Undo</button>" in page
    assert [puzzle.title for puzzle in Puzzle.objects.all()] == ["Lamps"]
    later = make_puzzle("goishi", "oo/oo", "Deleted afterwards")
    press(teacher_client, "delete", later)
    teacher_client.post(re.search(r"/bin/[0-9]+/", page)[0])
    assert set(Puzzle.objects.all()) == set(shelf.values())


def test_assigning_leads_to_a_new_assignment_with_the_selection(teacher_client, shelf, classroom):
    answer = teacher_client.post(BULK, {"give": str(classroom.pk), "puzzle": [shelf["Lamps"].pk]})
    assert answer.url == f"/classes/{classroom.pk}/assignments/new/?puzzle={shelf['Lamps'].pk}"


def test_only_the_first_selected_puzzles_are_added_and_it_is_reported(
    teacher_client, shelf, classroom, monkeypatch
):
    monkeypatch.setattr("puzzleclass.puzzles.views.MAX_ASSIGNED", 3)
    sent = {"give": str(classroom.pk), "all": "1"}
    page = teacher_client.post(BULK, sent, follow=True).content.decode()
    assert "Only the first 3 of the 4 selected puzzles were added." in page


def test_the_chosen_are_printed(teacher_client, shelf):
    answer = press(teacher_client, "print", shelf["Lamps"])
    assert answer.url == f"{reverse('puzzle_worksheet')}?id={shelf['Lamps'].pk}"


def test_choosing_nothing_is_reported(teacher_client, shelf):
    page = teacher_client.post(BULK, {"do": "copy"}, follow=True).content.decode()
    assert "Choose at least one puzzle." in page


def test_anothers_puzzles_are_out_of_reach(other_client, shelf):
    for key in (str(shelf["Lamps"].pk), "x", "9" * 30):
        other_client.post(BULK, {"do": "delete", "puzzle": [key]})
    other_client.post(BULK, {"do": "delete", "all": "1"})
    assert Puzzle.objects.count() == 4


# The ready-made collection


def test_a_level_is_taken_once_with_what_is_known(teacher_client, django_assert_max_num_queries):
    start = teacher_client.get(reverse("collection_start"))
    page = reverse("collection", args=["goishi", 2])
    assert start.status_code == 302
    with django_assert_max_num_queries(7):
        entries = teacher_client.get(page).context["entries"]
    teacher_client.post(page, {"boards": [entries[0][0].position]})
    taken = Puzzle.objects.get()
    assert (taken.title, taken.solutions, taken.is_counted) == ("Goishi Hiroi 2-1", "1", True)
    assert taken.level
    for _ in range(2):
        teacher_client.post(page)
    assert Puzzle.objects.count() == len(entries)
    assert all(is_known for _, is_known in teacher_client.get(page).context["entries"])


def test_a_level_is_assigned_at_once(teacher_client, classroom):
    page = reverse("collection", args=["kikazu", 1])
    answer = teacher_client.post(page, {"give": classroom.pk})
    keys = Puzzle.every.order_by("pk").values_list("pk", flat=True)
    assert answer.url.endswith("?" + "&".join(f"puzzle={key}" for key in keys))


@pytest.mark.parametrize("place", ["goishi/99", "goishi/0", "chess/1"])
def test_a_missing_level(teacher_client, place):
    assert teacher_client.get(f"/puzzles/collection/{place}/").status_code == 404


# Ten thousand puzzles


@pytest.mark.thorough
def test_ten_thousand_puzzles_stay_quick(teacher_client, other_client, teacher, other_teacher):
    def fill(owner, number: int) -> None:
        puzzles = [
            Puzzle(owner=owner, kind_slug="goishi", position="o" * (n % 15 + 1), title=f"No. {n}")
            for n in range(30)
        ]
        for puzzle in puzzles:
            puzzle.fill_columns()
        rows = []
        for n in range(number):
            row = puzzles[n % 30]
            row = Puzzle(**{f.attname: getattr(row, f.attname) for f in Puzzle._meta.fields})
            row.title, row.level = f"No. {n}", n % 5
            rows.append(row)
        Puzzle.objects.bulk_create(rows, batch_size=500)

    def ask(client, url, wanted) -> tuple[int, float]:
        client.get(url, wanted)
        with CaptureQueriesContext(connection) as seen:
            client.get(url, wanted)
        queries = len(seen)
        times = []
        for _ in range(3):
            begun = process_time()
            client.get(url, wanted)
            times.append(process_time() - begun)
        return queries, min(times)

    fill(other_teacher, 100)
    fill(teacher, 10_000)
    for url, wanted in (
        (LIST, {}),
        (LIST, {"q": "no"}),
        (LIST, {"level": "3", "sort": "title"}),
        (LIST, {"sort": "few", "page": "400"}),
        ("/search/", {"q": "no"}),
        ("/search/", {"q": "is in no title"}),
    ):
        (few, small), (many, large) = (
            ask(other_client, url, wanted),
            ask(teacher_client, url, wanted),
        )
        assert 0 < few == many <= 11
        # A hundred times as many puzzles take at most four times as long.
        assert large < 4 * small + 0.02, (wanted, small, large)
