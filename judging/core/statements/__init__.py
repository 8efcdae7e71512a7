"""The one place where judging goes round the ORM: statements whose SQL is written once per process.

A page of a worker reads a handful of rows by their keys and writes one or two. The ORM needs several times as
long to write such a statement as the database to carry it out, and writes the very same text every time. Here
the text is kept, and on PostgreSQL its plan too; rows become objects as the ORM makes them, and columns,
conversions and constraints are those of the models. A worker's unit takes about twice as long without
(docs/understanding/measurements/judging.md).
"""

from judging.core.statements.cursor import statement_cursor
from judging.core.statements.prepared import Prepared
from judging.core.statements.rows import save_fields

__all__ = ["Prepared", "save_fields", "statement_cursor"]
