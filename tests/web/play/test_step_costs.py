"""What a step costs, counted: the functions that are called, and the statements of the database."""

import sys

import django
import pytest
from django.db import connection

from bench.move import STEP_COSTS, Site

MAX_GROWTH = 1.05
"""How many times as many functions may be called as `STEP_COSTS` says."""

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        (sys.version_info[:2], django.VERSION[:2]) != ((3, 11), (5, 2)),
        reason="the calls are counted with Python 3.11 and Django 5.2",
    ),
]


@pytest.mark.parametrize("name", STEP_COSTS)
def test_a_step_costs_no_more_than_it_did(name):
    if connection.vendor != "sqlite":
        pytest.skip("the calls are counted with SQLite")
    found = Site(rounds=3).step_costs(name)
    dearer = {
        sort: cost
        for sort, cost in found.items()
        if cost.calls > MAX_GROWTH * STEP_COSTS[name][sort].calls
        or cost.statements > STEP_COSTS[name][sort].statements
    }
    assert dearer == {}
