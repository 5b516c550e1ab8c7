from django.urls import path

from puzzleclass.classes import (
    card_views,
    data_views,
    join_views,
    list_views,
    people_views,
    student_views,
    views,
)

urlpatterns = [
    path("join/", join_views.join, name="join"),
    path("join/<str:code>/", join_views.join_class, name="join_class"),
    path("join/<str:code>/<key:number>/", join_views.join_student, name="join_student"),
    path("card/<str:word>/", join_views.join_by_card, name="join_by_card"),
    path("classes/", views.classroom_list, name="classroom_list"),
    path("classes/new/", list_views.classroom_new, name="classroom_new"),
    path("classes/next-year/", people_views.class_change, name="class_change"),
    path(
        "classes/next-year/<key:pk>/undo/", people_views.class_change_undo, name="class_change_undo"
    ),
    path("classes/<key:pk>/", views.classroom, name="classroom"),
    path("classes/<key:pk>/edit/", views.classroom_edit, name="classroom_edit"),
    path("classes/<key:pk>/delete/", views.classroom_delete, name="classroom_delete"),
    path("classes/<key:pk>/data/", data_views.classroom_data, name="classroom_data"),
    path("account/data/", data_views.account_data, name="account_data"),
    path("account/delete/", data_views.account_delete, name="account_delete"),
    path("data/", data_views.data_log, name="data_log"),
    path("data/<key:pk>/", data_views.data_record, name="data_record"),
    path("classes/<key:pk>/archive/", views.classroom_archive, name="classroom_archive"),
    path("classes/<key:pk>/teachers/", people_views.teacher_list, name="teacher_list"),
    path(
        "classes/invitations/<key:pk>/",
        people_views.teaching_invitation,
        name="teaching_invitation",
    ),
    path("classes/<key:pk>/groups/new/", people_views.group_edit, name="group_new"),
    path("classes/<key:pk>/groups/<key:group>/", people_views.group_edit, name="group_edit"),
    path("classes/<key:pk>/door/", views.classroom_door, name="classroom_door"),
    path("classes/<key:pk>/pins/", card_views.pin_list, name="pin_list"),
    path("classes/<key:pk>/pins/new/", card_views.pins_new, name="pins_new"),
    path("classes/<key:pk>/cards/new/", card_views.cards_new, name="cards_new"),
    path("classes/<key:pk>/students/", list_views.class_students, name="class_students"),
    path("classes/<key:pk>/students/new/", list_views.students_new, name="students_new"),
    path("classes/<key:pk>/students/move/", people_views.students_move, name="students_move"),
    path(
        "classes/<key:pk>/students/message/", people_views.students_message, name="students_message"
    ),
    path(
        "classes/<key:pk>/students.<str:form>", list_views.students_export, name="students_export"
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/",
        student_views.student_edit,
        name="student_edit",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/pin/", card_views.student_pin, name="student_pin"
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/card/",
        card_views.student_card,
        name="student_card",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/unlock/",
        student_views.student_unlock,
        name="student_unlock",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/data/",
        data_views.student_data,
        name="student_data",
    ),
    path(
        "classes/<key:pk>/students/<key:enrolment>/remove/",
        student_views.student_remove,
        name="student_remove",
    ),
]
