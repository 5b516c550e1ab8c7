from django.urls import path

from puzzleclass.learn import views

urlpatterns = [
    path("learn/", views.learn, name="learn"),
]
