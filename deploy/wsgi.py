"""The WSGI application, for granian (`manage.py serve`), gunicorn and similar servers."""

import os
from collections.abc import Iterable
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class _CompleteInput:
    """A request body that raises an error if it ends too early. Servers themselves raise no error."""

    def __init__(self, body: InputStream, length: int) -> None:
        self._body = body
        self._missing = length

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, by default all. Raise ConnectionAbortedError if bytes are missing."""
        remaining = self._missing if size < 0 else min(size, self._missing)
        parts = []
        while remaining > 0:
            parts.append(self._check(self._body.read(remaining)))
            remaining -= len(parts[-1])
        return b"".join(parts)

    def readline(self, size: int = -1) -> bytes:
        """Return the next line, or at most `size` bytes of it.

        Raise ConnectionAbortedError if bytes are missing.
        """
        remaining = self._missing if size < 0 else min(size, self._missing)
        return self._check(self._body.readline(remaining)) if remaining else b""

    def _check(self, data: bytes) -> bytes:
        self._missing -= len(data)
        if not data:
            raise ConnectionAbortedError(f"The last {self._missing} bytes of the request are missing.")
        return data


def refuse_incomplete_bodies(application: WSGIApplication) -> WSGIApplication:
    """Return the application, wrapped so that Django refuses a form if the request body is incomplete."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length):
            environ["wsgi.input"] = _CompleteInput(environ["wsgi.input"], int(length))
        return application(environ, start_response)

    return answer


def _run_jobs_beside() -> None:
    """Let another process run long jobs, also without a broker, so that pages never wait for them."""
    from judging.core.services.jobs import set_carrier
    from judging.jobs.carrying import carry_beside

    set_carrier(carry_beside)


application = refuse_incomplete_bodies(get_wsgi_application())
_run_jobs_beside()
