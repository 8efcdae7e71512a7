"""Process many runs or measures in parallel threads.

Polars and numpy let other threads run while they compute.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import polars as pl

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the results of `work` for all items, in the order of the items.

    Raise the error of the first item for which `work` fails. `work` runs in twice as many threads as polars
    uses, because half of the threads that run `work` wait for polars. To change both numbers, set the
    environment variable POLARS_MAX_THREADS.
    """
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2 * pl.thread_pool_size()) as pool:
        return list(pool.map(work, items))
