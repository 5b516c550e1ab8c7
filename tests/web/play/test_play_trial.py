"""A teacher plays a puzzle as a student sees it, without storing anything."""

import pytest
from django.apps import apps

from puzzleclass.jobs.models import Job

HTMX = {"HX-Request": "true"}


@pytest.fixture(params=["given", "library"])
def name(request, assigned, puzzle) -> str:
    return assigned.trial_name if request.param == "given" else puzzle.trial_name


@pytest.fixture
def untouched(assigned):
    """Fail the test if a table of attempts has a row at its end."""
    yield
    for model in apps.get_app_config("play").get_models():
        assert not model.objects.exists(), model


def press(client, name: str, number: int, move: str = "", action: str = "move"):
    sent = {"step": number, "action": action, "move": move}
    return client.post(f"/trial/{name}/step/", sent, headers=HTMX)


def play(client, name: str, line: str) -> str:
    for number, move in enumerate(line.split()):
        answer = press(client, name, number, move)
        assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.usefixtures("untouched")
def test_a_board_is_solved_and_begun_again(teacher_client, name, lines):
    page = teacher_client.get(f"/trial/{name}/").content.decode()
    assert "Nothing you do here is stored." in page and f"/trial/{name}/step/" in page
    assert "/attempts/" not in page
    assert "Solution 1" in play(teacher_client, name, lines.solution)
    again = teacher_client.post(f"/trial/{name}/restart/", headers=HTMX).content.decode()
    assert "New attempt" in again and "Your solutions: 1" in again
    second = play(teacher_client, name, lines.other_solution)
    assert "Solution 2" in second and "data-new" in second
    teacher_client.post(f"/trial/{name}/restart/", headers=HTMX)
    assert "You have found this one before." in play(teacher_client, name, lines.solution)


@pytest.mark.usefixtures("untouched")
def test_an_untouched_board_is_not_begun_again(teacher_client, name):
    for _press in range(2):
        page = teacher_client.post(f"/trial/{name}/restart/", headers=HTMX)
        assert page.context["attempt"].number == 1


@pytest.mark.usefixtures("untouched")
def test_steps_are_taken_back_refused_and_numbered(teacher_client, name):
    press(teacher_client, name, 0, "1,1")
    answer = press(teacher_client, name, 1, "1,1")
    assert answer["Refused"] == "422"
    assert press(teacher_client, name, 7, "2,1").status_code == 409
    press(teacher_client, name, 1, "2,1")
    page = teacher_client.post(f"/trial/{name}/moves/", {"step": 2, "moves": 0}, headers=HTMX)
    assert 'name="step" value="4"' in page.content.decode()
    page = teacher_client.get(f"/trial/{name}/").content.decode()
    assert 'name="step" value="4"' in page and "undone" in page
    assert press(teacher_client, name, 4, action="undo")["Refused"] == "422"


@pytest.mark.usefixtures("untouched")
def test_hints_are_had_and_counted(teacher_client, name, lines, done):
    press(teacher_client, name, 0, lines.lost)
    url = f"/trial/{name}/hint/"
    teacher_client.post(url, {"step": 1, "level": 1}, headers=HTMX)
    done(Job.objects.get(question="hint"))
    wait = f"/trial/{name}/hint_answer/"
    page = teacher_client.post(wait, {"step": 1}, headers=HTMX).content.decode()
    assert f"/trial/{name}/hint_back/" in page
    back = teacher_client.post(f"/trial/{name}/hint_back/", {"step": 1}, headers=HTMX)
    assert back.status_code == 200 and 'name="step" value="2"' in back.content.decode()
    for level in (1, 2):
        teacher_client.post(url, {"step": 2, "level": level}, headers=HTMX)
        for job in Job.objects.filter(question="hint", state=Job.State.WAITING):
            done(job)
        teacher_client.post(wait, {"step": 2}, headers=HTMX)
    answer = teacher_client.post(url, {"step": 2, "level": 3}, headers=HTMX)
    assert answer.status_code == 409  # this is the fourth of three hints


