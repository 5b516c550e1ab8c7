"""The deletion of a whole school: asked twice, in the bin for its time, then nothing is left."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.api.models import ApiToken
from puzzleclass.classes.invitations import AdministratorInvitation
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.school_models import Board, School, SchoolTeacher
from puzzleclass.lti.models import Platform
from puzzleclass.rosters import school_deletion
from puzzleclass.rosters.invitations import by_word
from puzzleclass.rosters.models import RosterService
from puzzleclass.school_accounts.models import SignInProvider
from tests.web.roles import administrator, world
from tests.web.rosters.test_schools import school

__all__ = ["administrator", "school", "world"]
pytestmark = pytest.mark.django_db

STAYS = {
    "classes.DataRecord": "the receipts",
    "jobs.Job": "answers about boards, which name nobody any more",
}
"""The tables that may keep rows, and why."""


LEFT_OUT = {
    *("assignments.OwnDue.group", "rosters.EnrolmentId.teaching", "rosters.RosterService.board")
}
"""The fields of new rows of which another one is set in their place."""


def personal_models() -> list[type[models.Model]]:
    """Return the models from which relations lead to a person, a class or a school."""
    found = {User, Classroom, School}
    every = apps.get_models(include_auto_created=True)
    while more := {
        model
        for model in every
        if model not in found
        and any(field.related_model in found for field in model._meta.local_concrete_fields)
    }:
        found |= more
    return sorted(found, key=lambda model: model._meta.label)


def free_row(model: type[models.Model], field: models.Field) -> models.Model | None:
    """Return the latest row to which the field of a new row can lead."""
    rows = field.related_model._base_manager.order_by("-pk")
    if field.unique:
        rows = rows.exclude(pk__in=model._base_manager.values(field.attname))
    return rows.first()


def make_row(model: type[models.Model]) -> None:
    """Create a row of the model that is about what is there already."""
    values: dict[str, object] = {}
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.AutoField) or f"{model._meta.label}.{field.name}" in LEFT_OUT:
            continue
        if field.has_default() or getattr(field, "auto_now_add", False):
            continue
        if field.related_model is not None:
            if not field.related_model._base_manager.exists():
                make_row(field.related_model)
            values[field.name] = free_row(model, field)
        elif field.null:
            continue
        elif isinstance(field, (models.DateTimeField, models.DateField)):
            values[field.name] = timezone.now()
        elif isinstance(field, (models.IntegerField, models.FloatField)):
            values[field.name] = 1
        elif isinstance(field, models.JSONField):
            values[field.name] = {}
        elif isinstance(field, models.BinaryField):
            values[field.name] = b"x"
        elif not field.blank:
            values[field.name] = field.choices[0][0] if field.choices else "x"
    model._base_manager.create(**values)


@pytest.fixture
def whole(world, teacher) -> School:
    """Return a school to which everything in the database belongs."""
    Board.objects.all().delete()
    school = School.objects.exclude(administrator_invitations__isnull=False).get()
    AdministratorInvitation.objects.update(school=school)
    School.objects.exclude(pk=school.pk).delete()
    School.objects.update(name="みどり小学校")
    school.refresh_from_db()
    Classroom.objects.update(school=school)
    faults = {}
    for _ in range(2):  # A row may need another one that is made later.
        for model in personal_models():
            if not model._base_manager.exists():
                try:
                    with transaction.atomic():
                        make_row(model)
                except Exception as error:
                    faults[model._meta.label] = error
    empty = [m._meta.label for m in personal_models() if not m._base_manager.exists()]
    assert not empty, "\n".join(f"{label}: {faults.get(label)!r}" for label in empty)
    return school


def expire(school: School) -> None:
    """Let the school's time in the bin be over, and delete what is due."""
    long_ago = timezone.now() - timedelta(days=31)
    School.every.filter(pk=school.pk).update(deleted_at=long_ago)
    for _ in school_deletion.delete_expired_schools():
        pass


def test_nothing_of_a_deleted_school_is_left(whole, teacher):
    names = {
        whole.name,
        teacher.name,
        *User.objects.filter(role="student").values_list("name", flat=True),
    }
    User.objects.exclude(pk=teacher.pk).filter(role="teacher").delete()
    SchoolTeacher.objects.get_or_create(school=whole, teacher=teacher)
    school_deletion.move_school_to_bin(whole)
    expire(whole)
    left = {m._meta.label: m._base_manager.count() for m in personal_models()}
    assert {label: n for label, n in left.items() if n and label not in STAYS} == {}
    assert not User.objects.exists()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            if isinstance(field, (models.CharField, models.TextField, models.JSONField)):
                for name in names:
                    rows = model._base_manager.filter(**{f"{field.name}__icontains": name})
                    assert not rows.exists(), (model, field.name, name)
    receipts = DataRecord.objects.filter(event="school", school_key=whole.pk)
    assert receipts.filter(rows__has_key="classes.School").count() == 1


