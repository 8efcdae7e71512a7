"""Prolific: the client of its API, its operations, and the messages that it sends."""
