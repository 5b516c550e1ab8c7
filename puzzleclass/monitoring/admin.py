"""Accounts and classes for administrators, in Django's admin: looked up, renamed, closed, opened.

Whoever is an administrator of the site comes in by the site's own sign-in, with its locks. Nothing
is added or deleted here: teachers make accounts, classes are deleted on their own pages, which say
what goes with them.
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Count, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import is_administrator
from puzzleclass.classes.models import Classroom, Enrolment, Teaching


class Site(admin.AdminSite):
    """The admin, for whom `for_administrators` lets in."""

    site_header = site_title = "PuzzleClass"
    index_title = _("Accounts and classes")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the visitor may be here at all."""
        return is_administrator(request.user)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Lead to the site's own sign-in; for others who are signed in there is nothing here."""
        if request.user.is_authenticated:
            raise Http404
        wanted = request.GET.get("next") or reverse("admin:index")
        return redirect(f"{reverse('sign_in')}?{urlencode({'next': wanted})}")


site = Site()


class Looked:
    """What may be done to the rows of a model: look and change, no more."""

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


@admin.register(User, site=site)
class PersonAdmin(Looked, UserAdmin):  # type: ignore[type-arg]
    """Teachers and students: who they are, whether they may come in, a teacher's new password."""

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

    @admin.display(description=_("Kind of account"), ordering="role")
    def kind(self, user: User) -> str:
        return str(user.get_role_display())

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """A student has a PIN, which the class's teachers give."""
        if obj is None or obj.is_teacher:
            return self.fieldsets
        return (
            (None, {"fields": ("name", "kind", "is_active")}),
            (None, {"fields": ("last_login", "date_joined")}),
        )

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Set a teacher's password; anybody else has none."""
        if not User.objects.filter(pk=id, role=User.Role.TEACHER).exists():
            raise Http404
        return super().user_change_password(request, id, form_url)


class Related(Looked, admin.TabularInline):  # type: ignore[type-arg]
    """People of a class: looked at only."""

    extra = 0
    can_delete = False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class TeachingInline(Related):
    model = Teaching
    fields = ("person", "role")
    readonly_fields = ("person",)
    verbose_name_plural = _("Teachers")

    @admin.display(description=_("Teacher"))
    def person(self, teaching: Teaching) -> str:
        return str(teaching.teacher)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Teaching]:
        return super().get_queryset(request).select_related("teacher")


class EnrolmentInline(Related):
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
class ClassroomAdmin(Looked, admin.ModelAdmin):  # type: ignore[type-arg]
    """Classes: their codes, how many are in them, whether they are over."""

    list_display = ("name", "code", "teacher_count", "student_count", "archived_at")
    list_filter = (("archived_at", admin.EmptyFieldListFilter),)
    search_fields = ("name", "code")
    fields = ("name", "code", "archived_at", "created_at")
    readonly_fields = ("code", "created_at")
    inlines = (TeachingInline, EnrolmentInline)
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Classroom]:
        found: QuerySet[Classroom] = super().get_queryset(request)
        return found.annotate(
            teachers_there=Count("teachings", distinct=True),
            students_there=Count("enrolments", distinct=True),
        )

    @admin.display(description=_("Teachers"), ordering="teachers_there")
    def teacher_count(self, classroom: Classroom) -> int:
        return int(classroom.teachers_there)  # type: ignore[attr-defined]

    @admin.display(description=_("Students"), ordering="students_there")
    def student_count(self, classroom: Classroom) -> int:
        return int(classroom.students_there)  # type: ignore[attr-defined]
