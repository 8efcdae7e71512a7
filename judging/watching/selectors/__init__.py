"""Queries about the progress and quality of a study."""
