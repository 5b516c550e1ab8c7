from django.urls import path

from puzzleclass.lessons import views

urlpatterns = [
    path("assignments/<key:pk>/lesson/now/", views.lesson_now, name="lesson_now"),
    path("assignments/<key:pk>/lesson/", views.lesson, name="lesson"),
    path("assignments/<key:pk>/lesson/lead/", views.lead, name="lead"),
]
