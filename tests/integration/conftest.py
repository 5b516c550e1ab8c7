"""Installations: one that the tests of a module share, and others that belong to one test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from tests.integration.processes import SMALL, Site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """Provide a running installation without demo data.

    The tests of a module share it. Each of them leaves it running, with no job under way.
    """
    folder = tmp_path_factory.mktemp("site")
    with Site(folder / "var", folder / "log") as site:
        yield site.start_prepared()


@pytest.fixture
def new_site(tmp_path) -> Iterator[Callable[..., Site]]:
    """Provide a function that makes installations. Their processes are ended after the test."""
    numbers = count(1)
    with ExitStack() as sites:

        def make(folder: str = "var", **settings: object) -> Site:
            log = tmp_path / f"{next(numbers)}.log"
            return sites.enter_context(Site(tmp_path / folder, log, **settings))

        yield make


@pytest.fixture
def small_site(new_site) -> Site:
    """Provide a running installation for one test, which may end it. It has one web process and one
    worker, because its start takes half of the time."""
    return new_site(MEMORY_MB=SMALL).start_prepared()
