"""The page from which a teacher leads a lesson: the class, one bar, and what is asked."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import (
    get_assignment_for_teacher,
    get_changeable_assignment_for_teacher,
)
from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import can_be_led, running_pace
from puzzleclass.classes.access import (
    Right,
    check_not_archived,
    get_classroom_for_teacher,
    may_teach_now,
)
from puzzleclass.forms.once import once, saves_as_page
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.language.reader import say
from puzzleclass.lessons.actions import Press, do
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.outcomes import results_of
from puzzleclass.lessons.phases import Course, course_of
from puzzleclass.lessons.questions import last_switches, running_question
from puzzleclass.lessons.reflections import looked_back
from puzzleclass.lessons.scenes import scene_of, shows_reasons
from puzzleclass.lessons.screens import code_of
from puzzleclass.lessons.seats import SeatsForm, seats_of
from puzzleclass.lessons.solving import solving_of
from puzzleclass.lessons.tiles import Tile, WallState, wall_of
from puzzleclass.play.models import Feedback, HintUse, RefusedMove
from puzzleclass.play.refusals import StepRefused
from puzzleclass.templating.templatetags.words import clock
from solvers.kind import PuzzleError

CLOCK_MINUTES = (1, 3, 5, 10, 15)
"""The times that the clock offers."""
NEEDS_SHOWN = 8
"""The most students who are listed as needing help; the page gives only the number of the
others."""
VIEWS = ("tiles", "list", "seats")


@for_teachers("GET")
def lesson(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the class in a lesson; for HTMX, only what differs from what the page has (`have`)."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    if not request.htmx:
        is_over = running_pace(assignment) is None
        if is_over and not request.GET and assignment.reflections.exists():
            return redirect("reflections", pk)
        return render(request, "lessons/lesson.html", _page(request, assignment))
    return _changes(request, assignment)


@for_teachers("POST")
@once(saves_as_page)
def lead(request: SignedInRequest, pk: int) -> HttpResponse:
    """Do what a button of the page says: the field `do` is a name of `ACTIONS`, and a colon and a
    value where the action needs one."""
    assignment = get_changeable_assignment_for_teacher(request.user, pk)
    check_not_archived(assignment.classroom)
    name, _colon, value = request.POST.get("do", "").partition(":")
    fault = ""
    try:
        do(Press(request.user, assignment, value, request.POST), name)
    except (PuzzleError, StepRefused) as refused:
        fault = str(say(refused.message))
    if name in ("end", "close") and not fault and assignment.reflections.exists():
        address = reverse("reflections", args=[pk])
        if request.htmx:
            return HttpResponse(headers={"HX-Redirect": address})
        return redirect(address)
    if request.htmx:
        return _changes(request, assignment, fault)
    if fault:
        return render(request, "lessons/lesson.html", _page(request, assignment, fault), status=422)
    names = ("view",) if name == "ask" else ("view", "student", "peek")
    fields = {name: request.POST[name] for name in names if request.POST.get(name)}
    return redirect(reverse("lesson", args=[pk], query=fields or None))


@for_teachers("GET")
def old_wall(request: SignedInRequest, pk: int, student: int = 0) -> HttpResponse:
    """Lead from the address of the wall, or of one student on it, to the lesson."""
    get_assignment_for_teacher(request.user, pk, Right.LOOK)
    query = {"student": student} if student else None
    return redirect(reverse("lesson", args=[pk], query=query))


@for_teachers("GET", "POST")
def seats(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show where the students of a class sit; POST stores it."""
    right = Right.TEACH if request.method == "POST" else Right.LOOK
    classroom = get_classroom_for_teacher(request.user, pk, right)
    form = SeatsForm(classroom, request.POST or None)
    if request.method == "POST":
        check_not_archived(classroom)
        if form.is_valid():
            form.save()
            return redirect("seats", pk)
    by_student = {each.student_id: each for each in form.enrolments}
    plan = seats_of(classroom, by_student.keys())
    context = {
        "classroom": classroom,
        "form": form,
        "columns": plan.columns,
        "places": [(student, by_student.get(student)) for student in plan.places],
        "can_teach": may_teach_now(classroom, classroom),
    }
    status = 422 if form.is_bound else 200
    return render(request, "lessons/seats.html", context, status=status)


