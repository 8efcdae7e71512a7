"""For load balancers and monitors: is the process alive, and can it do its work?"""

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; the database is not asked."""
    return _line("alive", status=200)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where the database answers and has every migration, else 503; one line says which."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return _line("the database does not answer", status=503)
    if missing:
        number = f"{len(missing)} migration{'s are' if len(missing) > 1 else ' is'}"
        return _line(f"{number} not applied to the database; run: manage.py migrate", status=503)
    return _line("ready", status=200)


def _line(text: str, *, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
