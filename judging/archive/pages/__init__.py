"""Downloads."""
