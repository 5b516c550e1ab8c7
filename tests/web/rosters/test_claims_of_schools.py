"""What a school has written is no evidence for its board: the attacks, and how it is taken over."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters import invitations
from puzzleclass.rosters.claims import Decisions
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import RosterUpload, SchoolId, TeacherInvitation, UserId, named_by
from tests.oneroster import packed, tables, tables_of_two_schools
from tests.web.rosters.roster_command import everything, roster_naming, undo

pytestmark = pytest.mark.django_db

MASTER = "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"
OTHER_MASTER = "11111111-4067-11e9-8bad-9b1deb4d3b7d"


@pytest.fixture
def board(teacher) -> Board:
    """Return a board of two schools that the teacher administers."""
    board = Board.objects.create(name="みどり市教育委員会")
    board.administrators.add(teacher)
    for name in ("みどり小学校", "あおば小学校"):
        board.schools.create(name=name)
    return board


@pytest.fixture
def head(board) -> User:
    """Return the administrator of みどり小学校, who attacks."""
    head = User.objects.create_teacher("hara", "Hara Ken", "a good password")
    board.schools.get(name="みどり小学校").administrators.add(head)
    return head


def own_import(board, head, given, **options):
    """Import the tables as the administrator of みどり小学校."""
    school = board.schools.get(name="みどり小学校")
    with io.BytesIO(packed(given)) as file:
        done = import_roster(file, target=school, link=True, by=head, **options)
    assert done.is_stored, done.faults.first


def boards_import(board, teacher, given, **options):
    """Import the tables as an administrator of the board."""
    with io.BytesIO(packed(given)) as file:
        return import_roster(
            file, target=board, link=True, many_changes=True, by=teacher, **options
        )


def as_u9(head):
    """Return the roster of one school in which the identifier u9 has the head's username."""
    given = tables()
    given["users"][4][2] = head.username
    return given


def both_schools():
    """Return the board's roster, in which u9 and u1 are in both schools."""
    given = tables_of_two_schools()
    given["users"][4][2] = "takagi"
    given["roles"] += [
        ["r91", "u9", "secondary", "teacher", "o2"],
        ["r11", "u1", "secondary", "student", "o2"],
    ]
    given["enrollments"] += [
        ["e91", "c5", "o2", "u9", "teacher", "true", *[""] * 4],
        ["e11", "c5", "o2", "u1", "student", "false", *[""] * 4],
    ]
    return given


def decide(**said):
    """Return what is said about みどり小学校 and its teachers' identifiers."""
    school = School.objects.get(name="みどり小学校")
    teachers = UserId.objects.filter(source__school=school, user__role="teacher")
    return Decisions(
        schools={school.pk: said["school"]} if "school" in said else {},
        teachers={each.pk: said["teacher"] for each in teachers} if "teacher" in said else {},
    )


def in_aoba():
    return Classroom.objects.get(school__name="あおば小学校")


def test_an_administrator_of_one_school_gets_no_class_of_another_by_the_boards_import(
    board, teacher, head
):
    own_import(board, head, as_u9(head))
    assert UserId.objects.get(sourced_id="u9").user == head
    # The question stops the import, and whatever is said about pupils, the teacher stays out.
    asked = boards_import(board, teacher, both_schools())
    assert not asked.is_stored
    assert boards_import(board, teacher, both_schools(), decisions=decide(school="take")).is_stored
    assert not Teaching.objects.filter(classroom__school__name="あおば小学校").exists()
    assert not UserId.objects.filter(named_by(board), user=head).exists()
    # At home the head teaches as before, and the next import of the board says the same.
    assert Teaching.objects.filter(teacher=head, classroom__name="4年1組").exists()
    boards_import(board, teacher, both_schools())
    assert not Teaching.objects.filter(classroom__school__name="あおば小学校").exists()


def test_nor_is_the_teacher_linked_by_the_username_that_the_school_has_chosen(board, teacher, head):
    """The board's file names the username of the head, who belongs to the school by its word."""
    own_import(board, head, as_u9(head))
    given = both_schools()
    given["users"][4][2] = head.username
    done = boards_import(board, teacher, given, decisions=decide(school="take", teacher="aside"))
    assert done.is_stored and [each.account for each in done.plan.unlinked] == [None]
    assert not Teaching.objects.filter(teacher=head, classroom=in_aoba()).exists()


