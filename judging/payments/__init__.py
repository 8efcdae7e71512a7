"""Paying workers: what is due, the list for the platform, what was handed over."""
