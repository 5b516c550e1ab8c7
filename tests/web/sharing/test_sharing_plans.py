"""The lesson plans that come with the product."""

import re
from collections import Counter

import msgspec
import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override
from msgspec.structs import replace

from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.language.languages import translated
from puzzleclass.language.reader import say
from puzzleclass.puzzles.models import TITLE_LENGTH, Puzzle
from puzzleclass.sharing import packs
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.phases import MAX_CHARACTERS, Phase, phases_in, phases_of, read_action
from puzzleclass.sharing.plans import plans, translations
from solvers.question import finish
from solvers.registry import get_kind, kinds
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.sentences import sentence


def test_there_is_a_plan_for_every_grade_and_kind():
    assert len(plans()) == 9
    assert {plan.kind for plan in plans().values()} == {*kinds(), "stars"}


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
@pytest.mark.parametrize("language", [language for language, _name in settings.LANGUAGES])
def test_a_plan_has_the_full_form(plan, language):
    assert len(plan.collected) == len(set(plan.numbers)) == len(plan.numbers)
    assert plan.unique is all(one.solutions == 1 for one in plan.collected) or not plan.unique
    with override(language):
        text, course = plan.text, plan.course
    assert len(text.title) <= min(TITLE_LENGTH, 60)
    assert all(0 < len(getattr(text, name)) <= MAX_CHARACTERS for name in Pack.PLAN)
    assert sum(phase.minutes for phase in course) == 45
    assert course[-1].action.verb == "look-back"
    for phase in course:
        assert phase.activity and phase.question and phase.watch and phase.assess
        assert len(phase.expected) >= 2 and all(
            each.answer and each.then for each in phase.expected
        )
        assert msgspec.convert(msgspec.to_builtins(phase), Phase) == phase


LEAVES = {
    "goishi-first": {(1, "2,3"): 1, (2, "2,1"): 1, (3, "3,1"): 1},
    "tonari-flip": {(1, "2,2"): 1, (1, "1,2"): 0, (1, "2,1"): 0},
    "kikazu-pieces": {(1, "R 1,3"): 1, (1, "R 2,1"): 1, (1, "R 2,3"): 0},
    "maxstrings-bound": {},
    "tonari-parity": {},
    "making-puzzles": {},
    "inventing-puzzles": {},
    "counting-cases": {
        **{(1, ""): 5, (2, ""): 6, (3, ""): 12},
        **{(2, "2,2"): 5, (2, "3,1"): 1, (2, "2,1"): 0, (2, "2,3"): 0},
        **{(3, "2,3"): 6, (3, "3,2"): 6},
    },
    "tree-and-product": {
        **{(1, ""): 8, (2, ""): 2, (3, ""): 18},
        **{(1, "1,2"): 8, (1, "1,2 1,1"): 1, (1, "1,2 2,2"): 7},
        **{(1, "1,2 2,2 1,1"): 1, (1, "1,2 2,2 3,2"): 6},
        **{(2, "2,3"): 2, (2, "2,3 2,4 3,4 3,5 2,5"): 2},
        **{(3, "1,2"): 18, (3, "1,2 1,1"): 2, (3, "1,2 1,3"): 16},
    },
}
"""What the plans say of their boards: board and line -> the number of solutions that are left."""

POSSIBLE = {
    "goishi-first": {1: 8, 2: 7, 3: 8},
    "tonari-flip": {1: 3},
    "counting-cases": {2: 4},
    "tree-and-product": {1: 4},
}
"""The number of first moves that the plans say are possible on a board."""

SAID_BESIDES = {
    "making-puzzles": {"2"},
    "inventing-puzzles": {"5", "6"},
    "counting-cases": {"3", "7", "2"},
    "tree-and-product": {"10!", "n!", "9"},
}
"""Wrong answers, and numbers of ways of other things, that the plans name."""


def left(plan, board: int, line: str) -> int:
    kind = get_kind(plan.kind_slug)
    position = kind.play_line(kind.start(kind.read(plan.collected[board - 1].position)), line)
    return int(finish(kind.questions["count"].ask(kind, position)).value)


