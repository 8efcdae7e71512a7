"""Logging in, inviting, members, and what was done."""
