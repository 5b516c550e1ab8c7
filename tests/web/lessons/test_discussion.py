"""The discussion of a board: its groups of solutions, the proposed order, and the slides."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Slide
from puzzleclass.play.models import RefusedMove
from tests.presses import Reader

HTMX = {"HX-Request": "true"}


@pytest.fixture
def prepare(teacher_client, assigned):
    """Return a function that presses a button of the preparation, and returns the page after it."""

    def prepare(do: str = "", **fields: object):
        url = reverse("discussion_prepare", args=[assigned.pk])
        if not do:
            return teacher_client.get(url)
        return teacher_client.post(url, {"do": do, **fields}, follow=True)

    return prepare


@pytest.fixture
def grouped(prepare):
    """Group all solutions of the assigned puzzle, as the worker does."""
    prepare("groups")
    job = Job.objects.get(question="groups")
    runner.run(job.pk)
    job.refresh_from_db()
    return job.result


@pytest.fixture
def worked(assigned, student, classmate, tried, lines):
    """A class at work: one has found a solution, the other has not and broke a rule."""
    tried(student, assigned, lines.solution)
    tried(classmate, assigned, lines.solution.split()[0])
    RefusedMove.objects.create(
        student=classmate,
        puzzle=assigned,
        line=lines.solution.split()[0],
        move="9,9",
        reason={"text": "You may not turn straight back.", "values": {}},
    )


def test_groups_are_asked_for_and_say_what_the_class_has_found(prepare, worked, grouped):
    page = prepare()
    groups = page.context["grouped"]
    assert groups.answer.value == 5 and groups.answer.proven
    assert sum(group.group.size for group in groups.groups) == 5
    found = [group for group in groups.groups if group.solutions]
    assert [finder.name for group in found for finder in group.finders] == ["Abe Haruto"]
    text = page.content.decode()
    assert "Nobody has found it" in text and "Abe Haruto" in text


def test_the_first_grouping_shown_puts_solutions_together(prepare, worked, grouped):
    shown = prepare().context["grouped"]
    assert shown.number < shown.answer.value
    apart = [name for name, each in grouped.groupings.items() if each.number == grouped.value]
    assert apart and shown.name not in apart


def test_groups_by_the_first_move_are_exact(prepare, worked, grouped, teacher_client, assigned):
    url = reverse("discussion_prepare", args=[assigned.pk])
    groups = teacher_client.get(url, {"by": "first"}).context["grouped"]
    assert groups.name == "first"
    sizes = {group.group.key: group.group.size for group in groups.groups}
    lines = [group.group.line for group in groups.groups]
    assert sum(sizes.values()) == 5
    assert all(line.split()[0] in sizes for line in lines)


def test_the_order_goes_from_the_mistake_to_the_general_approach(prepare, worked, grouped):
    proposed = [each.role.text for each, _picture in prepare().context["proposed"]]
    assert proposed[:3] == [
        "A frequent misunderstanding",
        "A partial approach",
        "A general approach",
    ]
    prepare("propose")
    sorts = list(Slide.objects.values_list("sort", flat=True))
    assert sorts[:3] == ["mistake", "attempt", "solution"]
    assert prepare().context["proposed"] == []


def test_slides_are_added_moved_noted_and_removed(prepare, worked):
    page = prepare()
    keys = [each.key for _title, offers in page.context["offers"] for each, _picture in offers]
    for key in (*keys, keys[0]):
        prepare(f"add:{key}")
    slides = list(Slide.objects.all())
    assert len(slides) == len(keys) == 3
    first, second, third = (slide.pk for slide in slides)
    notes = {f"note-{first}": "", f"note-{second}": " Why  here? ", f"note-{third}": ""}
    prepare("save", slide=[third, first, second], **notes)
    assert list(Slide.objects.values_list("pk", flat=True)) == [third, first, second]
    assert Slide.objects.get(pk=second).note == "Why here?"
    prepare(f"up:{second}")
    assert list(Slide.objects.values_list("pk", flat=True)) == [third, second, first]
    prepare(f"down:{third}")
    assert list(Slide.objects.values_list("pk", flat=True)) == [second, third, first]
    prepare(f"remove:{third}")
    assert list(Slide.objects.values_list("pk", flat=True)) == [second, first]


def test_only_what_the_page_offers_becomes_a_slide(prepare, worked):
    assert prepare("add:solution-1").status_code == 400
    assert not Slide.objects.exists()


def test_a_board_has_a_bounded_number_of_slides(prepare, worked, assigned):
    made = [Slide(puzzle=assigned, sort="solution", rank=n) for n in range(Slide.MAX_COUNT)]
    Slide.objects.bulk_create(made)
    assert "at most 30 slides" in prepare("propose").content.decode()
    assert Slide.objects.count() == Slide.MAX_COUNT


def test_the_discussion_starts_with_the_proposed_order_until_slides_are_chosen(
    teacher_client, prepare, worked, assigned
):
    page = teacher_client.get(reverse("slides", args=[assigned.pk]))
    assert page.context["is_proposed"] and not Slide.objects.exists()
    assert page.context["slide"].sort == "mistake"
    prepare("propose")
    page = teacher_client.get(reverse("slides", args=[assigned.pk]))
    assert not page.context["is_proposed"]
    # The class sees no names.
    text = page.content.decode()
    assert "Ito Yui" not in text and "Abe Haruto" not in text


def test_every_slide_leads_to_its_neighbours(teacher_client, prepare, worked, assigned):
    prepare("propose")
    url, number = reverse("slides", args=[assigned.pk]), Slide.objects.count()
    for at in range(1, number + 1):
        text = teacher_client.get(url, {"slide": at}, headers=HTMX).content.decode()
        assert (f'href="?slide={at + 1}"' in text) == (at < number)
        assert (f'href="?slide={at - 1}"' in text) == (at > 1)
    assert teacher_client.get(url, {"slide": "99"}).context["number"] == 1


def test_two_slides_side_by_side_show_where_they_part(teacher_client, assigned, lines):
    for line in (lines.solution, lines.other_solution):
        Slide.objects.create(puzzle=assigned, sort="solution", line=line)
    page = teacher_client.get(reverse("slides", args=[assigned.pk]), {"slide": "1", "beside": "2"})
    one, other = lines.solution.split(), lines.other_solution.split()
    parted = next(n for n, (mine, theirs) in enumerate(zip(one, other), 1) if mine != theirs)
    assert page.context["parted"] == parted
    rings = [
        sum(getattr(shape, "style", "") == "changed" for shape in page.context[name].shapes)
        for name in ("picture", "other_picture")
    ]
    assert rings == [1, 1]
    assert f"from move {parted} on" in page.content.decode()


def test_side_by_side_a_mistake_is_not_marked_besides_the_difference(
    teacher_client, assigned, lines
):
    first = lines.solution.split()[0]
    Slide.objects.create(puzzle=assigned, sort="mistake", line=first, move="4,2")
    Slide.objects.create(puzzle=assigned, sort="solution", line=lines.other_solution)
    url = reverse("slides", args=[assigned.pk])
    alone = teacher_client.get(url, {"slide": "1"}).context["picture"]
    beside = teacher_client.get(url, {"slide": "1", "beside": "2"}).context["picture"]
    styles = [[getattr(shape, "style", "") for shape in each.shapes] for each in (alone, beside)]
    assert "fault" in styles[0] and "fault" not in styles[1]
    assert styles[1].count("changed") == 1


def test_boards_of_a_placement_show_only_the_cells_that_differ(
    teacher_client, classroom, assign, make_puzzle
):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/3/3 2P")).puzzles.get()
    for line in ("P 1,1 P 1,3", "P 1,1 P 3,3"):
        Slide.objects.create(puzzle=puzzle, sort="solution", line=line)
    url = reverse("slides", args=[puzzle.pk])
    page = teacher_client.get(url, {"slide": "1", "beside": "2"})
    rings = [
        [
            (shape.x, shape.y)
            for shape in page.context[name].shapes
            if getattr(shape, "style", "") == "changed"
        ]
        for name in ("picture", "other_picture")
    ]
    assert rings == [[(100, 20), (100, 100)]] * 2
    assert page.context["parted"] is None


def test_slides_of_students_who_left_are_not_shown(prepare, worked, classroom, classmate):
    prepare("propose")
    classroom.enrolments.get(student=classmate).delete()
    assert {slide.student for slide, *_ in prepare().context["slides"]} == {None}


def test_the_discussion_is_two_presses_from_the_home_page(teacher_client, worked, assignment):
    reader = Reader(teacher_client).press(assignment.title).press("Discussion")
    assert reader.presses == 2
    assert reader.response.templates[0].name == "lessons/slides.html"


def test_what_the_class_finds_meanwhile_appears(
    teacher_client, prepare, worked, assigned, classmate, tried, lines
):
    url = reverse("discussion_prepare", args=[assigned.pk])
    have = prepare().context["version"]
    assert teacher_client.get(url, {"have": have}, headers=HTMX).status_code == 204
    tried(classmate, assigned, " ".join(lines.solution.split()[1:]))
    assert teacher_client.get(url, {"have": have}, headers=HTMX).status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_class(
    prepare, worked, assigned, classroom, tried, lines
):
    prepare("propose")
    with CaptureQueriesContext(connection) as few:
        prepare()
    for number in range(6):
        student = User.objects.create_student(f"Student {number}", "1234")
        classroom.enrolments.create(student=student, number=20 + number)
        tried(student, assigned, lines.other_solution if number % 2 else lines.solution.split()[0])
    with CaptureQueriesContext(connection) as many:
        prepare()
    assert len(many) <= len(few)


def test_beside_a_placement_the_wrong_move_is_on_the_board(
    teacher_client, classroom, assign, make_puzzle
):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/3/3 2P")).puzzles.get()
    Slide.objects.create(puzzle=puzzle, sort="mistake", line="P 2,1", move="P 1,1")
    Slide.objects.create(puzzle=puzzle, sort="solution", line="P 2,1 P 3,3")
    url = reverse("slides", args=[puzzle.pk])
    page = teacher_client.get(url, {"slide": "1", "beside": "2"})
    assert page.context["picture"].text.split("\n")[0].startswith("P")
    rings = [
        (shape.x, shape.y)
        for shape in page.context["picture"].shapes
        if getattr(shape, "style", "") == "changed"
    ]
    assert rings == [(20, 20), (100, 100)]
