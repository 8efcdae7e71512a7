"""Code that all pages share: access, lists, upload limits, headers."""
