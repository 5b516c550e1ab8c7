"""The cells of a ledger, of which a page has hundreds. In a template they took half of the time in
which the page is made."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from puzzleclass.stats.ledger_screen import ScreenCell, ScreenRow
from puzzleclass.stats.marks import Ticks

register = template.Library()


@register.simple_tag
def ledger_cells(row: ScreenRow, boxes: bool, ticks: Ticks | None) -> SafeString:
    """Return the cells of a row. With `boxes`, those with something to stamp can be ticked."""
    who = row.line.enrolment.number
    ticked = ticks.cells if ticks else frozenset()

    def box(number: int, cell: ScreenCell) -> str:
        if not (boxes and cell.key):
            return ""
        return format_html(
            '<input type="checkbox" name="cell" value="{}" aria-label="{}, {}"{}>',
            *(cell.key, who, number, " checked" if cell.key in ticked else ""),
        )

    return format_html_join(
        "",
        '<td data-column="{}">{}{}</td>',
        ((number, box(number, cell), _cell(cell)) for number, cell in enumerate(row.cells, 1)),
    )


def _cell(cell: ScreenCell) -> SafeString:
    """Return a cell. The visible text is short. Screen readers read the title."""
    lines = format_html('<span aria-hidden="true">{}</span>', cell.lines) if cell.lines else ""
    if cell.url:
        return format_html(
            '<a class="cell {}" href="{}" title="{}"><b aria-hidden="true">{}</b>{}</a>',
            *(cell.style, cell.url, cell.description, cell.sign, lines),
        )
    return format_html(
        '<span class="cell {}" role="img" aria-label="{}">{}{}</span>',
        *(cell.style, cell.description, cell.sign, lines),
    )
