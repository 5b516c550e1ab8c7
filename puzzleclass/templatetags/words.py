"""Dates and large numbers in words that students read easily, with furigana where it is on."""

from datetime import date, datetime

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from puzzleclass import furigana
from puzzleclass.language import say
from solvers.message import Message
from solvers.registry import AnyKind

register = template.Library()

EXACT_BELOW = 10**6
UNITS = (("", ""), ("万", "まん"), ("億", "おく"), ("兆", "ちょう"), ("京", "けい"), ("垓", "がい"))
"""The names of 10000 ** 0, 1, ..., and how they are read."""
WEEKDAYS = ("月げつ", "火か", "水すい", "木もく", "金きん", "土ど", "日にち")


@register.filter
def with_readings(text: str) -> str:
    """Return a Japanese text that stands in no catalogue, with furigana where it is on."""
    return furigana.annotated(text) if furigana.is_on() else text


@register.filter
def called(kind: AnyKind) -> str:
    """Return what students call the kind."""
    return say(Message(kind.childrens_title or kind.title))


@register.simple_tag
def due_date(due: datetime) -> str:
    """Return until when something is to be done: `11月28日(土)・あと6日`."""
    local = timezone.localtime(due)
    day, left = day_of(local), (local.date() - timezone.localdate()).days
    if local < timezone.localtime():
        return _("Ended: {day}").format(day=day)
    if left == 0:
        return _("Today until {time}").format(time=date_format(local, "TIME_FORMAT"))
    days = furigana.days(left) if _is_japanese() else left
    more = ngettext("{n} day left", "{n} days left", left).format(n=days)
    return f"{day}・{more}" if _is_japanese() else f"{day} · {more}"


def _is_japanese() -> bool:
    return (get_language() or "").startswith("ja")


@register.simple_tag
def weekdays() -> list[str]:
    """Return the names of the days from Monday on, as short as can be."""
    if not _is_japanese():
        return [str(WEEKDAYS_ABBR[number]) for number in range(7)]
    return [furigana.with_reading(name[0], name[1:]) for name in WEEKDAYS]


@register.filter("day")
def day_of(day: date) -> str:
    """Return a day with its weekday, without the year: `11月28日(土)`; of a moment that at the
    school."""
    if isinstance(day, datetime):
        day = timezone.localtime(day)
    if not _is_japanese():
        return date_format(day, "D, M j")
    month = f"{day.month}{furigana.with_reading('月', 'がつ')}"
    return f"{month}{furigana.days(day.day, of_month=True)}({weekdays()[day.weekday()]})"


@register.filter
def large(number: int | str) -> str:
    """Return a count: in full below a million, else in the two largest units, cut: `42兆5583億…`.

    >>> from django.utils.translation import override
    >>> with override("ja"):
    ...     large(42_558_313_818_492), large(10**30), large(999_999)
    ('42兆5583億…', '31けたの数', '999,999')
    """
    number = int(number)
    digits = len(str(number))
    if number < EXACT_BELOW:
        return intcomma(number)
    if digits > 4 * len(UNITS):
        return _("a number of {digits} digits").format(digits=digits)
    if not _is_japanese():
        return intcomma(number)
    top = (digits - 1) // 4
    said = ""
    for power in (top, top - 1):
        if part := number // 10000**power % 10000:
            said += f"{part}{furigana.with_reading(*UNITS[power]) if power else ''}"
    return said + "…" if number % 10000 ** (top - 1) else said
