"""Run Django's command line. Print one line instead of a traceback if the set-up has an error."""

import errno
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from deploy.private import keep_files_private


def run(arguments: list[str]) -> None:
    """Run a command of `manage.py`.

    Exit with code 1 and one line of explanation if a setting is wrong, the database is unavailable or the
    disk is full.
    """
    keep_files_private()
    try:
        execute_from_command_line(arguments)
        sys.stdout.flush()  # A full disk can be reported here, but not at exit.
    except ImproperlyConfigured as error:
        sys.exit(f"plumbline: {error}")
    except OperationalError as error:
        reason = (str(error).splitlines() or ["no reason given"])[0]
        sys.exit(
            f"plumbline: cannot use the database: {reason}."
            " Check DATABASE_URL, and check that the database is running."
        )
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        # At exit, Python would write the rest of its buffer, and this would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit("plumbline: the disk is full. Free some space and run the same command again.")
