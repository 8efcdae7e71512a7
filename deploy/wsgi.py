"""The WSGI application, for granian (`manage.py serve`), gunicorn and the like."""

import os
from collections.abc import Iterable
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class _WholeInput:
    """The body of a request, which breaks off loudly: servers end it as if it had been whole."""

    def __init__(self, body: InputStream, length: int) -> None:
        self._body = body
        self._missing = length

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or all the rest. Raises ConnectionAbortedError where the client left before."""
        wanted = self._missing if size < 0 else min(size, self._missing)
        parts = []
        while wanted > 0:
            parts.append(self._some(self._body.read(wanted)))
            wanted -= len(parts[-1])
        return b"".join(parts)

    def readline(self, size: int = -1) -> bytes:
        """As of a file. Raises as `read` does."""
        wanted = self._missing if size < 0 else min(size, self._missing)
        return self._some(self._body.readline(wanted)) if wanted else b""

    def _some(self, data: bytes) -> bytes:
        self._missing -= len(data)
        if not data:
            raise ConnectionAbortedError(f"{self._missing} bytes of the request never came")
        return data


def refusing_halves(application: WSGIApplication) -> WSGIApplication:
    """The application, which takes half a form for none: to Django it is one that cannot be read."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length):
            environ["wsgi.input"] = _WholeInput(environ["wsgi.input"], int(length))
        return application(environ, start_response)

    return answer


application = refusing_halves(get_wsgi_application())
