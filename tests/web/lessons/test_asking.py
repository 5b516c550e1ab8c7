"""Questions to the class: answers, reasons, two rounds, and then the exact truth."""

import random
import re
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from zlib import crc32

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.services import set_puzzles
from puzzleclass.http import NOTHING_NEW
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Answer, Question
from puzzleclass.lessons.number_line import NumberLine
from puzzleclass.lessons.outcomes import results_of
from puzzleclass.lessons.questions import advance, ask, give, give_reason
from solvers.contract.brute import reference
from solvers.kind import PuzzleError
from solvers.registry import kinds

HTMX = {"HX-Request": "true"}
VERSIONS = r'name="have"[^>]*value="([^"]+)"'
CLOSED_AT_ONCE = timedelta()


@pytest.fixture(autouse=True)
def _closes_at_once(monkeypatch):
    monkeypatch.setattr(Question, "CLOSING", CLOSED_AT_ONCE)


@pytest.fixture
def lead(teacher_client):
    """Return a function that presses a button of the lesson page, and returns what has changed."""

    def lead(assignment, do: str, **fields: object) -> str:
        url = reverse("lead", args=[assignment.pk])
        return teacher_client.post(url, {"do": do, **fields}, headers=HTMX).content.decode()

    return lead


@pytest.fixture
def begin(lead):
    """Return a function that asks the class from the lesson page."""

    def begin(puzzle, sort: str = "move", **fields: object) -> Question:
        fields = {"board": puzzle.pk, "switches": "on", "twice": "on"} | fields
        lead(puzzle.assignment, f"ask:{sort}", **fields)
        return Question.objects.exclude(stage="over").get()

    return begin


@pytest.fixture
def answer():
    """Return a function that answers in a browser, or gives a reason."""

    def answer(client, question, text: str = "", **fields: object):
        sent = fields or {"answer": text}
        return client.post(reverse("question", args=[question.pk]), sent, headers=HTMX)

    return answer


@pytest.fixture
def steps(lead):
    """Return a function that takes the running question on, and returns the last page."""

    def steps(question, *names: str) -> str:
        page = ""
        for name in names:
            page = lead(question.assignment, f"question:{name}", peek="on")
        return page

    return steps


@pytest.fixture
def all_done(done):
    """Return a function that lets the worker answer everything that was asked."""

    def all_done() -> None:
        for job in Job.objects.filter(state=Job.State.WAITING):
            done(job)

    return all_done


def test_a_class_answers_twice_and_sees_what_each_move_leaves(
    begin, answer, steps, all_done, client_of, classmate, student_client, assigned
):
    question, other = begin(assigned), client_of(classmate)
    answer(student_client, question, "1,1")
    answer(other, question, "4,2")
    steps(question, "close")
    all_done()
    steps(question, "again")
    answer(student_client, question, "1,1")
    answer(other, question, "1,1")
    all_done()
    page = steps(question, "close", "reveal")
    assert "no solution" in page and "Solutions:" in page
    assert "50% before talking, 100% after" in page
    question.refresh_from_db()
    result = results_of([question])[0]
    assert result.rounds == {1: {"1,1": 1, "4,2": 1}, 2: {"1,1": 2}}


@pytest.mark.parametrize("slug", ["goishi", "tonari", "maxstrings", "kikazu"])
def test_the_numbers_agree_with_a_brute_force(
    slug, teacher, student, classroom, make_puzzle, assign, all_done
):
    kind, rng = kinds()[slug], random.Random(4)
    for _ in range(3):
        start = kind.sample(rng, 2)
        puzzle = assign(classroom, make_puzzle(slug, kind.write(start))).puzzles.get()
        moves = [kind.write_move(move) for move in kind.moves(start)][:12]
        for move in moves:
            question = Question(assignment=puzzle.assignment, puzzle=puzzle, sort="move")
            ask(teacher, question)
            give(question, student, move)
            advance(teacher, question, "close")
            all_done()
            (outcome,) = results_of([question])[0].outcomes
            after = kind.play(start, kind.read_move(move))
            assert outcome.count and outcome.count.proven
            assert outcome.count.value == reference(kind, "count")(kind, after), move
            assert outcome.is_right == bool(outcome.count.value)
            assert (outcome.continuation is not None) == outcome.is_right
            if outcome.is_right:
                assert outcome.why is None


