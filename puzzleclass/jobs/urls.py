from django.urls import path

from puzzleclass.jobs import views

urlpatterns = [
    path("jobs/<int:pk>/", views.job_card, name="job_card"),
    path("jobs/<int:pk>/stop/", views.stop_job, name="stop_job"),
    path("jobs/<int:pk>/again/", views.ask_again, name="ask_again"),
]
