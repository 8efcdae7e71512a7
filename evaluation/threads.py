"""The same work for many runs or measures in parallel: polars and numpy release other threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import polars as pl

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return `work` of every item, in their order; raise the error of the first item at fault.

    There are twice as many threads as polars has, because half of them wait for those; POLARS_MAX_THREADS
    sets both.
    """
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2 * pl.thread_pool_size()) as pool:
        return list(pool.map(work, items))
