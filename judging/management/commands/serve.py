"""Serve the site: granian, with the settings that measured best for the database in use."""

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from judging.core.observing.requests import FOLDER
from judging.management.base import StudyCommand

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - only a folder that is ours is used
APPLICATION: Final = "deploy.wsgi:application"
SQLITE_WORKERS: Final = 3
"""More of them only wait for the one writer that SQLite lets in at a time."""
PATIENCE: Final = 8
"""Seconds that processes have after TERM for the requests they hold. Supervisors often kill after ten."""


class Command(StudyCommand):
    help = (
        "Serve the site with granian: on SQLite by three processes, on PostgreSQL by one more than there are "
        "cores, of one thread each. A process that dies is started again; TERM ends all within ten seconds."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
        )
        parser.add_argument("--port", type=int, default=8000, metavar="N", help="port (default: 8000)")
        parser.add_argument("--workers", type=int, metavar="N", help="processes (default: by the database)")

    def handle(self, *, host: str, port: int, workers: int | None, **options: Any) -> None:
        if workers is None:
            workers = SQLITE_WORKERS if connection.vendor == "sqlite" else 1 + (os.cpu_count() or 1)
        if workers < 1:
            raise CommandError("--workers: at least one process is needed to serve anything.")
        if not 0 < port < 65536:
            raise CommandError("--port: ports are numbered from 1 to 65535.")
        settings = {
            "interface": "wsgi",
            "host": host,
            "port": port,
            "workers": workers,
            "blocking-threads": 1,  # Python runs one at a time; a process more does what a thread more could
            "workers-kill-timeout": PATIENCE,  # or one request that waits for a lock keeps all of them up
            "log-level": "warning",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        self.stdout.write(f"Serving on http://{host}:{port}/, {workers} processes.")
        self.stdout.flush()
        connection.close()
        words += ["--no-ws", "--respawn-failed-workers", APPLICATION]
        variables = {name: value for name, value in os.environ.items() if name != FOLDER}
        if folder := _empty_folder(port):
            variables[FOLDER] = str(folder)
        else:
            self.stderr.write(f"/metrics will tell of one process at a time: {MEMORY} cannot be used.")
        command = [sys.executable, "-m", "granian", *words]
        os.execve(sys.executable, command, variables)  # noqa: S606 - no shell is wanted


def _empty_folder(port: int) -> Path | None:
    """Where the processes add up how long requests take, emptied of what an earlier start has left.

    In memory, or nowhere: the files are mapped, and on a disk that is full they take their process with them.
    """
    name = f"plumbline-{os.geteuid()}-{port}-{sha256(str(settings.VAR).encode()).hexdigest()[:8]}"
    folder = Path(os.environ.get(FOLDER) or MEMORY / name)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
            return None  # somebody else's, in a place that all may write to
        for left in folder.glob("*.db"):
            left.unlink()
    except OSError:
        return None
    return folder
