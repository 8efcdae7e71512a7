"""Crowds of simulated workers in one thread, each with a connection of its own, going the whole way."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from time import perf_counter

from evaluation import crowds
from evaluation.crowds import Workers
from judging.crowd.mind import Mind, traits_of
from judging.crowd.wording import DocumentText
from tests.load.connection import Answer, Connection
from tests.load.pace import Pace, at_once
from tests.load.page_reader import PageReader
from tests.load.stopwatch import Stopwatch
from tests.support.http_crowd import LEAST_SECONDS, CrowdWorker, Memory, Open, Send, Stay, Wait

MOST_REDIRECTS = 5
Titles = Mapping[str, Mapping[str, DocumentText]]
"""Title of a topic → title of a document of its pool → what is to be known of it."""


def titles_of(memory: Memory) -> Titles:
    """What is to be known of all documents; those of one topic must have different titles."""
    titles = {
        title: {document.title: document for document in topic.documents.values()}
        for title, topic in memory.items()
    }
    assert all(len(titles[title]) == len(topic.documents) for title, topic in memory.items())
    return titles


class LoadWorker(CrowdWorker):
    """A worker who knows a document by its title."""

    page: PageReader

    def __init__(
        self, mind: Mind, memory: Memory, titles: Titles, connection: Connection, watch: Stopwatch
    ) -> None:
        super().__init__(mind, memory)
        self._titles = titles
        self._connection = connection
        self._watch = watch
        self.more: Callable[[], bool] = lambda: True

    async def live(self, slug: str, pace: Pace, until: Callable[[], bool]) -> None:
        """Do all that it does, or as much as is done before `until` says that it is enough.

        `pace` says how long it really takes for what takes a person so long.
        """
        for act in self.life(slug):
            if until():
                return
            match act:
                case Open(path):
                    await self._go("GET", path)
                case Send(press, typed):
                    form = {**self.page.hidden(), **typed}
                    await self._go("POST", self.page.path, form | {"action": press} if press else form)
                case Wait(needed):
                    await asyncio.sleep(pace(needed))
                case Stay(seconds):
                    await asyncio.sleep(seconds)
                    if not await asyncio.to_thread(self.more):
                        return

    async def _go(self, method: str, path: str, form: dict[str, str] | None = None) -> None:
        answer = await self._timed(method, path, form)
        for _ in range(MOST_REDIRECTS):
            if not answer.location:
                break
            path = answer.location
            answer = await self._timed("GET", path, None)
        self.page = PageReader(answer.status, path, answer.body)

    async def _timed(self, method: str, path: str, form: dict[str, str] | None) -> Answer:
        began = perf_counter()
        answer = await self._connection.request(method, path, form)
        self._watch.note(method, path, answer, began, perf_counter())
        return answer

    def _recognised(self) -> DocumentText:
        return self._titles[self._topic.text.title][self.page.title]


class Crowd:
    """Where the workers of one study come from: drawn from the `model` of a crowd, one after the other.

    The same seed makes the same crowd. `stays` overrides each kind's own chance of taking another unit. Who
    finds no work looks again and again while `more` says that there may be some, at most `looks_again` times.
    """

    def __init__(
        self,
        port: int,
        slug: str,
        memory: Memory,
        watch: Stopwatch,
        *,
        seed: int,
        pace: Pace = at_once,
        model: crowds.Crowd = crowds.TYPICAL,
        stays: float | None = None,
        looks_again: int = 0,
        more: Callable[[], bool] = lambda: True,
    ) -> None:
        self._port, self._slug, self._memory, self._watch = port, slug, memory, watch
        self._titles = titles_of(memory)
        self._seed, self._pace = seed, pace
        self._traits = traits_of(model, 1000, Random(f"load/{seed}"))
        self._stays = stays
        self._looks_again, self._more = looks_again, more
        self.came = 0

    async def clients(
        self, number: int, *, until: Callable[[], bool], over: float = 0.0, leave_at_once: bool = True
    ) -> None:
        """So many connections at once, each used by one worker after the other until `until` says so.

        They begin evenly within `over` seconds. Who is at work then leaves at once, or does what it wants to.
        """
        enough = until if leave_at_once else lambda: False
        await asyncio.gather(*(self._client(over * place / number, until, enough) for place in range(number)))

    async def _client(self, delay: float, until: Callable[[], bool], enough: Callable[[], bool]) -> None:
        await asyncio.sleep(delay)
        while not until():
            number, self.came = self.came, self.came + 1
            await self._one(number, enough)

    async def _one(self, number: int, enough: Callable[[], bool]) -> None:
        connection = Connection(self._port)
        worker = self._worker(number, self._traits[number % len(self._traits)], connection)
        try:
            await worker.live(self._slug, self._pace, enough)
        except (OSError, EOFError) as fault:
            self._watch.fault(type(fault).__name__)
        finally:
            connection.close()

    def _worker(self, number: int, traits: Workers, connection: Connection) -> LoadWorker:
        mind = Mind(traits, Random(f"load/{self._seed}/{number}"), least_seconds=LEAST_SECONDS)
        if self._stays is not None:
            mind.kind = replace(mind.kind, stays=self._stays)
        worker = LoadWorker(mind, self._memory, self._titles, connection, self._watch)
        worker.looks_again, worker.more = self._looks_again, self._more
        return worker