@pytest.mark.parametrize(
    ("settings", "is_shown"),
    [({}, True), ({"shows_total": False}, False), ({"wanted": 2}, False), ({"wanted": 0}, False)],
)
def test_the_class_sees_no_whole_solution_where_its_settings_hide_it(
    begin, answer, steps, all_done, student_client, assigned, settings, is_shown
):
    Assignment.objects.update(**settings)
    assigned.refresh_from_db()
    question = begin(assigned, "move")
    answer(student_client, question, "1,1")
    steps(question, "close")
    all_done()
    assert "One way to continue" in steps(question, "reveal")
    shown = student_client.get(reverse("question", args=[question.pk])).content.decode()
    assert "asked-result" in shown and ("One way to continue" in shown) == is_shown


def test_whether_it_can_be_solved_and_how_many_solutions(
    begin, answer, steps, all_done, student_client, assigned
):
    question = begin(assigned, "solvable", line="4,2")
    answer(student_client, question, "yes")
    steps(question, "close", "again")
    answer(student_client, question, "no")
    all_done()
    page = steps(question, "close", "reveal")
    question.refresh_from_db()
    result = results_of([question])[0]
    assert result.gain == (1, 0, 100)
    # The board can't be solved, and the solver says why.
    assert result.why and str(result.why.said) and "doomed" in page
    question = begin(assigned, "count")
    answer(student_client, question, "5")
    steps(question, "close", "again")
    answer(student_client, question, "7")
    all_done()
    assert "Solutions from this board: 5" in steps(question, "close", "reveal")
    question.refresh_from_db()
    assert results_of([question])[0].gain == (1, 100, 0)


def test_the_gain_is_that_of_those_who_answered_twice(
    begin, answer, steps, all_done, client_of, classmate, classroom, student_client, assigned
):
    """A late-comer who is right, and one who is right and silent afterwards, are no gain."""
    third = client_of(classroom.students.get(enrolments__number=3))
    question, other = begin(assigned, "count"), client_of(classmate)
    answer(student_client, question, "4")
    answer(other, question, "5")
    steps(question, "close", "again")
    answer(student_client, question, "4")
    answer(third, question, "5")
    all_done()
    page = steps(question, "close", "reveal")
    assert "Right answers of the 1 who answered twice: 0% before talking, 0% after." in page


def test_the_projector_does_not_say_that_nobody_has_answered(
    begin, answer, steps, lead, student_client, assigned
):
    question = begin(assigned, "free", answer_form="sentence", words="What helps?")
    answer(student_client, question, "The corner")
    steps(question, "close", "reveal")
    screen = _screen(lead, "/screen/now/")
    assert "Nobody answered." not in screen and "has not chosen any of the sentences" in screen


def test_those_who_have_come_are_asked(
    begin, answer, lead, client_of, classmate, student_client, assigned
):
    """Of a class of three, one has come, and one has answered without being noticed before."""
    question = begin(assigned)
    student_client.post(reverse("lesson_message"), {"do": "come"}, headers=HTMX)
    answer(client_of(classmate), question, "1,1")
    screen = _screen(lead, "/screen/now/")
    assert "Answers: 1 of 2" in screen
    page = lead(assigned.assignment, "resume", peek="on")
    assert "Answers: 1 of 2" in page and "Not yet: 1" in " ".join(page.split())


def test_which_of_two_boards(begin, answer, steps, all_done, student, student_client, assigned):
    attempt_line = "4,2"
    question = begin(assigned, "which", other=assigned.pk, line=attempt_line)
    for text in ("b", "c"):
        answer(student_client, question, text)
    all_done()
    page = steps(question, "close", "reveal")
    assert "no solution" not in page  # nobody has answered A
    question.refresh_from_db()
    (outcome,) = results_of([question])[0].outcomes
    assert (outcome.answer, outcome.is_right, outcome.count.value) == ("b", True, 5)


def test_which_of_two_boards_beside_a_classmates(begin, tried, classmate, assigned):
    tried(classmate, assigned, "1,1")
    question = begin(assigned, "which", beside=classmate.pk)
    assert (question.other_puzzle, question.other_line) == (assigned, "1,1")


def test_one_board_is_not_compared_with_itself(lead, assigned):
    fields = {"board": assigned.pk, "other": assigned.pk}
    assert "Choose two different boards." in lead(assigned.assignment, "ask:which", **fields)
    assert not Question.objects.exists()


def test_where_the_mistake_is(begin, answer, steps, all_done, lines, student_client, assigned):
    question = begin(assigned, "mistake", line=lines.lost)
    page = student_client.get(reverse("question", args=[question.pk]), {"step": "1"})
    assert 'name="answer" value="1"' in page.content.decode()
    assert answer(student_client, question, "99").headers["Refused"] == "422"
    answer(student_client, question, "1")
    all_done()
    question.refresh_from_db()
    review = results_of([question])[0].review
    answer(student_client, question, str(review.fatal))
    page = steps(question, "close", "reveal")
    assert f"After move {review.fatal} no solution was left." in page
    question.refresh_from_db()
    (outcome,) = results_of([question])[0].outcomes
    assert outcome.is_right


