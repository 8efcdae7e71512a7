"""Check whether the site on this machine or in this container is alive. Exit code 0 means yes.

    python -m deploy.healthcheck                # Does the web process answer?
    python -m deploy.healthcheck readyz         # Is the site ready for requests?
    python -m deploy.healthcheck readyz 9000    # The same, on port 9000.

This module uses only the standard library, because it runs every few seconds and must start fast.
"""

import os
import sys
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from typing import Final

SECONDS: Final = 4.0


def status(path: str, *, port: int) -> int:
    """Request a path, with the first allowed host as the `Host` header. Return the HTTP status.

    Raise OSError or HTTPException if the site does not answer.
    """
    host = os.environ.get("PLUMBLINE_ALLOWED_HOSTS", "").split(",")[0].strip().lstrip("*.")
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", path, headers={"Host": host or "localhost"})
        return connection.getresponse().status
    finally:
        connection.close()


def main(arguments: Sequence[str]) -> int:
    """Request a path, and write one line to stderr unless the status is 200. Return the exit code."""
    path, port = (*arguments, *("healthz", "8000")[len(arguments) :])
    try:
        outcome = str(status(f"/{path}", port=int(port)))
    except (OSError, HTTPException) as error:
        outcome = f"no answer: {error}"
    if outcome != "200":
        sys.stderr.write(f"/{path}: {outcome}\n")
    return int(outcome != "200")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
