"""Pages for logging in, passwords, invitations, members and the audit log."""
