"""Store static files for serving: scripts are minified, and each file is named after its
content."""

from typing import Any

import rjsmin
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

VENDORED = "vendor/"


def minified(name: str, content: bytes) -> bytes:
    """Return a static file's content; for a script, without comments and superfluous white space.

    Vendored scripts are already minified. Style sheets stay as they are: they hold few comments,
    and minifiers from before CSS had nested rules drop spaces that have a meaning there.
    """
    if name.endswith(".js") and VENDORED not in name and not name.startswith("admin/"):
        return bytes(rjsmin.jsmin(content))
    return content


class StaticFiles(CompressedManifestStaticFilesStorage):
    """A storage that names each file after its content, even when a script imports it."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        lean = ContentFile(minified(name, b"".join(content.chunks())), name=name)
        saved: str = super()._save(name, lean)
        return saved
