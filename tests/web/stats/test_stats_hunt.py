"""The class hunt: how many of all solutions were found, with mirror images, and finders by
nickname."""

import re

import pytest
from django.urls import reverse

from puzzleclass.play.nicknames import nickname
from puzzleclass.play.restarts import restart
from puzzleclass.stats.class_results import hunt_at, images_of
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}


def all_solutions(kind, position) -> list[str]:
    """Return the lines of all solutions, found by playing everything."""
    if kind.judge(position).solved:
        return [kind.write_line(position)]
    after = (kind.play(position, move) for move in kind.moves(position))
    return [line for position in after for line in all_solutions(kind, position)]


@pytest.mark.parametrize("start", ["ooo/o.o/ooo", "oo/oo", "o./oo/../oo", "o.oo/oo.."])
def test_images_part_all_solutions_into_whole_groups(start):
    kind = get_kind("goishi")
    lines = set(all_solutions(kind, kind.read(start)))
    groups = {images_of("goishi", start, line) for line in lines}
    assert set().union(*groups) == lines
    assert sum(map(len, groups)) == len(lines)


@pytest.mark.parametrize("line", ["R 1,1", "R 1,2 R1,2> 1,1", "R 2,2 - 2,2 R 1,1"])
def test_the_images_of_a_solution_do_not_depend_on_how_it_was_reached(line):
    corners = {"R2/3/3 -", "2R/3/3 -", "3/3/R2 -", "3/3/2R -"}
    assert images_of("kikazu", "3/3/3 R", line) == corners


def test_a_solution_has_no_image_that_leaves_given_pieces_where_they_are():
    assert images_of("kikazu", "3/3/1P1 G", "G 1,1") == {"G2/3/1P1 -", "2G/3/1P1 -"}
    # The gold in the other corner solves this board too, but there the pawn is not mirrored.
    assert images_of("kikazu", "1P2/4/4 G", "G 3,4") == {"1P2/4/3G -"}
    assert images_of("kikazu", "1P2/4/4 G", "G 3,1") == {"1P2/4/G3 -"}


@pytest.fixture
def square(classroom, assign, make_puzzle):
    """Return an assigned board of four stones: its eight solutions are all images of one."""
    puzzle = make_puzzle("goishi", "oo/oo", "Four")
    return assign(classroom, puzzle).puzzles.get()


def test_images_stand_together_and_the_latest_first(square, student, classmate, tried, counted):
    counted(square, 8)
    restart(tried(student, square, "1,1 1,2 2,2 2,1"))
    tried(student, square, "1,1 2,1 2,2 1,2")
    tried(classmate, square, "1,1 2,1 2,2 1,2")
    hunt = hunt_at(square)
    assert (hunt.found, hunt.count.value, hunt.is_over) == (2, 8, False)
    (group,) = hunt.groups
    assert (len(group.solutions), group.size) == (2, 8)


def test_the_page(client_of, teacher, square, student, tried, counted):
    url = f"/assigned/{square.pk}/found/?total=1"
    client = client_of(teacher)
    assert "Nobody has solved it yet." in client.get(url[:-8]).content.decode()
    counted(square, 8)
    tried(student, square, "1,1 1,2 2,2 2,1")
    page = client.get(url).content.decode()
    assert "1 of 8" in page and student.name in page
    assert student.name not in client.get(f"{url}&names=none").content.decode()
    have = re.search(r"have=(\w+)", page).group(1)
    assert client.get(f"{url}&have={have}", headers=HTMX).status_code == 204
    restart(tried(student, square))
    tried(student, square, "2,1 1,1 1,2 2,2")
    answer = client.get(f"{url}&have={have}", headers=HTMX).content.decode()
    assert "2 of 8" in answer and "<html" not in answer
    assert "2 / 8" in client_of(teacher, "ja").get(url).content.decode()


def test_the_projector_names_finders_by_nicknames_at_most(
    teacher_client, square, student, tried, counted
):
    counted(square, 8)
    tried(student, square, "1,1 1,2 2,2 2,1")
    lead = reverse("lead", args=[square.assignment_id])
    for flags, shown, hidden in (
        ("", "Found: 1", nickname(student.pk)),
        (" names", nickname(student.pk), "of 8"),
        (" total", "1 of 8", nickname(student.pk)),
    ):
        teacher_client.post(lead, {"do": f"show:solutions {square.pk}{flags}"})
        page = teacher_client.get("/screen/now/", headers=HTMX).content.decode()
        assert shown in page and hidden not in page and student.name not in page


def test_the_student_knows_the_own_nickname(student_client, student, square, tried):
    assert nickname(student.pk) not in student_client.get(f"/play/{square.pk}/").content.decode()
    tried(student, square, "1,1 1,2 2,2 2,1")
    assert nickname(student.pk) in student_client.get(f"/play/{square.pk}/").content.decode()


def test_the_record_of_a_kind_with_a_score(teacher_client, classroom, assign, tried, make_puzzle):
    puzzle = make_puzzle("maxstrings", ".../.../... 4", "Go")
    board = assign(classroom, puzzle).puzzles.get()
    tried(classroom.students.first(), board, "o 1,2", "o 2,1")
    page = teacher_client.get(f"/assigned/{board.pk}/found/").content.decode()
    card = page.partition("The class's record")[2].partition("</dl>")[0]
    assert re.findall(r"<dd>\s*(\d+)", card)[::2] == ["2", "6"]
