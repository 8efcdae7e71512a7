"""Run granian on the listening socket that systemd passes, with granian's own options.

While the site restarts, systemd keeps the socket open. New connections wait in it instead of being refused.
granian itself can only open a socket of its own.
"""

import socket
from typing import Any, Final

from granian import cli
from granian._granian import SocketHolder
from granian.server.mp import MPServer

DESCRIPTOR: Final = 3
"""The number of the first descriptor that systemd passes (see sd_listen_fds(3))."""


class InheritedSocketServer(MPServer):
    """A server whose processes all accept connections from the socket that it was started with."""

    _ssp: Any
    _sso: Any
    _shd: Any

    def _init_shared_socket(self) -> None:
        self._ssp = None
        self._sso = socket.socket(fileno=DESCRIPTOR)
        self._sso.set_inheritable(True)
        holder: Any = SocketHolder  # the stubs leave out its arguments
        self._shd = holder(DESCRIPTOR, self._sso.family == socket.AF_UNIX, self.backlog)


def main() -> None:
    """Run granian's command line, which creates the server from the class in this variable."""
    command_line: Any = cli
    command_line.Server = InheritedSocketServer
    command_line.entrypoint()


if __name__ == "__main__":
    main()
