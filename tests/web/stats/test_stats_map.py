"""The class map of a puzzle: moves and what they left, where attempts leave the solutions,
refusals."""

import pytest

from puzzleclass.jobs import runner
from puzzleclass.jobs import services as jobs
from puzzleclass.play.attempts import take_step
from puzzleclass.play.models import Attempt
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.stats.route_map import route_map
from solvers.picture import Text
from solvers.registry import kinds


@pytest.fixture
def url(assigned) -> str:
    return f"/assigned/{assigned.pk}/found/?view=map"


def moves(shown) -> dict[str, tuple[int, int | None]]:
    return {taken.move: (len(taken.students), taken.left) for taken in shown.taken}


def test_how_often_each_move_was_taken_also_those_taken_back(
    student, classmate, assigned, lines, tried
):
    restart(tried(student, assigned, lines.jam))
    tried(student, assigned, "1,1", "undo", "2,1")
    tried(classmate, assigned, "1,1", "2,1")
    assert moves(route_map(assigned)) == {"1,1": (2, None), "2,1": (1, None)}
    assert moves(route_map(assigned, "2,1")) == {"1,1": (1, None)}
    assert moves(route_map(assigned, "1,1")) == {"2,1": (1, None)}
    assert {t.move: t.first for t in route_map(assigned).taken} == {"1,1": 2, "2,1": 1}


def test_counts_after_moves_are_exact(
    teacher, student, classmate, assigned, lines, tried, reviewed
):
    tried(student, assigned, lines.lost)
    tried(classmate, assigned, "1,1")
    count = jobs.ask(teacher, "goishi", "count", assigned.position)
    runner.run(count.pk)
    kind, start = assigned.kind, assigned.start

    def solutions(position) -> int:
        after = [kind.play(position, move) for move in kind.moves(position)]
        return kind.judge(position).solved + sum(map(solutions, after))

    for taken in route_map(assigned).taken:
        after = kind.play_line(start, taken.move)
        assert (taken.left, taken.is_lost) == (solutions(after), not solutions(after))


def test_reviews_say_it_where_nothing_was_counted(student, assigned, lines, tried, reviewed):
    reviewed(tried(student, assigned, lines.jam), 2, [None, "1", "0"])
    assert moves(route_map(assigned)) == {"2,1": (1, 1)}
    (after,) = route_map(assigned, "2,1").taken
    assert (after.left, after.is_lost) == (0, True)


def test_where_the_class_leaves(student, classmate, assigned, lines, tried, reviewed):
    for who in (student, classmate):
        reviewed(tried(who, assigned, lines.jam), 2)
    (turn,) = route_map(assigned).wrong_turns
    assert (turn.number, len(turn.students), turn.before) == (2, 2, "2,1")
    assert any("fault" in shape.style for shape in turn.picture.all_shapes)


def test_a_move_has_one_count_on_the_board_in_the_list_and_where_the_class_leaves(
    student, classmate, assigned, lines, tried, reviewed
):
    """A student made it twice; another took it back."""
    reviewed(restarted := tried(student, assigned, lines.jam), 2)
    restart(restarted)
    reviewed(tried(student, assigned, lines.jam), 2)
    tried(classmate, assigned, lines.jam, "undo", "undo", "1,1")
    after = route_map(assigned, "2,1")
    [taken], [turn] = after.taken, after.wrong_turns
    assert (taken.move, turn.move) == ("1,1", "1,1")
    assert taken.students == turn.students == {student.pk, classmate.pk}
    labels = [shape for shape in after.picture.all_shapes if isinstance(shape, Text)]
    assert [label.text for label in labels if label.style == "label"] == ["2"]


def test_the_commonest_move_against_the_rules_and_what_is_behind_it(
    client_of, teacher, student, classmate, assigned, url, tried
):
    for who, pressed in ((student, ["4,1", "4,1", "1,2"]), (classmate, ["4,1"])):
        attempt = tried(who, assigned, "1,1")
        for move in pressed:
            with pytest.raises(StepRefused):
                take_step(attempt, attempt.next_step, "move", move)
    most, slip = route_map(assigned).misunderstandings
    assert (most.times, len(most.students)) == (3, 2)
    assert "jumped over" in most.meaning and not slip.meaning
    url = url.replace("map", "mistakes")
    for language, said in (("en", "jumped over"), ("ja", "飛びこ")):
        assert said in client_of(teacher, language).get(url).content.decode()


def test_every_misunderstanding_belongs_to_a_refusal_of_its_kind():
    import importlib
    import pathlib
    import re

    for slug, kind in kinds().items():
        folder = pathlib.Path(importlib.import_module(f"solvers.{slug}").__file__).parent
        source = re.sub(r'"\s*\n\s*"', "", (folder / "rules.py").read_text())
        for text in kind.misunderstandings:
            assert text in source, (slug, text)


def test_medians(student, classmate, classroom, assigned, lines, tried):
    restart(tried(student, assigned, lines.jam))
    tried(student, assigned, lines.solution)
    tried(classmate, assigned, lines.solution)
    third = classroom.students.get(enrolments__number=3)
    tried(third, assigned, "1,1")
    for who, seconds in ((student, 60), (classmate, 30)):
        Attempt.objects.filter(student=who).update(seconds=seconds)
    medians = route_map(assigned).medians
    assert (medians.students, medians.solvers) == (3, 2)
    assert (medians.seconds, medians.tries, medians.hints) == (75, 1.5, 0)


def test_attempts_after_the_solution_and_of_those_who_left_count_in_no_median(
    student, classmate, assigned, lines, tried
):
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.jam)
    tried(classmate, assigned, "1,1")
    Attempt.objects.filter(student=student, number=1).update(seconds=60)
    Attempt.objects.filter(student=student, number=2).update(seconds=500)
    Attempt.objects.filter(student=classmate).update(seconds=500)
    classmate.enrolments.all().delete()
    found = route_map(assigned)
    assert (found.medians.students, found.medians.seconds, found.medians.tries) == (1, 60, 1)
    assert {each.move: len(each.students) for each in found.taken} == {"1,1": 1, "2,1": 1}


def test_the_page(client_of, teacher, student, assigned, url, lines, tried):
    client = client_of(teacher)
    assert "Nobody has made a move here." in client.get(url).content.decode()
    tried(student, assigned, lines.jam)
    assert "line=2%2C1" in client.get(url).content.decode()
    page = client.get(f"{url}&line=2,1").content.decode()
    assert "After move 1" in page and "One move back" in page
    for bad in ("9,9", "x", "1,1 1,1", "1,1 " * 9999):
        assert client.get(f"{url}&line={bad}").status_code == 404
    assert "クラスの手の道すじ" in client_of(teacher, "ja").get(url).content.decode()


def test_a_placement_shows_all_moves_at_once(teacher_client, classroom, assign, tried, make_puzzle):
    puzzle = make_puzzle("maxstrings", ".../.../... 4", "Go")
    board = assign(classroom, puzzle).puzzles.get()
    for who in classroom.students.all()[:2]:
        tried(who, board, "o 1,2", "o 2,1")
    assert {t.move: (len(t.students), t.first) for t in route_map(board).taken} == {
        "o 1,2": (2, 2),
        "o 2,1": (2, 0),
    }
    page = teacher_client.get(f"/assigned/{board.pk}/found/?view=map").content.decode()
    assert "All moves" in page