def test_a_mistake_needs_a_line(lead, assigned):
    page = lead(assigned.assignment, "ask:mistake", board=assigned.pk)
    assert "no mistake to find" in page and not Question.objects.exists()


@pytest.mark.parametrize(
    ("form", "right", "given"),
    [
        ("number", "６", "6"),
        ("sentence", "Always A first", "always a first"),
        ("move", "1,1", "1,1"),
    ],
)
def test_a_question_in_the_teachers_words(
    form, right, given, begin, answer, steps, student_client, assigned
):
    question = begin(assigned, "free", answer_form=form, right=right, words="How do you go on?")
    assert (
        "How do you go on?"
        in student_client.get(reverse("question", args=[question.pk])).content.decode()
    )
    answer(student_client, question, given)
    assert "The answer:" in steps(question, "close", "reveal")
    question.refresh_from_db()
    (outcome,) = results_of([question])[0].outcomes
    assert outcome.is_right


def test_a_question_about_no_board(begin, answer, student_client, assigned):
    fields = {"answer_form": "number", "words": "How many ways?", "board": ""}
    question = begin(assigned, "free", **fields)
    assert question.puzzle is None
    page = student_client.get(reverse("question", args=[question.pk])).content.decode()
    assert '<svg class="picture' not in page
    assert "Your answer:" in answer(student_client, question, "6").content.decode()
    assert answer(student_client, question, words="3 × 2").status_code == 200
    assert answer(student_client, question, cell="1,1").headers["Refused"] == "422"
    assert Answer.objects.get().words == "3 × 2"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"answer_form": "number", "words": ""}, "Type the question first."),
        ({"answer_form": "move", "words": "Which?", "board": ""}, "Choose a board"),
        ({"answer_form": "number", "words": "How many?", "right": "six"}, "not possible"),
    ],
)
def test_a_faulty_question_in_words_is_told(fields, fault, lead, assigned):
    fields = {"board": assigned.pk} | fields
    assert fault in lead(assigned.assignment, "ask:free", **fields)
    assert not Question.objects.exists()


def test_reasons_are_grouped_chosen_and_shown_without_names(
    begin, answer, steps, lead, all_done, client_of, classmate, student, student_client, assigned
):
    question, assignment = begin(assigned), assigned.assignment
    answer(student_client, question, "1,1")
    page = answer(student_client, question, cell="2,1").content.decode()
    assert 'class="changed"' in page
    answer(student_client, question, words="It is alone")
    answer(client_of(classmate), question, "4,2")
    answer(client_of(classmate), question, words="A secret")
    first = Answer.objects.get(student=student)
    assert (first.cell, first.words) == ("2,1", "It is alone")
    closed = steps(question, "close")
    assert "It is alone" in closed and student.name in closed
    screen = reverse("screen_now")
    teacher_page = lead(assignment, _tick(first), peek="on")
    assert "☑" in teacher_page
    client = student_client
    url = reverse("question", args=[question.pk])
    assert "It is alone" not in client.get(url).content.decode().split("asked-boards")[1]
    lead(assignment, f"show:question {question.pk} reasons")
    pages = [client.get(url).content.decode()]
    pages.append(_screen(lead, screen))
    for page in pages:
        assert "<q>It is alone</q>" in page and "A secret" not in page
        assert student.name not in page.split('id="question"')[-1]
    all_done()
    assert "<q>It is alone</q>" in steps(question, "reveal")
    for page in (client.get(url).content.decode(), _screen(lead, screen)):
        assert "<q>It is alone</q>" in page and "A secret" not in page
    lead(assignment, f"unchoose:{first.pk}")
    assert "It is alone" not in _screen(lead, screen)


def _tick(answer: Answer) -> str:
    """Return the press that chooses the words of an answer as they are now."""
    return f"choose:{answer.pk}:{answer.version}"


def _screen(lead, url: str) -> str:
    teacher_client = lead.__closure__[0].cell_contents
    return teacher_client.get(url, headers=HTMX).content.decode()


def test_a_sentence_is_shown_to_the_class_only_if_it_was_chosen(
    begin, answer, steps, lead, student_client, assigned
):
    question = begin(assigned, "free", answer_form="sentence", words="What helps?")
    answer(student_client, question, "The corner")
    steps(question, "close", "reveal")
    assert "The corner" not in _screen(lead, reverse("screen_now"))
    lead(assigned.assignment, _tick(Answer.objects.get()))
    assert "The corner" in _screen(lead, reverse("screen_now"))


