"""The solutions that the class has found together, and the moves at which its attempts fail."""

import pytest

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.play.restarts import restart

HTMX = {"HX-Request": "true"}


@pytest.fixture
def here(assigned) -> str:
    return f"/assigned/{assigned.pk}/"


@pytest.fixture
def found(here) -> str:
    return f"{here}found/?total=1"


@pytest.fixture
def mistakes(here) -> str:
    return f"{here}found/?view=mistakes"


@pytest.fixture
def solutions(here) -> str:
    return f"{here}solutions/"


# Solutions found together


def test_solutions_are_listed_once_with_their_first_finder(
    teacher_client, found, assigned, student, classmate, counted, lines, tried
):
    tried(classmate, assigned, lines.solution)
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.other_solution)
    counted(assigned, 5)
    answer = teacher_client.get(found)
    page = [each for group in answer.context["page"] for each in group.solutions]
    listed = [(s.number, s.line, [person.name for person in s.finders]) for s in page]
    assert sorted(listed) == [
        (1, lines.solution, ["Ito Yui", "Abe Haruto"]),
        (2, lines.other_solution, ["Abe Haruto"]),
    ]
    page = answer.content.decode()
    assert "2 of 5" in page
    names = page.partition("Solution 1</b>")[2].partition("</li>")[0]
    assert names.index("Ito Yui") < names.index("Abe Haruto")


def test_in_japanese(client_of, teacher, found, assigned, student, counted, lines, tried):
    tried(student, assigned, lines.solution)
    counted(assigned, 1)
    page = client_of(teacher, "ja").get(found).content.decode()
    assert "クラスで、すべての解き方を見つけました。" in page
    assert "Abe Haruto" in page


def test_nothing_found_yet(teacher_client, found):
    assert "Nobody has solved it yet." in teacher_client.get(found).content.decode()


def test_the_count_is_asked_for_and_shown_when_it_has_ended(teacher_client, found):
    assert 'value="count"' in teacher_client.get(found).content.decode()
    page = teacher_client.post(found, {"do": "count"}, follow=True).content.decode()
    job = Job.objects.get(question="count")
    assert f'hx-get="/jobs/{job.pk}/"' in page
    runner.run(job.pk)
    assert "0 of 5" in teacher_client.get(found, headers=HTMX).content.decode()


def test_a_bound_is_called_a_bound(teacher_client, found, assigned, counted):
    counted(assigned, 1234, proven=False)
    page = teacher_client.get(found).content.decode()
    assert "have not all been counted: there are at least 1,234." in page


def test_a_puzzle_without_solution(teacher_client, found, assigned, counted):
    counted(assigned, 0)
    assert "This puzzle cannot be solved." in teacher_client.get(found).content.decode()


def test_departed_students_are_not_counted(
    teacher_client, found, assigned, other_student, lines, tried
):
    place = assigned.assignment.classroom.enrolments.create(student=other_student, number=4)
    tried(other_student, assigned, lines.solution)
    place.delete()
    assert teacher_client.get(found).context["hunt"].found == 0


def test_many_solutions_are_listed_page_by_page(
    teacher_client, found, assigned, student, lines, tried, make_puzzle
):
    tried(student, assigned, lines.solution)
    for number in range(30):
        line = lines.solution if number % 2 else lines.other_solution
        student.found_solutions.create(puzzle=assigned, text=f"text {number}", line=line)
    first = teacher_client.get(found)
    assert first.context["hunt"].found == 31 and first.context["page"].paginator.per_page == 24
    for page in ("2", "nonsense"):
        assert teacher_client.get(f"{found}&page={page}").status_code == 200


def test_solutions_are_shown_as_pictures(teacher_client, found, assigned, student, order_on):
    def shown(slug, position, *lines):
        assigned.kind_slug, assigned.position = slug, position
        assigned.save()
        student.found_solutions.all().delete()
        for line in lines:
            student.found_solutions.create(puzzle=assigned, text=line, line=line)
        answer = teacher_client.get(found)
        page = answer.content.decode()
        assert page.count('<div class="thumb">') >= len(answer.context["page"])
        return [each.picture for group in answer.context["page"] for each in group.solutions]

    # The two orders end in the same picture, but their numbers differ.
    orders = ("1,2 2,1 2,2", "2,1 1,2 2,2")
    for line, picture in zip(orders, shown("tonari", "Bw/wb", *orders), strict=True):
        assert order_on(picture) == line
    (board,) = shown("maxstrings", "2x2", "x 1,1 x 2,2")
    assert board.text == "x.\n.x"
    assert order_on(board) == ""


