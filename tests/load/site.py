"""A site of its own for one measurement: database, study and processes, all gone afterwards."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.load.collection import Collection
from tests.support.postgresql import PostgreSQLServer
from tests.support.website import Website

if TYPE_CHECKING:
    from judging.models import Study
    from tests.support.http_crowd import Memory

DURABLE = ("fsync=on", "full_page_writes=on", "synchronous_commit=on")
"""As PostgreSQL is set by itself: what is acknowledged is on the disk."""


@dataclass
class Site:
    """The processes that serve it, the study that is open there, and what its workers know of it."""

    web: Website
    study: "Study"
    memory: "Memory"


@contextmanager
def site_of(database: str, **collection: float) -> Iterator[Site]:
    """Serve one open study on `sqlite` or `postgresql`; `collection` is what `Collection` takes.

    Once in a process: the environment and Django's settings are those of this site from then on.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-load-") as name, _database(database, name) as url:
        os.environ |= {"PLUMBLINE_VAR": name, "DATABASE_URL": url, "REDIS_URL": ""}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        import django

        django.setup()
        study, memory = _study(Path(name), collection)
        web = Website(Path(name), url)
        web.start()
        try:
            yield Site(web, study, memory)
        finally:
            web.stop()


@contextmanager
def _database(database: str, folder: str) -> Iterator[str]:
    if database == "sqlite":
        yield f"sqlite:///{folder}/plumbline.sqlite3"
        return
    server = PostgreSQLServer(*DURABLE)
    try:
        yield server.url
    finally:
        from django.db import connections

        connections.close_all()
        server.stop()


def _study(folder: Path, collection: dict[str, float]) -> "tuple[Study, Memory]":
    from django.core.management import call_command

    from judging.intake import import_study
    from judging.selectors.clock import now
    from judging.services.studies import open_study
    from tests.support.http_crowd import memory_of

    call_command("migrate", verbosity=0)
    file = Collection(folder, **collection).study_file  # type: ignore[arg-type]  # its own keywords
    study = import_study(file, slug="load", now=now()).study
    open_study(study=study, now=now())
    return study, memory_of(study)
