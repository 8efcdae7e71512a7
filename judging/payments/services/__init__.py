"""Marking payments."""
