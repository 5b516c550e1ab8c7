from django.urls import path

from puzzleclass.practice import challenge_views, views

urlpatterns = [
    path("how-to-play/<kind:kind>/", views.introduction, name="introduction"),
    path("how-to-play/<kind:kind>/<key:number>/", views.introduction, name="introduction"),
    path("practice/", views.practice, name="practice"),
    path("practice/made/<key:pk>/", views.practice_made, name="practice_made"),
    path("practice/again/<key:pk>/", views.practice_again, name="practice_again"),
    path("practice/<kind:kind>/next/", views.go_on, name="go_on"),
    path("practice/<kind:kind>/<key:level>/", views.practice_level, name="practice_level"),
    path(
        "practice/<kind:kind>/<key:level>/<key:number>/",
        views.practice_board,
        name="practice_board",
    ),
    path("practice/<kind:kind>/<key:level>/stored/", views.stored_boards, name="stored_boards"),
    path("daily/stored/", views.stored_boards, name="stored_boards"),
    path("garden/", views.garden, name="garden"),
    path("daily/<slug:day>/<slug:word>/", views.daily_board, name="daily_board"),
    path("challenges/", challenge_views.challenges, name="challenges"),
    path("challenges/stop/", challenge_views.clock_stop, name="clock_stop"),
    path(
        "challenges/<kind:kind>/<key:level>/<key:number>/",
        challenge_views.clock_start,
        name="clock_start",
    ),
    path("attempts/<uuid:key>/where/", views.where, name="where"),
    path("play/<key:pk>/practice/", views.practise_on, name="practise_on"),
]
