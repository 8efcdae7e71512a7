"""The minds of `judging.crowd` at the served pages: they read the HTML, fill in its forms and send them.

A worker here knows what a person knows: the text on the page. It finds a document in its memory by that text,
since no id stands in any page, and cannot tell the anchors from the rest.

    known = memory_of(study)
    crowd = judge_over_http(live_server.url, study.slug, known, workers=12, seed=1, pace=pace_for(0.02))
"""

import re
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from random import Random
from time import sleep
from typing import Protocol

from evaluation.crowds import TYPICAL, Crowd, Workers
from judging.crowd.answers import DefaultSettings
from judging.crowd.mind import Mind, Opinion, Plan, Reaction, traits_of
from judging.crowd.pairs import Seen, seconds_of_page
from judging.crowd.wording import DocumentText
from judging.crowd.world import TopicWorld, World
from judging.models import Study
from judging.protocol.scales import DEFAULT
from tests.support.visitor import Transport, Visitor, through_http

FAILED = 'data-told="revise"'
"""The mark of the message after a failed attempt, whatever the message says."""
LEAST_SECONDS = 20.0
"""What the minds take as asked for on each document; `pace` brings it to what the test study asks for."""
_OPTION = re.compile(r'name="answer"\s+value="(\d)"[^>]*>\s*<span[^>]*>(.*?)</span>', re.DOTALL)
LOOKS_AGAIN_AFTER = 5.0
"""Seconds."""

Memory = Mapping[str, TopicWorld]
"""Title of a topic → what is to be known of it."""


def memory_of(study: Study) -> Memory:
    """All that the minds recognise in a study whose topics have different titles."""
    world = World(study)
    return {topic.title: world.topic(topic.pk) for topic in study.topics.all()}


def pace_for(seconds_per_document: float) -> float:
    """Real seconds per second of a mind, for a study that asks for so many seconds on each document."""
    return seconds_per_document / LEAST_SECONDS


@dataclass(frozen=True)
class Open:
    """A worker goes to an address."""

    path: str


@dataclass(frozen=True)
class Send:
    """A worker fills in a form of the page that is open, and presses a button, if it has one to press."""

    press: str | None
    typed: Mapping[str, str]


@dataclass(frozen=True)
class Wait:
    """A worker takes this many seconds, by the reckoning of its mind."""

    seconds: float


@dataclass(frozen=True)
class Stay:
    """A worker leaves the page open for so many seconds of the clock, whatever the pace of its mind."""

    seconds: float


Act = Open | Send | Wait | Stay
Acts = Generator[Act, None, None]


class Sight(Protocol):
    """What a worker sees of a page, however it was read."""

    status: int
    path: str
    text: str
    html: str

    @property
    def step(self) -> str:
        """The last part of the address: `judge`, `units`, …"""

    def asks(self) -> bool:
        """Whether there is a form."""

    def presses(self) -> list[str]:
        """The values of the buttons."""

    def value(self, name: str) -> str:
        """What stands in a field."""

    def lines(self) -> list[float]:
        """The lengths of the practice lines."""


