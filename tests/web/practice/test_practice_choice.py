"""The private estimate of skill, and the worlds that fit it."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bench.skill import interval, simulated_losses, together
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.personal_data import rows_under, student_roots
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.restarts import restart
from puzzleclass.practice import services
from puzzleclass.practice.boards import made_boards
from puzzleclass.practice.counting import count_ended_attempts, count_results
from puzzleclass.practice.experience import Experience
from puzzleclass.practice.fitting import difficulty_of, fitting_levels, skills_of
from puzzleclass.practice.models import MadeBoard, StoredSkill
from puzzleclass.practice.skill import (
    BEGINNER,
    SPREAD,
    TARGET,
    Skill,
    chance,
    collected_difficulty,
    difficulty_of_level,
    scaled,
    skill_after,
    skill_at,
)
from puzzleclass.puzzles.worlds import kinds_with_worlds, worlds
from solvers.question import finish
from solvers.registry import get_kind

GOISHI = get_kind("goishi")


def solution_of(position: str) -> str:
    answer = finish(GOISHI.questions["count"].ask(GOISHI, GOISHI.read(position)))
    return " ".join(answer.moves)


@pytest.fixture
def practised(classroom, student, tried):
    """Return a function that lets the student try a Goishi board of practice once.

    The attempt is solved, or else it is given up after the first move.
    """

    def practised(board, *, solves: bool) -> Attempt:
        row = services.begin(classroom, *board.key, board.title)
        line = solution_of(board.position)
        if solves:
            return tried(student, row, line)
        attempt = tried(student, row, line.split()[0])
        restart(attempt)
        return Attempt.objects.get(pk=attempt.pk)

    return practised


# The model


def test_the_chance_follows_skill_and_difficulty():
    assert chance(Skill(0), 0) == 0.5
    assert chance(Skill(1), 0) == pytest.approx(0.7311, abs=1e-4)
    assert chance(Skill(1), 2) == pytest.approx(1 - chance(Skill(1), 0))
    assert chance(BEGINNER, -SPREAD / 2) == pytest.approx(TARGET)


def test_the_steps_decrease_and_follow_the_surprise():
    first = skill_after(Skill(0), 0, is_success=True)
    assert first == (0.25, 1)
    later = skill_after(Skill(0, 20), 0, is_success=True)
    assert later == (0.125, 21)
    assert skill_after(Skill(0, 10_000), 0, is_success=False) == (-0.05, 10_001)
    expected = skill_after(Skill(4), -1, is_success=True)
    assert 4 < expected.value < 4.01


def test_a_new_kind_begins_with_the_mean_of_the_others():
    assert skill_at("goishi", {}, {}) == BEGINNER
    known = {"tonari": Skill(1, 5), "kikazu": Skill(2, 1)}
    assert skill_at("goishi", known, {}) == Skill(1.5)
    assert skill_at("tonari", known, {}) == known["tonari"]
    # In a class that begins higher at a kind, so does a student who is above it elsewhere.
    beginners = {"goishi": 2.0, "tonari": 0.5, "kikazu": 1.5}
    assert skill_at("goishi", {}, beginners) == Skill(2)
    assert skill_at("goishi", known, beginners) == Skill(2.5)


def test_difficulties_grow_with_the_worlds_of_every_kind():
    for kind in kinds_with_worlds():
        boards = [each for level in worlds(kind).values() for each in level]
        difficulties = [difficulty_of(each) for each in boards]
        assert difficulties == sorted(difficulties)
        assert -SPREAD / 2 <= difficulties[0] < -0.7 < 0.9 < difficulties[-1] <= SPREAD / 2
        levels = [difficulty_of_level(kind, level) for level in worlds(kind)]
        assert levels == sorted(levels)
        assert scaled(kind, -1) == -SPREAD / 2 and scaled(kind, 1e9) == SPREAD / 2


# Counting results


def test_each_result_moves_the_estimate_once(student, practised):
    board = worlds(GOISHI)[3][0]
    practised(board, solves=False)
    for _ in range(2):
        count_results(student)
        lost = skill_after(BEGINNER, difficulty_of(board), is_success=False)
        assert skills_of(student) == {"goishi": lost}
    practised(board, solves=True)
    for _ in range(2):
        assert count_ended_attempts() <= 1
        won = skill_after(lost, difficulty_of(board), is_success=True)
        assert skills_of(student) == {"goishi": won}


def test_only_the_first_solution_of_a_board_counts(student, practised):
    board = worlds(GOISHI)[1][0]
    restart(practised(board, solves=True))
    practised(board, solves=True)
    count_results(student)
    assert skills_of(student)["goishi"].results == 1
    assert not Attempt.objects.filter(is_counted=False, next_step__gt=0).exists()


def test_a_board_solved_with_a_hint_is_no_success(student, practised):
    board = worlds(GOISHI)[1][0]
    HintUse.objects.create(attempt=practised(board, solves=True), step=1, level=1)
    count_results(student)
    assert skills_of(student)["goishi"].value < BEGINNER.value


def test_an_open_attempt_counts_once_it_was_left_for_a_day(classroom, student, tried):
    board = worlds(GOISHI)[1][0]
    row = services.begin(classroom, *board.key, board.title)
    tried(student, row, solution_of(board.position).split()[0])
    count_results(student)
    assert skills_of(student) == {}
    Attempt.objects.update(last_at=timezone.now() - timedelta(hours=25))
    count_results(student)
    lost = skills_of(student)
    assert lost["goishi"].value < BEGINNER.value
    Attempt.objects.update(has_solved=True)
    count_results(student)
    assert skills_of(student) == lost


def test_rated_boards_of_lessons_count_and_others_do_not(student, assigned, tried, lines, answered):
    """A lesson that comments on every move says nothing about the student."""
    for rating, results in ((None, 0), ({"band": "easy", "careful_level": 0.9}, 1)):
        StoredSkill.objects.all().delete()
        Attempt.objects.update(is_counted=False)
        if rating is None:
            tried(student, assigned, lines.solution)
        else:
            job = jobs.ask(None, "goishi", "rate", assigned.position)
            answered(job, None, **rating)
        count_results(student)
        assert sum(each.results for each in skills_of(student).values()) == results
    difficulty = scaled(GOISHI, 0.9)
    won = skill_after(BEGINNER, difficulty, is_success=True)
    assert skills_of(student) == {"goishi": won}
    StoredSkill.objects.all().delete()
    Attempt.objects.update(is_counted=False)
    Assignment.objects.update(warns=True)
    count_results(student)
    assert skills_of(student) == {}


@pytest.mark.django_db(transaction=True)
def test_a_result_that_two_count_at_once_counts_once(student, practised, at_once):
    board = worlds(GOISHI)[1][0]
    practised(board, solves=True)
    results = at_once(lambda _number: count_results(student), 1, 2, 3)
    assert results == [None] * 3
    won = skill_after(BEGINNER, difficulty_of(board), is_success=True)
    assert skills_of(student) == {"goishi": won}


def test_a_move_reads_and_writes_nothing_of_it(student, student_client, assigned, begun):
    attempt = begun(student, assigned)
    with CaptureQueriesContext(connection) as seen:
        fields = {"step": 0, "action": "move", "move": "1,1"}
        student_client.post(reverse("step", args=[attempt.key]), fields)
    update = [each["sql"] for each in seen if each["sql"].startswith("UPDATE")]
    assert len(update) == 1 and '"is_counted" =' not in update[0]
    assert not any("practice_storedskill" in each["sql"] for each in seen)


# The worlds that fit


def test_a_world_fits_at_three_chances_in_four():
    for kind in kinds_with_worlds():
        middle = {level: boards[len(boards) // 2] for level, boards in worlds(kind).items()}
        for value in (0.2, 0.5, 1.0, 1.5, 2.0):
            skill = Skill(value, 9)
            assert fitting_levels(kind, {kind.slug: skill}, Experience()) == [
                level
                for level, board in middle.items()
                if chance(skill, difficulty_of(board)) >= TARGET
            ]
        strong = {kind.slug: Skill(9, 9)}
        assert fitting_levels(kind, strong, Experience()) == list(worlds(kind))


def test_boards_that_were_made_are_as_difficult_as_their_level(db):
    level = 5
    made = MadeBoard.objects.create(
        kind_slug="goishi", level=level, position="o./oo/../oo", fingerprint="1"
    )
    assert collected_difficulty(GOISHI, made.position) is None
    assert difficulty_of(made_boards(GOISHI, level)[0]) == difficulty_of_level(GOISHI, level)


def test_the_pages_cost_the_same_however_much_was_counted(
    student, student_client, practised, queries_of
):
    url = reverse("go_on", args=["goishi"])

    def queries() -> list[int]:
        pages = ("/practice/", "/practice/goishi/1/")
        numbers = [queries_of(student_client, page) for page in pages]
        with CaptureQueriesContext(connection) as seen:
            student_client.post(url)
        return [*numbers, len(seen)]

    practised(worlds(GOISHI)[1][0], solves=True)
    queries()
    practised(worlds(GOISHI)[1][1], solves=True)
    before = queries()
    for number in range(2, 6):
        practised(worlds(GOISHI)[1][number], solves=True)
    assert queries() == before


# Privacy


def test_no_page_and_no_file_shows_the_estimate(
    student, student_client, teacher_client, classroom, practised
):
    """Two estimates that lead to the same boards can't be told apart anywhere."""
    practised(worlds(GOISHI)[1][0], solves=True)
    count_results(student)
    grades = reverse("class_ledger", args=[classroom.pk])
    pages = [
        (student_client, "/"),
        (student_client, "/practice/"),
        (student_client, "/practice/goishi/1/"),
        (student_client, reverse("own_records")),
        (teacher_client, f"/classes/{classroom.pk}/"),
        (teacher_client, reverse("student", args=[student.pk])),
        (teacher_client, grades),
    ]

    def shown() -> list[str]:
        answers = [client.get(url) for client, url in pages]
        assert [each.status_code for each in answers] == [200] * len(pages)
        # Secrets against forged forms differ from page to page.
        return [re.sub(r"\w{32,}", "", each.content.decode()) for each in answers]

    StoredSkill.objects.update(value=8.25, results=3)
    before = shown()
    StoredSkill.objects.update(value=9.75, results=70)
    assert shown() == before


def test_the_estimate_belongs_to_the_data_of_the_student(student, practised):
    practised(worlds(GOISHI)[1][0], solves=True)
    count_results(student)
    assert rows_under(student_roots(student))[StoredSkill].count() == 1
    student.delete()
    assert not StoredSkill.objects.exists()


# How well it predicts


def test_the_estimate_predicts_better_than_the_difficulty_alone():
    """The students who are predicted are others than those to whom the rest was fitted."""
    losses = together(map(simulated_losses, (4, 5, 6)))
    alone = losses["difficulty alone"]
    assert interval(alone, losses["share solved"])[1] > 0.03
    for name in ("a skill for each kind", "the same, with the class's figures"):
        _gain, low, _high = interval(losses[name], alone)
        assert low > 0, name
    known = losses["the same, with the class's figures"]
    assert interval(known, losses["a skill for each kind"])[1] > 0
