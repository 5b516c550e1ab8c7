"""Ask Lighthouse (npm) about pages of the demo: the front page, a play page, a class table and the
form of an assignment.

    .venv/bin/python -m docs.lighthouse                  an installation of its own, which it ends
    .venv/bin/python -m docs.lighthouse http://127.0.0.1:8000      the demo that runs there

It needs what `make test` installs, Node.js and npx. It prints the scores of each page for a
telephone and for a computer, with the audits that lower them, and exits with 1 if a score is below
LEAST.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from docs.pictures import as_student, as_teacher, open_table
from tests.chromium import system_chromium
from tests.integration.processes import Site

LIGHTHOUSE = "lighthouse@12.8.2"
LEAST = 95
PRESETS = {"telephone": (), "computer": ("--preset=desktop",)}


def main() -> None:
    if addresses := sys.argv[1:]:
        sys.exit(judge(addresses[0]))
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder) / "var", Path(folder) / "log") as site,
    ):
        site.start()
        sys.exit(judge(site.address))


def judge(address: str) -> int:
    """Print the scores of the demo at the address, and return 1 if one is too low."""
    lowest = 100
    for page, (path, cookie) in pages(address).items():
        for preset, options in PRESETS.items():
            scores, faults = ask(address + path, cookie, options)
            lowest = min(lowest, *scores.values())
            print(f"{page}, {preset}:", ", ".join(f"{k} {v}" for k, v in scores.items()))
            for fault in faults:
                print("   ", fault)
    return int(lowest < LEAST)


def pages(address: str) -> dict[str, tuple[str, str]]:
    """Return a mapping from each page to its path and the cookie of its reader."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        found = {"front page": ("/", "")}
        student = as_student(browser, address, "ja")
        student.locator("main a[href^='/play/']").nth(1).click()
        teacher = as_teacher(browser, address, "ja")
        open_table(teacher)
        for name, page in {"play page": student, "class table": teacher}.items():
            page.wait_for_load_state()
            session = next(c for c in page.context.cookies() if c["name"] == "sessionid")
            path = page.url.removeprefix(address)
            found[name] = (path, f"sessionid={session['value']}")
        found["assignment form"] = ("/classes/1/assignments/new/", found["class table"][1])
        browser.close()
    return found


def ask(url: str, cookie: str, options: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Return a mapping from category to score, and the audits that failed."""
    headers = json.dumps({"Cookie": cookie, "Accept-Language": "ja"})
    command = ("npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", *options)
    answer = subprocess.run(
        (*command, f"--extra-headers={headers}", "--chrome-flags=--headless --no-sandbox"),
        env=os.environ | {"CHROME_PATH": system_chromium() or ""},
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
