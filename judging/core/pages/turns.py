"""Let page processes compute only one download at a time on a machine, so that other pages stay fast.

Each process of the site answers one request at a time, and a large export needs a processor for minutes. Six
downloads at once would leave no process for workers.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from django.conf import settings

from judging.core.file_lock import LockedError, take_lock

WAIT: Final = 10
"""The number of seconds after which a refused visitor should try again."""


class NotYourTurnError(Exception):
    """Another download is being computed at the moment."""


def _take_turn() -> IO[bytes]:
    """Return an open file that holds the turn until it is closed. Raise NotYourTurnError if it is taken."""
    try:
        return take_lock(Path(settings.DOWNLOADS_LOCK))
    except LockedError:
        raise NotYourTurnError from None


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Compute a download in the `with` block. Raise NotYourTurnError if another one is being computed."""
    with _take_turn():
        yield


class Turn(Iterator[bytes]):
    """The chunks of a download that is computed while it is sent.

    The turn begins when the object is created, and ends when `close` is called or the chunks are used up.
    Raise NotYourTurnError if another download is being computed.
    """

    def __init__(self, chunks: Generator[bytes, None, None]) -> None:
        self._lock = _take_turn()
        self._chunks = chunks

    def __next__(self) -> bytes:
        try:
            return next(self._chunks)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the turn. Django calls this when the response ends, even if the visitor cancelled it."""
        try:
            self._chunks.close()
        finally:
            self._lock.close()
