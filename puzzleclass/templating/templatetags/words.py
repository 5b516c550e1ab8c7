"""Template tags that write dates and large numbers in words that students read easily."""

from datetime import date, datetime, tzinfo

from babel.dates import format_skeleton, get_timezone_name
from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzleclass.language import furigana, languages

register = template.Library()

EXACT_BELOW = 10**6
MAX_DIGITS = 24
"""The most digits of a number that is written out."""
WEEKDAYS = ("月げつ", "火か", "水すい", "木もく", "金きん", "土ど", "日にち")


@register.simple_tag
def page_language() -> str:
    """Return the code of the page's language, for `lang`."""
    return languages.active()


@register.filter
def with_readings(text: str) -> str:
    """Return a Japanese text that is in no catalogue, with furigana if the reader wants them."""
    return furigana.annotated(text) if furigana.is_on() else text


@register.simple_tag
def name_shown(name: str, reading: str) -> str:
    """Return a student's name, with furigana if the reader wants them."""
    return furigana.name_shown(name, reading)


@register.filter("stopwatch")
def clock(seconds: int) -> str:
    """Return a duration as a stopwatch shows it, with hours only when there are any.

    >>> clock(245), clock(3661)
    ('4:05', '1:01:01')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@register.simple_tag
def moment(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the moment as clocks show it in the time zone of a class. The zone is named if clocks
    of the reader's zone show another time."""
    local = timezone.localtime(at, zone)
    return _with_zone(date_format(local, "SHORT_DATETIME_FORMAT"), local)


def _with_zone(said: str, local: datetime) -> str:
    if local.utcoffset() == timezone.localtime(local).utcoffset():
        return said
    name = get_timezone_name(local, locale=languages.date_locale())
    return _("{time} ({zone})").format(time=said, zone=name)


@register.simple_tag
def due_day(due: datetime, zone: tzinfo | None = None) -> str:
    """Return the day of a due date in the time zone of a class."""
    local = timezone.localtime(due, zone)
    return _with_zone(day_of(local.date()), local)


@register.simple_tag
def due_date(due: datetime, zone: tzinfo | None = None) -> str:
    """Return the day on which something is due in the time zone of a class, and the days left:
    `11月28日(土)・あと6日`."""
    local = timezone.localtime(due, zone)
    now = timezone.localtime(timezone.now(), zone)
    day, left = due_day(due, zone), (local.date() - now.date()).days
    if local < now:
        return _("Ended: {day}").format(day=day)
    if left == 0:
        time = _with_zone(date_format(local, "TIME_FORMAT"), local)
        return _("Today until {time}").format(time=time)
    in_words = ngettext("{n} day", "{n} days", left).format(n=left)
    days = furigana.days(left) if furigana.is_on() else in_words
    return _("{day} · {days} left").format(day=day, days=days)


@register.simple_tag
def weekdays() -> list[str]:
    """Return the shortest names of the weekdays, from Monday on."""
    if not furigana.is_on():
        return [str(WEEKDAYS_ABBR[number]) for number in range(7)]
    return [furigana.with_reading(name[0], name[1:]) for name in WEEKDAYS]


@register.filter("day")
def day_of(day: date) -> str:
    """Return a day with its weekday, without the year: `11月28日(土)`.

    A moment is first converted to the school's time zone.
    """
    if isinstance(day, datetime):
        day = timezone.localtime(day)
    if not furigana.is_on():
        return format_skeleton("MMMEd", day, locale=languages.date_locale())
    month = f"{day.month}{furigana.with_reading('月', 'がつ')}"
    return f"{month}{furigana.days(day.day, of_month=True)}({weekdays()[day.weekday()]})"


@register.filter
def large(number: int | str) -> str:
    """Return a count as text.

    In Japanese, a million or more is cut to its two largest units: `42兆5583億…`.

    >>> from django.utils.translation import override
    >>> with override("ja"):
    ...     large(42_558_313_818_492), large(10**30), large(999_999)
    ('42兆5583億…', '31けたの数', '999,999')
    """
    number = int(number)
    digits = len(str(number))
    if number < EXACT_BELOW:
        return intcomma(number)
    if digits > MAX_DIGITS:
        return _("a number of {digits} digits").format(digits=digits)
    if not (names := languages.traits().myriads):
        return intcomma(number)
    top = (digits - 1) // 4
    words = ""
    for power in (top, top - 1):
        if part := number // 10000**power % 10000:
            words += f"{part}{furigana.with_reading(*names[power]) if power else ''}"
    return words + "…" if number % 10000 ** (top - 1) else words
