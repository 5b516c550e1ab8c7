"""Template tags of the frame around all pages."""

from django import template
from django.template import Context

register = template.Library()

SECTIONS = {
    "classes": ("classes", "schools", "students", "assignments", "assigned", "attempts", "data"),
    "puzzles": ("puzzles",),
    "plans": ("packs",),
}
"""A part of the teachers' main menu -> the first words of the addresses of its pages."""


@register.simple_tag(takes_context=True)
def section(context: Context) -> str:
    """Return the part of the main menu to which the page belongs, or an empty text."""
    first = context["request"].path_info.split("/")[1]
    return next((name for name, beginnings in SECTIONS.items() if first in beginnings), "")
