"""From relevance judgments to system scores: magnitudes, gains, measures and their comparison.

A library of pure functions over arrays that knows nothing of the web site beside it. The way through it is
`files` → `frames` → `magnitudes` → `scores` (with `measures`) → `compare`; `python -m evaluation` walks the
same way from a shell.
"""
