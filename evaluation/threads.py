"""The same work for many runs or measures, side by side: polars and numpy let other threads compute."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import polars as pl

Given = TypeVar("Given")
Found = TypeVar("Found")


def each(work: Callable[[Given], Found], items: Sequence[Given]) -> list[Found]:
    """`work` of every item, in their order; the first item at fault is the one whose error is raised.

    Twice as many threads as polars has, since half of them wait for those; POLARS_MAX_THREADS sets both.
    """
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2 * pl.thread_pool_size()) as pool:
        return list(pool.map(work, items))
