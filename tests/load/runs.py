"""The measurements: how fast, how many at a human pace, a whole study, and how steadily for how long."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from evaluation import crowds
from tests.load.crowd import Crowd
from tests.load.pace import Pace, at_once, at_rate, human
from tests.load.samples import Sample, Series, megabytes, processor_seconds
from tests.load.stopwatch import FETCH, STORE, Stopwatch, Times
from tests.support.http_crowd import LOOKS_AGAIN_AFTER

if TYPE_CHECKING:
    from tests.load.site import Site


@dataclass(frozen=True)
class Load:
    """What one load came to: judgments are answers stored, each after its page was fetched."""

    clients: int
    seconds: float
    judgments_per_second: float
    requests_per_second: float
    server_milliseconds: float
    """Of processor time per judgment, of the processes that answer, without the database server's."""
    megabytes: float
    fetch: Times
    store: Times
    both: Times
    faults: Mapping[str, int]


def load(
    site: "Site",
    clients: int,
    *,
    seconds: float,
    warm_up: float | None = None,
    over: float = 0.0,
    least: int = 0,
    pace: Pace = at_once,
    seed: int = 1,
) -> Load:
    """So many connections at once for so long, after warming up; they all begin within `over` seconds.

    Warming up lasts until all have come as far as to judge: beginning takes a worker a dozen requests. On a
    machine that has other work, the load lasts until `least` answers are stored, or something went wrong.
    """
    warm_up = 5 + clients / 25 if warm_up is None else warm_up
    watch = Stopwatch()
    crowd = Crowd(site.web.port, site.study.slug, site.memory, watch, seed=seed, pace=pace)
    began = perf_counter()
    ends = began + over + warm_up + seconds
    used: list[float] = []

    def is_over() -> bool:
        return perf_counter() > ends and (len(watch.stored_at) >= least or bool(watch.faults))

    async def warm() -> None:
        await asyncio.sleep(over + warm_up)
        watch.clear()
        used.append(processor_seconds(site.web))

    async def go() -> None:
        await asyncio.gather(warm(), crowd.clients(clients, until=is_over, over=over))

    asyncio.run(go())
    took = perf_counter() - began - over - warm_up
    number = len(watch.stored_at)
    busy = processor_seconds(site.web) - used[0]
    return Load(
        clients,
        round(took, 1),
        round(number / took, 1),
        round(sum(len(times) for times in watch.milliseconds.values()) / took, 1),
        round(1000 * busy / max(number, 1), 2),
        round(megabytes(site.web), 1),
        watch.times(FETCH),
        watch.times(STORE),
        watch.times(FETCH, STORE),
        dict(watch.faults),
    )


def human_pace(site: "Site", workers: int, *, seconds: float, answer_every: float) -> Load:
    """Workers who each give an answer every so many seconds; they come within the time of one answer."""
    pace = human(answer_every, seed=1)
    return load(site, workers, seconds=seconds, warm_up=answer_every, over=answer_every, pace=pace)


@dataclass(frozen=True)
class Whole:
    """A study judged to its end."""

    seconds: float
    workers: int
    requests: int
    times: Times
    faults: Mapping[str, int]


def whole_study(
    site: "Site", workers: int, *, clients: int, model: crowds.Crowd = crowds.TYPICAL, stays: float | None
) -> Whole:
    """Workers of all kinds, `clients` at a time, until so many have come.

    Who finds no unit looks again for as long as a reservation lasts, since others give up, until all is done.
    """
    from judging.models import Unit

    def more() -> bool:
        return Unit.objects.filter(topic__study=site.study).exclude(state="done").exists()

    watch = Stopwatch()
    looks = math.ceil(60 * site.study.lapse_minutes / LOOKS_AGAIN_AFTER) + 2
    crowd = Crowd(
        site.web.port,
        site.study.slug,
        site.memory,
        watch,
        seed=1,
        model=model,
        stays=stays,
        looks_again=looks,
        more=more,
    )
    began = perf_counter()
    asyncio.run(crowd.clients(clients, until=lambda: crowd.came >= workers, leave_at_once=False))
    return Whole(
        round(perf_counter() - began, 1),
        crowd.came,
        sum(len(times) for times in watch.milliseconds.values()),
        watch.times(FETCH, STORE),
        dict(watch.faults),
    )


def soak(
    site: "Site", *, clients: int, rate: float, seconds: float, every: float
) -> tuple[list[Sample], dict[str, int]]:
    """So many answers a second for so long, looked at every so many seconds; and what went wrong."""
    watch, series, faults = Stopwatch(), Series(site.web), Stopwatch().faults
    crowd = Crowd(site.web.port, site.study.slug, site.memory, watch, seed=1, pace=at_rate(rate))
    began = perf_counter()

    async def look() -> None:
        while perf_counter() - began < seconds:
            await asyncio.sleep(every)
            series.take(perf_counter() - began, watch)
            faults.update(watch.faults)
            watch.clear()

    async def go() -> None:
        await asyncio.gather(look(), crowd.clients(clients, until=lambda: perf_counter() - began > seconds))

    asyncio.run(go())
    faults.update(watch.faults)
    return series.samples, dict(faults)
