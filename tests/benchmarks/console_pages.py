"""Server time of every console page of a large study, on SQLite and on PostgreSQL.

    python -m tests.benchmarks.console_pages [--judgments 100000]

Makes the study, then asks for each page through Django's test client in this process: one time to warm up,
then five times, of which the median is printed in milliseconds, with the queries and the size of the page.
Both databases are thrown away.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_MILLISECONDS = 300
TIMES = 5


def pages(slug: str) -> dict[str, str]:
    """What a page is → its address, for the study of that slug."""
    from judging.models import Event, Participation
    from judging.pages.console.paging import PER_PAGE
    from judging.selectors.worker_list import SORTS

    events, workers = Event.objects.count(), Participation.objects.count()
    study = f"/console/studies/{slug}/"
    worker = Participation.objects.filter(study__slug=slug, assignments__number__gt=1).order_by("pk")[0]
    days = "first=2026-03-05&last=2026-03-20"
    return {
        "the studies": "/console/",
        "a study": study,
        "watching it": f"{study}watch/",
        "quality by day": f"{study}quality/",
        "quality by hour": f"{study}quality/?by=hour",
        "figures of workers": f"{study}worker-figures/",
        "figures, last page": f"{study}worker-figures/?page={-(-workers // PER_PAGE) - 1}",
        "thresholds": f"{study}thresholds/",
        "Table 1": f"{study}table1/",
        "events": f"{study}events/",
        "events, last page": f"{study}events/?page={-(-events // PER_PAGE)}",
        "events of a check": f"{study}events/?check=c",
        "events of some days": f"{study}events/?{days}",
        "events, all filters": f"{study}events/?check=c&topic=401&worker={worker.pseudonym}&{days}",
        **{f"workers by {sort}": f"{study}workers/?sort={sort}" for sort in SORTS},
        "workers, last page": f"{study}workers/?page={-(-workers // PER_PAGE)}",
        "a worker": f"{study}workers/{worker.pseudonym}/",
    }


def measure(name: str, judgments: int) -> bool:
    """Print a line per page; returns whether all stay below the limit."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from judging.selectors.clock import now
    from judging.selectors.judgments import accepted_judgments
    from judging.services.figures import compute_figures
    from tests.benchmarks.large_study import LargeStudy

    began = time.perf_counter()
    study = LargeStudy(judgments=judgments).study
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # As its autovacuum does by itself; SQLite never does.
    counted = accepted_judgments().filter(assignment__topic__study=study).count()
    assert counted == judgments, f"{counted} judgments count, not {judgments}"
    say(f"{name}: {judgments:,} judgments made in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    compute_figures(study=study, now=now())
    say(f"  figures of all workers computed in {time.perf_counter() - began:.1f} s")
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    within = True
    for page, address in pages(study.slug).items():
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address)
        queries = len(captured)  # Read now: the next request empties the log.
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        median = statistics.median(seconds(client, address) for _ in range(TIMES)) * 1000
        within = within and median < MOST_MILLISECONDS
        size = len(answer.content) / 1000
        say(f"  {page:28} {median:7.1f} ms  {queries:3} queries  {size:6.1f} kB")
    return within


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def seconds(client: "object", address: str) -> float:
    began = time.perf_counter()
    client.get(address)
    return time.perf_counter() - began


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Name → DATABASE_URL, of two empty databases that are gone afterwards."""
    from tests.support.postgresql import PostgreSQLServer

    server = PostgreSQLServer()
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield {"SQLite": f"sqlite:///{Path(folder) / 'large.sqlite3'}", "PostgreSQL": server.url}
    finally:
        server.stop()


def main() -> int:
    """Run on both databases. Returns 1 where a page takes too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--judgments", type=int, default=100_000, help="a multiple of 400 (default: 100000)")
    judgments = parser.parse_args().judgments
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    from tests.support.databases import as_default, configured

    within = []
    with databases() as urls:
        for name, url in urls.items():
            with as_default(configured(url)):
                call_command("migrate", verbosity=0)
                within.append(measure(name, judgments))
    return 0 if all(within) else 1


if __name__ == "__main__":
    raise SystemExit(main())
