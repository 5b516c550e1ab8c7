from django.urls import path

from puzzleclass.rosters import (
    administrator_views,
    audit_views,
    board_views,
    class_views,
    match_views,
    request_views,
    retention_views,
    school_views,
    service_views,
    teacher_views,
    upload_views,
)

urlpatterns = [
    path("classes/<key:pk>/same/", match_views.match_list, name="match_list"),
    path("rosters/<key:pk>/", request_views.roster_request, name="roster_request"),
    path("schools/", school_views.school_list, name="school_list"),
    path("boards/<key:pk>/", board_views.board, name="board"),
    path("boards/<key:pk>/log/", audit_views.board_log, name="board_log"),
    path("schools/<key:pk>/", school_views.school, name="school"),
    path("schools/<key:pk>/classes/", class_views.school_class_list, name="school_class_list"),
    path(
        "schools/<key:pk>/classes/<key:classroom>/", class_views.school_class, name="school_class"
    ),
    path(
        "schools/<key:pk>/classes/<key:classroom>/data/",
        class_views.school_class_data,
        name="school_class_data",
    ),
    path(
        "schools/<key:pk>/classes/<key:classroom>/delete/",
        class_views.school_class_delete,
        name="school_class_delete",
    ),
    path("schools/<key:pk>/teachers/", teacher_views.school_teachers, name="school_teachers"),
    path(
        "schools/<key:pk>/teachers/print/",
        teacher_views.school_invitations,
        name="school_invitations",
    ),
    path("schools/join/<str:word>/", teacher_views.school_join, name="school_join"),
    path("schools/<key:pk>/roster.zip", upload_views.roster_export, name="roster_export"),
    path("schools/<key:pk>/retention/", retention_views.school_retention, name="school_retention"),
    path("schools/<key:pk>/delete/", retention_views.school_delete, name="school_delete"),
    path("schools/<key:pk>/log/", audit_views.school_log, name="school_log"),
    path("schools/<key:pk>/edit/", school_views.school_edit, name="school_edit"),
    path(
        "<owner:owner>/people/", administrator_views.administrator_list, name="administrator_list"
    ),
    path(
        "invitations/<key:pk>/",
        administrator_views.administrator_invitation,
        name="administrator_invitation",
    ),
    path("<owner:owner>/imports/<key:made>/undo/", upload_views.roster_undo, name="roster_undo"),
    path("<owner:owner>/service/", service_views.roster_service, name="roster_service"),
    path("<owner:owner>/rosters/", upload_views.roster_new, name="roster_new"),
    path("<owner:owner>/rosters/<key:upload>/", upload_views.roster, name="roster"),
]
