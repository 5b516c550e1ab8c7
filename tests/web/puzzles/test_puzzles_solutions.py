"""The list of all solutions: each of them in the player, and two of them side by side."""

import re

import pytest
from django.urls import reverse

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles import player
from puzzleclass.puzzles.answers import COUNT, ask_about
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import ALL_SOLUTIONS, first_difference
from solvers.kind import split_moves
from solvers.registry import get_kind

HTMX = {"hx-request": "true"}


@pytest.fixture
def address(puzzle) -> str:
    return reverse("puzzle_solutions", args=[puzzle.pk])


@pytest.fixture
def listed(teacher, puzzle, done) -> Job:
    return done(ask_about(teacher, puzzle, "solutions", ALL_SOLUTIONS))


def test_the_puzzles_page_leads_there(teacher_client, teacher, puzzle, address, done):
    done(ask_about(teacher, puzzle, COUNT))
    page = teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    assert address in page


@pytest.mark.parametrize(("value", "proven"), [("1", True), ("10001", True), ("9", False)])
def test_one_solution_or_too_many_or_an_unknown_number_is_no_list(
    teacher_client, teacher, puzzle, address, answered, value, proven
):
    answered(ask_about(teacher, puzzle, COUNT), value, proven=proven)
    page = teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    assert address not in page


@pytest.mark.parametrize(
    ("language", "words"), [("en", "List the solutions"), ("ja", "解き方を書き出す")]
)
def test_the_list_is_made_on_demand(client_of, teacher, address, language, words):
    client = client_of(teacher, language)
    assert words in client.get(address).content.decode()
    assert not Job.objects.exists()
    assert client.post(address).url == address
    fragment = client.post(address, headers=HTMX).content.decode()
    assert "job-card" in fragment and "<html" not in fragment
    assert Job.objects.get().question == "solutions"


def test_the_next_solution_to_show(teacher_client, address, listed):
    for number in (1, 5):
        page = teacher_client.get(f"{address}{number}/").content.decode()
        assert (f'href="{address}{number + 1}/#present"' in page) == (number < 5)


def test_all_are_listed(teacher_client, puzzle, address, listed, order_on):
    answer = teacher_client.get(address)
    lines = listed.result.solutions
    assert len(set(lines)) == 5
    for line, entry in zip(lines, answer.context["entries"], strict=True):
        end = puzzle.kind.play_line(puzzle.start, line)
        assert puzzle.kind.judge(end).solved
        assert order_on(entry.picture) == line
    page = answer.content.decode()
    assert page.count('<span class="thumb">') == 5
    assert "Solutions: 5" in page
    assert "Move 0 of 5" in page


def test_the_list_goes_on_on_the_next_page(teacher_client, address, listed, monkeypatch):
    monkeypatch.setattr(player, "A_PAGE", 2)
    page = teacher_client.get(address, {"page": 2}).content.decode()
    assert re.findall(r'class="solution-number">(\d+)', page) == ["3", "4"]
    assert "Page 2 of 3" in page
    # A solution is shown on the page that lists it.
    page = teacher_client.get(f"{address}5/").content.decode()
    assert re.findall(r'class="solution-number">(\d+)', page) == ["5"]


@pytest.mark.parametrize("page", ["0", "two", "999", "\0"])
def test_any_page_is_answered(teacher_client, address, listed, page):
    assert teacher_client.get(address, {"page": page}).status_code == 200


def test_each_in_the_player(teacher_client, address, listed):
    fragment = teacher_client.get(f"{address}3/", {"step": 2}, headers=HTMX).content.decode()
    assert "Move 2 of 5" in fragment and "thumb" not in fragment
    row, column = listed.result.solutions[2].split()[1].split(",")
    assert f"row {row}, column {column}" in fragment
    assert f"{address}3/?step=3" in fragment


@pytest.mark.parametrize(
    ("language", "words"), [("en", "They differ from here"), ("ja", "ここで分かれます")]
)
def test_two_side_by_side(client_of, teacher, address, listed, language, words):
    client = client_of(teacher, language)
    one, other = (line.split() for line in listed.result.solutions[:2])
    differs = first_difference(one, other)
    page = client.get(f"{address}1/2/").content.decode()
    assert words in page
    marked = re.findall(r"<mark>([^<]*)", page)
    assert marked == [one[differs - 1], other[differs - 1]]
    earlier = client.get(f"{address}1/2/", {"step": differs - 1}, headers=HTMX).content.decode()
    assert words not in earlier
    assert earlier.count("<svg") >= 2 and "thumb" not in earlier
    assert f"{address}1/2/?step={differs}" in earlier