def possible(plan, board: int) -> list[str]:
    kind = get_kind(plan.kind_slug)
    start = kind.start(kind.read(plan.collected[board - 1].position))
    return [kind.write_move(move) for move in kind.moves(start)]


@pytest.mark.parametrize("plan", plans().values(), ids=plans())
def test_what_a_plan_says_of_its_boards_is_true(plan):
    for (board, line), number in LEAVES[plan.slug].items():
        assert left(plan, board, line) == number, (board, line)
    for board, number in POSSIBLE.get(plan.slug, {}).items():
        moves = possible(plan, board)
        assert len(moves) == number
        known = {line for at, line in LEAVES[plan.slug] if at == board and line in moves}
        assert all(left(plan, board, move) == 0 for move in set(moves) - known)
    if plan.unique:
        assert all(left(plan, board, "") == 1 for board in range(1, len(plan.numbers) + 1))
    true = {str(number) for number in LEAVES[plan.slug].values()} | {"0", "1"}
    for language in ("en", "ja"):
        with override(language):
            words = str(plan.text)
        numbers = set(re.findall(r"([0-9]+!?|n!) ?(?:通り|ways?\b|solutions?\b)", words))
        assert numbers <= true | SAID_BESIDES.get(plan.slug, set()), language


def test_what_the_other_plans_say_is_true():
    flip, kikazu, parity = (
        plans()[slug] for slug in ("tonari-flip", "kikazu-pieces", "tonari-parity")
    )
    # The middle stone of board 2 changes as often as stones come beside it later.
    kind = get_kind("tonari")
    start = kind.start(kind.read(flip.collected[1].position))
    line = list(finish(kind.questions["count"].ask(kind, start)).moves)
    beside = {"1,2", "2,1", "2,3", "3,2"}
    changes = len(beside & set(line[line.index("2,2") :]))
    assert changes == int(flip.phases[4].do.split("= ")[1]) == 3
    # The squares for each piece.
    squares = Counter(move[0] for move in possible(kikazu, 3))
    assert squares == {"R": 2, "B": 3, "G": 8}
    assert Counter(move[0] for move in possible(kikazu, 5)) == {"R": 3, "B": 2}
    assert possible(kikazu, 1) == ["R 1,3", "R 2,1", "R 2,3"]
    # White stones and pairs of empty points.
    table = []
    for board in parity.collected:
        rows = board.position.split("/")
        new = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in "bw"}
        pairs = sum(((r + 1, c) in new) + ((r, c + 1) in new) for r, c in new)
        table.append((sum(row.count("w") for row in rows), pairs))
    assert table == [(7, 13), (7, 15), (10, 14), (6, 12), (8, 14)]
    assert int(parity.phases[2].do.split("= ")[1]) == table[2][1]
    # The goals are the largest numbers of strings.
    strings = plans()["maxstrings-bound"]
    kind = get_kind("maxstrings")
    for board, goal in zip(strings.collected, (6, 8, 8, 7, 8), strict=True):
        assert board.position.endswith(f" {goal}")
        assert finish(kind.questions["best"].ask(kind, kind.read(board.position))).value == goal


def test_without_a_rule_a_board_has_as_many_solutions_as_the_plan_says():
    plan = plans()["inventing-puzzles"]
    table = get_kind(plan.kind_slug).table
    *kept, left_out = table.rules
    assert say(sentence(table, left_out)) == "Two stars never touch, not even at a corner."
    kind = TableKind(replace(table, rules=tuple(kept)))
    start = kind.read_start(plan.collected[1].position)
    counted = finish(kind.questions["count"].ask(kind, start)).value
    assert counted == int(plan.phases[1].do.split("= ")[1]) == 6


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_plan_is_shown_whole(client_of, teacher, language):
    plan = plans()["counting-cases"]
    page = client_of(teacher, language).get(reverse("plan", args=[plan.slug])).content.decode()
    with override(language):
        assert all(escape(getattr(plan.text, name)) in page for name in Pack.PLAN)
        for phase in plan.course:
            assert escape(phase.question) in page and escape(phase.action.words) in page


