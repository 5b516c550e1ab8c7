"""Template tags for parts of many pages: breadcrumbs, facts, heads of tables, buttons."""

from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.sign_in import idle_seconds
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.classes.models import Classroom, Enrolment, School
from puzzleclass.help.pages import help_address
from puzzleclass.help.tasks import STUDENTS, TEACHERS
from puzzleclass.jobs.workers import silent_queues
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.models import Pack
from solvers.kind import Kind

register = template.Library()


class Crumb(NamedTuple):
    """A page on the way to another page."""

    url: str
    title: str | Promise


SECTIONS = {
    "classes": ("classes", "schools", "students", "assignments", "assigned", "attempts", "data"),
    "puzzles": ("puzzles", "packs", "jobs"),
    "learn": ("learn",),
}
"""A part of the teachers' main menu -> the first words of the addresses of its pages."""


@register.simple_tag(takes_context=True)
def section(context: Context) -> str:
    """Return the part of the main menu to which the page belongs, or an empty text."""
    first = context["request"].path_info.split("/")[1]
    return next((name for name, beginnings in SECTIONS.items() if first in beginnings), "")


@register.inclusion_tag("help/_link.html", takes_context=True)
def help_link(context: Context) -> dict[str, object]:
    """Show the link to the help about the page.

    It opens a new tab for teachers, so that a form that they are filling in stays as it is.
    """
    # A page about a fault may be made before the address was resolved or the user was known.
    match, user = context["request"].resolver_match, context.get("user")
    is_teacher = bool(user and user.is_authenticated and user.is_teacher)
    page = (match.url_name or "") if match else ""
    address = help_address(TEACHERS if is_teacher else STUDENTS, page)
    return {"address": address, "is_teacher": is_teacher}


@register.inclusion_tag("accounts/_idle.html", takes_context=True)
def idle_warning(context: Context) -> dict[str, object]:
    """Show the dialog that warns an idle user, if the user is signed in and can be signed out."""
    user = context.get("user")
    is_known = bool(user and user.is_authenticated)
    return {"seconds": idle_seconds(context["request"]) if is_known else 0}


LIST_PAGES: dict[str, tuple[str | None, Promise]] = {
    "account": (None, _("Your account")),
    "challenges": ("practice", _("Challenges")),
    "classroom_list": (None, _("Classes")),
    "data_log": ("classroom_list", _("Data protection")),
    "gallery": ("home", _("Gallery")),
    "help": (None, _("Help")),
    "home": (None, _("Your puzzles")),
    "learn": (None, _("Discover")),
    "learn_kikazu": ("learn", _("Non-attacking pieces")),
    "pack_list": ("puzzle_list", _("Packs")),
    "practice": (None, _("Practice")),
    "puzzle_list": (None, _("Puzzles")),
    "school_list": ("classroom_list", _("Schools")),
}
"""The URL name of a page without an object -> the URL name of the page above it, and its title."""


@register.inclusion_tag("_crumbs.html")
def crumbs(above: object, here: object) -> dict[str, object]:
    """Show the breadcrumbs of a page: links to all pages above it, and its own name.

    `above` is the URL name of a list, or an object with a page of its own. What the object belongs
    to is found from the object.
    """
    return {"above": _crumbs_to(above), "here": here}


def _crumbs_to(to: Any) -> list[Crumb]:
    match to:
        case str():
            above, name = LIST_PAGES[to]
            return [*(_crumbs_to(above) if above else []), Crumb(reverse(to), name)]
        case Classroom():
            return [
                *_crumbs_to("classroom_list"),
                Crumb(reverse("classroom", args=[to.pk]), to.name),
            ]
        case School():
            return [*_crumbs_to("school_list"), Crumb(reverse("school", args=[to.pk]), to.name)]
        case Enrolment():
            url = reverse("student_edit", args=[to.classroom_id, to.pk])
            return [*_crumbs_to(to.classroom), Crumb(url, to.student.name)]
        case Assignment():
            return [*_crumbs_to(to.classroom), Crumb(reverse("assignment", args=[to.pk]), to.title)]
        case AssignedPuzzle():
            url = reverse("found_solutions", args=[to.pk])
            return [*_crumbs_to(to.assignment), Crumb(url, to.title)]
        case Attempt():
            url = reverse("attempts", args=[to.puzzle_id, to.student_id])
            title = f"{to.student.name} · {to.puzzle.title}"
            return [*_crumbs_to(to.puzzle.assignment), Crumb(url, title)]
        case Puzzle():
            return [*_crumbs_to("puzzle_list"), Crumb(reverse("puzzle", args=[to.pk]), to.title)]
        case Kind():
            url = reverse("puzzle_generate", args=[to.slug])
            return [*_crumbs_to("puzzle_list"), Crumb(url, _("Generate puzzles"))]
        case WrittenPuzzle():
            return [*_crumbs_to("gallery"), Crumb(reverse("written", args=[to.pk]), to.title)]
        case Pack():
            return [*_crumbs_to("pack_list"), Crumb(reverse("pack", args=[to.key]), to.title)]
    raise ValueError(f"no page of its own: {to!r}")


@register.simple_block_tag
def capture(content: str) -> str:
    """Return the content between the tags. Stored with `as`, it can be repeated elsewhere."""
    return content


@register.inclusion_tag("_post_button.html")
def post_button(
    label: str,
    url_name: str,
    *args: object,
    look: str = "",
    target: str = "",
    back: str = "",
    makes: bool = False,
) -> dict[str, object]:
    """Show a button that posts to the address that `reverse` returns for `url_name`."""
    action = reverse(url_name, args=args)
    shown = {"label": label, "action": action, "look": look, "target": target, "back": back}
    return {**shown, "makes": makes}


@register.inclusion_tag("jobs/_no_worker.html")
def no_worker(queue: str) -> dict[str, bool]:
    """Say that no worker is running, if none serves the queue."""
    return {"is_silent": queue in silent_queues()}


@register.simple_tag
def fact(name: str, value: object) -> SafeString:
    """Return an entry of a list of facts, <dl class="figures">."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", name, value)


@register.simple_tag
def columns(*titles: str, figures_from: int = 99) -> SafeString:
    """Return the head of a table. Columns from `figures_from` on, counted from 1, hold numbers."""
    styles = ("figure" if at >= figures_from else "" for at in range(1, len(titles) + 1))
    cells = format_html_join("", '<th scope="col" class="{}">{}</th>', zip(styles, titles))
    return format_html("<thead><tr>{}</tr></thead>", cells)
