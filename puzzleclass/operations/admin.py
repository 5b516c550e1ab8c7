"""Accounts, classes, schools and boards in Django's admin, where administrators find, rename, close
and reopen them.

An administrator signs in on the site's own page, with its locks. Of accounts and classes,
nothing is added or deleted here: teachers create accounts, and classes are deleted on their own
pages, which say what goes with them.
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.db.models import Count, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.mail import notify
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import is_administrator, record
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.school_models import Board, BoardAdministrator, School, SchoolAdministrator


class AdministrationSite(admin.AdminSite):
    """The admin site. It admits the same users as `for_administrators`."""

    site_header = site_title = "PuzzleClass"
    index_title = _("Accounts and classes")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the visitor is an administrator."""
        return is_administrator(request.user)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Redirect to the site's own sign-in. Raises Http404 for other users who are signed in."""
        if request.user.is_authenticated:
            raise Http404
        wanted = request.GET.get("next") or reverse("admin:index")
        return redirect(f"{reverse('sign_in')}?{urlencode({'next': wanted})}")


site = AdministrationSite()


class ViewAndChangeMixin:
    """The permissions for the rows of a model: view and change, but neither add nor delete."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RecordingMixin:
    """Writes into the audit log which row an administrator has looked at or changed."""

    what: str
    """What a row is, as the events of the log call it."""

    def about(self, row: Any) -> dict[str, int]:
        """Return the facts that name the row."""
        raise NotImplementedError

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> Any:
        answer = super().change_view(request, object_id, *args, **kwargs)  # type: ignore[misc]
        if request.method == "GET" and answer.status_code == 200:
            row = self.get_object(request, object_id)  # type: ignore[attr-defined]
            record(request, f"{self.what} viewed", **self.about(row))
        return answer

    def log_change(self, request: HttpRequest, row: Any, message: Any) -> Any:
        record(request, f"{self.what} changed by administrator", **self.about(row))
        return super().log_change(request, row, message)  # type: ignore[misc]


class AccountPasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]
    """Django's form of a new password, which ends the calendar's address like any other one."""

    def save(self, commit: bool = True) -> User:
        saved: User = super().save(commit)
        saved.sign_out_everywhere()
        return saved


@admin.register(User, site=site)
class AccountAdmin(RecordingMixin, ViewAndChangeMixin, UserAdmin):  # type: ignore[type-arg]
    """Teachers and students: their names, whether their accounts are active, and a teacher's new
    password."""

    what = "account"
    view_on_site = False
    change_password_form = AccountPasswordForm
    list_display = ("username", "name", "kind", "is_active", "is_staff", "last_login")
    list_filter = ("role", "is_active", "is_staff")
    search_fields = ("username", "name")
    ordering = ("name", "pk")
    readonly_fields = ("kind", "last_login", "date_joined")
    filter_horizontal = ()
    list_per_page = 50
    fieldsets = (
        (None, {"fields": ("name", "username", "kind", "password")}),
        (_("What they may do"), {"fields": ("is_active", "is_staff")}),
        (None, {"fields": ("last_login", "date_joined")}),
    )

    actions = ("reset_second_step",)

    def about(self, row: User) -> dict[str, int]:
        return {"teacher" if row.is_teacher else "student": row.pk}

    @admin.action(description=_("Reset the second step of the sign-in"))
    def reset_second_step(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Let teachers who have lost their app and their codes sign in with the password alone."""
        for teacher in users.filter(role=User.Role.TEACHER):
            two_factor.turn_off(teacher)
            record(request, "second step reset", teacher=teacher.pk)
            notify(request, teacher.email, gettext("The second step of your sign-in was reset."))
        messages.success(request, gettext("The password alone is enough for the next sign-in."))

    @admin.display(description=_("Kind of account"), ordering="role")
    def kind(self, user: User) -> str:
        return str(user.get_role_display())

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fields; for a student, those without a password, because the class's teachers
        give a PIN."""
        if obj is None or obj.is_teacher:
            return self.fieldsets
        return (
            (None, {"fields": ("name", "kind", "is_active")}),
            (None, {"fields": ("last_login", "date_joined")}),
        )

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Set a teacher's password. Raises Http404 for other accounts, which have none."""
        if not User.objects.filter(pk=id, role=User.Role.TEACHER).exists():
            raise Http404
        return super().user_change_password(request, id, form_url)