@pytest.mark.parametrize("form", ["sentence", "move"])
@pytest.mark.parametrize("is_late", [False, True])
def test_what_was_not_ticked_never_reaches_the_class(
    form, is_late, begin, answer, steps, lead, student_client, assigned
):
    """A student who changes what was ticked, before or after the press, takes it off the projector.
    The teacher is told, and can tick the new words."""
    fields = {"answer_form": form, "words": "What helps?"}
    question = begin(assigned, "free", **fields)
    answer(student_client, question, "The corner" if form == "sentence" else "1,1")
    if form == "move":
        answer(student_client, question, words="The corner")
    tick = _tick(Answer.objects.get())
    field = "answer" if form == "sentence" else "words"
    if is_late:
        answer(student_client, question, **{field: "You fool"})
        lead(assigned.assignment, tick)
    else:
        lead(assigned.assignment, tick)
        # The same words again change nothing.
        answer(student_client, question, **{field: "The corner"})
        assert Answer.objects.get().is_chosen
        answer(student_client, question, **{field: "You fool"})
    assert not Answer.objects.get().is_chosen
    steps(question, "close")
    lead(assigned.assignment, f"show:question {question.pk} reasons")
    page = reverse("question", args=[question.pk])
    for names in ((), ("reveal",)):
        told = steps(question, *names) if names else lead(assigned.assignment, "resume", peek="on")
        assert ">changed<" in told and "You fool" in told
        for shown in (_screen(lead, "/screen/now/"), student_client.get(page).content.decode()):
            assert "The corner" not in shown
            assert "You fool" not in shown.split("asked-")[-1]
    assert ">changed<" not in lead(assigned.assignment, _tick(Answer.objects.get()), peek="on")
    assert "You fool" in _screen(lead, "/screen/now/")


def test_a_reason_is_no_longer_shown_for_another_answer(
    begin, answer, steps, lead, student_client, assigned
):
    question = begin(assigned)
    answer(student_client, question, "1,1")
    answer(student_client, question, words="It is alone")
    lead(assigned.assignment, _tick(Answer.objects.get()))
    answer(student_client, question, "4,2")
    given = Answer.objects.get()
    assert (given.is_chosen, given.has_changed, given.words) == (False, True, "It is alone")
    steps(question, "close", "reveal")
    assert "It is alone" not in _screen(lead, "/screen/now/")


def test_a_reason_on_one_of_two_boards_does_not_stay_for_the_other(
    begin, answer, student_client, classroom, assign, make_puzzle
):
    small, large = (make_puzzle("goishi", rows) for rows in ("ooo", "oo./.oo"))
    first, second = assign(classroom, small, large).puzzles.all()
    question = begin(first, "which", other=second.pk)
    answer(student_client, question, "b")
    answer(student_client, question, cell="2,3")
    assert answer(student_client, question, "a").status_code == 200
    assert Answer.objects.get().cell == ""


def test_ticked_words_cannot_be_exchanged_for_others_with_the_same_checksum(
    begin, answer, steps, lead, student_client, assigned
):
    question = begin(assigned)
    answer(student_client, question, "1,1")
    kind, rude = "It is alone GPk0fMOLhphO", "It is silly 3R8UNILov0sH"
    assert len({crc32(repr(("1,1", "", words)).encode()) for words in (kind, rude)}) == 1
    answer(student_client, question, words=kind)
    lead(assigned.assignment, tick := _tick(Answer.objects.get()))
    assert Answer.objects.get().is_chosen
    answer(student_client, question, words=rude)
    lead(assigned.assignment, tick)
    given = Answer.objects.get()
    assert (given.words, given.is_chosen, given.has_changed) == (rude, False, True)


@pytest.mark.parametrize("is_revealed", [False, True])
def test_students_pages_follow_each_tick(
    is_revealed, begin, answer, steps, lead, student_client, assigned
):
    question, assignment = begin(assigned), assigned.assignment
    answer(student_client, question, "1,1")
    answer(student_client, question, words="It is alone")
    steps(question, "close", *(["reveal"] if is_revealed else []))
    lead(assignment, f"show:question {question.pk} reasons")
    url, page = reverse("lesson_now"), reverse("question", args=[question.pk])
    stages = []
    for press in (_tick(Answer.objects.get()), f"unchoose:{Answer.objects.get().pk}"):
        lead(assignment, press)
        frame = student_client.get(url, headers=HTMX).content.decode()
        stages += re.findall(r'data-stage="([^"]+)"', frame)
        shown = student_client.get(page).content.decode()
        assert f'data-stage="{stages[-1]}"' in shown
        assert ("<q>It is alone</q>" in shown) == press.startswith("choose")
    assert len(set(stages)) == 2


