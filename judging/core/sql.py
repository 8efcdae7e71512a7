"""Read a row with explicit SQL. Use this only for what a worker needs at every document.

The ORM takes several times longer to generate the SQL of such a query than the database takes to run it. All
other queries use the ORM.
"""

from typing import TypeVar

from django.db import connection, transaction
from django.db.models import Model

M = TypeVar("M", bound=Model)


def first_row(model: type[M], sql: str, *values: object) -> M | None:
    """Return the first row of a query, or None. The query returns the columns of the model's table."""
    return next(iter(model._base_manager.raw(sql, values)), None)


def for_update(sql: str) -> str:
    """Return a query that also locks its rows, as `select_for_update(no_key=True)` does.

    Raise TransactionManagementError outside a transaction. SQLite has no row locks: there, a transaction
    excludes all other transactions that write.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("Lock rows only in a transaction.")
    return f"{sql} FOR NO KEY UPDATE" if connection.vendor == "postgresql" else sql
