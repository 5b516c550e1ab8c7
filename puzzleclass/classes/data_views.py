"""Views for data protection: exports, the log, receipts, and the deletion of an account."""

import time

from django.conf import settings
from django.contrib.auth import logout
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.account_page import account_page
from puzzleclass.accounts.mail import notify
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes import account_deletion, personal_data
from puzzleclass.classes.access import Right, get_classroom_for_teacher, get_enrolment_for_teacher
from puzzleclass.classes.data_export import export, export_class
from puzzleclass.classes.models import DataRecord

LINES_PER_PAGE = 50

EXPORTED_AT = "account_exported_at"
"""Session key of the time at which the teacher downloaded the account's data."""
EXPORT_COUNTS_SECONDS = 3600


@for_teachers("POST", within=RECENTLY)
def classroom_data(request: SignedInRequest, pk: int) -> HttpResponse:
    """Download everything that is stored about the class, as a ZIP file."""
    return export_class(request, get_classroom_for_teacher(request.user, pk, Right.OWN))


@for_teachers("POST", within=RECENTLY)
def student_data(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Download everything that is stored about a student, as a ZIP file."""
    exported = get_enrolment_for_teacher(request.user, pk, enrolment, Right.OWN)
    roots = personal_data.student_roots(exported.student)
    name = f"{exported.classroom.name} {exported.number}"
    return export(request, roots, name, exported.classroom, exported)


@for_teachers("POST", within=RECENTLY)
def account_data(request: SignedInRequest) -> HttpResponse:
    """Download everything that would be deleted with the teacher's account, as a ZIP file."""
    roots, people = account_deletion.account_roots(request.user)
    response = export(request, roots, request.user.username, students=people)
    request.session[EXPORTED_AT] = time.time()
    return response


@for_teachers("GET", "POST", within=RECENTLY)
def account_delete(request: SignedInRequest) -> HttpResponse:
    """Show what is deleted with the account and what stays, then delete it.

    The teacher must have downloaded the data at most `EXPORT_COUNTS_SECONDS` ago.
    """
    teacher, fault = request.user, ""
    if account_deletion.is_last_administrator(teacher):
        fault = _(
            "You are the only administrator of this site. Make somebody else an "
            "administrator first."
        )
    elif request.method == "POST":
        if time.time() - request.session.get(EXPORTED_AT, 0) > EXPORT_COUNTS_SECONDS:
            fault = _("Download your data first.")
        elif request.POST.get("username", "").strip() != teacher.username:
            fault = _("This is not your username.")
        else:
            return _delete_account(request)
    return account_page(
        request,
        "classes/_account_delete.html",
        plan=account_deletion.plan_deletion(teacher),
        puzzles=teacher.puzzles.count(),
        packs=teacher.packs.count(),
        fault=fault,
    )


def _delete_account(request: SignedInRequest) -> HttpResponse:
    address, key = request.user.email, request.user.pk
    receipt = account_deletion.delete_account(request.user)
    record(request, "account deleted", who=key)
    notify(
        request, address, _("Your account has been deleted, with everything that was yours alone.")
    )
    logout(request)
    response = render(request, "classes/account_deleted.html", _receipt_context(receipt))
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response


@for_teachers("GET")
def data_log(request: SignedInRequest) -> HttpResponse:
    """List exports, deletions and views: the teacher's own, and all in classes the teacher owns."""
    return _log_page(request)


@for_teachers("GET")
def data_record(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a line of the log as a receipt for printing."""
    record_shown = get_object_or_404(personal_data.log_for(request.user), pk=pk)
    return _log_page(request, **_receipt_context(record_shown))


def _log_page(request: SignedInRequest, **receipt: object) -> HttpResponse:
    records = personal_data.log_for(request.user)
    return account_page(
        request,
        "classes/_data_log.html",
        page=Paginator(records, LINES_PER_PAGE).get_page(request.GET.get("page")),
        years=settings.KEPT_YEARS,
        overdue=personal_data.overdue_classes(request.user),
        **receipt,
    )


def _receipt_context(shown: DataRecord) -> dict[str, object]:
    tables = [(table_name(label), number) for label, number in shown.rows.items()]
    return {"record": shown, "tables": tables, "total": sum(shown.rows.values())}


def table_name(label: str) -> str:
    """Return the name of a table's rows in the interface; the label itself if there is none."""
    names = {
        "accounts.User": _("People"),
        "accounts.Passkey": _("Passkeys"),
        "accounts.Session": _("Open sign-ins"),
        "classes.Classroom": _("Classes"),
        "classes.Teaching": _("Teachers of classes"),
        "classes.Enrolment": _("Class list entries"),
        "classes.SignInCard": _("Cards"),
        "classes.StudentNote": _("Notes of teachers"),
        "classes.Group": _("Groups"),
        "classes.Group_members": _("Members of groups"),
        "classes.SchoolAdministrator": _("Administrators of schools"),
        "classes.BoardAdministrator": _("Administrators of boards"),
        "classes.AdministratorInvitation": _("Invitations to administer"),
        "classes.TeachingInvitation": _("Invitations to teach a class"),
        "classes.SchoolTeacher": _("Teachers of schools"),
        "classes.ClassChange": _("Class changes"),
        "rosters.RosterService": _("Services for rosters"),
        "lti.GradeColumn": _("Columns of a platform's grade book"),
        "lti.Launch": _("Sign-ins from learning platforms"),
        "lti.PlatformClass": _("Courses of learning platforms"),
        "lti.PlatformUser": _("Identifiers of people at learning platforms"),
        "lti.OutgoingScore": _("Scores for learning platforms"),
        "puzzles.SavedSearch": _("Saved searches"),
        "calendars.CalendarAddress": _("Calendar"),
        "api.ApiToken": _("Tokens for scripts"),
        "forms.SentForm": _("Forms sent in the last days"),
        "socialaccount.SocialAccount": _("School accounts connected"),
        "rosters.RosterRequest": _("Questions of schools to teachers"),
        "rosters.RosterRequest_given": _("Classes given to a school"),
        "rosters.UserId": _("Identifiers of people"),
        "rosters.ClassId": _("Identifiers of classes"),
        "rosters.EnrolmentId": _("Identifiers of class list entries"),
        "rosters.Leavers": _("Lists of students who left"),
        "rosters.RosterUpload": _("Uploaded rosters"),
        "rosters.StudentMatch": _("Students to be confirmed"),
        "rosters.ChangedRow": _("Values before an import"),
        "puzzles.Puzzle": _("Puzzles"),
        "kinds.Invention": _("Kinds that were made"),
        "kinds.InventionStep": _("Steps of drafts of kinds"),
        "kinds.KindVersion": _("Versions of kinds"),
        "puzzles.BoardFigures": _("Figures about puzzles"),
        "puzzles.Tag": _("Tags"),
        "puzzles.Puzzle_tags": _("Tags of puzzles"),
        "sharing.Pack": _("Sets"),
        "sharing.PackedPuzzle": _("Puzzles in sets"),
        "assignments.Template": _("Templates"),
        "assignments.TemplatePuzzle": _("Puzzles in templates"),
        "assignments.Assignment": _("Assignments"),
        "assignments.AssignedPuzzle": _("Puzzles assigned"),
        "assignments.Part": _("Roles in assignments"),
        "assignments.StairStep": _("Steps on staircases"),
        "assignments.WrittenPuzzle": _("Puzzles written"),
        "play.Attempt": _("Attempts"),
        "play.Step": _("Moves and undos"),
        "play.HintUse": _("Hints taken"),
        "play.FoundSolution": _("Solutions found"),
        "play.ClassFind": _("Solutions that a class has found"),
        "play.BestScore": _("Best scores"),
        "play.RefusedMove": _("Moves that break the rules"),
        "practice.StoredSkill": _("Estimates for the choice of practice boards"),
        "practice.PathPlace": _("Places in the worlds of practice"),
        "practice.ReturningPosition": _("Positions that return in practice"),
        "assignments.Pace": _("Running lessons"),
        "lessons.Question": _("Questions in class"),
        "lessons.Answer": _("Answers to questions in class"),
        "assignments.Attendance": _("Attendance and messages"),
        "assignments.OwnDue": _("Own due dates"),
        "assignments.Reflection": _("Looking back at lessons"),
        "lessons.SeatingPlan": _("Seating plans"),
        "lessons.Screen": _("Projectors"),
        "lessons.Slide": _("Slides of discussions"),
        "play.Feedback": _("Comments and stamps"),
        "play.Thanks": _("Thanks for puzzles"),
        "play.TimedRun": _("Runs against the clock"),
        "stats.PseudonymKey": _("Keys of pseudonyms"),
        "stats.Look": _("Checks of attempts in progress"),
        "jobs.Job_askers": _("Jobs requested"),
    }
    return names.get(label, label)
