"""Bundles: zips of a whole study, which other sites can import (docs/reference/bundle.md)."""
