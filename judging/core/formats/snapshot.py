"""Read a single state of the database while other connections write to it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Let all queries in the `with` block see the database as it was at the first query.

    The block must not write. Other connections never wait for it. If a transaction is already open, this has
    no effect.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _reading():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _reading() -> Iterator[None]:
    """Run the block in an SQLite transaction and roll it back at the end.

    Unlike Django's own transactions, this one does not lock the database for writing.
    """
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
