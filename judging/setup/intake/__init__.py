"""Read a study file and all files that it refers to."""
