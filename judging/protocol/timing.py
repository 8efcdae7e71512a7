"""Seconds on documents, as the server counts them (check (d)), and on the pages before them."""

from collections.abc import Iterable
from datetime import datetime


def visit_seconds(opened_at: datetime, closed_at: datetime, *, most: float) -> float:
    """Seconds that a visit counts: never negative (a clock may jump back), never above `most` seconds."""
    return min(max((closed_at - opened_at).total_seconds(), 0.0), most)


def short_documents(seconds: Iterable[float], *, least: float) -> int:
    """How many documents were open for less than `least` seconds, summed over their visits."""
    return sum(1 for spent in seconds if spent < least)


def least_on_line(seconds_per_document: float) -> float:
    """Return the seconds that a practice line must be shown where being screened out is paid."""
    return min(2.0, seconds_per_document / 10)


def least_on_question(seconds_per_document: float) -> float:
    """Return the seconds that a topic and its question must be shown where being screened out is paid."""
    return min(5.0, seconds_per_document / 4)


def is_too_soon(shown_at: datetime, now: datetime, *, least: float) -> bool:
    """Whether a page was answered in less than `least` seconds. A clock that jumped back hurries nobody."""
    return 0 <= (now - shown_at).total_seconds() < least
