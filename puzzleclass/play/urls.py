from django.urls import path

from puzzleclass.play import views

urlpatterns = [
    path("play/<key:pk>/", views.play, name="play"),
    path("play/<key:pk>/next/", views.next_board, name="next_board"),
    path("play/<key:pk>/tries/", views.own_tries, name="own_tries"),
    path("play/<key:pk>/tries/<key:number>/", views.own_tries, name="own_try"),
    path("attempts/<uuid:key>/steps/", views.step, name="step"),
    path("attempts/<uuid:key>/moves/", views.moves, name="moves"),
    path("attempts/<uuid:key>/restart/", views.restart, name="restart"),
    path("attempts/<uuid:key>/hint/", views.hint, name="hint"),
    path("attempts/<uuid:key>/look-ahead/", views.look_ahead, name="look_ahead"),
    path("attempts/<uuid:key>/back/", views.hint_back, name="hint_back"),
    path("trial/<str:name>/", views.trial, name="trial"),
    *(
        path(f"trial/<str:name>/{name}/", view, name=f"trial_{name}")
        for name, view in views.on_trials.items()
    ),
]
