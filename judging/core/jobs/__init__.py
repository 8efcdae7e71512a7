"""Run a job, from claiming it to storing its outcome."""
