"""Make the pictures of the README and of the help (/help/) from the demo's pages.

    .venv/bin/python -m docs.pictures                all of them
    .venv/bin/python -m docs.pictures --only help    those of the help
    .venv/bin/python -m docs.pictures --only school  those of the pages of a school

It needs what `make test` installs. It starts an installation of its own and ends it.
"""

import argparse
import base64
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from puzzleclass import settings
from puzzleclass.language.markdown import PICTURE
from tests.chromium import system_chromium
from tests.integration.processes import Site, wait_for
from tests.oneroster import packed, tables
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, running_provider

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "docs" / "screenshot.webp"
HELP = ROOT / "static" / "guide"
LANGUAGES = [code for code, _name in settings.LANGUAGES]
SIZE = {"width": PICTURE[0], "height": PICTURE[1]}
LARGE = {"width": 1366, "height": 768}
QUALITY, SCALE = 50, 0.7
"""How the pictures are stored: the column of the help is 704 pixels wide."""
ANSWERS_SECONDS = 900
"""How long the workers may take to answer the demo's questions, even on a busy machine."""
GROUPS_SECONDS = 60
"""How long the worker may take to group the solutions of a board."""
ASSIGNMENT = "碁石拾い その2"
CODE, NUMBER, PIN = "KAYA52", 3, "1234"
TEACHERS = {
    "class": "/classes/new/",
    "collection": "/puzzles/collection/goishi/1/",
    "plan": "/packs/plans/goishi-first/",
    "settings": "/classes/1/edit/",
    "groups": "/classes/1/groups/new/",
    "colleagues": "/classes/1/teachers/",
    "share": "/packs/",
    "school-board": "/school-board/",
    "library": "/puzzles/",
    "studies": "/learn/",
    "week": "/classes/1/week/",
    "worlds": "/practice/",
}
"""The name of a picture -> the page that it shows, as a teacher sees it."""
LESSON = {
    "cards": ("/classes/1/pins/", "main svg"),
    "editor": ("/puzzles/2/edit/", ".picture"),
    "generator": ("/puzzles/generate/goishi/", "form"),
    "puzzle": ("/puzzles/1/", ".picture"),
    "assignment": ("/classes/1/assignments/new/", ".tile"),
    "change": ("/assignments/{assignment}/edit/", "main .picture"),
    "try": ("/trial/given-{assigned}/", ".play-board .picture"),
    "map": ("/assigned/{assigned}/found/?view=map", ".picture"),
    "grades": ("/assignments/{assignment}/grades/", "table"),
    "worksheet": ("/assignments/{assignment}/worksheet/", ".picture"),
    "lesson": ("/assignments/{assignment}/lesson/", "main h1"),
    "discussion": ("/assigned/{assigned}/found/?view=groups", ".picture"),
    "student": ("{student}", ".picture"),
    "replay": ("{replay}", ".picture"),
    "gallery": ("/classes/1/gallery/", "main h1"),
    "next-year": ("/classes/next-year/", "main h1"),
}
"""The name of a picture of a lesson -> the page that it shows, and what must be drawn before."""

WAITING = (
    "SELECT count(*) FROM jobs_job WHERE state IN ('waiting', 'running') AND question <> 'study'"
)

MAKE_SCHOOL = """
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import School
from puzzleclass.outbound.sealed import seal
from puzzleclass.school_accounts.models import SignInProvider
teacher = User.objects.filter(username="demo").first()
teacher = teacher or User.objects.create_teacher("demo", "山本 花子", "puzzle-demo")
school, _made = School.objects.get_or_create(name="みどり小学校")
school.administrators.add(teacher)
SignInProvider.objects.get_or_create(
    school=school,
    defaults={
        "kind": "google",
        "tenant": "midori.example",
        "tenant_claim": "hd",
        "issuer": "https://accounts.google.com",
        "client_id": "1234567890.apps.googleusercontent.com",
        "sealed_secret": seal("secret"),
    },
)
school.platforms.get_or_create(
    issuer="https://moodle.midori.example",
    client_id="kDx3vQ7",
    defaults={
        "name": "Moodle",
        "auth_url": "https://moodle.midori.example/mod/lti/auth.php",
        "token_url": "https://moodle.midori.example/mod/lti/token.php",
        "key_set_url": "https://moodle.midori.example/mod/lti/certs.php",
    },
)
teacher.passkeys.get_or_create(
    credential_id="example", defaults={"name": "Chromebook", "handle": "x", "public_key": "x"}
)
classroom = teacher.classrooms.first()
if classroom is None:
    classroom = Classroom.objects.create(name="5年1組", school=school)
    classroom.teachers.add(teacher, through_defaults={"role": "owner"})
print(school.pk, classroom.pk)
"""
"""What makes a school that has been set up. Nobody can sign in by what stands here."""
SCHOOL = {
    "school": "/schools/{school}/",
    "service": "/schools/{school}/service/",
    "school-accounts": "/schools/{school}/sign-in/",
    "platforms": "/schools/{school}/platforms/",
    "platform-new": "/schools/{school}/platforms/new/",
    "passkeys": "/account/passkeys/",
    "tokens": "/account/tokens/",
    "api": "/api/",
    "calendar": "/calendar/",
    "statements": "/classes/{classroom}/statements/",
}
"""The name of a picture -> the page of a school, or of an account, that it shows."""
MAKE_PROVIDER = """
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.outbound.sealed import seal
from puzzleclass.school_accounts.models import SignInProvider
school, _made = School.objects.get_or_create(name="あおば小学校")
school.administrators.add(User.objects.get(username="demo"))
SignInProvider.objects.filter(school=school).delete()
SignInProvider.objects.create(
    school=school, kind="openid", issuer="{issuer}", tenant="aoba.example", tenant_claim="hd",
    client_id="{client}", sealed_secret=seal("{secret}"),
)
print(school.pk)
"""
"""What makes a school whose people sign in at a provider that runs beside the site."""
CHILD = {"sub": "110169484474386276334", "hd": "aoba.example", "name": "青葉 春"}

