"""Reads about how a study goes."""
