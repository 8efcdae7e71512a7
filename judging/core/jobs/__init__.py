"""Run a job, from its claim to its end."""
