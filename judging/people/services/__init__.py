"""Changes accounts and invitations."""
