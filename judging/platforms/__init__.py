"""Crowd platforms: read their messages, approve submissions, and pay workers through the platforms' APIs."""
