"""Store and serve static files: scripts and style sheets are minified, each file is named after its
content, and the files of the last releases stay."""

import hashlib
import re
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import rjsmin
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError, StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

VENDORED = "vendor/"

MANIFEST = "staticfiles.json"
MAX_RELEASES = 5
"""The most releases whose static files are kept."""

_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_IMPORT = re.compile(rb'@import (?:url\()?"([^".]+)(?:\.[0-9a-f]{12})?\.css"\)?;')
"""An import, as it is written or as Django has rewritten it, with the name of a collected file. The
name of the importing sheet thus depends on the contents of those that it imports."""

_SPACE = re.compile(rb"\s*([{};,\n])\s*|(?<=:) +")
"""Space in a style sheet around signs that need none. A line break may be needed itself."""


def minified(name: str, content: bytes) -> bytes:
    """Return a static file's content; scripts and style sheets without comments and indents.

    A style sheet takes in the sheets that it imports, so that a page needs few requests. Vendored
    files are already minified.
    """
    if VENDORED in name or name.startswith("admin/"):
        return content
    if name.endswith(".js"):
        return bytes(rjsmin.jsmin(content))
    if name.endswith(".css"):
        whole = _COMMENT.sub(b"", _with_imports(content))
        return _SPACE.sub(rb"\1", whole).replace(b";}", b"}")
    return content


def _with_imports(sheet: bytes) -> bytes:
    """Return the style sheet with the sheets that it imports, and those that they import."""
    return _IMPORT.sub(lambda found: _imported(f"{found[1].decode()}.css"), sheet)


def _imported(name: str) -> bytes:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    return _with_imports(Path(path).read_bytes())


class StaticFiles(CompressedManifestStaticFilesStorage):
    """A storage that names each file after its content, even when a script imports it."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 10
    """A pass for each step in the longest chain of scripts that import each other, and one more."""

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


def keep_static_files() -> None:
    """Keep a copy of the static files as this release has collected them, and remove those of the
    oldest releases. Without collected files, do nothing."""
    static, releases = Path(settings.STATIC_ROOT), Path(settings.RELEASES_ROOT)
    manifest = static / MANIFEST
    if not manifest.exists():
        return
    kept = releases / hashlib.sha256(manifest.read_bytes()).hexdigest()[:16]
    if kept.exists():
        kept.touch()  # After a way back to an older release, this one is the latest.
    else:
        releases.mkdir(exist_ok=True)
        unfinished = Path(mkdtemp(dir=releases))
        others = shutil.ignore_patterns(MANIFEST, ".*")
        shutil.copytree(static, unfinished, dirs_exist_ok=True, ignore=others)
        unfinished.rename(kept)
        kept.touch()
    by_age = sorted(releases.iterdir(), key=lambda release: release.stat().st_mtime)
    for old in by_age[:-MAX_RELEASES]:
        shutil.rmtree(old)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Serve static files of this release and of the last ones."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: dict[str, str] = {}
        """Address -> path of each file that only earlier releases have."""
        for release in Path(settings.RELEASES_ROOT).glob("*"):
            for path in release.rglob("*"):
                url = f"{self.static_prefix}{path.relative_to(release).as_posix()}"
                if url not in self.files and path.suffix not in (".gz", ".br") and path.is_file():
                    self._kept[url] = str(path)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        url = request.path_info
        if url in self._kept:
            try:
                return self.serve(self.get_static_file(self._kept[url], url), request)
            except MissingFileError:
                pass  # A later start has removed its release.
        response: HttpResponseBase = super().__call__(request)
        return response

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
