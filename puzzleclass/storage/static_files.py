"""Store and serve static files: scripts and style sheets are minified, and each file is named after
its content."""

import re
from functools import cache
from typing import Any

import rjsmin
from django.core.files.base import ContentFile
from django.http import FileResponse, HttpRequest
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

VENDORED = "vendor/"

_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_LINE_BREAK = re.compile(rb"\s*\n\s*")


def minified(name: str, content: bytes) -> bytes:
    """Return a static file's content; scripts and style sheets without comments and indents.

    Vendored files are already minified. Spaces within a line of a style sheet stay, because some of
    them have a meaning.
    """
    if VENDORED in name or name.startswith("admin/"):
        return content
    if name.endswith(".js"):
        return bytes(rjsmin.jsmin(content))
    if name.endswith(".css"):
        return _LINE_BREAK.sub(b"\n", _COMMENT.sub(b"", content))
    return content


class StaticFiles(CompressedManifestStaticFilesStorage):
    """A storage that names each file after its content, even when a script imports it."""

    support_js_module_import_aggregation = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._url_of = cache(super().url)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file. It stays the same while a process runs, and a page has
        twenty of them, so each is worked out once."""
        url: str = self._url_of(name, force)
        return url

    def _save(self, name: str, content: Any) -> str:
        lean = ContentFile(minified(name, b"".join(content.chunks())), name=name)
        saved: str = super()._save(name, lean)
        return saved


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Serve static files."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> FileResponse:
        """Return the answer for a static file.

        A file that is named after its content never changes, so no browser asks whether it has. The
        headers for that question would be a fifth of the head of each of a play page's files.
        """
        response: FileResponse = WhiteNoiseMiddleware.serve(static_file, request)
        if "immutable" in response.get("Cache-Control", ""):
            del response["ETag"], response["Last-Modified"]
        return response
