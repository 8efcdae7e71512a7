"""Formats of English dates that mean the same in every country."""
