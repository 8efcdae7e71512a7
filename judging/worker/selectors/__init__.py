"""Reads about a worker's way, and who may come in."""
