"""The command line, `python -m evaluation COMMAND …`, which reads judgments and runs from files."""

import os
import sys

from .cli import main

if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stderr.flush()
    # All output has been written. Unloading numpy and polars would take longer than scoring a small file.
    os._exit(status)
