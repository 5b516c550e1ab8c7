"""Template tags about a student's progress."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localdate
from django.utils.translation import gettext

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.language.reader import say, speaker
from puzzleclass.play.due import OwnPuzzle
from puzzleclass.play.sentences import TEXTS
from puzzleclass.puzzles.daily import daily_boards_of
from puzzleclass.puzzles.worlds import find_board
from puzzleclass.templating.templatetags.boards import shown_title
from solvers.message import Message

register = template.Library()

_CURRENT = mark_safe(' aria-current="page"')


@register.filter
def shown_name(puzzle: AssignedPuzzle) -> str:
    """Return the title of a puzzle. In practice a board of a world is named by the world and its
    number, and a board of a day by its plant or mountain."""
    if puzzle.pk is None or not puzzle.assignment.is_practice:
        return shown_title(puzzle)
    if board := find_board(puzzle.kind, puzzle.position):
        return say(board.name)
    daily = daily_boards_of(puzzle.assignment.classroom, localdate()).get(puzzle.key)
    return say(daily.name) if daily else shown_title(puzzle)


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


class _Fields(dict[str, str]):
    """The values of a text with which its fields stay as they are."""

    def __missing__(self, field: str) -> str:
        return f"{{{field}}}"


@register.simple_tag
def browser_rules(puzzle: AssignedPuzzle) -> SafeString:
    """Return what static/rules.js needs to know of a board; nothing if the kind has no rules in
    JavaScript."""
    kind = puzzle.kind
    if kind.browser_rules is None:
        return SafeString("")
    speak, fields = speaker(), _Fields()
    texts = vars(TEXTS) | dict(kind.browser_rules.texts)
    said = (
        (name, speak(Message(text, fields) if isinstance(text, str) else text))
        for name, text in texts.items()
    )
    module = static(f"kinds/{kind.browser_rules.module or kind.slug}.js")
    return format_html(
        '<link rel="modulepreload" href="{}"><template id="rules" data-module="{}"'
        ' data-start="{}" data-family="{}">'
        '<ul class="plain play-faults small" aria-label="{}"></ul>{}</template>',
        module,
        module,
        (kind.browser_rules.start or kind.write_start)(puzzle.start),
        kind.family,
        gettext("What is wrong"),
        format_html_join("", '<p data-name="{}">{}</p>', said),
    )
