from django.urls import path

from puzzleclass.classes import student_views, views

urlpatterns = [
    path("classes/", views.classroom_list, name="classroom_list"),
    path("classes/new/", views.classroom_new, name="classroom_new"),
    path("classes/<int:pk>/", views.classroom, name="classroom"),
    path("classes/<int:pk>/edit/", views.classroom_edit, name="classroom_edit"),
    path("classes/<int:pk>/delete/", views.classroom_delete, name="classroom_delete"),
    path("classes/<int:pk>/pins/", student_views.pin_list, name="pin_list"),
    path("classes/<int:pk>/students/new/", student_views.students_new, name="students_new"),
    path(
        "classes/<int:pk>/students/<int:enrolment>/",
        student_views.student_edit,
        name="student_edit",
    ),
    path(
        "classes/<int:pk>/students/<int:enrolment>/pin/",
        student_views.student_pin,
        name="student_pin",
    ),
    path(
        "classes/<int:pk>/students/<int:enrolment>/remove/",
        student_views.student_remove,
        name="student_remove",
    ),
]
