from django.urls import path

from puzzleclass.classes import join_views, views

urlpatterns = [
    path("join/", join_views.join, name="join"),
    path("join/<str:code>/", join_views.join_class, name="join_class"),
    path("join/<str:code>/<key:number>/", join_views.join_student, name="join_student"),
    path("classes/", views.classroom_list, name="classroom_list"),
    path("classes/new/", views.classroom_new, name="classroom_new"),
    path("classes/<key:pk>/", views.classroom, name="classroom"),
    path("classes/<key:pk>/edit/", views.classroom_edit, name="classroom_edit"),
    path("classes/<key:pk>/delete/", views.classroom_delete, name="classroom_delete"),
    path("classes/<key:pk>/door/", views.classroom_door, name="classroom_door"),
    path("classes/<key:pk>/pins/", views.pin_list, name="pin_list"),
    path("classes/<key:pk>/students/new/", views.students_new, name="students_new"),
    path(
        "classes/<key:pk>/students/<key:enrolment>/",
        views.student_edit,
        name="student_edit",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/pin/",
        views.student_pin,
        name="student_pin",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/remove/",
        views.student_remove,
        name="student_remove",
    ),
]
