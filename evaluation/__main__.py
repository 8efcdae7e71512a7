"""The command line, `python -m evaluation COMMAND …`: from judgments to scores, on files alone."""

import os
import sys

from evaluation.cli import main

if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(
        status
    )  # All output is written; a regular exit of numpy and polars takes longer than scoring a small file.
