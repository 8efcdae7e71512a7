"""Read a study: its file, and all files that it refers to."""
