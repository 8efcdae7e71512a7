"""The whole of Cranfield's gradable queries as one study, judged over HTTP by many simulated workers at once.

    PLUMBLINE_COLLECTIONS=… python -m tests.benchmarks.cranfield_crowd --workers 200 --judgments 10

Serves the site by `runserver` in a process of its own, on a PostgreSQL server from a wheel or on SQLite, in a
folder that is removed afterwards. Prints progress on stderr and one JSON object on stdout: time, requests,
errors, over-collected judgments, scores, and their agreement with the known grades.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any

import httpx

from tests.support.library import library
from tests.support.ports import free_port
from tests.support.postgresql import PostgreSQLServer

if TYPE_CHECKING:
    from judging.models import Study

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 0.02
MOST_CROWDS = 8


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, default=200, help="at once")
    parser.add_argument("--judgments", type=int, default=10, help="per document")
    parser.add_argument("--depth", type=int, default=10, help="of the pool")
    parser.add_argument("--database", choices=["postgresql", "sqlite"], default="postgresql")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="plumbline-crowd-") as folder, database(options) as url:
        os.environ |= {"PLUMBLINE_VAR": f"{folder}/var", "DATABASE_URL": url}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        import django

        django.setup()
        print(json.dumps(judged(Path(folder), options), indent=1))


@contextmanager
def database(options: argparse.Namespace) -> Iterator[str]:
    """The DATABASE_URL: every worker's request may hold a connection of its own."""
    if options.database == "sqlite":
        yield ""
        return
    server = PostgreSQLServer(f"max_connections={options.workers + 50}")
    try:
        yield server.url
    finally:
        server.stop()