PARTS = ("readme", "help", "school")

AS_AT_A_SCHOOL = """
const ours = location.origin, schools = "https://puzzle.midori.example";
for (const warning of document.querySelectorAll(".notice.warn"))
  if (warning.textContent.includes(ours)) warning.remove();
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = texts.currentNode;
  if (text.data.includes(ours)) text.data = text.data.replaceAll(ours, schools);
}
"""
"""Shows a school's address in place of this machine's, about which the cards would warn. The demo
can't be shown under a name, because everybody knows its password."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the pictures of the documents.")
    parser.add_argument("--only", choices=PARTS, help="make those of one part")
    only = parser.parse_args().only
    parts = [only] if only else PARTS
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        Site(Path(folder) / "var", Path(folder) / "log", LOCAL_SERVERS="1") as site,
    ):
        # The pages of a school need no demo.
        if set(parts) == {"school"}:
            site.start_prepared()
        else:
            site.prepare().start()
            wait_for(lambda: site.rows(WAITING) == [(0,)], ANSWERS_SECONDS, "the worker's answers")
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        if "readme" in parts:
            page = as_teacher(browser, site.address, LANGUAGES[0], LARGE)
            open_table(page)
            photograph(page, README, LARGE)
        for language in LANGUAGES:
            if "help" in parts:
                students(browser, site, language)
                teachers(browser, site, language)
                lesson(browser, site, language)
            if "school" in parts:
                school(browser, site, language)
        browser.close()


def students(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of students' pages in the language."""
    page = browser.new_page(base_url=site.address, locale=language, viewport=SIZE)
    page.goto(f"/join/{CODE}/")
    keep(page, "join", language)
    page = as_student(browser, site.address, language)
    page.locator("main a[href^='/play/']").nth(1).click()
    page.locator(".play-board .picture").wait_for()
    keep(page, "play", language)
    furigana = page.locator("button[name=furigana]")
    if furigana.count():
        if not page.locator("ruby").count():
            furigana.click()
        page.locator("ruby").first.wait_for()
        page.evaluate("scrollTo(0, 0)")
        for readers in LANGUAGES:
            keep(page, "furigana", readers)


