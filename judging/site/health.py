"""For load balancers and monitors: is the process alive, and can it do its work?"""

from tempfile import TemporaryFile
from typing import Final

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_A_BLOCK: Final = 4096  # bytes: a smaller file may still find room beside its name


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; the database is not asked."""
    return _line("alive", status=200)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where all that answering and storing needs is there, else 503; one line says what is not.

    That is a database that answers and has every migration, and a data folder that takes a file: on a full
    disk, or one that is read only after a fault, neither answers of workers nor files of jobs can be stored.
    Redis or Valkey is not asked for: without it pages go on. Nor is there anything wrong with a database that
    is newer than the program: so it is while an upgrade is under way.
    """
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return _line("the database does not answer", status=503)
    if missing:
        number = f"{len(missing)} migration{'s are' if len(missing) > 1 else ' is'}"
        return _line(f"{number} not applied to the database; run: manage.py migrate", status=503)
    try:
        with TemporaryFile(dir=settings.VAR) as file:
            file.write(bytes(_A_BLOCK))
    except OSError as error:
        return _line(f"the data folder cannot be written to: {error.strerror}", status=503)
    return _line("ready", status=200)


def _line(text: str, *, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
