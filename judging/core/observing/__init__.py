"""Watching the site itself, not its studies: request ids for the log, request times, visitors' addresses.

The log and the times say nothing of who sent a request or what it held, only the name of its route.
"""