@pytest.mark.parametrize("wrong", ["0/", "6/", "1/0/", "1/6/", "6/1/"])
def test_a_missing_number(teacher_client, address, listed, wrong):
    assert teacher_client.get(address + wrong).status_code == 404


def test_no_solution(teacher_client, teacher, puzzle, address, done):
    puzzle.position = ".o./ooo/.o."
    puzzle.save()
    done(ask_about(teacher, puzzle, "solutions", ALL_SOLUTIONS))
    assert "This puzzle has no solution." in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("one", "other", "step"),
    [("ab", "ac", 2), ("ab", "ab", None), ("ab", "abc", 3), ("ba", "ab", 1), ("", "", None)],
)
def test_where_two_lines_part(one, other, step):
    assert first_difference(one, other) == step


# Kinds whose solution is the board at its end


@pytest.fixture
def boards(teacher, done, make_puzzle) -> Puzzle:
    """Create a placement puzzle and list its solutions."""
    puzzle = make_puzzle("kikazu", "4/4/4/4 RBKGSNLP", "Eight")
    done(ask_about(teacher, puzzle, "solutions", ALL_SOLUTIONS))
    return puzzle


def test_boards_are_listed_as_pictures(teacher_client, boards, monkeypatch):
    monkeypatch.setattr(player, "A_PAGE", 4)
    address = reverse("puzzle_solutions", args=[boards.pk])
    page = teacher_client.get(f"{address}5/")
    text = page.content.decode()
    assert re.findall(r'class="solution-number">(\d+)', text) == ["5", "6"]
    # The player shows the board after its last move.
    assert "Move 8 of 8" in text
    entry = page.context["entries"][1]
    listed = [set(split_moves(text)) for text in Job.objects.get().result.solutions]
    assert len(listed) == 6
    assert entry.differs == len(listed[5] - listed[4])


@pytest.mark.parametrize(
    ("slug", "position", "many"), [("tonari", "Bw/wb", 2), ("maxstrings", "2x2", 6)]
)
def test_other_kinds_list_theirs_as_pictures(
    teacher_client, teacher, done, order_on, slug, position, many, make_puzzle
):
    puzzle = make_puzzle(slug, get_kind(slug).write(get_kind(slug).read(position)))
    address = reverse("puzzle_solutions", args=[puzzle.pk])
    done(ask_about(teacher, puzzle, COUNT))
    assert address in teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    job = done(ask_about(teacher, puzzle, "solutions", ALL_SOLUTIONS))
    answer = teacher_client.get(address)
    assert answer.content.decode().count('<span class="thumb">') == many
    orders = [order_on(entry.picture) for entry in answer.context["entries"]]
    in_order = slug == "tonari"
    assert orders == (list(job.result.solutions) if in_order else [""] * many)
    assert teacher_client.get(f"{address}1/2/").status_code == 200


def test_two_boards_side_by_side_have_their_differences_marked(teacher_client, boards):
    address = reverse("puzzle_solutions", args=[boards.pk])
    page = teacher_client.get(f"{address}1/4/")
    one, other = (set(split_moves(Job.objects.get().result.solutions[number])) for number in (0, 3))
    marked = re.findall(r"<mark>([^<]*)", page.content.decode())
    assert set(marked) == one ^ other
    assert f"Different: {len(one - other)}" in page.content.decode()
    for side, own in zip(page.context["sides"], (one - other, other - one)):
        rings = [
            ring for ring in side.player.picture.shapes if getattr(ring, "style", "") == "changed"
        ]
        assert len(rings) == len(own)
    start = teacher_client.get(f"{address}1/4/", {"step": 0}, headers=HTMX)
    assert 'class="changed"' not in start.content.decode()


def test_a_kind_without_a_question_does_not_offer_it(teacher_client, puzzle, address, monkeypatch):
    page, offers = reverse("puzzle", args=[puzzle.pk]), reverse("puzzle_count", args=[puzzle.pk])
    for question in ("solutions", "rate"):
        monkeypatch.delitem(puzzle.kind.questions, question)
    assert teacher_client.get(address).status_code == 404
    assert teacher_client.post(address).status_code == 404
    assert teacher_client.post(offers).status_code in (200, 302)
    assert list(Job.objects.values_list("question", flat=True)) == ["count"]
    shown = teacher_client.get(page)
    assert shown.status_code == 200 and "can_rate" not in shown.context
