"""Template tags about a student's progress."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.due import OwnPuzzle
from puzzleclass.templating.templatetags.boards import shown_title

register = template.Library()

_CURRENT = mark_safe(' aria-current="page"')


@register.simple_tag
def dot(state: OwnPuzzle, shown: AssignedPuzzle) -> SafeString:
    """Return the link to a puzzle of a set, with the student's progress. `shown` is the puzzle on
    the page.

    A page has dozens of them. In a template, they took a tenth of the time in which it is made.
    """
    puzzle = state.puzzle
    return format_html(
        '<a id="dot-{}" class="dot {}"{} title="{}"{}>'
        '<span aria-hidden="true">{}</span> '
        '<span class="visually-hidden">{} {}: {}</span></a>',
        puzzle.pk,
        "locked" if state.is_locked else state.style,
        "" if state.is_locked else format_html(' href="{}"', state.url),
        puzzle.title,
        _CURRENT if puzzle == shown else "",
        "🔒" if state.is_locked else "✓" if state.status.is_solved else puzzle.number,
        puzzle.number,
        shown_title(puzzle),
        state.state,
    )