def teachers(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of a teacher's pages in the language."""
    page = as_teacher(browser, site.address, language)
    open_table(page)
    keep(page, "table", language)
    for name, address in TEACHERS.items():
        page.goto(address)
        page.locator("main h1").wait_for()
        fill_in(page, name)
        keep(page, name, language)


def lesson(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of a lesson and its preparation in the language."""
    page = as_teacher(browser, site.address, language)
    open_table(page)
    assignment = urlsplit(page.url).path.split("/")[2]
    assigned = path_of(page, "a[href$='/found/']").split("/")[2]
    page.goto(path_of(page, "#ledger a.solved[href*='/students/']"))
    places = {
        "assignment": assignment,
        "assigned": assigned,
        "replay": path_of(page, "a[href$='/replay/']"),
        "student": "/students/{}/".format(urlsplit(page.url).path.split("/")[-2]),
    }
    cards, code = LESSON["cards"]
    page.goto(cards)
    if (create := page.locator("form[action$='/cards/new/'] button")).count():
        create.click()
        page.locator(code).first.wait_for()
    for name, (address, drawn) in LESSON.items():
        page.goto(address.format(**places))
        page.locator(drawn).locator("visible=true").first.wait_for()
        fill_in(page, name)
        keep(page, name, language)


def school(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of a school's pages in the language."""
    key, classroom = site.manage(MAKE_SCHOOL).split()
    # Browsers keep passkeys for names only.
    address = site.address.replace("127.0.0.1", "localhost")
    page = as_teacher(browser, address, language)
    for name, path in SCHOOL.items():
        page.goto(path.format(school=key, classroom=classroom))
        page.locator("main h1").wait_for()
        if name == "calendar" and (create := page.locator("button[value=on]")).count():
            create.click()
            page.locator("#address").wait_for()
        keep(page, name, language)
    faulty = tables()
    faulty["users"][1][4], faulty["enrollments"][2][1] = "", "c7"
    for name, given in {"roster": tables(), "roster-faults": faulty}.items():
        page.goto(SCHOOL["school"].format(school=key))
        file = {"name": "roster.zip", "mimeType": "application/zip", "buffer": packed(given)}
        page.locator("input[type=file]").set_input_files(file)
        page.locator("form[enctype] button").click()
        page.locator("button[value=discard]").wait_for()
        keep(page, name, language)
        page.locator("button[value=discard]").click()
    with running_provider({"haru": CHILD}) as provider:
        names = {"issuer": provider.issuer, "client": CLIENT_ID, "secret": CLIENT_SECRET}
        page.goto(f"/schools/{site.manage(MAKE_PROVIDER.format(**names)).strip()}/sign-in/")
        page.locator("form[action*=test] button").click()
        page.get_by_role("link", name="haru").click()
        page.locator("main table").wait_for()
        keep(page, "sign-in-test", language)


PASTED = "1\t青木 陽菜\tあおき ひな\n2\t石川 蓮\tいしかわ れん\n3\t上野 葵\tうえの あおい\n"
PRESSED = (0, 2, 5, 9)
"""Which boards of the library are chosen in the picture of the form of an assignment."""


def fill_in(page: Page, name: str) -> None:
    """Fill in the form of the picture with this name, as the help describes it."""
    match name:
        case "class":
            page.locator("input[name=name]").fill("5年2組")
            page.locator("textarea").first.fill(PASTED)
            page.evaluate("scrollTo(0, 0)")
        case "colleagues":
            page.locator("#teachers").evaluate("section => section.scrollIntoView()")
        case "discussion":
            if (group := page.locator("button[name=do][value=groups]")).count():
                group.click()
            groups = page.locator("section:has(> #groups) .offer")
            groups.first.wait_for(timeout=GROUPS_SECONDS * 1000)
            page.evaluate("scrollTo(0, 0)")


def path_of(page: Page, link: str) -> str:
    """Return the path to which the first matching link leads."""
    found: str = page.locator(link).first.evaluate("link => new URL(link.href).pathname")
    return found


def as_student(browser: Browser, address: str, language: str) -> Page:
    """Return a page on which a student of the demo has signed in."""
    page = browser.new_page(base_url=address, locale=language, viewport=SIZE)
    page.goto(f"/join/{CODE}/{NUMBER}/")
    page.locator("input[name=pin]").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    return page


def as_teacher(
    browser: Browser, address: str, language: str, viewport: dict[str, int] = SIZE
) -> Page:
    """Return a page on which the demo's teacher has signed in."""
    page = browser.new_page(base_url=address, locale=language, viewport=viewport)
    page.goto("/sign-in/")
    page.locator("input[name=username]").fill("demo")
    page.locator("input[name=password]").fill("puzzle-demo")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    return page


def open_table(page: Page) -> None:
    """Open the class table of the demo's running assignment."""
    page.get_by_role("link", name=ASSIGNMENT).first.click()
    page.locator("#ledger tbody").wait_for()


def keep(page: Page, name: str, language: str) -> None:
    """Write a picture of the window into the folder of the help."""
    HELP.mkdir(exist_ok=True)
    page.evaluate(AS_AT_A_SCHOOL)
    photograph(page, HELP / f"{name}-{language}.webp", SIZE)


def photograph(page: Page, file: Path, size: dict[str, int]) -> None:
    """Write a picture of the window, which has this size."""
    clip = {**page.evaluate("({x: scrollX, y: scrollY})"), **size, "scale": SCALE}
    options = {"format": "webp", "quality": QUALITY, "clip": clip}
    devtools = page.context.new_cdp_session(page)
    shown = devtools.send("Page.captureScreenshot", options)
    file.write_bytes(base64.b64decode(shown["data"]))


if __name__ == "__main__":
    main()
