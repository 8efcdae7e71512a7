"""Server time of every page of the console and the API on a large site, on SQLite and on PostgreSQL.

    python -m tests.benchmarks.console_pages [--judgments 1000000] [--only sqlite|postgresql]

Makes a study of so many judgments, and around it people, an audit log, jobs, set-ups and reports; then asks
for each page through Django's test client in this process: once to warm up, then five times. Printed are the
queries, the size, and two medians in milliseconds: `busy`, the processor's time of this process and, on
PostgreSQL, of the server's process that serves it, which does all its work alone here; and `wall`, the time
that passed, which is more where others use the machine. A page is too slow where it is busy for over 300 ms.

Not measured, as `tests/benchmarks/addresses.py` says one by one: files to take home (exports, manifests,
archives, payments, figures, tables), whose time is that of their size; addresses that take a form and show no
page (logging out, copying, dry runs, previews); the API's description, which is the same for every site; and
the form for a new password, which reads one account. Both databases are thrown away.
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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from django.test import Client

MOST_MILLISECONDS = 300
TIMES = 5


class Times(NamedTuple):
    """Of one request or of the median of several, in milliseconds."""

    busy: float
    wall: float


def measure(name: str, judgments: int) -> bool:
    """Print a line per page; returns whether all stay below the limit."""
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from judging.core.selectors.judgments import accepted_judgments
    from tests.benchmarks.addresses import addresses
    from tests.benchmarks.large_site import LargeSite

    began = time.perf_counter()
    site = LargeSite(judgments=judgments)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # As its autovacuum does by itself; SQLite never does.
    counted = accepted_judgments(site.study).filter(assignment__topic__study=site.study).count()
    assert counted == judgments, f"{counted} judgments count, not {judgments}"
    seconds = time.perf_counter() - began
    say(f"{name} {version()}: a site with {judgments:,} judgments, made in {seconds:.0f} s")
    say(f"  {'':28}   busy ms   wall ms  queries       kB")
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    within = True
    for page, address in addresses(site):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address)
        queries = len(captured)  # Read now: the next request empties the log.
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        taken = [timed(client, address) for _ in range(TIMES)]
        busy, wall = (statistics.median(column) for column in zip(*taken, strict=True))
        slow = busy > MOST_MILLISECONDS
        within = within and not slow
        size = len(answer.content) / 1000
        say(f"  {page:28} {busy:9.1f} {wall:9.1f} {queries:8} {size:8.1f}{'  SLOW' if slow else ''}")
    return within


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def version() -> str:
    """Of the database."""
    from django.db import connection

    return ".".join(map(str, connection.get_database_version()))


def timed(client: "Client", address: str) -> Times:
    server = server_seconds()
    wall, own = time.perf_counter(), time.process_time()
    client.get(address)
    own, wall = time.process_time() - own, time.perf_counter() - wall
    return Times(1000 * (own + server_seconds() - server), 1000 * wall)


def server_seconds() -> float:
    """What the PostgreSQL process at the other end of our connection has used of a processor so far."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    used = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return int(used.split()[0]) / 1e9


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Name → DATABASE_URL, of two empty databases that are gone afterwards."""
    from tests.support.postgresql import PostgreSQLServer

    server = PostgreSQLServer("max_parallel_workers_per_gather=0", "shared_buffers=512MB")
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield {"SQLite": f"sqlite:///{Path(folder) / 'large.sqlite3'}", "PostgreSQL": server.url}
    finally:
        server.stop()


def main() -> int:
    """Run on both databases. Returns 1 where a page takes too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--judgments", type=int, default=1_000_000, help="a multiple of 400 (default: 1000000)"
    )
    parser.add_argument("--only", choices=["sqlite", "postgresql"], help="one of the two databases")
    args = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLUMBLINE_VAR"] = folder  # Files of jobs, reports and set-ups go there, and with it.
        os.environ.pop("REDIS_URL", None)
        return 0 if all(run(args.judgments, args.only)) else 1


def run(judgments: int, only: str | None) -> list[bool]:
    """Whether all pages stay below the limit, for each database."""
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    from tests.support.databases import as_default, configured

    within = []
    with databases() as urls:
        for name, url in urls.items():
            if only in (None, name.lower()):
                with as_default(configured(url)):
                    call_command("migrate", verbosity=0)
                    within.append(measure(name, judgments))
    return within


if __name__ == "__main__":
    raise SystemExit(main())
