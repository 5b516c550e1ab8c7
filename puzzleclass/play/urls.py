from django.urls import path

from puzzleclass.play import views

urlpatterns = [
    path("play/<int:pk>/", views.play, name="play"),
    path("attempts/<uuid:key>/steps/", views.step, name="step"),
    path("attempts/<uuid:key>/restart/", views.restart, name="restart"),
]
