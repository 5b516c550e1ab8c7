"""Make the icons of the installed site from static/icon.svg: `python -m docs.icons`."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import system_chromium

STATIC = Path(__file__).resolve().parents[1] / "static"
ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-mask.png": (512, True)}
"""The name of an icon -> its side in pixels, and whether the system cuts it to its own shape."""

WHOLE = 'viewBox="0 0 40 40"'
WITH_MARGIN = 'viewBox="-6 -6 52 52" style="background: #e6bd78"'
"""The view box of masked icons, which keeps everything important in the middle four fifths."""


def main() -> None:
    drawn = (STATIC / "icon.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        for name, (side, is_masked) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            svg = drawn.replace(WHOLE, WITH_MARGIN) if is_masked else drawn
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
            page.screenshot(path=STATIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
