"""A later due date for a student or a group, late work, and an absence."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.api.models import ApiToken
from puzzleclass.assignments.due import due_of, dues_of, extend, is_over_for
from puzzleclass.assignments.models import Assignment, OwnDue
from puzzleclass.calendars.models import CalendarAddress
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.due import due_for
from puzzleclass.play.refusals import StepRefused
from puzzleclass.stats.assignment_ledger import assignment_ledger

WEEK, HOUR = timedelta(days=7), timedelta(hours=1)


@pytest.fixture
def later(overdue, student, teacher) -> Assignment:
    """Return an assignment that is over, but for one student, who has a week more."""
    extend(overdue, [student.pk], teacher, WEEK)
    return Assignment.objects.get(pk=overdue.pk)


def own_cell(assignment, student):
    [row] = [
        each for each in assignment_ledger(assignment).rows if each.enrolment.student == student
    ]
    return row.work.row[0]


def test_a_student_with_a_later_date_goes_on(
    later, assigned, student, classmate, play, lines, client_of
):
    assert not is_over_for(later, student.pk) and is_over_for(later, classmate.pk)
    due = due_of(later, student.pk)
    assert due.is_own and timedelta(days=6) < due.at - timezone.now() <= WEEK
    assert [mine.assignment for mine in due_for(student).open] == [later]
    assert [mine.assignment for mine in due_for(classmate).over] == [later]
    play(current_attempt(student, assigned), lines.solution)
    assert own_cell(later, student).status.is_solved and not own_cell(later, student).is_late
    assert current_attempt(classmate, assigned) is None
    url = f"/play/{assigned.pk}/"
    assert "moves no longer count" not in client_of(student).get(url).content.decode()
    assert "moves no longer count" in client_of(classmate).get(url).content.decode()


def test_the_latest_of_the_dates_holds(assignment, classroom, student, classmate, teacher):
    reds = classroom.groups.create(name="Reds")
    reds.members.add(student.enrolments.get(), classmate.enrolments.get())
    extend(assignment, reds, teacher, timedelta(days=1))
    extend(assignment, [student.pk], teacher, WEEK)
    own = dues_of([assignment])
    # A week after the date of the group.
    assert own[assignment.pk, student.pk].at - assignment.due_at == timedelta(days=8)
    assert own[assignment.pk, classmate.pk].at - assignment.due_at == timedelta(days=1)
    # A date of the class that is later takes the place of all of them.
    Assignment.objects.update(due_at=timezone.now() + timedelta(days=30))
    assert dues_of([Assignment.objects.get()]) == {}
    extend(assignment, reds, teacher, timedelta())
    extend(assignment, [student.pk], teacher, timedelta())
    assert not OwnDue.objects.exists()


def test_late_work_is_accepted_and_marked(
    overdue, assigned, student, classmate, play, lines, client_of, teacher_client
):
    Assignment.objects.update(late_until=timezone.now() + timedelta(days=2))
    assigned.refresh_from_db()
    url = f"/play/{assigned.pk}/"
    assert "Late work is accepted until" in client_of(student).get(url).content.decode()
    assert "おくれて出せます" in client_of(student, "ja").get("/").content.decode()
    play(current_attempt(student, assigned), lines.solution)
    play(current_attempt(classmate, assigned), "1,1")
    shown = Assignment.objects.get()
    assert [own_cell(shown, each).is_late for each in (student, classmate)] == [True, True]
    page = teacher_client.get(f"/assignments/{shown.pk}/?show=status+due").content.decode()
    assert "Late work until" in page and ">late</span>" in page
    teacher_client.post(reverse("assignment_close", args=[shown.pk]))
    shown.refresh_from_db()
    assert shown.late_until is None and shown.is_over
    with pytest.raises(StepRefused):
        assigned.assignment = shown
        attempt = current_attempt(classmate, assigned)
        attempt.puzzle.assignment = shown
        play(attempt, "2,1")


def test_the_page_gives_a_later_date(teacher_client, assignment, student, classmate):
    url = f"/assignments/{assignment.pk}/"
    answer = teacher_client.post(f"{url}later/?show=due", {"student": student.pk, "days": "7"})
    assert answer.url == f"{url}?show=due"
    page = teacher_client.get(answer.url).content.decode()
    assert "Now due" in page and "→" in page
    assert due_of(assignment, student.pk).at - assignment.due_at == WEEK
    teacher_client.post(f"{url}later/", {"all": "on", "days": "1"})
    assert OwnDue.objects.count() == 3
    teacher_client.post(f"{url}later/", {"all": "on", "days": "0"})
    for wrong in ({"days": "7"}, {"all": "on", "days": "900"}, {"student": "x", "days": "7"}):
        teacher_client.post(f"{url}later/", wrong)
    assert not OwnDue.objects.exists()


def test_a_group_gets_the_date_with_those_who_come_later(
    teacher_client, assignment, classroom, student, classmate
):
    reds = classroom.groups.create(name="Reds")
    reds.members.add(student.enrolments.get())
    url = f"/assignments/{assignment.pk}/later/?group={reds.pk}"
    teacher_client.post(url, {"all": "on", "days": "7"})
    reds.members.add(classmate.enrolments.get())
    own = dues_of([assignment])
    assert set(own) == {(assignment.pk, student.pk), (assignment.pk, classmate.pk)}


def test_one_student_has_until_a_day_that_the_teacher_chooses(
    teacher_client, assignment, classroom, student
):
    url = f"/assignments/{assignment.pk}/"
    due = timezone.localtime(assignment.due_at, classroom.zone)
    day = (due + timedelta(days=3)).date()
    sent = {"student": student.pk, "days": "day", "day": f"{day}"}
    teacher_client.post(f"{url}later/", sent)
    own = timezone.localtime(due_of(assignment, student.pk).at, classroom.zone)
    assert (own.date(), own.time()) == (day, due.time())
    later, earlier = f"{due.date() + timedelta(days=500)}", f"{due.date() - timedelta(days=1)}"
    ends = ("0001-01-01", "9999-12-31")
    for wrong in ("", "soon", "2026-02-30", "\0", *ends, earlier, f"{due.date()}", later):
        sent |= {"day": wrong, "comment": "Take your time."}
        page = teacher_client.post(f"{url}later/", sent)
        assert page.status_code == 422 and "Choose a day" in page.content.decode()
        assert "Take your time." in page.content.decode()
        assert f'value="{student.pk}" checked' in page.content.decode()
    assert OwnDue.objects.get().due_at == own


def test_an_absence_is_shown_until_something_is_begun(
    teacher_client, assignment, assigned, student, tried
):
    url = f"/assignments/{assignment.pk}/"
    teacher_client.post(f"{url}later/", {"student": student.pk, "absent": "on"})
    assert ">abs.</span>" in teacher_client.get(url).content.decode()
    file = teacher_client.get(url, {"show": "due", "format": "csv"}).content.decode()
    assert str(timezone.localdate()) in file
    tried(student, assigned, "1,1")
    assert ">abs.</span>" not in teacher_client.get(url).content.decode()
    teacher_client.post(f"{url}later/", {"student": student.pk, "absent": ""})
    assert assignment.attendances.get().absent_on is None


def test_scripts_and_calendars_have_the_date(later, teacher, client, student, classmate):
    token = ApiToken(teacher=teacher, name="Script")
    headers = {"authorization": f"Bearer {token.make_word()}"}
    token.save()
    items = client.get(reverse("api_results", args=[later.pk]), headers=headers).json()["items"]
    by_name = {item["name"]: item for item in items}
    own, other = by_name[student.name], by_name[classmate.name]
    assert own["due_at"] > own["class_due_at"] == other["due_at"] == other["class_due_at"]
    assert (own["late"], own["absent_on"]) == (False, None)
    stamp = f"{due_of(later, student.pk).at:%Y%m%dT%H%M%SZ}"
    word = CalendarAddress.objects.create(user=student).word
    assert stamp in client.get(reverse("calendar_feed", args=[word])).content.decode()


def test_the_end_of_late_work_comes_after_the_due_date(teacher_client, assignment):
    url = reverse("assignment_edit", args=[assignment.pk])
    due = timezone.localtime(assignment.due_at)
    sent = {"title": "x", "due_at": f"{due:%Y-%m-%dT%H:%M}", "hints": 3, "boards": ""}
    for hours, is_refused in ((-1, True), (5, False)):
        until = f"{due + timedelta(hours=hours):%Y-%m-%dT%H:%M}"
        page = teacher_client.post(url, sent | {"late_until": until}).content.decode()
        assert ("only after the due date" in page) is is_refused
