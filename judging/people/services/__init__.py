"""Services that change accounts and invitations."""
