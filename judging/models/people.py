"""The people who use the console: who asks, and who acts."""

from django.contrib.auth.models import AnonymousUser, User

Visitor = User | AnonymousUser
"""Whoever sends a request, logged in or not."""
Actor = User | None
"""Who does what the audit log keeps; None is the command line, or the site by itself."""
