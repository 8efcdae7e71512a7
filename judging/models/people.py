"""Types for the people who use the console."""

from django.contrib.auth.models import AnonymousUser, User

Visitor = User | AnonymousUser
"""The user who sends a request, logged in or not."""
Actor = User | None
"""The user who performs an audited action, or None for the command line or the site itself."""
