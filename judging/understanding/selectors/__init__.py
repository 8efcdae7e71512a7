"""Queries about judgments and the reports on them."""
