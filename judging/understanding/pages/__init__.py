"""Pages that show stored reports and request new ones."""
