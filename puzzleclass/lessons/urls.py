from django.urls import path

from puzzleclass.lessons import (
    found_views,
    own_found_views,
    question_views,
    reflection_views,
    screen_views,
    student_views,
    views,
)

urlpatterns = [
    path("lesson/now/", student_views.lesson_now, name="lesson_now"),
    path("lesson/", student_views.lesson_enter, name="lesson_enter"),
    path("lesson/message/", student_views.lesson_message, name="lesson_message"),
    path("lesson/look-back/", reflection_views.student_look_back, name="look_back"),
    path("assignments/<key:pk>/reflections/", reflection_views.reflections, name="reflections"),
    path("screen/now/", screen_views.screen_now, name="screen_now"),
    path("screen/", screen_views.screen, name="screen"),
    path("assignments/<key:pk>/lesson/", views.lesson, name="lesson"),
    path("assignments/<key:pk>/lesson/lead/", views.lead, name="lead"),
    path("assignments/<key:pk>/wall/", views.old_wall, name="wall"),
    path("assignments/<key:pk>/wall/<key:student>/", views.old_wall, name="wall_student"),
    path("classes/<key:pk>/seats/", views.seats, name="seats"),
    path("assignments/<key:pk>/questions/", question_views.question_list, name="question_list"),
    path("assigned/<key:pk>/questions/new/", question_views.question_new, name="question_new"),
    path("questions/<key:pk>/", question_views.question, name="question"),
    path("assignments/<key:pk>/votes/", question_views.old_list, name="old_votes"),
    path("votes/<key:pk>/", question_views.old_vote, name="old_vote"),
    path("assignments/<key:pk>/discussion/", found_views.discussion, name="discussion"),
    path("assigned/<key:pk>/found/", found_views.found, name="found"),
    path("play/<key:pk>/found/", own_found_views.own_found, name="own_found"),
    path("play/<key:pk>/cases/", own_found_views.own_cases, name="own_cases"),
    *(
        path(f"assigned/<key:pk>/{old}/", found_views.old_found, {"view": view}, f"old_{name}")
        for old, name, view in (
            ("solutions", "solutions", "solutions"),
            ("hunt", "hunt", "solutions"),
            ("map", "map", "map"),
            ("cases", "cases", "tree"),
            ("discussion", "slides", "groups"),
            ("discussion/prepare", "prepare", "groups"),
        )
    ),
]
