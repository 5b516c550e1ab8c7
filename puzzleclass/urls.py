from django.urls import include, path

from puzzleclass import errors
from puzzleclass.home import home
from puzzleclass.reader import set_reader

urlpatterns = [
    path("", home, name="home"),
    path("language/", include("django.conf.urls.i18n")),
    path("reader/", set_reader, name="set_reader"),
    path("", include("puzzleclass.accounts.urls")),
    path("", include("puzzleclass.classes.urls")),
    path("", include("puzzleclass.puzzles.urls")),
    path("", include("puzzleclass.assignments.urls")),
    path("", include("puzzleclass.play.urls")),
    path("", include("puzzleclass.stats.urls")),
    path("", include("puzzleclass.jobs.urls")),
    path("", include("puzzleclass.learn.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
