"""A study and its files: uploaded, imported, updated, written out again."""
