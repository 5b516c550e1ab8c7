"""The lesson plans that come with the product."""

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape

from puzzleclass.assignments.models import Assignment
from puzzleclass.language.languages import translated
from puzzleclass.puzzles.models import TITLE_LENGTH, Puzzle
from puzzleclass.sharing import packs
from puzzleclass.sharing.models import MAX_CHARACTERS, Pack
from puzzleclass.sharing.plans import course_in, plans, translations
from solvers.registry import kinds


def test_there_is_a_plan_for_every_grade_and_kind():
    assert len(plans()) == 8
    assert {plan.kind for plan in plans().values()} == set(kinds())


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
def test_a_plan_is_whole_and_what_it_says_is_true(plan):
    assert len(plan.collected) == len(set(plan.numbers)) == len(plan.numbers)
    assert plan.unique is all(one.solutions == 1 for one in plan.collected) or not plan.unique
    for language in dict(settings.LANGUAGES):
        text = translations(language).get(plan.slug, plan.english)
        assert len(text.title) <= min(TITLE_LENGTH, 60)
        assert all(
            0 < len(part) <= MAX_CHARACTERS for part in (text.aim, text.course, text.wrap_up)
        )
        assert text.criteria and text.materials and text.board
        assert all(stage.activity and stage.watch for stage in text.stages)
        assert len(text.course_of_pack) <= MAX_CHARACTERS
        assert "{n}" in text.course
        times = re.findall(r"(?m)^(\d+)[–〜](\d+)", text.course)
        assert (times[0][0], times[-1][1]) == ("0", "45")
        assert all(before[1] == after[0] for before, after in pairwise(times))


@pytest.mark.parametrize("slug", ["goishi-first", "tonari-flip", "kikazu-pieces", "counting-cases"])
def test_a_plan_for_a_young_class_begins_with_an_example(client_of, teacher, slug):
    for language in ("en", "ja"):
        shown = translations(language).get(slug, plans()[slug].english).example
        page = client_of(teacher, language).get(reverse("plan", args=[slug])).content.decode()
        assert shown and escape(shown) in page


def test_translations_belong_to_plans():
    for language in translated():
        assert translations(language).keys() <= plans().keys()


def test_a_plan_starts_a_lesson_with_one_press(teacher_client, teacher, classroom):
    plan = plans()["goishi-first"]
    page = reverse("plan", args=[plan.slug])
    assert f"solves the {len(plan.numbers)} puzzles" in teacher_client.get(page).content.decode()
    answer = teacher_client.post(page, {"do": "start", "class": classroom.pk})
    assignment = Assignment.objects.get()
    assert answer.url == reverse("lesson", args=[assignment.pk])
    assert assignment.is_shown and assignment.classroom == classroom
    boards = [board.position for board in assignment.puzzles.all()]
    assert boards == [one.position for one in plan.collected]
    assert not Puzzle.objects.filter(owner=teacher).exists()


def test_a_plan_becomes_a_pack_in_the_readers_language(client_of, teacher):
    plan = plans()["tonari-flip"]
    client_of(teacher, "ja").post(reverse("plan", args=[plan.slug]))
    pack = Pack.objects.get(owner=teacher)
    text = translations("ja")[plan.slug]
    assert (pack.title, pack.aim) == (text.title, text.aim)
    kept = (pack.criteria, pack.materials, pack.board)
    assert kept == (text.criteria, text.materials, text.board)
    assert [one.position for one in pack.puzzles.all()] == [one.position for one in plan.collected]


def test_a_plan_takes_the_same_queries_for_many_classes(
    teacher_client, teacher, make_class, django_assert_num_queries
):
    page = reverse("plan", args=["goishi-first"])
    for number in range(2):
        for name in "abc":
            make_class(teacher, f"{name}{number}", "d")
        with django_assert_num_queries(3):
            assert f"{name}{number}" in teacher_client.get(page).content.decode()


def test_a_missing_plan_answers_404(teacher_client):
    assert teacher_client.get("/packs/plans/nothing/").status_code == 404
    assert "Lesson plans" in teacher_client.get(reverse("pack_list")).content.decode()


def test_a_plan_for_a_teacher_with_too_many_packs_is_told(teacher_client, teacher, monkeypatch):
    monkeypatch.setattr(packs, "MAX_PACKS", 0)
    answer = teacher_client.post(reverse("plan", args=["tonari-flip"]), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("pack_list")
    assert "which is the maximum" in answer.content.decode()
    assert not Pack.objects.exists()


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
def test_the_course_of_a_pack_is_read_as_stages(plan):
    for language in dict(settings.LANGUAGES):
        text = translations(language).get(plan.slug, plan.english)
        assert course_in(text.course_of_pack) == (text.example, text.stages)


def test_a_pack_shows_the_course_as_a_table(teacher_client, teacher):
    plan = plans()["goishi-first"]
    made = teacher_client.post(reverse("plan", args=[plan.slug]))
    page = teacher_client.get(made.url).content.decode()
    assert page.count("<tr>") == 1 + len(plan.text.stages)
    assert escape(plan.text.stages[0].watch) in page


def test_a_course_in_other_words_is_shown_as_it_was_typed(teacher_client, teacher):
    course = "0-10 min: Play.\nThen talk about it."
    pack = Pack.objects.create(owner=teacher, title="Mine", course=course)
    assert course_in(course) == (course, [])
    page = teacher_client.get(reverse("pack", args=[pack.key])).content.decode()
    assert "Then talk about it." in page and "<table" not in page
