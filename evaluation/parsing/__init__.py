"""Parsers of files: from bytes to columns of text and numbers.

`evaluation.frames` and `evaluation.runs` check these columns. `evaluation.files` has the readers for users.
"""