# A solution


def test_a_solution_is_played(
    teacher_client, solutions, assigned, student, classmate, lines, tried
):
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.other_solution)
    tried(classmate, assigned, lines.solution)
    page = teacher_client.get(f"{solutions}1/", {"step": "2"})
    player = page.context["player"]
    assert (player.step, player.total, player.move) == (2, 5, "2,1")
    assert "First found by Abe Haruto" in page.content.decode()
    assert f'href="{solutions}2/"' in page.content.decode()
    turned = teacher_client.get(f"{solutions}2/", {"step": "3"}, headers=HTMX).content.decode()
    assert "Move 3 of 5" in turned
    assert "<h1" not in turned


def test_the_class_is_asked_before_the_decisive_move(
    teacher_client, solutions, assigned, student, counted, lines, tried
):
    tried(student, assigned, lines.solution)
    question = "What would you play here?"
    assert question not in teacher_client.get(f"{solutions}1/").content.decode()
    counted(assigned, 1)
    players = [
        teacher_client.get(f"{solutions}1/", {"step": step}).context["player"] for step in range(6)
    ]
    assert [player.step for player in players if player.question] == [2]


@pytest.mark.parametrize("number", ["0", "2", "9" * 20])
def test_a_solution_that_is_not_there(
    teacher_client, solutions, assigned, student, number, lines, tried
):
    tried(student, assigned, lines.solution)
    assert teacher_client.get(f"{solutions}{number}/").status_code == 404


# Where attempts become unsolvable


def test_attempts_are_counted_by_their_fatal_move(
    client_of, teacher, mistakes, assigned, student, classmate, classroom, lines, reviewed, tried
):
    kato = classroom.students.get(name="Kato Ren")
    first = tried(student, assigned, lines.jam)
    reviewed(first, 2)
    restart(first)
    reviewed(tried(student, assigned, "1,1"), 0)
    tried(classmate, assigned, lines.jam)
    reviewed(tried(kato, assigned, lines.lost), 1)
    for language, said in (
        ("en", ["after move 1", "after move 2", "Attempts: 2", "Abe Haruto, attempt 1"]),
        ("ja", ["1手目", "2手目", "挑戦：2回", "Abe Haruto（1回目の挑戦）"]),
    ):
        answer = client_of(teacher, language).get(mistakes)
        shown = answer.context["fall_off"]
        assert [(fall.move, len(fall.attempts)) for fall in shown.falls] == [(1, 1), (2, 2)]
        assert (shown.alive, shown.waiting, shown.most) == (1, 0, 2)
        assert all(words in answer.content.decode() for words in said)


def test_missing_reviews_are_asked_for_and_waited_for(
    teacher_client, mistakes, assigned, student, lines, tried
):
    restart(tried(student, assigned, lines.jam))
    waiting = teacher_client.get(mistakes).content.decode()
    assert "Attempts still being reviewed: 1" in waiting
    assert "Attempts still being reviewed: 1" in (teacher_client.get(mistakes).content.decode())
    runner.run(Job.objects.get(question="review").pk)
    done = teacher_client.get(mistakes).content.decode()
    assert "after move 2" in done


def test_a_review_that_failed_is_not_waited_for(
    teacher_client, mistakes, assigned, student, lines, reviewed, tried
):
    job = reviewed(tried(student, assigned, lines.jam), 2)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, answer=None)
    page = teacher_client.get(mistakes).content.decode()
    assert "No attempt has become unsolvable so far." in page


def test_solved_attempts_are_not_counted_as_failed(
    teacher_client, mistakes, assigned, student, lines, tried
):
    tried(student, assigned, lines.solution)
    page = teacher_client.get(mistakes).content.decode()
    assert "No attempt has become unsolvable so far." in page
    assert not Job.objects.filter(question="review").exists()


def test_a_puzzle_that_never_had_a_solution_is_reported(
    teacher_client, mistakes, assigned, student, reviewed, tried
):
    reviewed(tried(student, assigned, "1,1"), None)
    page = teacher_client.get(mistakes).content.decode()
    assert "This puzzle cannot be solved." in page


def test_the_finders_lead_to_their_pages(teacher_client, assigned, student, tried, lines):
    tried(student, assigned, lines.solution)
    page = teacher_client.get(f"/assigned/{assigned.pk}/solutions/1/").content.decode()
    assert page.count(f'href="/students/{student.pk}/"') == 1
