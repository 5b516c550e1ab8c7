"""Installations: one that the tests of a module leave running, and others of a test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from tests.integration.processes import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """An installation that runs, without demo data. The tests of a module share it: they leave it
    running, with nothing under way."""
    folder = tmp_path_factory.mktemp("site")
    with Site(folder / "var", folder / "log") as site:
        yield site.start_prepared()


@pytest.fixture
def new_site(tmp_path) -> Iterator[Callable[..., Site]]:
    """Makes installations; whatever they started is gone after the test."""
    numbers = count(1)
    with ExitStack() as sites:

        def make(folder: str = "var", **settings: object) -> Site:
            log = tmp_path / f"{next(numbers)}.log"
            return sites.enter_context(Site(tmp_path / folder, log, **settings))

        yield make


@pytest.fixture
def own_site(new_site) -> Site:
    """The same for one test alone, which may end it or leave it busy."""
    return new_site().start_prepared()
