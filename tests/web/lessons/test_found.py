"""What a class has found at a board: the views of its page, the proposed order, and the slides."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Slide
from puzzleclass.lessons.slides import compared, picture_of
from puzzleclass.play.models import RefusedMove
from puzzleclass.play.restarts import restart
from tests.presses import Reader

HTMX = {"HX-Request": "true"}


@pytest.fixture
def prepare(teacher_client, assigned):
    """Return a function that presses a button of the page in a view, and returns the page after
    it."""

    def prepare(do: str = "", view: str = "groups", **fields: object):
        query = {"view": view, "total": "1", "missing": "1"}
        url = reverse("found", args=[assigned.pk], query=query)
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
    url = reverse("found", args=[assigned.pk])
    groups = teacher_client.get(url, {"view": "groups", "by": "first"}).context["grouped"]
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
    page = prepare(view="mistakes")
    keys = [each.key for _title, offers in page.context["offers"] for each, _picture in offers]
    keys += [each.key for *_group, each in prepare(view="solutions").context["groups"]]
    for key in (*keys, keys[0]):
        prepare("keep", tick=key)
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
    assert prepare("keep", tick="solution-1").status_code == 200
    assert prepare("dance").status_code == 400
    assert not Slide.objects.exists()


def test_a_board_has_a_bounded_number_of_slides(prepare, worked, assigned):
    made = [Slide(puzzle=assigned, sort="solution", rank=n) for n in range(Slide.MAX_COUNT)]
    Slide.objects.bulk_create(made)
    assert "at most 30 slides" in prepare("propose").content.decode()
    assert Slide.objects.count() == Slide.MAX_COUNT


def rings(picture) -> list[tuple[float, float]]:
    return [
        (shape.x, shape.y) for shape in picture.shapes if getattr(shape, "style", "") == "changed"
    ]


def test_two_slides_side_by_side_show_where_they_part(assigned, lines):
    slides = [
        Slide(puzzle=assigned, sort="solution", line=line)
        for line in (lines.solution, lines.other_solution)
    ]
    *pictures, at = compared(*slides)
    one, other = lines.solution.split(), lines.other_solution.split()
    assert at == next(n for n, (a, b) in enumerate(zip(one, other), 1) if a != b)
    assert [len(rings(each)) for each in pictures] == [1, 1]


def test_side_by_side_a_mistake_is_not_marked_besides_the_difference(assigned, lines):
    first = lines.solution.split()[0]
    mistake = Slide(puzzle=assigned, sort="mistake", line=first, move="4,2")
    other = Slide(puzzle=assigned, sort="solution", line=lines.other_solution)
    beside = compared(mistake, other)[0]
    styles = [
        [getattr(shape, "style", "") for shape in each.shapes]
        for each in (picture_of(mistake), beside)
    ]
    assert "fault" in styles[0] and "fault" not in styles[1]
    assert styles[1].count("changed") == 1


def test_boards_of_a_placement_show_only_the_cells_that_differ(classroom, assign, make_puzzle):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/3/3 2P")).puzzles.get()
    slides = [
        Slide(puzzle=puzzle, sort="solution", line=line) for line in ("P 1,1 P 1,3", "P 1,1 P 3,3")
    ]
    one, other, at = compared(*slides)
    assert rings(one) == rings(other) == [(100, 20), (100, 100)]
    assert at is None


def test_beside_a_placement_the_wrong_move_is_on_the_board(classroom, assign, make_puzzle):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/3/3 2P")).puzzles.get()
    mistake = Slide(puzzle=puzzle, sort="mistake", line="P 2,1", move="P 1,1")
    board = compared(mistake, Slide(puzzle=puzzle, sort="solution", line="P 2,1 P 3,3"))[0]
    assert board.text.split("\n")[0].startswith("P")
    assert rings(board) == [(20, 20), (100, 100)]


def test_slides_of_students_who_left_are_not_shown(prepare, worked, classroom, classmate):
    prepare("propose")
    classroom.enrolments.get(student=classmate).delete()
    assert {slide.student for slide, *_ in prepare().context["slides"]} == {None}


def test_the_discussion_is_two_presses_from_the_home_page(teacher_client, worked, assignment):
    reader = Reader(teacher_client).press(assignment.title).press("What we found")
    assert reader.presses == 2
    assert reader.url.endswith("/found/")


def test_what_the_class_finds_meanwhile_appears(
    teacher_client, prepare, worked, assigned, classmate, tried, lines
):
    urls = {}
    for view in ("solutions", "map", "mistakes"):
        have = prepare(view=view).context["version"]
        query = {"view": view, "total": "1", "missing": "1", "have": have}
        urls[view] = reverse("found", args=[assigned.pk], query=query)
        assert teacher_client.get(urls[view], headers=HTMX).status_code == 204
    tried(classmate, assigned, "undo", "2,1")
    for view, url in urls.items():
        status = teacher_client.get(url, headers=HTMX).status_code
        assert status == (204 if view == "solutions" else 200), view


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


# The views


def test_missing_solutions_and_the_total_are_hidden_until_they_are_asked_for(
    teacher_client, prepare, worked, assigned, done
):
    for question in ("count", "list", "groups"):
        prepare(question)
    for job in Job.objects.all():
        done(job)
    url = reverse("found", args=[assigned.pk])
    page = teacher_client.get(url).context["body"]
    assert "1 of 5" not in page and "？" not in page and "Nobody has found it" not in page
    page = teacher_client.get(url, {"total": "1"}).context["body"]
    assert "1 of 5" in page and page.count("？</li>") == 4
    page = teacher_client.get(url, {"missing": "1"}).context["body"]
    assert "1 of 5" not in page and page.count("Nobody has found it") == 4
    for view, hidden in (
        ("tree", "1 of 5"),
        ("tree", "？</text>"),
        ("groups", "Solutions:"),
        ("groups", "Nobody has found it"),
    ):
        assert hidden not in teacher_client.get(url, {"view": view}).context["body"]


def test_a_solution_is_titled_by_what_distinguishes_it(
    teacher_client, worked, assigned, classmate, tried, lines
):
    url = reverse("found", args=[assigned.pk])
    [(_group, titles, _key)] = teacher_client.get(url).context["groups"]
    assert titles == []
    tried(classmate, assigned, " ".join(lines.other_solution.split()[1:]))
    groups = teacher_client.get(url).context["groups"]
    if len(groups) > 1:
        assert len({tuple(map(str, titles)) for _group, titles, _key in groups}) == len(groups)


def test_what_is_chosen_goes_to_the_projector(prepare, worked, teacher_client, assigned):
    keys = [each.key for *_group, each in prepare(view="solutions").context["groups"]]
    prepare("show", view="solutions", tick=keys)
    assert Pace.objects.get().shown == f"slide {Slide.objects.get().pk}"
    prepare("propose")
    first, second = Slide.objects.values_list("pk", flat=True)[:2]
    prepare("show", ticked=[first, second])
    assert Pace.objects.get().shown == f"slides {first} {second}"
    prepare(f"slide:{second}")
    assert Pace.objects.get().shown == f"slide {second}"
    for view in ("solutions", "groups", "tree", "map"):
        prepare("show", view=view)
        assert Pace.objects.get().shown == f"{view} {assigned.pk} missing total"
        assert "scene" in teacher_client.get("/screen/now/", headers=HTMX).content.decode()


def test_a_move_of_the_map_becomes_a_slide(prepare, worked):
    moves = [shown for _move, shown in prepare(view="map").context["moves"]]
    prepare("keep", view="map", tick=moves[0].key)
    assert Slide.objects.get().line == moves[0].line


@pytest.mark.parametrize(
    ("old", "view"),
    [
        ("solutions", "solutions"),
        ("hunt", "solutions"),
        ("map", "map"),
        ("cases", "tree"),
        ("discussion", "groups"),
        ("discussion/prepare", "groups"),
    ],
)
def test_old_addresses_lead_to_the_view(old, view, teacher_client, other_client, assigned):
    url = f"/assigned/{assigned.pk}/{old}/"
    page = teacher_client.get(url, {"line": "1,1"})
    assert page.status_code == 302 and f"view={view}" in page.url and "line=1%2C1" in page.url
    assert teacher_client.get(page.url).context["view"] == view
    assert other_client.get(url).status_code == 404


# A student's page


def test_a_student_sees_own_solutions_only(student_client, client_of, worked, assigned, classmate):
    url = reverse("own_found", args=[assigned.pk])
    mine = student_client.get(url)
    assert [is_own for _solution, is_own in mine.context["shown"]] == [True]
    assert "class has found" not in mine.content.decode()
    assert client_of(classmate).get(url).context["shown"] == []


def test_a_class_that_looks_together_sees_its_hunt_live(
    student_client, client_of, worked, assigned, classmate, student, tried, lines
):
    Assignment.objects.update(wanted=Assignment.TOGETHER)
    url = reverse("own_found", args=[assigned.pk])
    theirs = client_of(classmate)
    # Nobody is shown a solution before having found one.
    page = theirs.get(url)
    assert page.context["by_class"] == 1 and page.context["shown"] == []
    have = {"have": page.context["version"]}
    assert theirs.get(url, have, headers=HTMX).status_code == 204
    restart(student.attempts.get())
    tried(student, assigned, lines.other_solution)
    assert theirs.get(url, have, headers=HTMX).status_code == 200
    tried(classmate, assigned, "2,1 2,2 4,2 4,1")
    assert len(theirs.get(url).context["shown"]) == 2
