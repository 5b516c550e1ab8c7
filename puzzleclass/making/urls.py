from django.urls import path

from puzzleclass.making import views

urlpatterns = [
    path("puzzles/generate/<slug:kind_slug>/", views.puzzle_generate, name="puzzle_generate"),
    path("puzzles/generated/<int:pk>/", views.puzzle_generated, name="puzzle_generated"),
]
