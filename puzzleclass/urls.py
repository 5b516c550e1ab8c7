from django.urls import include, path

from puzzleclass import http
from puzzleclass.guides import help_page
from puzzleclass.home import home
from puzzleclass.language import set_reader
from puzzleclass.monitoring import admin
from puzzleclass.monitoring.administration import administration
from puzzleclass.offline import manifest, offline, service_worker

urlpatterns = [
    # First what is asked for at each move of a lesson: addresses are tried in this order.
    path("", include("puzzleclass.play.urls")),
    path("", home, name="home"),
    path("app.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("offline/", offline, name="offline"),
    path("help/", help_page, name="help"),
    path("language/", include("django.conf.urls.i18n")),
    path("reader/", set_reader, name="set_reader"),
    path("", include("puzzleclass.accounts.urls")),
    path("administration/", administration, name="administration"),
    path("administration/records/", admin.site.urls),
    path("", include("puzzleclass.classes.urls")),
    path("", include("puzzleclass.puzzles.urls")),
    path("", include("puzzleclass.sharing.urls")),
    path("", include("puzzleclass.assignments.urls")),
    path("", include("puzzleclass.stats.urls")),
    path("", include("puzzleclass.practice.urls")),
    path("", include("puzzleclass.gallery.urls")),
    path("", include("puzzleclass.jobs.urls")),
    path("", include("puzzleclass.learn.urls")),
]

handler400 = http.bad_request
handler403 = http.permission_denied
handler404 = http.page_not_found
handler500 = http.server_error
