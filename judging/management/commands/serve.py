"""`serve`: serve the site with granian, with the fastest settings for its database."""

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from judging.core.observing.requests import FOLDER
from judging.management.study_command import StudyCommand

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - we use only a folder that we own
APPLICATION: Final = "deploy.wsgi:application"
SQLITE_WORKERS: Final = 3
"""The number of processes on SQLite. It allows one writer at a time, so more processes would only wait."""
_PASSED: Final = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
"""The variables with which systemd passes sockets."""
PATIENCE: Final = 8
"""The number of seconds that processes have to finish their requests after the signal TERM.

Supervisors often kill processes after ten seconds.
"""


class Command(StudyCommand):
    help = (
        "Serve the site with granian. On SQLite it uses three processes, on PostgreSQL one more than there "
        "are cores; each has one thread. Processes that die are restarted. TERM stops all of them within "
        "ten seconds. If systemd passes a socket, the site listens on this socket."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: only this machine)"
        )
        parser.add_argument("--port", type=int, default=8000, metavar="N", help="port (default: 8000)")
        parser.add_argument(
            "--workers", type=int, metavar="N", help="number of processes (default: depends on the database)"
        )

    def handle(self, *, host: str, port: int, workers: int | None, **options: Any) -> None:
        if workers is None:
            workers = SQLITE_WORKERS if connection.vendor == "sqlite" else 1 + (os.cpu_count() or 1)
        if workers < 1:
            raise CommandError("--workers must be 1 or more.")
        if not 0 < port < 65536:
            raise CommandError("--port must be between 1 and 65535.")
        settings = {
            "interface": "wsgi",
            "host": host,
            "port": port,
            "workers": workers,
            "blocking-threads": 1,  # Python runs one thread at a time, so extra processes are more useful
            "workers-kill-timeout": PATIENCE,  # otherwise a request that waits for a lock delays the stop
            "log-level": "warning",
        }
        arguments = [text for name, value in settings.items() for text in (f"--{name}", str(value))]
        self.stdout.write(f"Serving on http://{host}:{port}/, {workers} processes.")
        self.stdout.flush()
        connection.close()
        arguments += ["--no-ws", "--respawn-failed-workers", APPLICATION]
        server = "deploy.inherited_socket" if _has_socket() else "granian"
        variables = {
            name: value for name, value in os.environ.items() if name != FOLDER and name not in _PASSED
        }
        if folder := _empty_folder(port):
            variables[FOLDER] = str(folder)
        else:
            self.stderr.write(f"/metrics will show one process at a time, because {MEMORY} cannot be used.")
        command = [sys.executable, "-m", server, *arguments]
        os.execve(sys.executable, command, variables)  # noqa: S606 - no shell needed


def _has_socket() -> bool:
    """Return whether systemd has passed the socket to listen on. Raise CommandError if it has passed more."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return False  # the variables, if any, are for another process
    if os.environ.get("LISTEN_FDS") != "1":
        raise CommandError("systemd passed more than one socket. Give plumbline-web.socket one ListenStream.")
    return True


def _empty_folder(port: int) -> Path | None:
    """Return an empty folder in which all processes record how long requests take.

    Return None if the folder cannot be created or emptied, or if another user owns it. The processes
    memory-map the files in the folder, and would crash if the disk were full. So the folder is in memory by
    default.
    """
    name = f"plumbline-{os.geteuid()}-{port}-{sha256(str(settings.VAR).encode()).hexdigest()[:8]}"
    folder = Path(os.environ.get(FOLDER) or MEMORY / name)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
            return None  # another user created it: everybody can write to /dev/shm
        for file in folder.glob("*.db"):
            file.unlink()
    except OSError:
        return None
    return folder
