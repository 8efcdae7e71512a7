"""How long the site takes to start, and what its processes hold in memory while nobody comes.

    python -m tests.benchmarks.idle [--rounds 3] [--only sqlite|postgresql]

Each database is made for it and thrown away. Timed is, for the pages, from the call of `manage.py serve` to
the first 200 of `/readyz`; for a worker and the scheduler, to the first message that it takes or sends. Then
the front page and the log-in page are asked for often enough that every process has made them, and after two
quiet seconds memory is read: RSS as tools show it, and PSS, in which what processes share counts once, so
that it can be added up. Printed are the medians over the rounds, as a table in Markdown.

A worker is two processes: one that listens, one that does the jobs. Without REDIS_URL there is none.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil
import redis

from tests.support.ports import free_port
from tests.support.postgresql import PostgreSQLServer
from tests.support.processes import ROOT, Program
from tests.support.valkey import start as start_valkey

MEGABYTE = 1024 * 1024
QUIET = 2.0
ASKED = 40
"""Times that each page is asked for."""


class Idle(NamedTuple):
    """Of one program: seconds to start, its processes, and their memory in MB."""

    seconds: float
    processes: float
    rss: float
    pss: float


class Started(NamedTuple):
    """A program that is up, and the seconds it took to be."""

    name: str
    process: psutil.Process
    seconds: float

    def measured(self) -> Idle:
        """What it and its children hold by now."""
        together = [self.process, *self.process.children(recursive=True)]
        held = [item.memory_full_info() for item in together]
        rss, pss = (sum(getattr(item, name) for item in held) / MEGABYTE for name in ("rss", "pss"))
        return Idle(self.seconds, len(together), rss, pss)


@contextmanager
def started(
    name: str, folder: Path, site: dict[str, str], *words: str, up: Callable[[], bool]
) -> Iterator[Started]:
    """A program inside this block, from when it is `up`."""
    began = time.monotonic()
    program = Program(folder / f"{words[0]}.log", *words, **site)
    try:
        program.wait_for(up)
        yield Started(name, psutil.Process(program.process.pid), time.monotonic() - began)
    finally:
        program.stop()


def answers(address: str) -> bool:
    """Whether a page is there."""
    try:
        return httpx.get(address, timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def one_round(folder: Path, database: str, broker: str) -> dict[str, Idle]:
    """Start everything, let it rest, measure it, end it."""
    site = {"DATABASE_URL": database, "REDIS_URL": broker, "PLUMBLINE_VAR": str(folder)}
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        serve = ("serve", "--port", str(port))
        web = stack.enter_context(
            started("web", folder, site, *serve, up=lambda: answers(f"{address}/readyz"))
        )
        programs = [web]
        if broker:
            queue = redis.Redis.from_url(broker)
            queue.flushdb()
            ring = started("scheduler", folder, site, "run_scheduler", up=lambda: queue.llen("clock") == 1)
            programs.append(stack.enter_context(ring))
            work = ("run_jobs", "--queues", "clock")
            worker = started("worker", folder, site, *work, up=lambda: queue.llen("clock") == 0)
            programs.append(stack.enter_context(worker))
        for _ in range(ASKED):
            for page in ("/", "/console/login/"):
                httpx.get(f"{address}{page}", timeout=30).raise_for_status()
        time.sleep(QUIET)
        return {program.name: program.measured() for program in programs}


def measure(name: str, database: str, broker: str, rounds: int, folder: Path) -> None:
    """Print a line for each program."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database, "PLUMBLINE_VAR": str(folder)},
        check=True,
    )
    results = [one_round(folder, database, broker) for _ in range(rounds)]
    for program in results[0]:
        middle = Idle(
            *(statistics.median(column) for column in zip(*(item[program] for item in results), strict=True))
        )
        print(
            f"| {name} | {program} | {middle.processes:.0f} | {middle.seconds:.1f} | {middle.rss:.0f} |"
            f" {middle.pss:.0f} |",
            flush=True,
        )


def main() -> None:
    """Measure both sizes of the site, or the one that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}")
    print("\n| database | program | processes | seconds to start | RSS, MB | PSS, MB |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="plumbline-idle-") as name:
        if args.only != "postgresql":
            folder = Path(name) / "sqlite"
            folder.mkdir()
            measure("SQLite", f"sqlite:///{folder / 'site.sqlite3'}", "", args.rounds, folder)
        if args.only != "sqlite":
            folder = Path(name) / "postgresql"
            folder.mkdir()
            server, valkey = PostgreSQLServer(), start_valkey()
            try:
                broker = f"redis://127.0.0.1:{valkey.port}/0"
                measure("PostgreSQL, Valkey", server.url, broker, args.rounds, folder)
            finally:
                valkey.stop()
                server.stop()


if __name__ == "__main__":
    main()
