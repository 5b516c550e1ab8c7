"""What a browser needs to install the site, and to show the open board without a network: the
manifest, the service worker (static/worker.js), the page that stands for all others then."""

import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return what a browser needs to install the site: its name, its icons."""
    icons = {"icon-192.png": "any", "icon-512.png": "any", "icon-mask.png": "maskable"}
    return JsonResponse(
        {
            "name": "PuzzleClass",
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "lang": get_language(),
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
    """Return the service worker: at the root, so that it may answer for every page.

    A browser takes a new one when it differs by a byte: with any static file, or the language.
    """
    files = getattr(staticfiles_storage, "manifest_hash", "")
    shell = {
        "version": f"{files} {get_language()}",
        "page": reverse("offline"),
        "files": settings.STATIC_URL,
        "boards": reverse("play", args=[0]).removesuffix("0/"),
    }
    script = (
        f"self.shell = {json.dumps(shell)};\nimportScripts({json.dumps(static('worker.js'))});\n"
    )
    return HttpResponse(script, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that is shown for those that can't be had. It is kept, so it names nobody."""
    return render(request, "errors/offline.html")