def test_a_reason_can_be_changed_and_needs_an_answer(begin, answer, student_client, assigned):
    question = begin(assigned)
    assert answer(student_client, question, cell="1,1").headers["Refused"] == "422"
    answer(student_client, question, "1,1")
    for cell in ("9,9", "here", "0,0"):
        assert answer(student_client, question, cell=cell).headers["Refused"] == "422"
    answer(student_client, question, cell="1,1", words="First")
    answer(student_client, question, words="Second")
    given = Answer.objects.get()
    assert (given.cell, given.words) == ("1,1", "Second")


def test_the_truth_is_nowhere_before_it_is_shown(
    begin, answer, steps, lead, all_done, student_client, teacher_client, assigned
):
    """Not a byte for students and the projector depends on the truth."""
    question = begin(assigned, "solvable", line="4,2")
    url, screen = reverse("question", args=[question.pk]), reverse("screen_now")

    def seen() -> tuple[str, ...]:
        page = student_client.get(url).content.decode()
        now = student_client.get(reverse("lesson_now"), headers=HTMX).content.decode()
        projected = teacher_client.get(screen, headers=HTMX).content.decode()
        return re.sub(r'csrfmiddlewaretoken" value="\w+"', "", page), now, projected

    answer(student_client, question, "yes")
    Job.objects.all().delete()
    before = seen()
    question.refresh_from_db()
    ask(assigned.assignment.teacher, _copy(question))
    Question.objects.latest("pk").delete()
    Question.objects.update(stage="open")
    Pace.objects.update(shown=f"question {question.pk}")
    all_done()
    assert Job.objects.exclude(answer=None).exists()
    assert [page.split("have=")[0] for page in seen()] == [p.split("have=")[0] for p in before]
    # The teacher sees it only when peeking, and not with hidden names.
    lesson = reverse("lesson", args=[assigned.assignment_id])
    for query in ({}, {"peek": "on", "names": "none"}):
        assert "asked-table" not in teacher_client.get(lesson, query).content.decode()
    assert "asked-table" in teacher_client.get(lesson, {"peek": "on"}).content.decode()


def _copy(question: Question) -> Question:
    return Question(
        assignment=question.assignment,
        puzzle=question.puzzle,
        sort=question.sort,
        line=question.line,
    )


def test_a_bound_is_marked_as_one(begin, answer, steps, answered, student_client, assigned):
    question = begin(assigned)
    answer(student_client, question, "1,1")
    steps(question, "close", "reveal")
    for job in Job.objects.filter(state=Job.State.WAITING, question="count"):
        answered(job, 3, proven=False)
    question.refresh_from_db()
    outcome = results_of([question])[0].outcomes[0]
    assert outcome.count and not outcome.count.proven and outcome.is_right


def test_a_count_that_is_not_proven_calls_no_answer_right(
    begin, answer, steps, answered, student_client, assigned
):
    question = begin(assigned, "count")
    answer(student_client, question, "3")
    for job in Job.objects.filter(state=Job.State.WAITING, question="count"):
        answered(job, 3, proven=False)
    assert "at least 3" in steps(question, "close", "reveal")
    question.refresh_from_db()
    assert results_of([question])[0].outcomes[0].is_right is None


def test_a_faulty_answer_is_refused(begin, answer, student_client, assigned):
    question = begin(assigned)
    for text in ("", "9,9", "1,2", "yes", "x" * 500):
        assert answer(student_client, question, text).headers["Refused"] == "422"
    question = begin(assigned, "count")
    for text in ("-1", "many", "9" * 19, "1.5"):
        assert answer(student_client, question, text).headers["Refused"] == "422"
    assert not Answer.objects.exists()


def test_an_answer_that_waited_counts_until_the_answer_is_shown(
    begin, answer, steps, lead, client_of, student, classmate, student_client, assigned
):
    question, other = begin(assigned), client_of(classmate)
    steps(question, "close", "again", "close")
    assert answer(student_client, question, answer="1,1", round="1").status_code == 200
    assert Answer.objects.get().round == 1
    steps(question, "reveal")
    late = answer(other, question, answer="4,2", round="2")
    assert "came too late" in late.content.decode() and late.headers["Refused"] == "422"
    answer(student_client, question, answer="4,2", round="1")
    question.refresh_from_db()
    result = results_of([question])[0]
    assert result.rounds == {1: {"1,1": 1}, 2: {}}
    assert [each.student for each, _said in result.late] == [classmate]
    assert "Came after the answer" in lead(assigned.assignment, "question:reveal", peek="on")


