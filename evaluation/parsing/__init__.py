"""Parsers of files: from bytes to columns of text and numbers.

`plumbline_ir.frames` and `plumbline_ir.runs` check these columns. `plumbline_ir.files` has the readers for
users.
"""