def test_translations_belong_to_plans():
    for language in translated():
        assert translations(language).keys() <= plans().keys()


def test_a_plan_starts_a_lesson_with_one_press(teacher_client, teacher, classroom):
    plan = plans()["counting-cases"]
    page = reverse("plan", args=[plan.slug])
    answer = teacher_client.post(page, {"do": "start", "class": classroom.pk})
    assignment = Assignment.objects.get()
    assert answer.url == reverse("lesson", args=[assignment.pk])
    assert assignment.is_shown and assignment.classroom == classroom
    assert (assignment.wanted, assignment.shows_total) == (Assignment.TOGETHER, False)
    assert assignment.instructions == plan.text.goal
    boards = [board.position for board in assignment.puzzles.all()]
    assert boards == [one.position for one in plan.collected]
    assert not Puzzle.objects.filter(owner=teacher).exists()
    pace = running_pace(assignment)
    assert (pace.phase, pace.shown, phases_of(pace.phases)) == (0, "wait", plan.course)


def test_only_the_assignment_of_a_plan_can_be_made(teacher_client, classroom):
    plan = plans()["goishi-first"]
    page = reverse("plan", args=[plan.slug])
    answer = teacher_client.post(page, {"do": "assign", "class": classroom.pk})
    assignment = Assignment.objects.get()
    assert answer.url == assignment.get_absolute_url()
    assert running_pace(assignment) is None and assignment.pace.phases


def test_a_plan_becomes_ones_own_in_the_readers_language(client_of, teacher):
    plan = plans()["tonari-flip"]
    client = client_of(teacher, "ja")
    answer = client.post(reverse("plan", args=[plan.slug]))
    pack = Pack.objects.get(owner=teacher)
    assert answer.url == reverse("pack_edit", args=[pack.key])
    with override("ja"):
        assert all(getattr(pack, name) == getattr(plan.text, name) for name in Pack.PLAN)
        assert (pack.title, pack.course) == (plan.title, plan.course)
    assert [one.position for one in pack.puzzles.all()] == [one.position for one in plan.collected]
    assert pack.course[2].action.words in client.get(answer.url).content.decode()


def test_a_plan_takes_the_same_queries_for_many_classes(
    teacher_client, teacher, make_class, django_assert_num_queries
):
    page = reverse("plan", args=["goishi-first"])
    for number in range(2):
        for name in "abc":
            make_class(teacher, f"{name}{number}", "d")
        with django_assert_num_queries(2):
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


@pytest.fixture
def own(teacher_client, teacher) -> Pack:
    teacher_client.post(reverse("plan", args=["counting-cases"]))
    return Pack.objects.get(owner=teacher)


SENT = {"title": "Talk", "minutes": "7", "expected": "3 → no\nfour", "action": "ask move"}


def test_a_phase_of_ones_own_plan_is_changed(teacher_client, own):
    page = reverse("phase", args=[own.key, 2])
    shown = teacher_client.get(page).content.decode()
    assert escape(own.course[1].question) in shown and 'value="ask move" selected' in shown
    teacher_client.post(page, SENT | {"board": "3", "is_twice": "on", "clock": "5", "right": "x"})
    own.refresh_from_db()
    changed = own.course[1]
    assert (changed.title, changed.minutes, changed.do) == ("Talk", 7, "ask move board 3 twice")
    assert [(each.answer, each.then) for each in changed.expected] == [("3", "no"), ("four", "")]
    assert len(own.course) == 6


@pytest.mark.parametrize(
    "wrong", [{"board": ""}, {"board": "9"}, {"title": ""}, {"minutes": "999"}, {"action": "fly"}]
)
def test_a_phase_that_is_not_possible_is_explained(teacher_client, own, wrong):
    page = reverse("phase", args=[own.key, 2])
    answer = teacher_client.post(page, SENT | {"board": "3"} | wrong)
    assert answer.status_code == 422 and "errorlist" in answer.content.decode()
    assert own.course == Pack.objects.get().course


