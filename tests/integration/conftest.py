"""Installations: one that the tests of a module share, and others that belong to one test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from tests.integration.processes import Site


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
def own_site(new_site) -> Site:
    """Provide a running installation without demo data for one test, which may end it or leave it
    busy."""
    return new_site().start_prepared()
