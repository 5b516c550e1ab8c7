"""What a browser needs to install the site, and to show stored boards without a network.

These are the manifest, the service worker (static/worker.js), and the page that takes the place
of all others without a network.
"""

import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from puzzleclass.language import languages


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest, by which a browser can install the site."""
    icons = {"icon-192.png": "any", "icon-512.png": "any", "icon-mask.png": "maskable"}
    return JsonResponse(
        {
            "name": "PuzzleClass",
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "lang": languages.active(),
            "background_color": "#f7f4ec",
            "theme_color": "#f7f4ec",
            "icons": [
                {
                    "src": static(name),
                    "sizes": "192x192" if "192" in name else "512x512",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, purpose in icons.items()
            ],
        },
        content_type="application/manifest+json",
    )


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. Its address is at the root, so that it may answer for every page.

    A browser installs a new one if a byte differs, as it does when a static file or the language
    changes.
    """
    files = getattr(staticfiles_storage, "manifest_hash", "")
    shell = {
        "version": f"{files} {get_language()}",
        "page": reverse("offline"),
        "files": settings.STATIC_URL,
        "home": reverse("home"),
        "practice": reverse("practice"),
        "boards": reverse("play", args=[0]).removesuffix("0/"),
    }
    script = (
        f"self.shell = {json.dumps(shell)};\nimportScripts({json.dumps(static('worker.js'))});\n"
    )
    return HttpResponse(script, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that replaces unreachable ones. Browsers keep it, so it names nobody."""
    return render(request, "home/offline.html")
