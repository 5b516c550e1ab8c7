from django.urls import path

from puzzleclass.assignments import views

urlpatterns = [
    path("classes/<int:pk>/assignments/new/", views.assignment_new, name="assignment_new"),
    path("assignments/<int:pk>/edit/", views.assignment_edit, name="assignment_edit"),
    path("assignments/<int:pk>/delete/", views.assignment_delete, name="assignment_delete"),
]
