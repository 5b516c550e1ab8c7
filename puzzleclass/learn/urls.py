from django.urls import path

from puzzleclass.learn import goishi, kikazu, maxstrings, results, tonari, views

urlpatterns = [
    path("learn/", views.learn, name="learn"),
    path("learn/goishi/", goishi.learn_goishi, name="learn_goishi"),
    path("learn/kikazu/", kikazu.learn_kikazu, name="learn_kikazu"),
    path("learn/kikazu/boards/", kikazu.learn_kikazu_boards, name="learn_kikazu_boards"),
    path("learn/max-strings/", maxstrings.learn_maxstrings, name="learn_maxstrings"),
    path(
        "learn/max-strings/<key:n>.lp", maxstrings.learn_maxstrings_lp, name="learn_maxstrings_lp"
    ),
    path("learn/new/", results.learn_results, name="learn_results"),
    path("learn/tonari/", tonari.learn_tonari, name="learn_tonari"),
    path(
        "learn/tonari/<slug:method>/<key:side>/", tonari.learn_tonari_run, name="learn_tonari_run"
    ),
]
