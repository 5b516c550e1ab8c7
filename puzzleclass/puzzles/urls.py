from django.urls import path

from puzzleclass.puzzles import (
    editor_views,
    generator_views,
    import_views,
    question_views,
    saved_search_views,
    views,
)

urlpatterns = [
    path("puzzles/", views.puzzle_list, name="puzzle_list"),
    path("puzzles/chosen/", views.puzzles_bulk, name="puzzles_bulk"),
    path("puzzles/searches/", saved_search_views.search_save, name="search_save"),
    path("puzzles/searches/<key:pk>/", saved_search_views.search_change, name="search_change"),
    path("jobs/", question_views.job_list, name="job_list"),
    path("puzzles/collection/", generator_views.collection_start, name="collection_start"),
    path(
        "puzzles/collection/<kind:kind>/<key:level>/",
        generator_views.collection_level,
        name="collection",
    ),
    path("puzzles/new/", editor_views.puzzle_kind, name="puzzle_kind"),
    path("puzzles/new/<kind:kind>/", editor_views.puzzle_new, name="puzzle_new"),
    path("puzzles/import/<kind:kind>/", import_views.puzzle_import, name="puzzle_import"),
    path("puzzles/worksheet/", views.puzzle_worksheet, name="puzzle_worksheet"),
    path("puzzles/<key:pk>/", views.puzzle, name="puzzle"),
    path("puzzles/<key:pk>/edit/", editor_views.puzzle_edit, name="puzzle_edit"),
    path("puzzles/<key:pk>/copy/", views.puzzle_copy, name="puzzle_copy"),
    path("puzzles/<key:pk>/delete/", views.puzzle_delete, name="puzzle_delete"),
    path("puzzles/<key:pk>/count/", views.puzzle_count, name="puzzle_count"),
    path("puzzles/<key:pk>/count/<slug:question>/", views.puzzle_ask, name="puzzle_ask"),
    path(
        "puzzles/<key:pk>/ask/<slug:question>/",
        question_views.puzzle_question,
        name="puzzle_question",
    ),
    path(
        "puzzles/<key:pk>/ask/<slug:question>/<key:number>/",
        question_views.puzzle_file,
        name="puzzle_file",
    ),
    path("puzzles/<key:pk>/goal/", views.puzzle_goal, name="puzzle_goal"),
    path("puzzles/<key:pk>/solution/", views.puzzle_solution, name="puzzle_solution"),
    path("puzzles/<key:pk>/solutions/", question_views.puzzle_solutions, name="puzzle_solutions"),
    path(
        "puzzles/<key:pk>/solutions/<key:number>/",
        question_views.puzzle_solutions,
        name="puzzle_solutions",
    ),
    path(
        "puzzles/<key:pk>/solutions/<key:number>/<key:other>/",
        question_views.puzzle_solutions,
        name="puzzle_solutions",
    ),
    path("puzzles/generate/<kind:kind>/", generator_views.puzzle_generate, name="puzzle_generate"),
    path("puzzles/generated/<key:pk>/", generator_views.puzzle_generated, name="puzzle_generated"),
    path("puzzles/explore/<kind:kind>/", generator_views.puzzle_explore, name="puzzle_explore"),
    path("puzzles/<key:pk>/board.svg", views.puzzle_svg, name="puzzle_svg"),
    path("puzzles/<key:pk>/export/<key:number>/", views.puzzle_export, name="puzzle_export"),
]
