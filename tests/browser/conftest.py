"""Real browsers, and an installation that all modules share."""

import asyncio
from collections.abc import Callable, Iterator
from secrets import token_hex
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.chromium import system_chromium
from tests.integration.processes import SMALL, Site

DESKTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}

PATIENCE = 30_000
"""Milliseconds within which a page must show what a test waits for."""
expect.set_options(timeout=PATIENCE)

SHOWN_TO_READERS = ("Failed to load resource", "Failed to fetch")
"""Console messages about answers like 422 and about a lost connection. The pages report these
faults themselves, so the messages are allowed."""


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Iterator[Site]:
    """Provide a running installation. Each test creates users of its own.

    It is a small one, which has fewer processes, but its counts may take as much memory as
    elsewhere. The learning platform of a test is a server on this machine.
    """
    folder = tmp_path_factory.mktemp("site")
    settings = {"MEMORY_MB": SMALL, "SOLVER_MEMORY_MB": "1000", "LOCAL_SERVERS": "1"}
    with Site(folder / "var", folder / "log", **settings) as site:
        yield site.start_prepared()


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Provide a Chromium for all modules, and the event loop through which it is driven."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="module")
def chrome(chromium) -> Iterator[Browser]:
    """Provide the Chromium to one module.

    Between the modules its event loop is hidden, because asyncio and Django refuse to work beside
    one that runs.
    """
    browser, loop = chromium
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture
def visit(chrome, site) -> Iterator[Callable[..., Page]]:
    """Provide a function that opens a page in a fresh browser window.

    The window is signed in by the key of a `session` and prefers `language`. On a `telephone`
    fingers touch the page, and nothing hovers over it. A test can't hold up requests of a service
    worker, so none is allowed by default. The test fails if one of its pages wrote an error to the
    console.
    """
    windows: list[BrowserContext] = []
    errors: list[str] = []

    def visit(
        path: str = "/",
        size: dict[str, int] = DESKTOP,
        language: str = "en",
        session: str | None = None,
        service_workers: Literal["allow", "block"] = "block",
        telephone: bool = False,
    ) -> Page:
        window = chrome.new_context(
            viewport=size,
            locale=language,
            base_url=site.address,
            service_workers=service_workers,
            is_mobile=telephone,
            has_touch=telephone,
        )
        windows.append(window)
        if session:
            window.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
        page = window.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: said.type == "error" and errors.append(said.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path)
        return page

    yield visit
    for window in windows:
        window.close()
    assert [error for error in errors if not any(said in error for said in SHOWN_TO_READERS)] == []


@pytest.fixture
def sign_up() -> Callable[[Page, str], None]:
    """Provide a function that creates a new teacher account at the front page.

    The username has an ending of its own, so that a test that runs again can sign up again.
    """

    def sign_up(page: Page, name: str) -> None:
        page.get_by_role("link", name="Start with a new account").click()
        page.get_by_label("Username").fill(f"{name}-{token_hex(3)}")
        page.get_by_label("Password", exact=True).fill("stones on a board")
        page.get_by_role("button", name="Create account").click()
        page.wait_for_url(lambda url: "sign-up" not in url)

    return sign_up
