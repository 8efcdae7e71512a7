"""Pages that read stored reports, and ask for them to be made."""
