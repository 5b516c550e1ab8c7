from django.urls import path

from puzzleclass.calendars import views

urlpatterns = [
    path("calendar/", views.calendar, name="calendar"),
    path("calendar/<str:word>.ics", views.calendar_feed, name="calendar_feed"),
]
