"""Reads about judgments and their reports."""
