"""The job that writes an export in the background."""
