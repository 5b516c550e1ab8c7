from django.urls import path

from puzzleclass.making import explore, views

urlpatterns = [
    path("puzzles/generate/<slug:kind_slug>/", views.puzzle_generate, name="puzzle_generate"),
    path("puzzles/explore/<slug:kind_slug>/", explore.puzzle_explore, name="puzzle_explore"),
    path("puzzles/generated/<int:pk>/", views.puzzle_generated, name="puzzle_generated"),
]
