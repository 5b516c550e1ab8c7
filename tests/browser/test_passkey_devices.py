"""Passkeys in a browser whose device is virtual (WebDriver's virtual authenticator, by CDP)."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

pytestmark = pytest.mark.browser

MAKE_TEACHER = """
from puzzleclass.accounts.models import User
number = User.objects.count()
teacher = User.objects.create_teacher(f"passkey{number}", "Sato Keiko", "stones on a board")
print(teacher.username)
"""


def with_device(page: Page) -> tuple[CDPSession, str]:
    """Give the page's browser a device that recognises its holder; return how to reach it."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return cdp, made["authenticatorId"]


@pytest.fixture
def at_localhost(site) -> str:
    """Return the site's address with a name, because browsers keep no passkeys for a number."""
    return site.address.replace("127.0.0.1", "localhost")


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Start with a new account")).to_be_visible()


def add_passkey(page: Page, username: str, name: str) -> CDPSession:
    """Sign the teacher in by the password, and add a passkey on the page of the account."""
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill("stones on a board")
    page.get_by_role("button", name="Sign in", exact=True).click()
    row = page.locator(".account-facts > div", has_text="Passkeys")
    row.get_by_role("link", name="Change").click()
    cdp, _device = with_device(page)
    page.get_by_label("Name of the passkey").fill(name)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".notice", has_text="is stored")).to_be_visible()
    return cdp


def test_a_teacher_adds_a_passkey_and_signs_in_with_one_press(visit, site, at_localhost):
    username = site.manage(MAKE_TEACHER).strip()
    page = visit(f"{at_localhost}/join/")
    # The virtual device would take up by itself what the field of the username offers.
    page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
    page.goto(f"{at_localhost}/sign-in/?next=/account/")
    add_passkey(page, username, "Laptop of the school")
    expect(page.get_by_text("Not used yet")).to_be_visible()

    # The same device is asked again, and says that it has a passkey already.
    page.get_by_label("Name of the passkey").fill("Once more")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()

    sign_out(page)
    page.goto(f"{at_localhost}/sign-in/?next=/account/passkeys/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/account/passkeys/")
    expect(page.get_by_text("Last used:")).to_be_visible()

    page.get_by_role("button", name="Remove “Laptop of the school”").click()
    expect(page.get_by_text("is removed")).to_be_visible()
    sign_out(page)
    page.goto(f"{at_localhost}/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("This passkey was not accepted.")).to_be_visible()


def test_the_browser_offers_the_passkey_where_the_username_is_typed(visit, site, at_localhost):
    username = site.manage(MAKE_TEACHER).strip()
    page = visit(f"{at_localhost}/join/")
    # The page after the sign-out does not offer the passkey, so that nothing leaves it in between.
    here = "location.search.includes('next')"
    page.add_init_script(f"{here} || delete PublicKeyCredential.isConditionalMediationAvailable")
    page.goto(f"{at_localhost}/sign-in/?next=/account/")
    add_passkey(page, username, "Telephone")
    sign_out(page)
    # The browser leaves the sign-in page before a test could wait for it.
    page.evaluate("setTimeout(() => (location.href = '/sign-in/?next=/account/passkeys/'))")
    expect(page.get_by_text("Last used:")).to_be_visible()


def test_whoever_is_not_recognised_by_the_device_reads_what_to_do(visit, site, at_localhost):
    page = visit(f"{at_localhost}/join/")
    cdp, device = with_device(page)
    cdp.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.goto(f"{at_localhost}/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("No passkey was chosen.")).to_be_visible()
