"""The people who run studies: accounts, invitations, roles and the audit log."""
