from django.urls import path

from puzzleclass.play import hint_views, share_views, views

ACTIONS = {
    "steps": views.step,
    "moves": views.moves,
    "restart": views.restart,
    "hint": hint_views.hint,
    "hint/answer": hint_views.hint_answer,
    "look-ahead": hint_views.look_ahead,
    "back": hint_views.hint_back,
}
"""The actions of a POST on an attempt, by the end of the address."""

urlpatterns = [
    *(
        path(
            f"attempts/<uuid:key>/{end}/",
            views.attempt_action,
            {"action": action},
            name=action.__name__,
        )
        for end, action in ACTIONS.items()
    ),
    path("play/<key:pk>/", views.play, name="play"),
    path("open/<str:code>/<key:pk>/", share_views.assignment_open, name="assignment_open"),
    path("play/<key:pk>/next/", views.next_board, name="next_board"),
    path("play/<key:pk>/reaction/", views.react, name="react"),
    path("play/<key:pk>/history/", views.history, name="history"),
    path("play/<key:pk>/tries/", views.own_attempts, name="own_attempts"),
    path("play/<key:pk>/tries/<key:number>/", views.own_attempts, name="own_attempt"),
    path("trial/<str:name>/", views.trial, name="trial"),
    path("trial/<str:name>/history/", views.trial_history, name="trial_history"),
    path("trial/<str:name>/next_board/", views.trial_next_board, name="trial_next_board"),
    *(
        path(
            f"trial/<str:name>/{action.__name__}/",
            views.trial_action,
            {"action": action},
            name=f"trial_{action.__name__}",
        )
        for action in ACTIONS.values()
    ),
]
