"""Bundles: a whole study in one zip, which comes back as the same study (docs/reference/bundle.md)."""
