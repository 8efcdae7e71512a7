"""What is measured by hand, not tested: `python -m tests.benchmarks.NAME` prints a table."""
