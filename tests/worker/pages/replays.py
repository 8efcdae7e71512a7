"""Walking the same way several times over, so that what comes back can be compared byte by byte."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from django.db import transaction

from judging.worker.pages.progress import system_random
from tests.support.visitor import Reply

_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[A-Za-z0-9]{64}"')
_TIME_LEFT = re.compile(rb'(?<=data-seconds-left=")\d+|(?<=<span data-minutes>)\d+')
_COOKIE = re.compile(r"csrftoken=[A-Za-z0-9]+|expires=[^;]+")


@contextmanager
def replayed(seed: int) -> Iterator[None]:
    """Inside this block every draw of the pages follows the seed; afterwards nothing of it has happened."""
    drawn = Random(seed)
    # Chance enters the pages by this one generator; both ways of asking it for bits are replaced.
    system_random.random, system_random.getrandbits = drawn.random, drawn.getrandbits
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        del system_random.random, system_random.getrandbits


def plain(reply: Reply) -> tuple[int, str, list[tuple[str, str]], bytes]:
    """Status, address, headers with cookies, and body: but for what is drawn for each: token, id, time.

    The time left for the unit depends on the pace of the worker alone.
    """
    headers = [
        (name, _COOKIE.sub("", value) if name == "Set-Cookie" else value)
        for name, value in reply.headers
        if name not in {"Expires", "X-Request-ID"}
    ]
    return reply.status, reply.url, headers, _TIME_LEFT.sub(b"", _TOKEN.sub(rb"\1", reply.body))