def test_a_question_is_open_until_the_last_second(
    begin, answer, lead, student_client, assigned, monkeypatch
):
    monkeypatch.setattr(Question, "CLOSING", timedelta(seconds=5))
    question = begin(assigned)
    page = lead(assigned.assignment, "question:close")
    assert "question:reveal" not in page and "few seconds" in page
    for name in ("reveal", "again", "close"):
        lead(assigned.assignment, f"question:{name}")
    question.refresh_from_db()
    assert (question.stage, question.round, question.is_open) == ("closed", 1, True)
    news = student_client.get(reverse("lesson_now"), headers=HTMX).content.decode()
    assert 4000 < int(re.search(r'data-closes-in="(\d+)"', news)[1]) <= 5000
    assert (
        "data-question"
        in student_client.get(reverse("question", args=[question.pk])).content.decode()
    )
    answer(student_client, question, "1,1")
    assert Answer.objects.exists()


def test_everybody_begins_at_the_same_second(begin, answer, lead, student_client, assigned):
    question = begin(assigned, same_second="on")
    assert "not begun yet" in answer(student_client, question, "1,1").content.decode()
    assert "data-begins-in" in student_client.get(reverse("lesson_now"), headers=HTMX).text
    lead(assigned.assignment, "question:close")
    question.refresh_from_db()
    assert question.stage == "open"
    # A pause stops the countdown.
    lead(assigned.assignment, "pause")
    Pace.objects.update(paused_at=timezone.now() - timedelta(seconds=30))
    Question.objects.update(starts_at=question.starts_at - timedelta(seconds=25))
    lead(assigned.assignment, "resume")
    question.refresh_from_db()
    assert question.starts_at > timezone.now()
    Question.objects.update(starts_at=timezone.now())
    answer(student_client, question, "1,1")
    assert Answer.objects.exists()


def test_the_switches_are_remembered_for_the_class(begin, lead, assigned):
    begin(assigned, twice="on", same_second="on")
    lead(assigned.assignment, "ask:count", board=assigned.pk)
    last = Question.objects.latest("pk")
    assert last.twice and last.starts_at
    lead(assigned.assignment, "ask:count", board=assigned.pk, switches="on")
    last = Question.objects.latest("pk")
    assert not last.twice and not last.starts_at


def test_a_later_answer_replaces_the_first(begin, answer, student_client, assigned):
    question = begin(assigned)
    answer(student_client, question, "1,1")
    page = student_client.get(reverse("question", args=[question.pk]), {"change": ""})
    assert 'data-presses="answer"' in page.content.decode()
    answer(student_client, question, "2,1")
    assert Answer.objects.get().answer == "2,1"


def test_a_page_that_is_loaded_again_knows_the_answer(begin, answer, student_client, assigned):
    question = begin(assigned)
    url = reverse("question", args=[question.pk])
    assert "Your answer:" not in student_client.get(url).content.decode()
    answer(student_client, question, "1,1")
    assert "Your answer:" in student_client.get(url).content.decode()


def test_the_lesson_page_is_told_of_each_answer(
    begin, answer, teacher_client, client_of, student, student_client, classmate, assigned
):
    question = begin(assigned)
    url = reverse("lesson", args=[assigned.assignment_id])
    for client, number in ((student_client, 1), (client_of(classmate), 2)):
        have = {"have": re.findall(VERSIONS, teacher_client.get(url).content.decode())}
        assert teacher_client.get(url, have, headers=HTMX).status_code == NOTHING_NEW
        answer(client, question, "1,1")
        page = teacher_client.get(url, have, headers=HTMX)
        assert f"Answers: {number} of" in page.content.decode()


@pytest.mark.parametrize(
    ("names", "stage"), [(["close"], "1.closed"), (["close", "again"], "2.open"), (["done"], "")]
)
def test_students_are_told_of_each_stage(names, stage, begin, steps, student_client, assigned):
    question = begin(assigned)
    url = reverse("lesson_now")
    have = {"have": student_client.get(url, headers=HTMX).context["version"]}
    assert student_client.get(url, have, headers=HTMX).status_code == NOTHING_NEW
    steps(question, *names)
    news = student_client.get(url, have, headers=HTMX).content.decode()
    assert (f'data-stage="{question.pk}.{stage}"' in news) is bool(stage)


def test_the_answer_is_not_shown_while_the_question_is_open(begin, steps, assigned):
    question = begin(assigned)
    assert "question:reveal" not in steps(question, "reveal")
    question.refresh_from_db()
    assert question.stage == "open"


