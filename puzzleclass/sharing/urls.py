from django.urls import path

from puzzleclass.sharing import plan_views, start_views, views

urlpatterns = [
    path("classes/<key:pk>/start/", start_views.lesson_start, name="lesson_start"),
    path("packs/", views.pack_list, name="pack_list"),
    path("packs/plans/<slug:slug>/", plan_views.plan, name="plan"),
    path("packs/<uuid:key>/start/", plan_views.pack_start, name="pack_start"),
    path("packs/<uuid:key>/phases/", plan_views.phases, name="phases"),
    path("packs/<uuid:key>/phases/<key:number>/", plan_views.phase, name="phase"),
    path("packs/new/", views.pack_new, name="pack_new"),
    path("packs/import/", views.pack_import, name="pack_import"),
    path("packs/<uuid:key>/", views.pack, name="pack"),
    path("packs/<uuid:key>/edit/", views.pack_edit, name="pack_edit"),
    path("packs/<uuid:key>/delete/", views.pack_delete, name="pack_delete"),
    path("packs/<uuid:key>/copy/", views.pack_copy, name="pack_copy"),
    path("packs/<uuid:key>/file/", views.pack_file, name="pack_file"),
]
