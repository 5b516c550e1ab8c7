from django.urls import path

from puzzleclass.home import bin_views, offline_views, records_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("search/", views.search, name="search"),
    path("records/", records_views.own_records, name="own_records"),
    path("records/<key:pk>.svg", records_views.record_card, name="record_card"),
    path("bin/", bin_views.bin_page, name="bin"),
    path("bin/<key:deletion>/", bin_views.bin_restore, name="bin_restore"),
    path("app.webmanifest", offline_views.manifest, name="manifest"),
    path("service-worker.js", offline_views.service_worker, name="service_worker"),
    path("offline/", offline_views.offline, name="offline"),
]
