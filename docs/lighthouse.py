"""Ask Lighthouse (npm) about pages of the demo: the front page, and the pages of a teacher's and a
student's day.

    .venv/bin/python -m docs.lighthouse                  an installation of its own, which it ends
    .venv/bin/python -m docs.lighthouse http://127.0.0.1:8000      the demo that runs there
    .venv/bin/python -m docs.lighthouse --steady    without performance, which a busy machine lowers

It needs what `make test` installs, Node.js and npx. It prints the scores of each page for a
telephone and for a computer, with the audits that lower them, and exits with 1 if a score is below
LEAST.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from docs.pictures import as_student, as_teacher, open_table
from tests.chromium import system_chromium
from tests.integration.processes import Site, free_port

LIGHTHOUSE = "lighthouse@12.8.2"
STEADY = ("accessibility", "best-practices", "seo")
"""The categories whose scores do not depend on the machine."""
LEAST = dict.fromkeys(STEADY, 100) | {"performance": 95}
TEACHERS_PAGES = {
    "home": "/",
    "class": "/classes/1/",
    "grade book": "/classes/1/grades/",
    "lesson to choose": "/classes/1/start/",
    "what we found": "/assignments/1/discussion/",
    "plans": "/packs/",
    "assignment form": "/classes/1/assignments/new/",
    "library": "/puzzles/",
    "puzzle page": "/puzzles/1/",
    "collection": "/puzzles/collection/goishi/1/",
    "help": "/help/",
    "account": "/account/",
}
"""The name of a page that teachers open -> its path in the demo."""
PRESETS = {"telephone": (), "computer": ("--preset=desktop",)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask Lighthouse about pages of the demo.")
    parser.add_argument("address", nargs="?")
    parser.add_argument("--steady", action="store_true")
    asked = parser.parse_args()
    least = {name: score for name, score in LEAST.items() if name in STEADY or not asked.steady}
    if asked.address:
        sys.exit(judge(asked.address, pages(asked.address), least))
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder) / "var", Path(folder) / "log") as site,
    ):
        site.start()
        sys.exit(judge(site.address, pages(site.address), least))


def judge(address: str, found: dict[str, tuple[str, str]], least: dict[str, int]) -> int:
    """Print the scores of the pages, and return 1 if one is too low.

    `found` is a mapping from each page to its path and the session of its reader, and `least` one
    from each category to the lowest score that is enough. Lighthouse is led to a browser that holds
    the session as a cookie. A header would not reach the requests of scripts.
    """
    is_low, port = False, free_port()
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        window = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=system_chromium(),
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
        )
        for page, (path, session) in found.items():
            window.clear_cookies()
            if session:
                window.add_cookies([{"name": "sessionid", "value": session, "url": address}])
            for preset, options in PRESETS.items():
                only = f"--only-categories={','.join(least)}"
                scores, faults = ask(address + path, port, (only, *options))
                is_low |= any(score < least[category] for category, score in scores.items())
                said = ", ".join(f"{category} {score}" for category, score in scores.items())
                print(f"{page}, {preset}: {said}", flush=True)
                for fault in faults:
                    print("   ", fault, flush=True)
        window.close()
    return int(is_low)


def pages(address: str) -> dict[str, tuple[str, str]]:
    """Return a mapping from each page to its path and the session of its reader."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        student = as_student(browser, address, "ja")
        of_student = {"student's home": "/"}
        student.locator("main a[href^='/play/']").nth(1).click()
        of_student["play page"] = path_of(student)
        teacher = as_teacher(browser, address, "ja")
        of_teacher = TEACHERS_PAGES.copy()
        open_table(teacher)
        of_teacher["class table"] = path_of(teacher)
        of_teacher["lesson"] = f"{path_of(teacher)}lesson/"
        teacher.locator("a[href^='/students/']").first.click()
        of_teacher["student page"] = path_of(teacher)
        found = {"front page": ("/", "")}
        for reader, paths in ((student, of_student), (teacher, of_teacher)):
            session = next(c for c in reader.context.cookies() if c["name"] == "sessionid")
            found |= {name: (path, session["value"]) for name, path in paths.items()}
        browser.close()
    return found


def path_of(page: Page) -> str:
    """Return the path of the page that is being opened."""
    page.wait_for_load_state()
    return urlsplit(page.url).path


def ask(url: str, port: int, options: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Return a mapping from category to score, and the audits that failed.

    `port` is that of a running browser.
    """
    command = ("npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", *options)
    headers = json.dumps({"Accept-Language": "ja"})
    answer = subprocess.run(
        (*command, f"--port={port}", "--disable-storage-reset", f"--extra-headers={headers}"),
        stdout=subprocess.PIPE,
        check=True,
    )
    report = json.loads(answer.stdout)
    scores = {each["id"]: round(100 * each["score"]) for each in report["categories"].values()}
    faults = [
        f"{each['id']}: {each['title']} {each.get('displayValue', '')}".strip()
        for each in report["audits"].values()
        if each["score"] is not None and each["score"] < 0.9
    ]
    return scores, faults


if __name__ == "__main__":
    main()