def test_the_name_is_typed_and_the_school_can_be_restored(
    school, teacher, teacher_client, make_class
):
    made = make_class(teacher, "5-1", "a")
    old = make_class(teacher, "4-1", "b")
    at = timezone.now() - timedelta(days=3)
    Classroom.objects.update(school=school)
    Classroom.objects.filter(pk=old.pk).update(deleted_at=at, archived_at=at)
    page = reverse("school_delete", args=[school.pk])
    assert teacher_client.get(page).context["loss"].students == 2
    refused = teacher_client.post(page, {"name": "ほかの学校"})
    assert refused.status_code == 422 and School.objects.filter(pk=school.pk).exists()
    assert teacher_client.post(page, {"name": school.name}).url == reverse("school_list")
    assert not School.objects.filter(pk=school.pk).exists()
    assert teacher_client.get(reverse("school", args=[school.pk])).status_code == 404
    assert teacher_client.get(f"/classes/{made.pk}/").status_code == 404
    [line] = teacher_client.get("/bin/").context["lines"]
    assert line["title"] == school.name
    teacher_client.post(reverse("bin_restore", args=[line["deletion"]]), {"only": line["name"]})
    assert teacher_client.get(f"/classes/{made.pk}/").status_code == 200
    made.refresh_from_db(), old.refresh_from_db()
    assert (made.archived_at, old.deleted_at) == (None, at)
    events = DataRecord.objects.filter(school_key=school.pk).values_list("event", flat=True)
    assert {"school moved to the bin", "restored"} <= set(events)


def test_a_school_in_the_bin_lets_nobody_in(school, teacher):
    token = ApiToken(teacher=teacher, school=school, name="x")
    word = token.make_word()
    token.save()
    invitation = school.invitations.create(name="Mori")
    SignInProvider.objects.create(school=school, kind="google", client_id="c", is_on=True)
    Platform.objects.create(school=school, name="Moodle")
    RosterService.objects.create(school=school, teacher=teacher, is_nightly=True)
    assert ApiToken.by_word(word) and by_word(invitation.word)
    school_deletion.move_school_to_bin(school)
    assert ApiToken.by_word(word) is None and by_word(invitation.word) is None
    assert not SignInProvider.objects.exists() and not RosterService.objects.exists()
    assert not Platform.objects.filter(school__deleted_at=None).exists()


def test_teachers_with_another_school_or_class_keep_their_account(
    school, teacher, other_teacher, make_class
):
    lonely = User.objects.create_teacher("ono", "Ono Mai", "a good password")
    moved = User.objects.create_teacher("kato", "Kato Ryo", "a good password")
    for each in (lonely, moved, other_teacher):
        school.staff.create(teacher=each)
    School.objects.create(name="Other").staff.create(teacher=moved)
    make_class(other_teacher, "own", "c")
    school_deletion.move_school_to_bin(school)
    expire(school)
    assert set(User.objects.filter(role="teacher")) == {moved, other_teacher}


def test_an_interrupted_deletion_goes_on(school, teacher, make_class):
    for name in ("5-1", "5-2"):
        make_class(teacher, name, "a")
    Classroom.objects.update(school=school)
    school_deletion.move_school_to_bin(school)
    long_ago = timezone.now() - timedelta(days=31)
    School.every.update(deleted_at=long_ago)
    next(school_deletion.delete_expired_schools())
    assert Classroom.objects.count() == 1 and School.every.exists()
    for _ in school_deletion.delete_expired_schools():
        pass
    assert not Classroom.objects.exists() and not School.every.exists()


def test_the_command_moves_a_school_to_the_bin_and_back(school):
    def run(*options: str) -> dict:
        out = StringIO()
        call_command("school", school.name, *options, stdout=out)
        return json.loads(out.getvalue())

    day = timezone.localdate() + timedelta(days=30)
    assert run("--delete")["gone_on"] == day.isoformat()
    with pytest.raises(CommandError):
        run("--delete")
    assert run("--restore")["gone_on"] is None
    assert School.objects.get() == school
