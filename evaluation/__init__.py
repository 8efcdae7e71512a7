"""From relevance judgments to system scores: magnitudes, gains, measures, and the comparison of systems.

This is a library of pure functions over arrays. It does not depend on the web site beside it. Data flow
through `files` → `frames` → `magnitudes` → `scores` (with `measures`) → `compare`. The commands of `python -m
evaluation` follow the same path.
"""
