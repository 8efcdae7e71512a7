"""`python -m evaluation COMMAND …`: from judgments to scores on files alone."""

import sys

from evaluation.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
