from collections.abc import Callable, Iterator

import pytest

from tests.integration.processes import Site


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
def site(new_site) -> Site:
    """An installation that runs, without demo data."""
    return new_site().start_prepared()
