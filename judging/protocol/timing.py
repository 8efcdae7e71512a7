"""How long documents were open, for check (d), and whether a worker submitted a page too quickly."""

from collections.abc import Iterable
from datetime import datetime


def visit_seconds(opened_at: datetime, closed_at: datetime, *, most: float) -> float:
    """Return the length of a visit in seconds, at least 0 (a clock can jump back) and at most `most`."""
    return min(max((closed_at - opened_at).total_seconds(), 0.0), most)


def short_documents(seconds: Iterable[float], *, least: float) -> int:
    """Return how many documents were open for less than `least` seconds.

    `seconds` holds the number of seconds for which each document was open.
    """
    return sum(1 for spent in seconds if spent < least)


def least_on_line(seconds_per_document: float) -> float:
    """Return the minimum time for a practice line, in seconds.

    It applies only if the study pays screened-out workers.
    """
    return min(2.0, seconds_per_document / 10)


def least_on_question(seconds_per_document: float) -> float:
    """Return the minimum time for reading a topic and its question, in seconds.

    It applies only if the study pays screened-out workers.
    """
    return min(5.0, seconds_per_document / 4)


def is_too_soon(shown_at: datetime, now: datetime, *, least: float) -> bool:
    """Return whether a page was submitted in less than `least` seconds.

    Return False if the clock jumped back.
    """
    return 0 <= (now - shown_at).total_seconds() < least
