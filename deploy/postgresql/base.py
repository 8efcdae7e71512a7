"""Django's backend for PostgreSQL, which knows without asking the server that a connection is still good."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """At the start of a request Django asks the server for nothing, to see whether it is there."""

    def is_usable(self) -> bool:
        """Whether the connection can be used: where a server has ended, the end of what it says can be read.

        An idle server says nothing. Only one that has said something is asked.
        """
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN | select.POLLRDHUP)
        return not waiting.poll(0) or bool(super().is_usable())
