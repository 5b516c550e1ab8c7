from django.urls import path

from puzzleclass.assignments import views

urlpatterns = [
    path("classes/<key:pk>/assignments/new/", views.assignment_new, name="assignment_new"),
    path("assignments/<key:pk>/edit/", views.assignment_edit, name="assignment_edit"),
    path(
        "assignments/<key:pk>/worksheet/", views.assignment_worksheet, name="assignment_worksheet"
    ),
    path("assignments/<key:pk>/copy/", views.assignment_copy, name="assignment_copy"),
    path("assignments/<key:pk>/publish/", views.assignment_publish, name="assignment_publish"),
    path("assignments/<key:pk>/close/", views.assignment_close, name="assignment_close"),
    path("assignments/<key:pk>/template/", views.template_new, name="template_new"),
    path("templates/<key:pk>/assign/", views.template_assign, name="template_assign"),
    path("templates/<key:pk>/delete/", views.template_delete, name="template_delete"),
    path("assignments/<key:pk>/delete/", views.assignment_delete, name="assignment_delete"),
]