class CrowdWorker:
    """One mind at the pages: `life` tells what it does next, and somebody does it and shows it the `page`."""

    def __init__(self, mind: Mind, memory: Memory) -> None:
        self.mind = mind
        self.memory = memory
        self.page: Sight
        self.looks_again = 0
        self._had = 0
        self.failures = 0
        self.refusals = 0
        self._topic: TopicWorld
        self._seen: dict[DocumentText, Seen] = {}
        self._plan: Plan
        self._opinions: dict[int, Opinion] = {}
        self._turned: list[Opinion] | None = None
        self._revising = False

    def life(self, slug: str) -> Acts:
        """From the information sheet until the worker leaves, or there is nothing left to do."""
        yield Open(f"/s/{slug}/")
        yield from self._await_work()
        if not self.page.asks():
            return  # The information sheet says that there is no work.
        yield Send(None, {"consent": "yes"})
        acts = {
            "instructions": self._go_on_with_work,
            "practice": self._answer_line,
            "task": self._go_on_with_work,
            "topic": self._answer_question,
            "judge": self._judge,
            "units": self._take_another,
        }
        while self.page.status == 200 and self.page.step in acts:
            did = False
            for act in acts[self.page.step]():
                did = True
                yield act
            if not did:
                return

    def _go_on_with_work(self) -> Acts:
        yield from self._await_work()
        if not self._without_work():
            yield Send("next", {})

    def _answer_line(self) -> Acts:
        """Others can take the last unit while this worker practises: then there is no line."""
        yield from self._await_work()
        if not self._without_work():
            lines = self.page.lines()
            yield Send("next", {"magnitude": self.mind.line(lines[0], lines)})

    def _await_work(self) -> Acts:
        """Look at the page again, where it says that there is no work, so many times before leaving.

        Not where all topics were had: no work will ever come.
        """
        for _ in range(self.looks_again):
            if not self._without_work() or self._had == len(self.memory):
                return
            yield Stay(LOOKS_AGAIN_AFTER)
            yield Open(self.page.path)

    def _without_work(self) -> bool:
        return not self.page.asks()

    def _take_another(self) -> Acts:
        if self.mind.wants_another():
            yield from self._go_on_with_work()

    def _answer_question(self) -> Acts:
        (title,) = (title for title in self.memory if f">{title}</h1>" in unescape(self.page.html))
        self._topic = self.memory[title]
        self._had += 1
        self._plan = self.mind.plan(documents=8)
        self._opinions, self._turned, self._revising = {}, None, False
        self._seen = {}
        shown = {int(place): unescape(text) for place, text in _OPTION.findall(self.page.html)}
        options = [shown[place] for place in sorted(shown)]
        yield Send("next", {"answer": str(self.mind.option(options, self._topic.right_option))})

    def _judge(self) -> Acts:
        position = int(self.page.value("position"))
        if FAILED in self.page.html and not self._revising:
            if not (yield from self._react()):
                return
            position = int(self.page.value("position"))
        if position == self._plan.breaks_off_at:
            return
        if position == self._plan.gives_back_at:
            yield Send("return", {})
        elif position == self._plan.back_at and not self._revising:
            self._plan = Plan(None, self._plan.breaks_off_at, self._plan.gives_back_at, None)
            yield Send("back", {})
        else:
            yield from self._answer(position)

    def _react(self) -> Generator[Act, None, bool]:
        """Take in that a check failed; returns whether the worker goes on judging this unit."""
        self.failures += 1
        self._plan = Plan(None, None, None, None)
        reaction = self.mind.react()
        self._revising = True
        self._seen = {}
        inverting = reaction == Reaction.INVERT
        self._turned = self.mind.inverted([self._opinions[at] for at in range(8)]) if inverting else None
        if reaction == Reaction.GIVE_BACK:
            yield Send("return", {})
        return reaction not in (Reaction.GIVE_BACK, Reaction.LEAVE)

    def _answer(self, position: int) -> Acts:
        """Fill the form in and press on: forward to the last document, or back to the first when revising."""
        opinion = self._turned[position] if self._turned else self._opinion(position)
        self._opinions[position] = opinion
        yield Wait(opinion.seconds)
        press = self._press(position)
        if opinion.slip and press != "back":
            yield Send(press, {"magnitude": opinion.slip, "justification": opinion.justification})
            self.refusals += 1
            assert self.page.value("magnitude") == opinion.slip, "what was typed is lost"
        if press == "finish":
            self._revising = False
        yield Send(press, {"magnitude": opinion.typed, "justification": opinion.justification})

    def _press(self, position: int) -> str:
        if self._revising:
            return "back" if position else "finish"
        return "next" if "next" in self.page.presses() else "finish"

    def _opinion(self, position: int) -> Opinion:
        again = position in self._opinions
        if self.mind.judging.compares_pairs:
            return self._choice(position / 7)
        return self.mind.opinion(self._topic.text, self._recognised(), position / 7, again=again)

    def _choice(self, progress: float) -> Opinion:
        """Read both documents of the page, as far as they are new, and choose one of them."""
        pair = [self._recognised(text) for text in self._texts_of_pair()]
        is_new = [document not in self._seen for document in pair]
        for document in pair:
            if document not in self._seen:
                self._seen[document] = self.mind.see(document, progress)
        seen = [self._seen[document] for document in pair]
        return self.mind.choice(self._topic.text, pair, seen, seconds_of_page(seen, is_new))

    def _texts_of_pair(self) -> list[str]:
        """What stands on the page under each of its two headings."""
        before, second = self.page.text.split("Second document", maxsplit=1)
        return [before.split("First document", maxsplit=1)[1], second]

    def _recognised(self, text: str = "") -> DocumentText:
        """The document whose text stands in the page; the longest, where one text contains another."""
        shown = text or self.page.text
        there = [
            document
            for document in self._topic.documents.values()
            if " ".join(document.text.split()) in shown
        ]
        assert there, f"no known document on {self.page.path}: {shown}"
        return max(there, key=lambda document: len(document.text))


class HttpWorker(CrowdWorker):
    """A worker who reads whole pages. `wait` lets its seconds pass: by sleeping, or by moving a clock."""

    def __init__(
        self, transport: Transport, mind: Mind, memory: Memory, wait: Callable[[float], None]
    ) -> None:
        super().__init__(mind, memory)
        self.visitor = Visitor(transport)
        self.wait = wait

    def live(self, slug: str) -> None:
        """Do all that it does, one after the other."""
        for act in self.life(slug):
            match act:
                case Open(path):
                    self.page = self.visitor.open(path)
                case Send(press, typed):
                    self.page = self.visitor.send(press, **typed)
                case Wait(seconds) | Stay(seconds):
                    self.wait(seconds)


def judge_over_http(
    address: str,
    slug: str,
    memory: Memory,
    *,
    workers: int,
    seed: int,
    pace: float,
    crowd: Crowd = TYPICAL,
    threads: int = 4,
    scale: str = DEFAULT,
) -> list[HttpWorker]:
    """Send a crowd to the site at `address`, `threads` of them at a time; returns them when all have left."""
    rng = Random(f"http crowd/{seed}")
    traits = enumerate(traits_of(crowd, workers, rng))

    def live(number: int, worker_traits: Workers) -> HttpWorker:
        rng = Random(f"http worker/{seed}/{number}")
        mind = Mind(worker_traits, rng, least_seconds=LEAST_SECONDS, study=DefaultSettings(scale))
        worker = HttpWorker(through_http(address), mind, memory, lambda seconds: sleep(seconds * pace))
        worker.live(slug)
        return worker

    with ThreadPoolExecutor(threads) as pool:
        return [future.result() for future in [pool.submit(live, *item) for item in traits]]
