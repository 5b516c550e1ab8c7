"""What leaves the site as a file: a board as an SVG that needs no style sheet, or a text."""

import re
from functools import cache

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import content_disposition_header

from puzzleclass.language import reader, say
from solvers.picture import Picture, to_svg

_BLOCK = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_FOREIGN = ':root[data-signs="letters"] '
"""Before the rules for readers of letters."""
_TOKEN = re.compile(r"(--[\w-]+):([^;]+);")


def download(content: str, content_type: str, name: str) -> HttpResponse:
    """Return the content as a file to be saved under this name."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def standalone_svg(picture: Picture) -> str:
    """Return the picture as an SVG that carries its colours with it."""
    return to_svg(picture, say, head=_head(reader().signs))


@cache
def _head(signs: str) -> str:
    """Return the site's own board styles, light, in plain CSS that office programs can read.

    Taken from board.css, so that a board looks the same on paper: variables and mixed
    colours are filled in, and rules that are about pressing left out.
    """
    static = settings.BASE_DIR / "static"
    sheets = [(static / name).read_text() for name in ("app.css", "board.css")]
    light = [_BLOCK.sub("", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)) for sheet in sheets]
    if signs == "letters":
        light[1] = light[1].replace(_FOREIGN, "")
    tokens = dict(_TOKEN.findall("".join(light)))
    rules = [
        f"{re.sub(r'[.]picture ', '', selector).strip()}{{{_plain(body, tokens)}}}"
        for selector, body in _RULE.findall(light[1])
        if re.match(r"\s*(\.picture [.\w]|\.wood)", selector) and not re.search(r"[:\[]", selector)
    ]
    stones = (settings.BASE_DIR / "templates" / "_stones.html").read_text()
    gradients = stones[stones.index("<defs>") : stones.index("</defs>")] + "</defs>"
    return f"<style>{' '.join(rules)}</style>{' '.join(gradients.split())}"


def _plain(body: str, tokens: dict[str, str]) -> str:
    filled = re.sub(r"var\((--[\w-]+)\)", lambda match: tokens[match[1]].strip(), body)
    mixed = re.sub(r"color-mix\(in srgb, (#\w+)[^)]*\)", r"\1", filled)
    # "transparent" is no paint in SVG 1.1: there it would come out black.
    painted = mixed.replace("transparent", "none")
    return " ".join(painted.replace('url("#', "url(#").replace('")', ")").split())
