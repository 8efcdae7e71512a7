"""Judgments collected elsewhere, from a file into a study."""
