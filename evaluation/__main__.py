"""The command line, `plumbline COMMAND …`, which reads judgments and runs from files."""

import os
import sys
from typing import NoReturn

from .cli import main


def run() -> NoReturn:
    """Run the command of `sys.argv`, and end the process with its exit status."""
    status = main(sys.argv[1:])
    sys.stderr.flush()
    # All output has been written. Unloading numpy and polars would take longer than scoring a small file.
    os._exit(status)


if __name__ == "__main__":
    run()