class ReadOnlyInline(ViewAndChangeMixin, admin.TabularInline):  # type: ignore[type-arg]
    """The people of a class, who can only be viewed."""

    view_on_site = False
    extra = 0
    can_delete = False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class TeachingInline(ReadOnlyInline):
    model = Teaching
    fields = ("person", "role")
    readonly_fields = ("person",)
    verbose_name_plural = _("Teachers")

    @admin.display(description=_("Teacher"))
    def person(self, teaching: Teaching) -> str:
        return str(teaching.teacher)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Teaching]:
        return super().get_queryset(request).select_related("teacher")


class EnrolmentInline(ReadOnlyInline):
    model = Enrolment
    fields = ("number", "person")
    readonly_fields = ("person",)
    verbose_name_plural = _("Students")

    @admin.display(description=_("Student"))
    def person(self, enrolment: Enrolment) -> str:
        return str(enrolment.student)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Enrolment]:
        return super().get_queryset(request).select_related("student")


@admin.register(Classroom, site=site)
class ClassroomAdmin(RecordingMixin, ViewAndChangeMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Classes: their codes, their numbers of teachers and students, and whether they are
    archived."""

    what = "class"
    view_on_site = False
    list_display = ("name", "code", "teacher_count", "student_count", "archived_at")
    list_filter = (("archived_at", admin.EmptyFieldListFilter),)
    search_fields = ("name", "code")
    fields = ("name", "code", "archived_at", "created_at")
    readonly_fields = ("code", "created_at")
    inlines = (TeachingInline, EnrolmentInline)
    list_per_page = 50

    def about(self, row: Classroom) -> dict[str, int]:
        return {"classroom": row.pk}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Classroom]:
        classrooms: QuerySet[Classroom] = super().get_queryset(request)
        return classrooms.annotate(
            number_of_teachers=Count("teachings", distinct=True),
            number_of_students=Count("enrolments", distinct=True),
        )

    @admin.display(description=_("Teachers"), ordering="number_of_teachers")
    def teacher_count(self, classroom: Classroom) -> int:
        return int(classroom.number_of_teachers)  # type: ignore[attr-defined]

    @admin.display(description=_("Students"), ordering="number_of_students")
    def student_count(self, classroom: Classroom) -> int:
        return int(classroom.number_of_students)  # type: ignore[attr-defined]


class MadeHereMixin(ViewAndChangeMixin):
    """The permissions for boards, schools and their administrators, who are chosen here."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


class AdministratorInline(MadeHereMixin, admin.TabularInline):  # type: ignore[type-arg]
    """The administrators of a board or a school. The teachers' keys are found by a search."""

    view_on_site = False
    extra = 1
    raw_id_fields = ("teacher",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


class BoardAdministratorInline(AdministratorInline):
    model = BoardAdministrator
    max_num = SchoolAdministrator.MAX_COUNT


class SchoolAdministratorInline(AdministratorInline):
    model = SchoolAdministrator
    max_num = SchoolAdministrator.MAX_COUNT


@admin.register(Board, site=site)
class BoardAdmin(MadeHereMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Boards of education, and who administers them with all their schools."""

    view_on_site = False
    search_fields = ("name",)
    fields = ("name",)
    inlines = (BoardAdministratorInline,)


@admin.register(School, site=site)
class SchoolAdmin(MadeHereMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Schools, their administrators, and the board that each belongs to."""

    view_on_site = False
    list_display = ("name", "board")
    list_editable = ("board",)
    list_select_related = ("board",)
    list_filter = (("board", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("name",)
    fields = ("name", "board")
    inlines = (SchoolAdministratorInline,)
    list_per_page = 50
