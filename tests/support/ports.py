"""Ports of 127.0.0.1 for the servers that tests start."""

import socket


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
