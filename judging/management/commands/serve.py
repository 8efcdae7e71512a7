"""Serve the site: granian, with the settings that measured best for the database in use."""

import os
import sys
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import connection

from judging.management.base import StudyCommand

APPLICATION: Final = "deploy.wsgi:application"
SQLITE_WORKERS: Final = 2
"""One thread each: more of them only wait for the one writer that SQLite lets in at a time."""
THREADS: Final = {"sqlite": 1, "postgresql": 2}


class Command(StudyCommand):
    help = (
        "Serve the site with granian: on SQLite by two processes of one thread, on PostgreSQL by one process "
        "a core, of two threads each. A process that dies is started again; TERM ends all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
        )
        parser.add_argument("--port", type=int, default=8000, metavar="N", help="port (default: 8000)")
        parser.add_argument("--workers", type=int, metavar="N", help="processes (default: by the database)")

    def handle(self, *, host: str, port: int, workers: int | None, **options: Any) -> None:
        if workers is None:
            workers = SQLITE_WORKERS if connection.vendor == "sqlite" else os.cpu_count() or 1
        if workers < 1:
            raise CommandError("--workers: at least one process is needed to serve anything.")
        if not 0 < port < 65536:
            raise CommandError("--port: ports are numbered from 1 to 65535.")
        settings = {
            "interface": "wsgi",
            "host": host,
            "port": port,
            "workers": workers,
            "blocking-threads": THREADS[connection.vendor],
            "log-level": "warning",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        self.stdout.write(f"Serving on http://{host}:{port}/, {workers} processes.")
        self.stdout.flush()
        connection.close()
        words += ["--no-ws", "--respawn-failed-workers", APPLICATION]
        os.execv(sys.executable, [sys.executable, "-m", "granian", *words])  # noqa: S606 - no shell is wanted
