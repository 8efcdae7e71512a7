"""Bundles: a whole study in one zip, which imports as the same study. docs/bundle.md describes them."""
