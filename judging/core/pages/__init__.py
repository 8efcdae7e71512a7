"""Code that pages share: access, lists, upload limits and headers."""
