from django.urls import include, path

from puzzleclass import errors
from puzzleclass.language.views import set_reader
from puzzleclass.operations import admin
from puzzleclass.operations.views import administration
from puzzleclass.pages.bin import bin_page, bin_restore
from puzzleclass.pages.home import home
from puzzleclass.pages.offline import manifest, offline, service_worker
from puzzleclass.pages.own_records import own_records, record_card
from puzzleclass.pages.school_board import school_board
from puzzleclass.pages.search import search_page

urlpatterns = [
    # The addresses that are requested at each move of a lesson come first, because addresses are
    # tried in this order.
    path("", include("puzzleclass.play.urls")),
    path("", include("puzzleclass.lessons.urls")),
    path("", home, name="home"),
    path("records/", own_records, name="own_records"),
    path("records/<key:pk>.svg", record_card, name="record_card"),
    path("app.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("offline/", offline, name="offline"),
    path("bin/", bin_page, name="bin"),
    path("bin/<key:deletion>/", bin_restore, name="bin_restore"),
    path("", include("puzzleclass.help.urls")),
    path("search/", search_page, name="search"),
    path("school-board/", school_board, name="school_board"),
    path("language/", include("django.conf.urls.i18n")),
    path("reader/", set_reader, name="set_reader"),
    path("", include("puzzleclass.accounts.urls")),
    path("administration/", administration, name="administration"),
    path("administration/records/", admin.site.urls),
    path("", include("puzzleclass.classes.urls")),
    path("", include("puzzleclass.rosters.urls")),
    path("", include("puzzleclass.school_accounts.urls")),
    path("", include("puzzleclass.puzzles.urls")),
    path("", include("puzzleclass.sharing.urls")),
    path("", include("puzzleclass.assignments.urls")),
    path("", include("puzzleclass.stats.urls")),
    path("", include("puzzleclass.practice.urls")),
    path("", include("puzzleclass.gallery.urls")),
    path("", include("puzzleclass.jobs.urls")),
    path("", include("puzzleclass.learn.urls")),
    path("", include("puzzleclass.lti.urls")),
    path("", include("puzzleclass.calendars.urls")),
    path("", include("puzzleclass.api.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