def judged(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Import, open, let the crowds judge until all units are done, export and score; the figures."""
    from django.core.management import call_command

    from judging.core.clock import now
    from judging.core.services.studies import open_study
    from judging.models import Unit
    from tests.benchmarks.cranfield_study import imported
    from tests.support.collected import collected
    from tests.support.http_crowd import memory_of
    from tests.support.integrity import broken_invariants

    call_command("migrate", verbosity=0)
    began = time.monotonic()
    study = imported(folder, seconds=SECONDS, judgments=options.judgments, depth=options.depth)
    import_seconds = time.monotonic() - began
    open_study(study=study, now=now())
    units = Unit.objects.filter(topic__study=study)
    report: dict[str, Any] = {
        "database": options.database,
        "topics": study.topics.count(),
        "units": units.count(),
        "workers at once": options.workers,
        "import seconds": round(import_seconds, 1),
    }
    counts = Counts()
    with served(folder) as address:
        began = time.monotonic()
        memory = memory_of(study)
        for crowd in range(MOST_CROWDS):
            counts.crowds += 1
            judge(address, study, memory, options.workers, f"{options.seed}/{crowd}", counts)
            free_what_was_left(study)
            left = units.exclude(state="done").count()
            print(f"crowd {crowd + 1}: {left} of {units.count()} units left", file=sys.stderr)
            if not left:
                break
        seconds = time.monotonic() - began
    return (
        report
        | counts.figures(seconds)
        | collected(study)
        | {
            "broken invariants": broken_invariants(study),
            **scored(study, folder),
        }
    )


class Counts:
    """What happened on the wire, over all threads."""

    def __init__(self) -> None:
        self.crowds = 0
        self.statuses: Counter[str] = Counter()
        self._seconds: list[float] = []
        self._lock = Lock()

    def note(self, status: str, seconds: float) -> None:
        with self._lock:
            self.statuses[status] += 1
            self._seconds.append(seconds)

    def figures(self, seconds: float) -> dict[str, Any]:
        waits = sorted(self._seconds)
        return {
            "crowds": self.crowds,
            "seconds": round(seconds, 1),
            "requests": len(waits),
            "requests per second": round(len(waits) / seconds, 1),
            "median and 95 % answered within seconds": [
                round(waits[len(waits) * part // 100], 3) for part in (50, 95)
            ],
            "statuses": dict(sorted(self.statuses.items())),
            "errors": sum(times for status, times in self.statuses.items() if status not in ("200", "302")),
        }


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the site, served by `runserver` until the block ends."""
    port = free_port()
    command = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            if server.poll() is not None:
                raise RuntimeError((folder / "server.log").read_text())
            try:
                httpx.get(f"{address}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()
        faults = re.findall(
            r"^[\w.]+(?:Error|Exception)\b.*$", (folder / "server.log").read_text(), re.MULTILINE
        )
        for fault, times in Counter(faults).most_common(5):
            print(f"the server, {times} times: {fault}", file=sys.stderr)


def judge(address: str, study: "Study", memory: Any, workers: int, seed: str, counts: Counts) -> None:
    """A crowd of which every worker is there at once, each in a thread with a connection of its own."""
    from evaluation.crowds import TYPICAL
    from judging.crowd.mind import Mind, traits_of
    from tests.support.http_crowd import LEAST_SECONDS, HttpWorker, pace_for
    from tests.support.visitor import Reply, through_http

    def live(number: int, traits: Any) -> None:
        http = httpx.Client(timeout=120)
        send = through_http(address, http)

        def counted(method: str, path: str, data: dict[str, str] | None) -> Reply:
            began = time.monotonic()
            try:
                reply = send(method, path, data)
            except httpx.TransportError as error:
                counts.note(type(error).__name__, time.monotonic() - began)
                raise
            counts.note(str(reply.status), time.monotonic() - began)
            return reply

        mind = Mind(traits, Random(f"worker/{seed}/{number}"), least_seconds=LEAST_SECONDS)
        pace = pace_for(SECONDS)
        worker = HttpWorker(counted, mind, memory, lambda seconds: time.sleep(seconds * pace))
        try:
            worker.live(study.slug)
        except httpx.TransportError:
            return  # counted above; this worker has gone
        finally:
            http.close()

    with ThreadPoolExecutor(workers) as pool:
        crowd = traits_of(TYPICAL, workers, Random(f"crowd/{seed}"))
        for future in [pool.submit(live, *item) for item in enumerate(crowd)]:
            future.result()


def free_what_was_left(study: "Study") -> None:
    """Units of workers who just went away are free again, as they would be an hour later."""
    from judging.models import Assignment
    from judging.worker.services.lapse import expire_assignments

    expire_assignments(now=Assignment.objects.latest("lapses_at").lapses_at, study=study)


def scored(study: "Study", folder: Path) -> dict[str, Any]:
    """Gains by export and by the library's commands, mean nDCG@10 of each run by magnitudes and by grades."""
    from django.core.management import call_command
    from scipy.stats import kendalltau

    from judging.understanding.scoring import evaluate_study

    judgments, normalised, gains = folder / "judgments.csv", folder / "normalised.csv", StringIO()
    call_command("export", study.slug, what="judgments", output=str(judgments), stdout=StringIO())
    call_command("export", study.slug, what="gains", stdout=gains)
    library("normalise", judgments, "-o", normalised)
    theirs = library("gains", normalised)
    by_magnitudes, by_grades = (
        evaluate_study(study, ["nDCG@10"], gains=name) for name in ("magnitudes", "cranfield")
    )
    cells = [
        {(row.run, row.topic): row.value for row in scores.rows if row.value is not None}
        for scores in (by_magnitudes, by_grades)
    ]
    both = sorted(cells[0].keys() & cells[1].keys())
    return {
        "gains of site and library are the same": gains.getvalue() == theirs,
        "nDCG@10 by magnitudes": {row.run: round(row.value or 0, 4) for row in by_magnitudes.means()},
        "nDCG@10 by grades": {row.run: round(row.value or 0, 4) for row in by_grades.means()},
        "tau over runs and topics": round(
            float(kendalltau([cells[0][item] for item in both], [cells[1][item] for item in both]).statistic),
            3,
        ),
    }


if __name__ == "__main__":
    main()
