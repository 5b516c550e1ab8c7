"""School years, which begin in April, and their three terms, as most schools in Japan have them."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

FIRST_MONTHS = {1: 4, 2: 9, 3: 1}
"""The number of each term -> the month with which it begins."""


class Term(NamedTuple):
    """A term of a school year. Terms compare by their order in time."""

    year: int
    """The calendar year in which the school year begins."""
    number: int

    @property
    def name(self) -> str:
        return _("{year}, term {n}").format(year=self.year, n=self.number)

    @property
    def first_day(self) -> date:
        return date(self.year + (self.number == 3), FIRST_MONTHS[self.number], 1)

    @property
    def last_day(self) -> date:
        is_last = self.number == 3
        following = Term(self.year + 1, 1) if is_last else Term(self.year, self.number + 1)
        return following.first_day - timedelta(days=1)


def term_of(day: date) -> Term:
    """Return the term to which a day belongs. Holidays belong to the term before them.

    >>> term_of(date(2026, 8, 31)), term_of(date(2027, 3, 31))
    (Term(year=2026, number=1), Term(year=2026, number=3))
    """
    if day.month < FIRST_MONTHS[1]:
        return Term(day.year - 1, 3)
    return Term(day.year, 1 if day.month < FIRST_MONTHS[2] else 2)


def terms_of(days: Iterable[date]) -> list[Term]:
    """Return the terms to which the days belong, the earliest first."""
    return sorted({term_of(day) for day in days})
