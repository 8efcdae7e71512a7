"""Formats of dates in prose, for languages whose usual format is ambiguous."""
