from django.urls import path

from puzzleclass.puzzles import editor, more, solutions, views

urlpatterns = [
    path("puzzles/", views.puzzle_list, name="puzzle_list"),
    path("puzzles/new/", editor.puzzle_kind, name="puzzle_kind"),
    path("puzzles/new/<slug:kind_slug>/", editor.puzzle_new, name="puzzle_new"),
    path("puzzles/<int:pk>/", views.puzzle, name="puzzle"),
    path("puzzles/<int:pk>/edit/", editor.puzzle_edit, name="puzzle_edit"),
    path("puzzles/<int:pk>/copy/", views.puzzle_copy, name="puzzle_copy"),
    path("puzzles/<int:pk>/delete/", views.puzzle_delete, name="puzzle_delete"),
    path("puzzles/<int:pk>/count/", views.puzzle_count, name="puzzle_count"),
    path("puzzles/<int:pk>/count/<slug:question>/", views.puzzle_ask, name="puzzle_ask"),
    path("puzzles/<int:pk>/ask/<slug:question>/", more.puzzle_question, name="puzzle_question"),
    path(
        "puzzles/<int:pk>/ask/<slug:question>/<int:number>/",
        more.puzzle_file,
        name="puzzle_file",
    ),
    path("puzzles/<int:pk>/mark/", views.puzzle_mark, name="puzzle_mark"),
    path("puzzles/<int:pk>/solution/", views.puzzle_solution, name="puzzle_solution"),
    path("puzzles/<int:pk>/solutions/", solutions.puzzle_solutions, name="puzzle_solutions"),
    path(
        "puzzles/<int:pk>/solutions/<int:number>/",
        solutions.puzzle_solutions,
        name="puzzle_solutions",
    ),
    path(
        "puzzles/<int:pk>/solutions/<int:number>/<int:other>/",
        solutions.puzzle_solutions,
        name="puzzle_solutions",
    ),
    path("puzzles/<int:pk>/board.svg", views.puzzle_svg, name="puzzle_svg"),
    path("puzzles/<int:pk>/export/<int:number>/", views.puzzle_export, name="puzzle_export"),
]
