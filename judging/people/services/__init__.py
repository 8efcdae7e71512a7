"""Accounts and invitations."""
