"""The roles of people: a browser for each of them, and an object for each address of the site."""

import pytest
from django.test import Client
from django.utils.timezone import now

from puzzleclass.accounts.models import User
from puzzleclass.api.models import ApiToken
from puzzleclass.assignments.models import Assignment, WrittenPuzzle
from puzzleclass.assignments.services import make_template
from puzzleclass.calendars.models import CalendarAddress
from puzzleclass.classes.invitations import AdministratorInvitation
from puzzleclass.classes.models import (
    ClassChange,
    Classroom,
    DataRecord,
    SignInCard,
    Teaching,
    TeachingInvitation,
)
from puzzleclass.classes.school_models import Board, School
from puzzleclass.database.bin import deletion_number
from puzzleclass.gallery.services import open_gallery
from puzzleclass.jobs import services as jobs
from puzzleclass.kinds.stored import store
from puzzleclass.lti.models import Platform
from puzzleclass.practice.models import MadeBoard, ReturningPosition
from puzzleclass.practice.services import today
from puzzleclass.rosters.models import RosterImport, RosterRequest, RosterUpload, SchoolId, UserId
from puzzleclass.school_accounts.models import SignInProvider
from puzzleclass.sharing.packs import make_pack
from puzzleclass.sharing.phases import Phase, stored
from puzzleclass.workshop.inventing import hand_in
from puzzleclass.workshop.services import begin_with, draft_of, save_kind, table_of

ROLES = (
    *("anonymous", "student", "classmate", "other student"),
    *("owner", "teacher", "substitute", "other teacher", "administrator"),
    *("administrator of another school", "teacher from another school's platform"),
    *("administrator of the board", "administrator of another school of the board"),
    "administrator of another board",
)
"""The roles. The student owns the attempt. The owner of the class created the puzzles, asked the
questions and administers the school. The teacher and the substitute belong to the class. The
administrator is a teacher who runs the site. The next two are nobody here: one administers another
school, with a platform and a roster of its own, and the other has come from that platform. The
owner's school belongs to a board of education. Of the last three, only the first administers it."""

NOTHING_DONE = {"made": [], "archived": [], "entered": [], "left": []}


@pytest.fixture
def world(
    teacher,
    classroom,
    student,
    puzzle,
    assignment,
    assigned,
    tried,
    begun,
    done,
    lines,
    make_puzzle,
):
    """Return the objects of the addresses: the owner's class and puzzles, and the student's
    attempt."""
    Classroom.objects.filter(pk=classroom.pk).update(challenges=True)
    scored = make_puzzle("maxstrings", ".../.../...", "Nine points")
    done(
        jobs.ask(teacher, "maxstrings", "model", scored.position, {"cuts": "no", "solver": "none"})
    )
    tried(student, assigned, lines.solution)
    open_gallery(classroom, teacher)
    wrote = {"author": student, "kind_slug": "goishi", "position": "ooo", "title": "Three"}
    deleted = Assignment.objects.create(
        classroom=classroom, teacher=teacher, title="Deleted", due_at=now(), deleted_at=now()
    )
    draft = WrittenPuzzle.objects.create(**wrote)
    written = WrittenPuzzle.objects.create(**wrote, state="waiting", classroom=classroom)
    search = {"stones": [8, 8], "many": 1}
    board = Board.objects.create(name="Board")
    school = School.objects.create(name="School", board=board)
    school.administrators.add(teacher)
    head = User.objects.create_teacher("endo", "Endo Mio", "a good password")
    third = School.objects.create(name="Third school")
    third.administrators.add(head)
    elsewhere = Classroom.objects.create(name="Class elsewhere")
    elsewhere.teachings.create(teacher=head)
    imported = RosterImport.objects.create(source="koumu")
    imported.schools.add(school)
    # The provider does not answer: the address is this machine's.
    unanswered = {"kind": "openid", "issuer": "https://127.0.0.1:1", "client_id": "c"}
    provider = SignInProvider.objects.create(school=school, is_on=True, **unanswered)
    SignInProvider.objects.create(board=board, **unanswered)
    uploaded = {"school": school, "teacher": teacher, "file_name": "a.zip", "content": b"PK"}
    invention = begin_with(teacher, "stars")
    save_kind(invention)
    Classroom.objects.filter(pk=classroom.pk).update(invents=True)
    invented = begin_with(student, "stars")
    save_kind(invented)
    hand_in(invented)
    for each in (invention, invented):
        store(table_of(each, draft_of(each)), is_kept=False)
    return {
        "class": classroom.pk,
        "invention": invention.pk,
        "shared_kind": invention.key,
        "draft_trial": invention.trial_name,
        "own_invention": invented.pk,
        "own_kind": invented.key,
        "own_draft_trial": invented.trial_name,
        "today": today(),
        "made": MadeBoard.objects.create(kind_slug="goishi", level=1, position="oo").pk,
        "position": ReturningPosition.objects.create(
            student=student, puzzle=assigned, line=lines.lost, kept=0, due_on=now().date()
        ).pk,
        "code": classroom.code,
        "card": SignInCard.objects.create(student=student).word,
        "enrolment": student.enrolments.get().pk,
        "written": written.pk,
        "draft": draft.pk,
        "group": classroom.groups.create(name="Reds").pk,
        "change": ClassChange.objects.create(teacher=teacher, done=NOTHING_DONE).pk,
        "school": school.pk,
        "invitation": school.invitations.create(name="Mori").word,
        "class_of_school": school.classrooms.create(name="Class of the school").pk,
        "provider": provider.pk,
        "import": imported.pk,
        "asked": RosterRequest.objects.create(
            source=school.sources.create(name="koumu"), sourced_id="u9", teacher=teacher
        ).pk,
        "administering": AdministratorInvitation.objects.create(
            school=third, teacher=teacher, invited_by=head
        ).pk,
        "teaching": TeachingInvitation.objects.create(
            classroom=elsewhere, teacher=teacher, role="teacher", invited_by=head
        ).pk,
        "board": board,
        "board_key": board.pk,
        "board_platform": Platform.objects.create(board=board, name="L", client_id="l").pk,
        "board_upload": RosterUpload.objects.create(
            board=board, teacher=teacher, file_name="b.zip", content=b"PK", state="checked"
        ).pk,
        "platform": Platform.objects.create(school=school, name="Moodle").pk,
        "upload": RosterUpload.objects.create(**uploaded, state="checked").pk,
        "receipt": DataRecord.objects.create(actor=teacher, action="deleted").pk,
        "student": student.pk,
        "puzzle": puzzle.pk,
        "scored": scored.pk,
        "pack": make_pack(teacher, [puzzle], "Set", phases=stored((Phase(5, "Try"),))).key,
        "assignment": assignment.pk,
        "assigned": assigned.pk,
        "question": assignment.questions.create(puzzle=assigned, sort="move").pk,
        "trial": f"given-{assigned.pk}",
        "own_trial": f"written-{written.pk}",
        "template": make_template(assignment, teacher).pk,
        "deletion": deletion_number(deleted.deleted_at),
        "try": student.attempts.get().key,
        "job": jobs.ask(teacher, "goishi", "count", puzzle.position).pk,
        "calendar": CalendarAddress.objects.create(user=teacher).word,
        "saved": teacher.saved_searches.create(name="Small", query="size=small").pk,
        "search": jobs.ask(teacher, "goishi", "generate", puzzle.position, search).pk,
    }


