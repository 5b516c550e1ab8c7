from django.urls import include, path

from puzzleclass import errors
from puzzleclass.language.views import set_reader
from puzzleclass.operations import admin
from puzzleclass.operations.audit_views import site_log
from puzzleclass.operations.school_board_views import school_board
from puzzleclass.operations.views import administration

urlpatterns = [
    # The addresses that are requested at each move of a lesson come first, because addresses are
    # tried in this order.
    path("", include("puzzleclass.play.urls")),
    path("", include("puzzleclass.lessons.urls")),
    path("", include("puzzleclass.home.urls")),
    path("", include("puzzleclass.help.urls")),
    path("school-board/", school_board, name="school_board"),
    path("language/", include("django.conf.urls.i18n")),
    path("reader/", set_reader, name="set_reader"),
    path("", include("puzzleclass.accounts.urls")),
    path("administration/", administration, name="administration"),
    path("administration/log/", site_log, name="site_log"),
    path("administration/records/", admin.site.urls),
    path("", include("puzzleclass.classes.urls")),
    path("", include("puzzleclass.rosters.urls")),
    path("", include("puzzleclass.school_accounts.urls")),
    path("", include("puzzleclass.puzzles.urls")),
    path("", include("puzzleclass.sharing.urls")),
    path("", include("puzzleclass.assignments.urls")),
    path("", include("puzzleclass.workshop.urls")),
    path("", include("puzzleclass.stats.urls")),
    path("", include("puzzleclass.practice.urls")),
    path("", include("puzzleclass.gallery.urls")),
    path("", include("puzzleclass.jobs.urls")),
    path("", include("puzzleclass.studies.urls")),
    path("", include("puzzleclass.lti.urls")),
    path("", include("puzzleclass.calendars.urls")),
    path("", include("puzzleclass.api.urls")),
]

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