def test_students_are_led_to_the_question_and_back(begin, steps, student_client, assigned):
    question = begin(assigned)
    url = reverse("lesson_now")
    page = student_client.get(url, headers=HTMX).content.decode()
    assert f'data-go="/questions/{question.pk}/"' in page
    assert student_client.get(reverse("lesson_enter")).url == f"/questions/{question.pk}/"
    steps(question, "done")
    assert "data-go" not in student_client.get(url, headers=HTMX).content.decode()
    back = student_client.get(reverse("question", args=[question.pk]))
    assert back.url == f"/play/{assigned.pk}/"


def test_students_leave_a_question_whose_board_is_deleted(
    begin, student_client, classroom, assign, make_puzzle
):
    assignment = assign(classroom, *(make_puzzle("goishi", "ooo") for _ in range(2)))
    kept, other = assignment.puzzles.order_by("number")
    question = begin(other)
    url = reverse("lesson_now")
    page = student_client.get(url, headers=HTMX)
    set_puzzles(assignment, [kept])
    news = student_client.get(url, {"have": page.context["version"]}, headers=HTMX)
    assert news.status_code == 200 and "data-go" not in news.content.decode()
    url = reverse("question", args=[question.pk])
    assert student_client.post(url, {"answer": "1,1"}, headers=HTMX).status_code == 404


def test_another_activity_ends_the_question(begin, lead, assigned):
    for do in ("ask:solvable", f"send:{assigned.pk}", "free", "end"):
        question = begin(assigned)
        lead(assigned.assignment, do, board=assigned.pk)
        question.refresh_from_db()
        assert question.stage == "over", do


def test_a_replay_asks_about_the_moves_on_the_board(teacher_client, assigned):
    url = reverse("question_new", args=[assigned.pk])
    teacher_client.post(url, {"sort": "move", "line": "1,1 2,1 2,2", "moves": "2"})
    assert Question.objects.get().line == "1,1 2,1"
    teacher_client.post(url, {"sort": "mistake", "line": "1,1 2,1 2,2", "moves": "2"})
    assert Question.objects.latest("pk").line == "1,1 2,1 2,2"


def test_a_position_without_moves_has_no_next_move(teacher_client, assigned, lines):
    url = reverse("question_new", args=[assigned.pk])
    fields = {"sort": "move", "line": lines.jam}
    page = teacher_client.post(url, fields, follow=True).content.decode()
    assert "No move is left on this board" in page
    assert not Question.objects.exists()


@pytest.mark.parametrize("line", ["9,9", "nonsense", "1,1 1,1", "<b>"])
def test_a_line_that_cannot_be_played_is_told(teacher_client, assigned, line):
    url = reverse("question_new", args=[assigned.pk])
    for moves in ("", "1"):
        fields = {"sort": "move", "line": line, "moves": moves}
        answer = teacher_client.post(url, fields, follow=True)
        assert answer.status_code == 200 or line == "1,1 1,1"
    assert line == "1,1 1,1" or not Question.objects.exists()


def test_an_archived_class_does_not_answer(begin, answer, student_client, assigned, classroom):
    question = begin(assigned)
    classroom.archived_at = timezone.now()
    classroom.save()
    assert answer(student_client, question, "1,1").status_code == 404
    assert not Answer.objects.exists()


@pytest.fixture
def asking_pages(student, assigned, tried):
    """Return the addresses of the pages that offer a question."""
    attempt = tried(student, assigned, "1,1")
    return [
        reverse("found", args=[assigned.pk]),
        reverse("replay", args=[attempt.key]),
        reverse("trial", args=[assigned.trial_name]),
    ]


def test_only_those_who_may_ask_see_the_button(
    teacher_client, substitute_client, asking_pages, assigned
):
    button = f'action="{reverse("question_new", args=[assigned.pk])}"'
    for page in asking_pages:
        assert button in teacher_client.get(page).content.decode(), page
        assert button not in substitute_client.get(page).content.decode(), page


def test_an_archived_class_is_not_asked(teacher_client, asking_pages, classroom):
    classroom.archived_at = timezone.now()
    classroom.save()
    for page in asking_pages:
        assert "questions/new" not in teacher_client.get(page).content.decode(), page


def test_a_question_is_asked_from_the_teachers_own_trial(teacher_client, assigned):
    step = {"action": "move", "move": "1,1", "step": 0}
    url = reverse("trial_step", args=[assigned.trial_name])
    page = teacher_client.post(url, step, headers=HTMX).content.decode()
    action = reverse("question_new", args=[assigned.pk])
    form = page.split(f'action="{action}"')[1].split("</form>")[0]
    assert '<input type="hidden" name="line" value="1,1">' in form
    assert "csrfmiddlewaretoken" in form


