from django.urls import path

from puzzleclass.help import views

urlpatterns = [
    path("help/", views.help_page, name="help"),
    path("help/<slug:audience>/<slug:name>/", views.help_task, name="help_task"),
]
