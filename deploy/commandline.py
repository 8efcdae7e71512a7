"""Django's command line, with faults of the set-up told in one line instead of a traceback."""

import errno
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from deploy.private import keep_files_private


def run(arguments: list[str]) -> None:
    """Run a command; one line and exit 1 where a setting is wrong, the database away or the disk full."""
    keep_files_private()
    try:
        execute_from_command_line(arguments)
        sys.stdout.flush()  # Here a full disk can still be told; at exit it could not.
    except ImproperlyConfigured as error:
        sys.exit(f"plumbline: {error}")
    except OperationalError as error:
        first = (str(error).splitlines() or ["no reason given"])[0]
        sys.exit(
            f"plumbline: the database cannot be used: {first}. Is DATABASE_URL right, and is it running?"
        )
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        # What still waits to be written would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit("plumbline: the disk is full; make room and run the same command again.")
