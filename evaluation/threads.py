"""Process many runs or measures in parallel threads.

Polars and numpy let other threads run while they compute.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import polars as pl

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the results of `work` for all items. See `each_in_threads`."""
    return list(each_in_threads(work, items))


def each_in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Yield the results of `work` for all items, in the order of the items.

    Raise the error of the first item for which `work` fails. `work` runs in twice as many threads as polars
    uses, because half of the threads that run `work` wait for polars. To change both numbers, set the
    environment variable POLARS_MAX_THREADS. The threads stop when they are a few items ahead of the caller,
    so that results which the caller has not taken yet do not fill the memory.
    """
    if len(items) < 2:
        yield from map(work, items)
        return
    threads = 2 * pl.thread_pool_size()
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) >= 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
