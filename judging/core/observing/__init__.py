"""Monitoring of the site itself: request ids for the log, request times, and visitors' addresses.

Logs and times have the name of a request's route, but not its sender or its content.
"""
