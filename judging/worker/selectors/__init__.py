"""Queries about workers, their progress and their links."""
