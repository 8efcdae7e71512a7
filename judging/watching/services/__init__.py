"""Changes that researchers make to a running study."""
