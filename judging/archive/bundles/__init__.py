"""Bundles: a whole study in one zip, which imports as the same study (docs/reference/bundle.md)."""
