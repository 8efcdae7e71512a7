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


OPEN_UNITS = 250
"""Of each topic of a study that was judged already."""


@dataclass
class Site:
    """The processes that serve it, the study that is open there, and what its workers know of it."""

    web: Website
    study: "Study"
    memory: "Memory"


@contextmanager
def site_of(database: str, *, processes: int = 2, judged: int = 0, **collection: float) -> Iterator[Site]:
    """Serve one open study on `sqlite` or `postgresql`.

    It is a `Collection` of these settings or, where so many judgments of it are to be there already, the
    study of `tests.benchmarks.large_study`. Once in a process: environment and settings are those of this
    site from then on.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-load-") as name, _database(database, name) as url:
        os.environ |= {"PLUMBLINE_VAR": name, "DATABASE_URL": url, "REDIS_URL": ""}
        os.environ["PLUMBLINE_ARRIVALS_PER_HOUR"] = "1000000"  # all of them come from this machine
        os.environ["PLUMBLINE_RESERVATIONS_PER_HOUR"] = "1000000"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        import django

        django.setup()
        from tests.support.databases import set_up

        set_up(Path(name))
        study = _judged(judged) if judged else _collected(Path(name), collection)
        web = Website(Path(name), url, workers=processes)
        web.start()
        try:
            from tests.support.http_crowd import memory_of

            yield Site(web, study, memory_of(study))
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


def _collected(folder: Path, collection: dict[str, float]) -> "Study":
    from judging.core.clock import now
    from judging.core.services.studies import open_study
    from judging.setup.study_files.importing import import_study

    file = Collection(folder, **collection).study_file  # type: ignore[arg-type]  # its own keywords
    study = import_study(file, slug="load", now=now()).study
    open_study(study=study, now=now())
    return study


def _judged(judgments: int) -> "Study":
    """A study of so many judgments, with units enough for a crowd, and no time to be spent on a document."""
    from django.db import connection

    from judging.core.services.planning import plan_missing_units
    from judging.models import Study
    from tests.benchmarks.large_study import LargeStudy

    study = LargeStudy(slug="load", judgments=judgments).study
    documents = study.topics.first().pool.filter(anchor="").count()
    more = -(-OPEN_UNITS * study.others_per_unit // documents)
    Study.objects.filter(pk=study.pk).update(
        judgments_per_document=study.judgments_per_document + more, seconds_per_document=0.001
    )
    study.refresh_from_db()
    plan_missing_units(study=study)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return study
