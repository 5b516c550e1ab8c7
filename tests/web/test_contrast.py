"""The colours of app.css: every text can be read on every ground it stands on."""

import re
from pathlib import Path

import pytest
from django.conf import settings

LEAST = 4.5
"""WCAG 2.1, level AA."""

GROUNDS = ("paper", "surface", "sunken")
PAIRS = [(text, ground) for text in ("ink", "ink-soft", "accent") for ground in GROUNDS]
PAIRS += [("on-accent", "accent"), ("on-accent", "accent-strong")]
PAIRS += [(name, f"{name}-wash") for name in ("accent", "ok", "warn", "bad", "busy")]
PAIRS += [("ink", f"{name}-wash") for name in ("accent", "ok", "warn", "bad", "busy")]
PAIRS += [(name, "surface") for name in ("ok", "warn", "bad", "busy")]


def colours(scheme: str) -> dict[str, str]:
    """Return the tokens of app.css in light or dark: name -> #rrggbb."""
    sheet = Path(settings.BASE_DIR, "static", "app.css").read_text()
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)
    )
    return light if scheme == "light" else light | dark


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG defines it, 0 (black) to 1 (white)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_a_text_can_be_read(scheme, text, ground):
    found = colours(scheme)
    dark, light = sorted(luminance(found[name]) for name in (text, ground))
    assert (light + 0.05) / (dark + 0.05) >= LEAST
