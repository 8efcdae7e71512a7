"""Monitoring of the site itself: request ids for the log, request times, and visitors' addresses.

Logs and metrics contain the route of a request, but not its sender or its content.
"""
