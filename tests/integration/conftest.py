"""Installations: one that the tests of a module leave running, and others of a test's own."""

from collections.abc import Callable, Iterator

import pytest

from tests.integration.processes import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """An installation that runs, without demo data. The tests of a module share it: they leave it
    running, with nothing under way."""
    folder = tmp_path_factory.mktemp("site")
    site = Site(folder / "var", folder / "log")
    yield site.start_prepared()
    site.clean_up()


@pytest.fixture
def new_site(tmp_path) -> Iterator[Callable[..., Site]]:
    """Makes installations; whatever they started is gone after the test."""
    sites: list[Site] = []

    def make(folder: str = "var", **settings: object) -> Site:
        sites.append(Site(tmp_path / folder, tmp_path / f"{len(sites)}.log", **settings))
        return sites[-1]

    yield make
    for site in sites:
        site.clean_up()


@pytest.fixture
def own_site(new_site) -> Site:
    """The same for one test alone, which may end it or leave it busy."""
    return new_site().start_prepared()
