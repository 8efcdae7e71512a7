"""Formats for English that mean the same in every country."""
