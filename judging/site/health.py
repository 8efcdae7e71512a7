"""Health checks for load balancers and monitors."""

from tempfile import TemporaryFile
from typing import Final

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_BLOCK_BYTES: Final = 4096  # A full disk can still hold a smaller file inside its directory entry.


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the process is running. This check does not use the database."""
    return _line("alive", status=200)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the site can answer and store data, else 503 with one line that says why.

    The site needs a database with all migrations, and a data folder that accepts files. If the disk is full
    or read-only, the site cannot store answers. Redis and Valkey are not checked, because pages work without
    them. A database that is newer than the program is fine: an upgrade migrates the database first.
    """
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return _line("the database does not answer; check DATABASE_URL and the database server", status=503)
    if missing:
        return _line(f"the database lacks migrations ({len(missing)}); run: manage.py migrate", status=503)
    try:
        with TemporaryFile(dir=settings.VAR) as file:
            file.write(bytes(_BLOCK_BYTES))
    except OSError as error:
        text = f"the data folder is not writable: {error.strerror}; check its permissions and the disk space"
        return _line(text, status=503)
    return _line("ready", status=200)


def _line(text: str, *, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
