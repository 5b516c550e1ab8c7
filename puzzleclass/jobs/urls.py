from django.urls import path

from puzzleclass.jobs import views

urlpatterns = [
    path("jobs/<key:pk>/", views.job_card, name="job_card"),
    path("jobs/<key:pk>/stop/", views.stop_job, name="stop_job"),
    path("jobs/<key:pk>/again/", views.ask_again, name="ask_again"),
]