def test_two_windows_lose_no_phase(teacher_client, own):
    end, page = (reverse("phase", args=[own.key, number]) for number in (7, 2))
    for title in ("One", "Two"):
        teacher_client.post(end, SENT | {"board": "1", "title": title, "before": "new"})
    titles = [phase.title for phase in Pack.objects.get().course]
    assert titles == [*(phase.title for phase in own.course), "One", "Two"]
    shown = teacher_client.get(page).content.decode()
    before = re.search(r'name="before" value="(\w+)"', shown)[1]
    sent = SENT | {"board": "3", "before": before}
    assert teacher_client.post(page, sent).status_code == 302
    # The other window has shown the phase as it was.
    answer = teacher_client.post(page, sent | {"title": "Late"})
    text = answer.content.decode()
    assert answer.status_code == 422 and "another window" in text and 'value="Late"' in text
    assert Pack.objects.get().course[1].title == "Talk"
    before = re.search(r'name="before" value="(\w+)"', text)[1]
    teacher_client.post(page, sent | {"title": "Late", "before": before})
    assert Pack.objects.get().course[1].title == "Late"


def test_phases_are_added_moved_and_deleted(teacher_client, own):
    teacher_client.post(reverse("phase", args=[own.key, 7]), SENT | {"board": "1"})
    change = reverse("phases", args=[own.key])
    teacher_client.post(change, {"do": "up:7"})
    teacher_client.post(change, {"do": "delete:1"})
    titles = [phase.title for phase in Pack.objects.get().course]
    was = [phase.title for phase in own.course]
    assert titles == [*was[1:5], "Talk", was[5]]
    assert teacher_client.post(change, {"do": "up:9"}).status_code == 400
    assert teacher_client.get(reverse("phase", args=[own.key, 8])).status_code == 404


def test_ones_own_plan_starts_a_lesson_whose_phases_stay(teacher_client, own, classroom):
    answer = teacher_client.post(reverse("pack_start", args=[own.key]), {"class": classroom.pk})
    assignment = Assignment.objects.get()
    assert answer.url == reverse("lesson", args=[assignment.pk])
    assert assignment.wanted == Assignment.TOGETHER
    teacher_client.post(reverse("phases", args=[own.key]), {"do": "delete:1"})
    assert phases_of(assignment.pace.phases) == own.course


@pytest.mark.parametrize(
    "line",
    [
        *("lead board 2", "lead board 2 clock 5", "free", "free clock 15", "ask number = 6"),
        *("ask move board 2 twice", "ask solve board 1", "show found 2 tree", "show wall"),
        *("look-back", "look-back board 3", "ask sentence twice", ""),
    ],
)
def test_an_action_is_read_and_written(line):
    assert str(read_action(line, 3)) == line


@pytest.mark.parametrize(
    "line",
    [
        *("lead", "lead board 4", "lead board 0", "free board 1", "ask", "ask move", "show tree"),
        *("show found 1 all", "show wall twice", "free clock 999", "fly", "lead board 1 = 5"),
        *("ask solve board 1 twice", "look-back found 2", "ask move board 1 clock 3"),
    ],
)
def test_a_line_that_is_no_action_is_refused(line):
    with pytest.raises(ValueError, match=line or "x"):
        read_action(line, 3)


def test_the_course_in_an_old_file_is_read_as_phases():
    course = "Say hello.\n0-10 min: Play.\n　Be quiet.\n10–45 min: Talk."
    first, second = phases_in(course)
    assert (first.minutes, first.activity, first.watch) == (10, "Say hello.\nPlay.", "Be quiet.")
    assert (second.minutes, second.activity) == (35, "Talk.")
    [only] = phases_in("0-10 min: Play.\nThen talk about it.")
    assert (only.minutes, only.activity) == (45, "0-10 min: Play.\nThen talk about it.")
