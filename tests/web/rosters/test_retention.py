"""A school's rules of deletion: the dry run, the notice, the nightly work, and the receipt."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.classes.school_models import School
from puzzleclass.home.notices import notices_of
from puzzleclass.operations import pruning
from puzzleclass.play.models import Attempt
from puzzleclass.rosters.failures import schools_with_notices
from puzzleclass.rosters.models import Leavers
from puzzleclass.rosters.retention import Deletion, announced, delete_by_rules, deletions
from tests.web.rosters.test_schools import school

__all__ = ["school"]
pytestmark = pytest.mark.django_db

YEAR = timedelta(days=365.25)


@pytest.fixture
def old_class(school, teacher, make_class) -> Classroom:
    """Return a class in which nothing has been due for two years and ten days."""
    classroom = make_class(teacher, "5-1", "Aoki", "Baba")
    School.objects.update(kept_years=2, deletes_classes=True)
    Classroom.objects.update(
        school=school, created_at=timezone.now() - 2 * YEAR - timedelta(days=10)
    )
    return classroom


@pytest.fixture
def leavers(school, teacher, make_class) -> Classroom:
    """Return the list of the students who have left a class, seven months ago."""
    left = make_class(teacher, "6-1", "Chiba")
    listed = make_class(teacher, "6-1 (left)", "Doi", "Endo")
    at = timezone.now() - timedelta(days=215)
    Classroom.objects.filter(pk__in=[left.pk, listed.pk]).update(school=school)
    Classroom.objects.filter(pk=listed.pk).update(archived_at=at)
    Leavers.objects.create(left=left, classroom=listed)
    School.objects.update(leavers_kept_months=6)
    return listed


def work() -> None:
    for _ in delete_by_rules():
        pass


def announced_to(teacher: User) -> list[Deletion]:
    return announced(teacher, schools_with_notices(teacher))


def dry_run(*options: str) -> list[dict]:
    out = StringIO()
    call_command("retention", "--dry-run", *options, stdout=out)
    return json.loads(out.getvalue())["deletions"]


def test_an_old_class_goes_to_the_bin_with_a_receipt(old_class, school):
    [line] = dry_run()
    assert (line["class"], line["what"], line["students"]) == ("5-1", "class", 2)
    assert Classroom.objects.get(pk=old_class.pk).deleted_at is None
    work()
    old_class.refresh_from_db()
    assert old_class.deleted_at and old_class.archived_at
    receipt = DataRecord.objects.get(event="classes")
    assert (receipt.class_name, receipt.school_key, receipt.actor) == ("5-1", school.pk, None)
    work()
    assert DataRecord.objects.filter(event="classes").count() == 1


def test_without_a_rule_or_with_newer_work_nothing_goes(
    school, classroom, assignment, assigned, tried, lines, student
):
    long_ago = timezone.now() - 2 * YEAR - timedelta(days=1)
    tried(student, assigned, lines.solution)
    School.objects.update(kept_years=2, deletes_classes=True)
    Classroom.objects.update(school=school, created_at=long_ago)
    Assignment.objects.update(due_at=long_ago)
    assert dry_run() == []
    Attempt.objects.update(last_at=long_ago)
    assert len(dry_run()) == 1
    School.objects.update(deletes_classes=False)
    assert dry_run("--days", "400") == []


def test_a_restored_class_is_kept_for_another_period(old_class, school, teacher_client):
    work()
    page = reverse("school_retention", args=[school.pk])
    assert "5-1" in teacher_client.get(page).content.decode()
    teacher_client.post(page, {"classroom": old_class.pk})
    work()
    assert Classroom.objects.get(pk=old_class.pk).deleted_at is None
    assert teacher_client.post(page, {"classroom": old_class.pk}).status_code == 404


def test_leavers_are_deleted_with_their_account_after_their_months(leavers, school):
    [line] = dry_run()
    assert (line["what"], line["names"]) == ("leavers", ["Doi", "Endo"])
    work()
    assert set(User.objects.filter(role="student").values_list("name", flat=True)) == {"Chiba"}
    receipts = DataRecord.objects.filter(event="leavers", school_key=school.pk)
    assert sorted(receipts.values_list("number", flat=True)) == [1, 2]
    assert all(each.rows["accounts.User"] == 1 for each in receipts)


def test_who_is_in_a_class_again_is_no_leaver_and_who_is_elsewhere_keeps_the_account(
    leavers, teacher, make_class
):
    doi, endo = leavers.students.order_by("name")
    here = make_class(teacher, "7-1", "x")
    Classroom.objects.filter(pk=here.pk).update(school=leavers.school)
    here.enrolments.create(student=doi, number=9)
    elsewhere = make_class(teacher, "other school", "y")
    elsewhere.enrolments.create(student=endo, number=9)
    Classroom.objects.filter(pk=elsewhere.pk).update(archived_at=timezone.now())
    work()
    assert User.objects.filter(pk__in=[doi.pk, endo.pk]).count() == 2
    assert list(leavers.students.all()) == [doi]
    assert Enrolment.objects.filter(student=endo).count() == 1


def test_an_interrupted_night_goes_on(leavers):
    work_of_night = delete_by_rules()
    next(work_of_night)
    assert leavers.enrolments.count() == 1
    work()
    assert leavers.enrolments.count() == 0


def test_what_is_due_soon_is_announced_to_owners_and_administrators(
    old_class, leavers, teacher, school, colleague, other_teacher, queries_of, teacher_client
):
    School.objects.update(deletes_from=timezone.now() + timedelta(days=20))
    work()
    assert Classroom.objects.get(pk=old_class.pk).deleted_at is None
    old_class.teachings.filter(teacher=teacher).delete()
    old_class.teachings.create(teacher=other_teacher, role="owner")
    assert [each.classroom for each in announced_to(other_teacher)] == [old_class]
    assert not announced_to(other_teacher)[0].is_for_administrator
    assert {each.classroom for each in announced_to(teacher)} == {old_class, leavers}
    assert announced_to(colleague) == []
    assert notices_of(teacher).notices.deletions.rows
    page = teacher_client.get("/").content.decode()
    assert "A class goes to the bin" in page and "Students who have left are deleted" in page
    School.objects.update(deletes_from=timezone.now() + timedelta(days=40))
    assert announced_to(teacher) == []


def test_a_changed_rule_deletes_nothing_for_thirty_days(old_class, school, teacher_client):
    sent = {"takes_pins": "on", "kept_years": "1", "deletes_classes": "on"}
    teacher_client.post(reverse("school_edit", args=[school.pk]), sent)
    assert dry_run() == []
    [line] = dry_run("--days", "31")
    assert line["day"] == (timezone.localdate() + timedelta(days=30)).isoformat()


def test_the_dry_run_of_many_classes_uses_few_queries(
    old_class, school, teacher, make_class, django_assert_max_num_queries
):
    for number in range(5):
        make_class(teacher, f"4-{number}", "x")
    Classroom.objects.update(school=school, created_at=old_class.created_at - 3 * YEAR)
    with django_assert_max_num_queries(4):
        assert len(deletions(School.objects.all(), timezone.now())) == 6


def test_the_nightly_work_includes_the_rules(old_class, monkeypatch):
    monkeypatch.setattr(pruning, "_under_way", iter(()))
    monkeypatch.setattr(pruning, "_next_pass_at", float("-inf"))
    monkeypatch.setattr(pruning, "SLICE_SECONDS", 60)
    pruning.prune()
    assert Classroom.objects.get(pk=old_class.pk).deleted_at
