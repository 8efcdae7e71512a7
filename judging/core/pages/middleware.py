"""Middleware for every page. It checks the character set of requests and sets the language and headers."""

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
"""Browser features that no page here uses, and that every Chromium knows: it logs an error for others."""
_FOR_PROGRAMS: Final = ("/api/", "/hooks/", "/healthz", "/readyz", "/metrics")
"""The beginnings of URLs for programs. Responses from these URLs are always in English."""
_HEADERS: Final = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _FEATURES),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


class HeadersMiddleware:
    """Add headers that switch off browser features and stop other sites from embedding our resources."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in _HEADERS.items():
            response.headers[name] = value
        return response


class NoStoreMiddleware:
    """Set `Cache-Control: no-store`, because pages are personal. This does not affect static files."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response


class LanguageMiddleware(LocaleMiddleware):
    """Show pages in the language that the browser requests. Responses to programs are in English."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the request."""
        if request.path_info.startswith(_FOR_PROGRAMS):
            translation.activate(settings.LANGUAGE_CODE)
        else:
            super().process_request(request)


class Utf8Middleware:
    """Refuse requests in any character set but UTF-8.

    Django decodes a form with the character set that the request names. Some sets produce incomplete
    characters, which databases refuse and pages cannot show. This middleware must come before every
    middleware that reads forms.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            return HttpResponseBadRequest(
                "This request is not in UTF-8. Send it in UTF-8.", content_type="text/plain"
            )
        return self.get_response(request)
