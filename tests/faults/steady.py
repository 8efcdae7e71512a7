"""Workers who never give up: what a site does not answer they send again, and they note what it took in.

Their judgments pass every check, so that an answer that was taken in must be there when all is over.
"""

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from random import Random
from threading import Event, Lock

import httpx

from evaluation.crowds import CAREFUL
from judging.crowd.kinds import READER, Kind
from judging.crowd.mind import Mind, traits_of
from judging.models import Judgment
from tests.support.http_client import HttpClient
from tests.support.http_crowd import LEAST_SECONDS, HttpWorker, Memory, pace_for
from tests.support.visitor import Reply, Transport, turn_about

PATIENCE = 60
"""Seconds for which a worker sends the same thing again."""
STEADY: Kind = replace(
    READER,
    eye=0.0,
    understands=1.0,
    stays=1.0,
    presses_back=0.0,
    breaks_off=0.0,
    gives_back=0.0,
    slips=0.0,
)
_EXACT = replace(
    CAREFUL, exponent_sigma=0.0, noise=0.0, lapses=0.0, spammers=0.0, patience=1.0, rounding=(0, 0, 1)
)


def steady_mind(name: str, kind: Kind = STEADY) -> Mind:
    """A worker without noise, who fails no check."""
    (traits,) = traits_of(_EXACT, 1, Random(f"traits of {name}"))
    return Mind(traits, Random(name), least_seconds=LEAST_SECONDS, kind=kind)


class Ledger:
    """What the site has acknowledged: the justification of each answer, unique, and how often it faltered."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.faltered: list[str] = []
        self._lock = Lock()
        self._numbers = count(1)

    def transport(self, *addresses: str) -> Transport:
        """Over HTTP, again and again until there is an answer that is none of a broken server."""
        send = turn_about(addresses, HttpClient(timeout=10))

        def request(method: str, path: str, data: dict[str, str] | None) -> Reply:
            if data and data.get("justification"):
                data = data | {"justification": f"{data['justification']} #{next(self._numbers)}"}
            deadline = time.monotonic() + PATIENCE
            while True:
                try:
                    reply = send(method, path, data)
                except httpx.TransportError as error:
                    self._falter(type(error).__name__)
                else:
                    if reply.status < 500:
                        break
                    self._falter(str(reply.status))
                assert time.monotonic() < deadline, f"{method} {path}: {self.faltered[-5:]}"
                time.sleep(0.1)
            if data and "justification" in data and reply.status in (302, 303):
                with self._lock:
                    self.acknowledged.append(data["justification"])
            return reply

        return request

    def _falter(self, how: str) -> None:
        with self._lock:
            self.faltered.append(how)

    def lost(self) -> set[str]:
        """Acknowledged answers that are not there."""
        return set(self.acknowledged) - set(Judgment.objects.values_list("justification", flat=True))


class Crowd:
    """Steady workers at work in threads of their own, at one address or turn about at several."""

    def __init__(
        self,
        address: str | Sequence[str],
        slug: str,
        memory: Memory,
        ledger: Ledger,
        seconds: float,
        workers: int,
    ) -> None:
        addresses = [address] if isinstance(address, str) else address
        self.ledger = ledger
        self._stopped = Event()
        self._pool = ThreadPoolExecutor(workers)
        self._futures: list[Future[None]] = []

        def live(number: int) -> None:
            mind = steady_mind(f"steady/{number}")
            pace = pace_for(seconds)
            worker = HttpWorker(
                ledger.transport(*addresses), mind, memory, lambda one: time.sleep(one * pace)
            )
            worker.live(slug)

        self._futures = [self._pool.submit(live, number) for number in range(workers)]

    def wait_for_answers(self, number: int) -> None:
        """Wait until so many more answers were acknowledged."""
        self._wait_for(self.ledger.acknowledged, number)

    def wait_for_faults(self, number: int) -> None:
        """Wait until the site has faltered so many more times."""
        self._wait_for(self.ledger.faltered, number)

    def _wait_for(self, told: list[str], number: int) -> None:
        wanted, deadline = len(told) + number, time.monotonic() + PATIENCE
        while len(told) < wanted:
            assert time.monotonic() < deadline, f"{len(told)} of {wanted} in {PATIENCE} s: {self._faults()}"
            assert not self.over, f"the crowd is done already: {self._faults()}"
            time.sleep(0.01)

    @property
    def over(self) -> bool:
        return all(future.done() for future in self._futures)

    def finish(self) -> None:
        """Wait until everybody has left; what went wrong with one of them goes wrong here."""
        for future in self._futures:
            future.result(timeout=4 * PATIENCE)
        self._pool.shutdown()

    def _faults(self) -> list[str]:
        return [str(future.exception()) for future in self._futures if future.done() and future.exception()]