def test_a_pupil_of_one_school_gets_no_place_in_another_by_the_boards_import(board, teacher, head):
    own_import(board, head, tables())
    fake = UserId.objects.get(sourced_id="u1").user
    assert not boards_import(board, teacher, both_schools()).is_stored
    done = boards_import(board, teacher, both_schools(), decisions=decide(school="aside"))
    assert done.is_stored, done.faults.first
    real = Enrolment.objects.get(classroom=in_aoba(), student__name="安部 陽斗").student
    assert real != fake and not UserId.objects.filter(user=fake).exists()
    assert Enrolment.objects.filter(student=fake).exists()


def test_what_is_taken_over_keeps_the_accounts_and_is_not_asked_again(board, teacher, head):
    own_import(board, head, as_u9(head))
    pupil = UserId.objects.get(sourced_id="u1").user
    classes = set(Classroom.objects.values_list("pk", flat=True))
    said = decide(school="take", teacher="take")
    done = boards_import(board, teacher, both_schools(), decisions=said)
    assert done.is_stored, done.faults.first
    assert Enrolment.objects.filter(student=pupil, classroom=in_aoba()).exists()
    assert Teaching.objects.get(classroom=in_aoba()).teacher == head
    assert classes < set(Classroom.objects.values_list("pk", flat=True))
    assert User.objects.filter(role="student").count() == 4
    again = boards_import(board, teacher, both_schools())
    assert again.is_stored and again.record is None


def test_a_pupil_who_has_changed_the_class_meanwhile_is_in_one_class(board, teacher, head):
    own_import(board, head, tables())
    pupil = UserId.objects.get(sourced_id="u2").user
    given = both_schools()
    given["enrollments"][2][1], given["enrollments"][2][8] = "c2", "5"
    done = boards_import(board, teacher, given, decisions=decide(school="take"))
    assert done.is_stored, done.faults.first
    place = Enrolment.objects.get(student=pupil)
    assert (place.classroom.name, place.number) == ("4年2組", 5)


def test_no_identifier_of_an_enrolment_stops_the_import(board, teacher, head):
    """The school has given the identifier of the one pupil's enrolment to that of another one."""
    given = tables()
    given["enrollments"][1][0], given["enrollments"][2][0] = "e2", "e1"
    own_import(board, head, given)
    done = boards_import(board, teacher, both_schools(), decisions=decide(school="take"))
    assert done.is_stored, done.faults.first
    assert Enrolment.objects.filter(classroom__name="4年1組").count() == 2


def test_taking_over_is_undone_with_the_import(board, teacher, head):
    own_import(board, head, as_u9(head))
    before = everything()
    done = boards_import(board, teacher, both_schools(), decisions=decide(school="take"))
    assert done.is_stored
    assert undo(str(done.record.pk))[0]["errors"] == []
    assert everything() == before
    done = boards_import(board, teacher, both_schools(), decisions=decide(school="aside"))
    assert done.is_stored, done.faults.first
    assert undo(str(done.record.pk))[0]["errors"] == []
    assert everything() == before


def test_who_joins_by_the_link_of_an_invitation_is_confirmed_by_the_board(board, teacher, head):
    """The administrators of a school can print the invitations that the board has made."""
    assert boards_import(board, teacher, both_schools()).is_stored
    invitations.invite_named(board, "koumu", [("u9", "佐藤 恵子", "", "o1")])
    assert invitations.join(TeacherInvitation.objects.get(), head)
    done = boards_import(board, teacher, both_schools())
    assert not Teaching.objects.filter(teacher=head).exists()
    assert [each.is_claimed for each in done.plan.unlinked] == [True]
    done = boards_import(board, teacher, both_schools(), decisions=decide(teacher="take"))
    assert Teaching.objects.get(classroom=in_aoba()).teacher == head


def test_questions_and_invitations_go_to_the_school_that_the_board_means(board, teacher, head):
    """A school names itself by the identifier of another one."""
    given = tables()
    given["orgs"][2][0] = given["courses"][1][2] = "o2"
    for name, column in (("classes", 5), ("users", 9), ("roles", 4), ("enrollments", 2)):
        for row in given[name][1:]:
            row[column] = "o2"
    own_import(board, head, given)
    assert SchoolId.objects.get(sourced_id="o2").source.school.name == "みどり小学校"
    boards_import(board, teacher, tables_of_two_schools(), decisions=decide(school="aside"))
    invitations.invite_named(board, "koumu", [("u8", "林 花", "", "o2")])
    assert TeacherInvitation.objects.get().school.name == "あおば小学校"


