"""Django's backend for PostgreSQL, which knows without asking the server that a connection is still good."""

import select
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import Format

_TIMES: Final = psycopg.postgres.types["timestamptz"].oid
_LOADER: Final = psycopg.adapters.get_loader(_TIMES, Format.TEXT)


class DatabaseWrapper(base.DatabaseWrapper):
    """At the start of a request Django asks the server for nothing, to see whether it is there.

    Times are read by psycopg itself, in C where that is there, and come in the connection's zone, which
    Django sets to that of the settings. Django's own loader reads them in Python, to put a zone in once more.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection to the server, as Django sets it up."""
        connection = super().get_new_connection(conn_params)
        connection.adapters.register_loader(_TIMES, _LOADER)
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        """A cursor; one with a name is the server's. Django's would ask its loader for the zone."""
        if not name:
            return self.connection.cursor()
        kept = self.connection.autocommit
        return base.ServerSideCursor(self.connection, name=name, scrollable=False, withhold=kept)

    def is_usable(self) -> bool:
        """Whether the connection can be used: where a server has ended, the end of what it says can be read.

        An idle server says nothing. Only one that has said something is asked.
        """
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN | select.POLLRDHUP)
        return not waiting.poll(0) or bool(super().is_usable())
