"""The page and the files with the statistics of a class over all its assignments."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes import personal_data
from puzzleclass.classes.access import Right, get_classroom_for_teacher
from puzzleclass.classes.models import DataRecord, Enrolment
from puzzleclass.play.status import PuzzleState
from puzzleclass.spreadsheets.writing import FORMATS
from puzzleclass.stats.class_statistics import StatisticsTable, statistics_of
from puzzleclass.stats.forms import DaysForm
from puzzleclass.stats.sheets import ROWS_PER_PAGE, sheet_file

TABLES_OF_STUDENTS = (StatisticsTable.GRADES, StatisticsTable.BOARDS)
"""The tables that have a row for each student."""


@for_teachers("GET")
def class_statistics(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show one of the tables as a page; with `format`, return the same table as a file."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    named = request.GET.get("table")
    table = next((each for each in StatisticsTable if each == named), StatisticsTable.GRADES)
    form = DaysForm(request.GET)
    form.is_valid()
    days = form.cleaned_data.get("first"), form.cleaned_data.get("last")
    statistics = statistics_of(classroom, *days)
    sheet = statistics.sheet(table)
    ending = request.GET.get("format")
    if ending in FORMATS and not form.errors:
        if table in TABLES_OF_STUDENTS:
            written = {Enrolment._meta.label: len(sheet.rows)}
            personal_data.log(request.user, DataRecord.Action.EXPORTED, classroom, written)
        return sheet_file(sheet, ending, (classroom.name, str(table.label)))
    page = Paginator(range(len(sheet.rows)), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    chart = None
    if table == StatisticsTable.ASSIGNMENTS:
        chart = statistics.solved_chart
    elif table == StatisticsTable.COURSE:
        chart = statistics.course.chart(960)
    context = {
        "classroom": classroom,
        "statistics": statistics,
        "form": form,
        "days": days,
        "table": table,
        "tables": StatisticsTable,
        "sheet": sheet,
        "page": page,
        "shown": sheet.shown(page),
        "chart": chart,
        "states": PuzzleState if table == StatisticsTable.BOARDS else None,
    }
    return render(request, "stats/class_statistics.html", context)
