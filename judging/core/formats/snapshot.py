"""Reading everything from one state of the database, while others go on writing to it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_snapshot() -> Iterator[None]:
    """What is read in this block is what the database held at the first question asked in it.

    Nobody waits for the block, however long it takes: it only reads, and takes no lock. It writes nothing,
    either. Inside a transaction it leaves everything to that one.
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
    """A transaction of SQLite that begins without the lock for writing, which Django's would take at once."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
