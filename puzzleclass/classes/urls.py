from django.urls import path

from puzzleclass.classes import join_views, views

urlpatterns = [
    path("join/", join_views.join, name="join"),
    path("join/<str:code>/", join_views.join_class, name="join_class"),
    path("join/<str:code>/<int:number>/", join_views.join_student, name="join_student"),
    path("classes/", views.classroom_list, name="classroom_list"),
    path("classes/new/", views.classroom_new, name="classroom_new"),
    path("classes/<int:pk>/", views.classroom, name="classroom"),
    path("classes/<int:pk>/edit/", views.classroom_edit, name="classroom_edit"),
    path("classes/<int:pk>/delete/", views.classroom_delete, name="classroom_delete"),
    path("classes/<int:pk>/pins/", views.pin_list, name="pin_list"),
    path("classes/<int:pk>/students/new/", views.students_new, name="students_new"),
    path(
        "classes/<int:pk>/students/<int:enrolment>/",
        views.student_edit,
        name="student_edit",
    ),
    path(
        "classes/<int:pk>/students/<int:enrolment>/pin/",
        views.student_pin,
        name="student_pin",
    ),
    path(
        "classes/<int:pk>/students/<int:enrolment>/remove/",
        views.student_remove,
        name="student_remove",
    ),
]
