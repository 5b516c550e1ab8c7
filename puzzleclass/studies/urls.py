from django.urls import path

from puzzleclass.studies import (
    goishi_views,
    kikazu_views,
    maxstrings_views,
    results_views,
    tonari_views,
    views,
)

urlpatterns = [
    path("learn/", views.studies, name="studies"),
    path("learn/goishi/", goishi_views.study_goishi, name="study_goishi"),
    path("learn/kikazu/", kikazu_views.study_kikazu, name="study_kikazu"),
    path("learn/kikazu/boards/", kikazu_views.study_kikazu_boards, name="study_kikazu_boards"),
    path("learn/max-strings/", maxstrings_views.study_maxstrings, name="study_maxstrings"),
    path(
        "learn/max-strings/<key:n>.lp",
        maxstrings_views.study_maxstrings_lp,
        name="study_maxstrings_lp",
    ),
    path("learn/new/", results_views.study_results, name="study_results"),
    path("learn/tonari/", tonari_views.study_tonari, name="study_tonari"),
    path(
        "learn/tonari/<slug:method>/<key:side>/",
        tonari_views.study_tonari_run,
        name="study_tonari_run",
    ),
]