@pytest.fixture
def administrator(db) -> User:
    """Return a teacher who runs the site."""
    kubo = User.objects.create_teacher("kubo", "Kubo Aya", "a good password")
    kubo.is_staff = True
    kubo.save()
    return kubo


def letters_of(row: str) -> str:
    """Return the letters of a row of the table of rights, one for each of the roles.

    Rows may say nothing of people of another school or of a board: these get what any other teacher
    gets.
    """
    letters = row.replace(" ", "")
    return letters + letters[ROLES.index("other teacher")] * (len(ROLES) - len(letters))


def people_of_another_school() -> list[User]:
    """Return an administrator of another school, and a teacher from the platform of that school.

    The school's roster names the same identifiers as that of the owner's school.
    """
    head = User.objects.create_teacher("hara", "Hara Ken", "a good password")
    school = School.objects.create(name="School")
    school.administrators.add(head)
    source = school.sources.create(name="koumu")
    SchoolId.objects.create(source=source, sourced_id="o1", by_operator=True)
    UserId.objects.create(source=source, sourced_id="u9", user=head)
    launched = User.objects.create_user("t-0123456789abcdef", role=User.Role.TEACHER)
    platform = Platform.objects.create(school=school, name="Canvas", issuer="i", client_id="c")
    platform.users.create(sub="t-1", user=launched)
    return [head, launched]


def people_of_boards(board: Board) -> list[User]:
    """Return administrators of the board, of another school of the board, and of another board."""
    noda = User.objects.create_teacher("noda", "Noda Rei", "a good password")
    board.administrators.add(noda)
    okubo = User.objects.create_teacher("okubo", "Okubo Jun", "a good password")
    board.schools.create(name="Second school").administrators.add(okubo)
    seki = User.objects.create_teacher("seki", "Seki Mio", "a good password")
    Board.objects.create(name="Another board").administrators.add(seki)
    return [noda, okubo, seki]


@pytest.fixture
def clients(
    client_of,
    world,
    student,
    classmate,
    other_student,
    teacher,
    colleague,
    substitute,
    other_teacher,
    administrator,
) -> list[Client]:
    """Return a browser for each of the roles."""
    Teaching.objects.filter(teacher=colleague).update(role=Teaching.Role.TEACHER)
    people = (
        *(None, student, classmate, other_student),
        *(teacher, colleague, substitute, other_teacher, administrator),
        *people_of_another_school(),
        *people_of_boards(world["board"]),
    )
    return [with_token(client_of(user), user) for user in people]


def with_token(client: Client, user: User | None) -> Client:
    """Let the client send a token of the user. A student's token opens nothing."""
    if user is not None:
        token = ApiToken(teacher=user, name="Script")
        client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token.make_word()}"
        token.save()
    return client
