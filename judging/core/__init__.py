"""Code that every feature needs. Code for a single feature belongs to the package of that feature."""
