"""Numbers as people read them."""

from django import template

register = template.Library()


@register.filter
def thousands(number: int | str) -> str:
    """Return a whole number of any size, in full, its digits in groups of three.

    >>> thousands("10229439288")
    '10,229,439,288'
    """
    return f"{int(number):,}"
