"""Crowd platforms: read their messages, and approve and pay visits through their APIs."""
