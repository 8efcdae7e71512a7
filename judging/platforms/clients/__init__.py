"""Clients of the platforms' APIs."""