@pytest.mark.parametrize("by", ["board", "operator"])
def test_a_school_changes_no_master_identifier_that_a_wider_authority_has_written(
    board, teacher, head, by
):
    if by == "board":
        assert boards_import(board, teacher, tables()).is_stored
    else:
        School.objects.exclude(name="みどり小学校").delete()
        board.schools.update(board=None)
        assert roster_naming(packed(tables()))[1] == 0
    row = UserId.objects.get(sourced_id="u1")
    assert row.master_id == MASTER
    given = tables()
    given["users"][1][6], given["users"][2][6] = OTHER_MASTER, MASTER
    given["users"][3][6] = OTHER_MASTER.replace("1", "2")
    school = School.objects.get(name="みどり小学校")
    with io.BytesIO(packed(given)) as file:
        assert import_roster(file, target=school, by=head).is_stored
    row.refresh_from_db()
    assert row.master_id == MASTER
    assert not UserId.objects.exclude(pk=row.pk).exclude(master_id="").exists()


def test_a_master_identifier_of_a_school_ends_when_the_board_takes_the_row_over(
    board, teacher, head
):
    own_import(board, head, tables())
    given = both_schools()
    given["users"][1][6] = ""
    assert boards_import(board, teacher, given, decisions=decide(school="take")).is_stored
    assert set(UserId.objects.values_list("master_id", flat=True)) == {""}


def test_the_operator_s_import_asks_as_well(board, head):
    board.schools.update(board=None)
    school = School.objects.get(name="みどり小学校")
    with io.BytesIO(packed(as_u9(head))) as file:
        assert import_roster(file, target=school, link=True, by=head).is_stored
    content = packed(both_schools())
    answer, code = roster_naming(content, "--many-changes")
    assert code == 1 and "--take-over" in answer["errors"][0]["message"]
    answer, code = roster_naming(content, "--many-changes", "--take-over")
    assert code == 0 and [each["sourcedId"] for each in answer["not_linked"]] == ["u9"]
    assert not Teaching.objects.filter(classroom=in_aoba()).exists()
    roster_naming(content, "--take-over", "--teacher=hara")
    assert Teaching.objects.get(classroom=in_aoba()).teacher == head


def test_the_page_asks_and_keeps_what_was_said(board, head, teacher_client):
    own_import(board, head, as_u9(head))
    file = SimpleUploadedFile("roster.zip", packed(both_schools()), "application/zip")
    page = teacher_client.post(reverse("roster_new", args=[board]), {"file": file}, follow=True)
    address, shown = page.request["PATH_INFO"], page.content.decode()
    assert "First imported by a school" in shown and "みどり小学校" in shown
    assert "Hara Ken (hara)" in shown and "安部 陽斗 (u1)" in shown
    school = School.objects.get(name="みどり小学校").pk
    said = {f"school-{school}": "take", "teacher-x": "take", "other": "take"}
    # What nobody has asked, and what is no answer, is not stored.
    said |= {"school-999": "take", f"teacher-{UserId.objects.get(user=head).pk}": "x" * 9999}
    page = teacher_client.post(address, {"do": "check", **said}, follow=True)
    kept = RosterUpload.objects.get().decisions
    assert kept.pop(f"seen-{school}") and kept == {f"school-{school}": "take"}
    assert "Import the roster" in page.content.decode()
    # The school names another account between the question and the import, which asks again.
    row = UserId.objects.get(source__school=school, sourced_id="u1")
    meant, row.user = row.user, head
    row.save()
    page = teacher_client.post(address, {"do": "import", "many_changes": "on"}, follow=True)
    assert not UserId.objects.filter(named_by(board), user=head).exists()
    assert "First imported by a school" in page.content.decode()
    row.user = meant
    row.save()
    teacher_client.post(address, {"do": "check", "many_changes": "on"}, follow=True)
    page = teacher_client.post(address, {"do": "import", "many_changes": "on"}, follow=True)
    assert "has been imported" in page.content.decode()
    assert not Teaching.objects.filter(teacher=head, classroom=in_aoba()).exists()


def test_decisions_about_what_no_row_is_are_left_out():
    assert Decisions.read({"school-" + "9" * 5000: "take", "school-²": "take"}).schools == {
        0: "take"
    }
