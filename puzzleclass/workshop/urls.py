from django.urls import path

from puzzleclass.workshop import views

urlpatterns = [
    path("workshop/", views.workshop_list, name="workshop_list"),
    path("workshop/<key:pk>/", views.workshop, name="workshop"),
    path("workshop/<key:pk>/live/", views.workshop_live, name="workshop_live"),
    path("workshop/<key:pk>/delete/", views.workshop_delete, name="workshop_delete"),
    path("kinds/<uuid:key>/", views.shared_kind, name="shared_kind"),
]
