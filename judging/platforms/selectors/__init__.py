"""Queries about visits from a platform."""
