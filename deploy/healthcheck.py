"""Is the site on this machine alive? Exit code 0 says yes: for the health check of a container.

    python -m deploy.healthcheck           # does the process answer?
    python -m deploy.healthcheck readyz    # can it do its work?
    python -m deploy.healthcheck readyz 9000    # the one that listens there

Standard library only: it is run every few seconds.
"""

import os
import sys
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from typing import Final

SECONDS: Final = 4.0


def status(path: str, *, port: int) -> int:
    """What the site answers, asked by a name that it is served under. Raises OSError where it does not."""
    served = os.environ.get("PLUMBLINE_ALLOWED_HOSTS", "").split(",")[0].strip().lstrip("*.")
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", path, headers={"Host": served or "localhost"})
        return connection.getresponse().status
    finally:
        connection.close()


def main(arguments: Sequence[str]) -> int:
    """Ask, and say in one line what is wrong; the exit code."""
    path, port = (*arguments, *("healthz", "8000")[len(arguments) :])
    try:
        told = str(status(f"/{path}", port=int(port)))
    except (OSError, HTTPException) as error:
        told = f"no answer: {error}"
    if told != "200":
        sys.stderr.write(f"/{path}: {told}\n")
    return int(told != "200")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
