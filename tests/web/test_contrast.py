"""The colours of base.css and board.css: every text and every mark is legible on its background."""

import re
from pathlib import Path

import pytest
from django.conf import settings

LEAST, LEAST_OF_MARKS = 4.5, 3
"""The least contrast of texts and of drawn marks, by WCAG 2.1, level AA."""

GROUNDS = ("paper", "surface", "sunken")
PAIRS = [(text, ground) for text in ("ink", "ink-soft", "accent") for ground in GROUNDS]
PAIRS += [("on-accent", "accent"), ("on-accent", "accent-strong")]
PAIRS += [(name, f"{name}-wash") for name in ("accent", "ok", "warn", "bad", "busy")]
PAIRS += [("ink", f"{name}-wash") for name in ("accent", "ok", "warn", "bad", "busy")]
PAIRS += [(name, "surface") for name in ("ok", "warn", "bad", "busy")]


BOARDS = ("wood", "tile-black", "tile-white")
DRAWN_ON_WOOD = ("fault", "hint", "path", "grid")
FOCUS = ("focus", "focus-halo")


def colours(scheme: str) -> dict[str, str]:
    """Return the colour tokens of the sheets, light or dark: name -> #rrggbb."""
    found = {"focus-halo": "#ffffff"}
    for name in ("base.css", "board.css"):
        sheet = Path(settings.BASE_DIR, "static", name).read_text()
        light, dark = (
            dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
            for block in re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)
        )
        found |= light if scheme == "light" else light | dark
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG defines it, from 0 (black) to 1 (white)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_a_text_can_be_read(scheme, text, ground):
    found = colours(scheme)
    assert contrast(found[text], found[ground]) >= LEAST


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("mark", DRAWN_ON_WOOD)
def test_a_mark_is_seen_on_wood(scheme, mark):
    found = colours(scheme)
    assert contrast(found[mark], found["wood"]) >= LEAST_OF_MARKS


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS + BOARDS)
def test_the_focus_is_seen_on_every_ground(scheme, ground):
    """The focus is marked by two rings, one in the other, unlike the gold ring of what can be
    pressed."""
    found = colours(scheme)
    assert max(contrast(found[ring], found[ground]) for ring in FOCUS) >= LEAST_OF_MARKS
    assert contrast(*(found[ring] for ring in FOCUS)) >= LEAST_OF_MARKS
    assert contrast(found["focus"], found["gold"]) >= LEAST_OF_MARKS


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_ring_of_links_and_buttons_is_seen_on_every_ground(scheme, ground):
    sheet = Path(settings.BASE_DIR, "static", "base.css").read_text()
    ring = re.search(r"^:focus-visible \{[^}]*outline: 3px solid var\(--([\w-]+)\)", sheet, re.M)
    found = colours(scheme)
    assert contrast(found[ring[1]], found[ground]) >= LEAST_OF_MARKS
