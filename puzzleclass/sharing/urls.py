from django.urls import path

from puzzleclass.sharing import start_views, views

urlpatterns = [
    path("classes/<key:pk>/start/", start_views.lesson_start, name="lesson_start"),
    path("packs/", views.pack_list, name="pack_list"),
    path("packs/plans/<slug:slug>/", views.plan, name="plan"),
    path("packs/new/", views.pack_new, name="pack_new"),
    path("packs/import/", views.pack_import, name="pack_import"),
    path("packs/<uuid:key>/", views.pack, name="pack"),
    path("packs/<uuid:key>/edit/", views.pack_edit, name="pack_edit"),
    path("packs/<uuid:key>/delete/", views.pack_delete, name="pack_delete"),
    path("packs/<uuid:key>/copy/", views.pack_copy, name="pack_copy"),
    path("packs/<uuid:key>/file/", views.pack_file, name="pack_file"),
]
