"""`python -m evaluation COMMAND …`: from judgments to scores on files alone."""

import os
import sys

from evaluation.cli import main

if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)  # All is written; numpy and polars would take longer to end than a small file to score.
