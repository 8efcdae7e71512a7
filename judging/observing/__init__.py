"""Watching the site itself, not its studies: what a request is called in the log, and how long requests take.

Nothing here knows who a request came from, what it held, or more of its address than the name of its route.
"""
