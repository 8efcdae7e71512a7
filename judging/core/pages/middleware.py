"""What holds for every page of ours: the character set of what comes in, the headers of what goes out."""

import codecs
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import add_never_cache_headers

_FEATURES: Final = (
    "accelerometer",
    "autoplay",
    "bluetooth",
    "browsing-topics",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""What browsers could do for a page, and no page here asks for."""
_FOR_PROGRAMS: Final = ("/api/", "/healthz", "/readyz", "/metrics")
"""Addresses whose answers programs read."""
_HEADERS: Final = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


class HeadersMiddleware:
    """Headers that the libraries do not set: nothing of the device, and nothing with any other site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in _HEADERS.items():
            response.headers[name] = value
        return response


class NoStoreMiddleware:
    """`Cache-Control: no-store` on every page: all but static files, which never come here, is personal."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response


class LanguageMiddleware(LocaleMiddleware):
    """Show pages in the language that the browser asks for; programs read the API in English."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the request."""
        if request.path_info.startswith(_FOR_PROGRAMS):
            translation.activate(settings.LANGUAGE_CODE)
        else:
            super().process_request(request)


class Utf8Middleware:
    """Refuses what comes in another character set than the one our forms are served in.

    Django would decode a form by whatever set its sender names, and some of these make half characters, which
    no database takes and no page can show. It stands before everything that reads the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            return HttpResponseBadRequest("Please send forms in UTF-8.", content_type="text/plain")
        return self.get_response(request)
