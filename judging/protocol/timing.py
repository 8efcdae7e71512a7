"""Seconds on documents, as the server counts them (check (d))."""

from collections.abc import Iterable
from datetime import datetime


def visit_seconds(opened_at: datetime, closed_at: datetime, *, most: float) -> float:
    """Seconds that a visit counts: never negative (a clock may jump back), never above `most` seconds."""
    return min(max((closed_at - opened_at).total_seconds(), 0.0), most)


def short_documents(seconds: Iterable[float], *, least: float) -> int:
    """How many documents were open for less than `least` seconds, summed over their visits."""
    return sum(1 for spent in seconds if spent < least)
