from django.urls import path

from puzzleclass.stats import views

urlpatterns = [
    path("assignments/<int:pk>/", views.assignment, name="assignment"),
    path("assigned/<int:pk>/students/<int:student>/", views.attempts, name="attempts"),
    path("assigned/<int:pk>/solutions/", views.found_solutions, name="found_solutions"),
    path("assigned/<int:pk>/solutions/<int:number>/", views.found_solution, name="found_solution"),
    path("assigned/<int:pk>/fall-off/", views.fall_off, name="fall_off"),
    path("attempts/<uuid:key>/replay/", views.replay, name="replay"),
]