def test_the_number_of_questions_is_bounded(assigned, monkeypatch, teacher_client):
    monkeypatch.setattr(Question, "MAX_COUNT", 1)
    url = reverse("question_new", args=[assigned.pk])
    assert teacher_client.post(url, {"sort": "move"}).status_code == 302
    assert teacher_client.post(url, {"sort": "move"}).status_code == 429


LARGE = {
    "goishi": "/".join(["o" * 9] * 9),
    "tonari": "B" + "/".join(["b" * 6] * 6)[1:],
    "maxstrings": "/".join(["." * 9] * 9),
    "kikazu": "9/9/9/9/9/9/9/9/9 2R2B4N32P",
}


@pytest.mark.parametrize("slug", LARGE)
def test_a_page_of_a_question_is_sent_in_less_than_20_kb(
    slug, begin, student_client, classroom, assign, make_puzzle
):
    board = assign(classroom, make_puzzle(slug, LARGE[slug])).puzzles.get()
    url = reverse("question", args=[begin(board).pk])
    page = student_client.get(url, headers={"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    assert len(page.content) < 20_000


def test_a_lesson_page_with_a_question_asks_the_same_queries_for_forty_students(
    teacher, teacher_client, classroom, make_class, assign, puzzle, queries_of
):
    numbers = []
    for room in (classroom, make_class(teacher, "Large", *(f"Student {n}" for n in range(40)))):
        board = assign(room, puzzle).puzzles.get()
        question = Question(assignment=board.assignment, puzzle=board, sort="move")
        ask(teacher, question)
        for student in room.students.all():
            with suppress(PuzzleError):
                give(question, student, random.choice(["1,1", "2,1", "2,2", "4,1", "4,2"]))
                give_reason(question, student, cell="1,1", words="Because")
        url = reverse("lesson", args=[board.assignment_id])
        numbers.append(queries_of(teacher_client, f"{url}?peek=on"))
    assert numbers[0] == numbers[1]


def test_a_forgotten_question_ends_with_its_lesson(begin, student_client, assigned):
    begin(assigned)
    Question.objects.update(begun_at=timezone.now() - Pace.LASTS)
    url = reverse("lesson_now")
    assert "data-go" not in student_client.get(url, headers=HTMX).content.decode()


def test_estimates_fill_the_number_line_and_a_right_one_is_marked():
    line = NumberLine.of(Counter({"5": 3, "12": 1, "400": 2}), 5)
    assert [each.x for each in line.estimates][::2] == [40, NumberLine.WIDTH - 40]
    assert [each.is_right for each in line.estimates] == [True, False, False]
    assert line.truth is None
    without = NumberLine.of(Counter({"12": 1}), 5)
    assert without.truth == (40, "5")
    both = NumberLine.of(Counter({"5": 2}), None, Counter({"5": 1, "9": 3}))
    counted = [(each.number, each.times, each.first) for each in both.estimates]
    assert counted == [("5", 2, 1), ("9", 0, 3)]
    hidden = NumberLine.of(Counter({"12": 1}), None)
    assert hidden.truth is None and not hidden.estimates[0].is_right


def test_the_list_shows_both_rounds_and_the_old_addresses_lead_there(
    teacher_client, student_client, begin, answer, steps, all_done, assigned
):
    unanswered = begin(assigned)
    steps(unanswered, "done")
    question = begin(assigned)
    answer(student_client, question, "1,1")
    steps(question, "done")
    all_done()
    url = reverse("question_list", args=[assigned.assignment_id])
    assert student_client.get(url).status_code == 403
    page = teacher_client.get(url)
    once, never = page.context["results"]
    assert (once.number, once.has_second, never.number) == (1, False, 0)
    text = page.content.decode()
    assert text.count("1st time") == 2 and "2nd time" not in text
    assert text.count("Nobody answered.") == 1
    assert teacher_client.get(f"/assignments/{assigned.assignment_id}/votes/").url == url
    assert student_client.get(f"/votes/{question.pk}/").url == f"/questions/{question.pk}/"


def test_a_tile_says_whether_the_student_has_answered(
    begin, answer, lead, teacher_client, student_client, student, assigned
):
    def answered() -> set[int]:
        page = teacher_client.get(reverse("lesson", args=[assigned.assignment.pk]))
        marked = {tile.student for tile in page.context["wall"].tiles if tile.has_answered}
        assert page.content.decode().count('aria-label="Answered"') == len(marked)
        return marked

    question = begin(assigned)
    assert answered() == set()
    answer(student_client, question, "1,1")
    assert answered() == {student.pk}
    lead(question.assignment, "question:close")
    assert answered() == set()
