"""The command line, `plumbline COMMAND …`, which reads judgments and runs from files."""

import gc
import os
import sys
from typing import Final, NoReturn

from .cli import main

MANY_OBJECTS: Final = 100_000


def run() -> NoReturn:
    """Run the command of `sys.argv`, and end the process with its exit status."""
    # Imported packages stay alive, so looking for garbage among their many objects only slows the start.
    gc.set_threshold(MANY_OBJECTS)
    status = main(sys.argv[1:])
    sys.stderr.flush()
    # All output has been written. Unloading numpy and polars would take longer than scoring a small file.
    os._exit(status)


if __name__ == "__main__":
    run()