@pytest.mark.usefixtures("untouched")
def test_the_set_is_gone_through_before_students_see_it(
    teacher_client, substitute_client, classroom, puzzle, assign
):
    assignment = assign(classroom, puzzle, puzzle, is_draft=True, instructions="Look well.")
    first, second = assignment.puzzles.all()
    for client in (teacher_client, substitute_client):
        page = client.get(f"/trial/{first.trial_name}/").content.decode()
        assert f"/trial/{second.trial_name}/" in page and "Look well." in page
        assert (
            f"/trial/{first.trial_name}/"
            in client.get(f"/assignments/{assignment.pk}/").content.decode()
        )


@pytest.mark.usefixtures("untouched")
def test_one_board_of_those_dealt_out_is_seen_as_a_student_sees_it(
    teacher_client, classroom, puzzle, assign
):
    assignment = assign(classroom, puzzle, puzzle, dealing="each")
    first, second = assignment.puzzles.all()
    page = teacher_client.get(f"/trial/{second.trial_name}/").content.decode()
    assert page.count('class="dot ') == 1 and "Next puzzle" not in page
    assert "Each student gets one of these" in page and f"/trial/{first.trial_name}/" in page


@pytest.mark.usefixtures("untouched")
def test_a_staircase_is_climbed(teacher_client, classroom, puzzle, assign, lines):
    assignment = assign(classroom, *([puzzle] * 4), dealing="staircase")
    names = [board.trial_name for board in assignment.puzzles.all()]
    page = teacher_client.get(f"/trial/{names[0]}/").content.decode()
    assert page.count('class="dot ') == 1 and f"/trial/{names[0]}/next_board/" in page

    # A board solved without a hint leads two up, an unsolved one leads one down, within the boards.
    assert f"/trial/{names[0]}/next_board/" in play(teacher_client, names[0], lines.solution)
    for place, following in ((0, 2), (2, 1), (1, 3), (3, 3)):
        answer = teacher_client.post(f"/trial/{names[place]}/next_board/")
        assert answer.url == f"/trial/{names[following]}/"
    page = teacher_client.get(f"/trial/{names[3]}/").content.decode()
    assert page.count('class="dot ') == 4 and "the end of the staircase" in page


@pytest.mark.usefixtures("untouched")
def test_only_a_staircase_leads_to_a_board_of_its_own(teacher_client, name):
    answer = teacher_client.post(f"/trial/{name}/next_board/")
    assert answer.url == f"/trial/{name}/"


@pytest.mark.usefixtures("untouched")
def test_a_solved_board_leads_on(teacher_client, classroom, puzzle, assign, lines):
    first, second = assign(classroom, puzzle, puzzle).puzzles.all()
    solved = play(teacher_client, first.trial_name, lines.solution)
    assert f'href="/trial/{second.trial_name}/"' in solved and " to go" in solved
    assert " to go" not in play(teacher_client, second.trial_name, lines.solution)


@pytest.mark.usefixtures("untouched")
def test_a_score_is_reached(teacher_client, teacher, assigned):
    board = teacher.puzzles.create(kind_slug="maxstrings", position=".../.../...", title="Nine")
    teacher_client.get(f"/trial/{board.trial_name}/")
    answer = press(teacher_client, board.trial_name, 0, "x 1,1")
    assert answer.status_code == 200 and 'name="step" value="1"' in answer.content.decode()


@pytest.mark.parametrize("bad", ["given-0", "library-x", "given-" + "9" * 19, "other-1", "given"])
def test_an_unknown_board_answers_404(teacher_client, bad):
    assert teacher_client.get(f"/trial/{bad}/").status_code == 404
    assert press(teacher_client, bad, 0, "1,1").status_code == 404


def test_few_trials_are_kept(teacher_client, teacher, assigned):
    for number in range(7):
        other = teacher.puzzles.create(kind_slug="goishi", position="oo", title=f"P{number}")
        press(teacher_client, other.trial_name, 0, "1,1")
    assert len(teacher_client.session["trials"]) == 5


def test_the_ways_in(teacher_client, puzzle, assigned):
    page = teacher_client.get(f"/puzzles/{puzzle.pk}/").content.decode()
    assert f"/trial/{puzzle.trial_name}/" in page
    page = teacher_client.get(f"/assignments/{assigned.assignment_id}/").content.decode()
    assert f"/trial/{assigned.trial_name}/" in page


def test_a_trial_takes_few_queries(teacher_client, name, django_assert_max_num_queries):
    press(teacher_client, name, 0, "1,1")
    with django_assert_max_num_queries(10):
        press(teacher_client, name, 1, "2,1")