def _page(request: SignedInRequest, assignment: Assignment, fault: str = "") -> dict[str, Any]:
    """Return everything that the page shows; the updates show parts of the same."""
    sent = request.POST if request.method == "POST" else request.GET
    pace = running_pace(assignment)
    named = sent.get("names") != "none"
    wall = wall_of(
        assignment, pace.board_id if pace else None, named=named, kana=sent.get("kana") == "on"
    )
    question = running_question(assignment)
    result = results_of([question])[0] if question and not question.is_solved_together else None
    answered = result.answered if result and result.question.is_open else set()
    if pace and pace.looks_back:
        answered = looked_back(pace)
    wall = wall.with_answers_of(answered)
    view = sent.get("view") if sent.get("view") in VIEWS else "tiles"
    plan, cells = None, list[Tile | None](wall.tiles)
    if view == "seats":
        plan = seats_of(assignment.classroom, {tile.student for tile in wall.tiles})
        by_student = {tile.student: tile for tile in wall.tiles}
        cells = [by_student.get(student) for student in plan.places]
    boards = wall.puzzles
    led = next((board for board in boards if pace and board.pk == pace.board_id), None)
    student = read_key(sent.get("student", ""))
    chosen = next((tile for tile in wall.tiles if tile.student == student), None)
    can_teach = may_teach_now(assignment, assignment.classroom) and not assignment.is_gallery
    course = course_of(assignment)
    context: dict[str, Any] = {
        "assignment": assignment,
        "course": course,
        "pace": pace,
        "fault": fault,
        "wall": wall,
        "tiles": cells,
        "boards": boards,
        "led": led,
        "here": led or _board_of_phase(course, boards) or next(iter(boards), None),
        "named": named,
        "kana": sent.get("kana") == "on",
        "view": view,
        "plan": plan,
        "needs": wall.in_need[:NEEDS_SHOWN],
        "more_needs": max(0, len(wall.in_need) - NEEDS_SHOWN),
        "seconds": pace.seconds_left if pace else None,
        "clock_minutes": CLOCK_MINUTES,
        "can_teach": can_teach and not assignment.is_over,
        "can_be_led": can_be_led(assignment) and len(boards) > 1,
        "can_solve_together": can_be_led(assignment),
        "question": question,
        "switches": last_switches(assignment),
        "forms": Question.Form.choices,
        "peeks": named and sent.get("peek") == "on",
        "scene": scene_of(pace.shown) if pace else None,
        "code": code_of(assignment) if pace else "",
        "chosen": chosen,
        "query": _query(sent),
        "waiting": [tile for tile in wall.here if not tile.has_answered],
    }
    if chosen:
        context |= _student(assignment, chosen)
        context["beside"] = [tile for tile in wall.present if tile.puzzle and tile != chosen]
    elif question and question.is_solved_together:
        context["solving"] = solving_of(question)
    elif result:
        context["result"] = result
        context["shows_reasons"] = bool(pace and shows_reasons(pace))
    versions = {
        "bar": (
            pace and pace.version,
            assignment.is_over,
            fault,
            context["code"],
            question and question.pk,
        ),
        "now": wall.version,
        "side": _side_version(context),
    }
    if context["course"]:
        versions["phases"] = pace and pace.phase_at
    if pace and pace.looks_back:
        versions["silent"] = [tile.student for tile in context["waiting"]]
    context["versions"] = {
        name: f"{name}.{crc32(repr(version).encode()):x}" for name, version in versions.items()
    }
    return context


def _board_of_phase(
    course: Course | None, boards: Sequence[AssignedPuzzle]
) -> AssignedPuzzle | None:
    """Return the board that the present phase of the plan is about."""
    number = course.now.action.board if course and course.now else 0
    return next((board for board in boards if board.number == number), None)


def _query(sent: Any) -> str:
    """Return what the address of the page keeps: how the class is shown."""
    fields = {name: sent[name] for name in ("view", "names", "kana") if sent.get(name)}
    return reverse("lesson", args=[0], query=fields or None).partition("?")[2]


def _student(assignment: Assignment, tile: Tile) -> dict[str, Any]:
    """Return what the side of the page shows about one student. Four queries."""
    attempt = tile.attempt
    puzzle = {"puzzle": tile.puzzle} if tile.puzzle else {"puzzle__assignment": assignment}
    attended = Attendance.objects.filter(assignment=assignment, student=tile.student).first()
    return {
        "attended": attended,
        "is_put_away": bool(
            attended
            and attended.message_at
            and attended.put_away_at
            and attended.put_away_at >= attended.message_at
        ),
        "hints": HintUse.objects.filter(attempt=attempt).count() if attempt else 0,
        "refused": list(
            RefusedMove.objects.filter(student=tile.student, **puzzle).order_by("-at")[:2]
        ),
        "stamps": Feedback.Stamp.choices,
        "is_absent": tile.state == WallState.ABSENT,
        "is_stuck": tile.state == WallState.STUCK,
        "time": clock(attempt.seconds) if attempt else "",
    }


def _side_version(context: dict[str, Any]) -> object:
    """Return a value that changes with what the side shows."""
    if tile := context["chosen"]:
        attended = context["attended"]
        sent = attended and (attended.message_at, attended.message, attended.stamp)
        refused = [(move.pk, move.times) for move in context["refused"]]
        return tile.version, sent, context["is_put_away"], context["hints"], refused
    if "result" in context:
        waiting = [tile.student for tile in context["waiting"]]
        return context["result"].version, waiting, context["peeks"], context["shows_reasons"]
    if "solving" in context:
        return context["solving"].version
    return context["wall"].version


def _changes(request: SignedInRequest, assignment: Assignment, fault: str = "") -> HttpResponse:
    """Return the parts of the page that differ from those that it has (`have`)."""
    context = _page(request, assignment, fault)
    sent = request.POST if request.method == "POST" else request.GET
    have = sent.getlist("have")
    of_tiles = [version for version in have if version.partition(".")[0].isdecimal()]
    if of_tiles and not context["wall"].is_same_class(of_tiles):
        # A student has come or gone, so the tiles of the page no longer match the class.
        return HttpResponse(headers={"HX-Refresh": "true"})
    changed = context["wall"].changed(of_tiles)
    parts = {name for name, version in context["versions"].items() if version not in have}
    if not changed and not parts and not fault:
        return HttpResponse(status=NOTHING_NEW)
    return render(
        request, "lessons/_lesson_changes.html", context | {"tiles": changed, "parts": parts}
    )
