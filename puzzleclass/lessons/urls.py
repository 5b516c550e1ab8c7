from django.urls import path

from puzzleclass.lessons import (
    case_views,
    discussion_views,
    screen_views,
    student_views,
    views,
    vote_views,
)

urlpatterns = [
    path("lesson/now/", student_views.lesson_now, name="lesson_now"),
    path("lesson/", student_views.lesson_enter, name="lesson_enter"),
    path("lesson/message/", student_views.lesson_message, name="lesson_message"),
    path("screen/now/", screen_views.screen_now, name="screen_now"),
    path("screen/", screen_views.screen, name="screen"),
    path("assignments/<key:pk>/lesson/", views.lesson, name="lesson"),
    path("assignments/<key:pk>/lesson/lead/", views.lead, name="lead"),
    path("assignments/<key:pk>/wall/", views.old_wall, name="wall"),
    path("assignments/<key:pk>/wall/<key:student>/", views.old_wall, name="wall_student"),
    path("classes/<key:pk>/seats/", views.seats, name="seats"),
    path("assignments/<key:pk>/votes/", vote_views.vote_list, name="vote_list"),
    path("assigned/<key:pk>/votes/new/", vote_views.vote_new, name="vote_new"),
    path("votes/<key:pk>/", vote_views.vote, name="vote"),
    path("assigned/<key:pk>/cases/", case_views.cases, name="cases"),
    path("play/<key:pk>/cases/", case_views.own_cases, name="own_cases"),
    path("assignments/<key:pk>/discussion/", discussion_views.discussion, name="discussion"),
    path("assigned/<key:pk>/discussion/", discussion_views.slides, name="slides"),
    path(
        "assigned/<key:pk>/discussion/prepare/",
        discussion_views.discussion_prepare,
        name="discussion_prepare",
    ),
]
