"""The minds of `judging.crowd` at the served pages: they read the HTML, fill in its forms and send them.

A worker here knows what a person knows: the text on the page. It finds a document in its memory by that text,
since no id stands in any page, and cannot tell the anchors from the rest.

    known = memory_of(study)
    crowd = judge_over_http(live_server.url, study.slug, known, workers=12, seed=1, pace=pace_for(0.02))
"""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from random import Random
from time import sleep

from judging.crowd.kinds import DEFAULT_MIX, Kind, deal
from judging.crowd.mind import Mind, Opinion, Plan, Reaction
from judging.crowd.wording import DocumentText
from judging.crowd.world import TopicWorld, World
from judging.models import Study
from tests.support.visitor import Page, Transport, Visitor, through_http

FAILED = "Your job is not accurate enough. You can revise your work to finish the task."
LEAST_SECONDS = 20.0
"""What the minds take as asked for on each document; `pace` brings it to what the test study asks for."""
_OPTION = re.compile(r'name="answer" value="(\d)">\s*<span>(.*?)</span>', re.DOTALL)
_WITHOUT_WORK = ("There is no work for you",)

Memory = Mapping[str, TopicWorld]
"""Title of a topic → what is to be known of it."""


def memory_of(study: Study) -> Memory:
    """All that the minds recognise in a study whose topics have different titles."""
    world = World(study)
    return {topic.title: world.topic(topic.pk) for topic in study.topics.all()}


def pace_for(seconds_per_document: float) -> float:
    """Real seconds per second of a mind, for a study that asks for so many seconds on each document."""
    return seconds_per_document / LEAST_SECONDS


class HttpWorker:
    """One mind at the pages. `wait` lets its seconds pass: by sleeping, or by moving a clock."""

    def __init__(
        self, transport: Transport, mind: Mind, memory: Memory, wait: Callable[[float], None]
    ) -> None:
        self.visitor = Visitor(transport)
        self.mind = mind
        self.memory = memory
        self.wait = wait
        self.failures = 0
        self.refusals = 0
        self._topic: TopicWorld
        self._plan: Plan
        self._opinions: dict[int, Opinion] = {}
        self._turned: list[Opinion] | None = None
        self._revising = False

    @property
    def page(self) -> Page:
        return self.visitor.page

    def live(self, slug: str) -> None:
        """From the information sheet until the worker leaves, or there is nothing left to do."""
        self.visitor.open(f"/s/{slug}/")
        if not self.page.forms:
            return  # The information sheet says that there is no work.
        self.visitor.send(consent="yes")
        acts = {
            "instructions": self._go_on,
            "practice": self._answer_line,
            "task": self._take_unit,
            "topic": self._answer_question,
            "judge": self._judge,
            "units": self._take_another,
        }
        while self.page.status == 200 and self.page.step in acts:
            if not acts[self.page.step]():
                return

    def _go_on(self) -> bool:
        self.visitor.send("next")
        return True

    def _answer_line(self) -> bool:
        (line,) = (attributes for tag, attributes in self.page.tags if tag == "line")
        self.visitor.send("next", magnitude=self.mind.line(float(line["x2"]) - float(line["x1"])))
        return True

    def _take_unit(self) -> bool:
        if any(words in self.page.text for words in _WITHOUT_WORK):
            return False
        self.visitor.send("next")
        return True

    def _take_another(self) -> bool:
        return self.mind.wants_another() and self._take_unit()

    def _answer_question(self) -> bool:
        (title,) = (title for title in self.memory if f"<h1>{title}</h1>" in unescape(self.page.html))
        self._topic = self.memory[title]
        self._plan = self.mind.plan(documents=8)
        self._opinions, self._turned, self._revising = {}, None, False
        shown = {int(place): unescape(text) for place, text in _OPTION.findall(self.page.html)}
        options = [shown[place] for place in sorted(shown)]
        self.visitor.send("next", answer=self.mind.option(options, self._topic.right_option))
        return True

    def _judge(self) -> bool:
        position = int(self.page.value("position"))
        if FAILED in self.page.text and not self._revising:
            return self._react()
        if position == self._plan.breaks_off_at:
            return False
        if position == self._plan.gives_back_at:
            self.visitor.send("return")
        elif position == self._plan.back_at and not self._revising:
            self._plan = Plan(None, self._plan.breaks_off_at, self._plan.gives_back_at, None)
            self.visitor.send("back")
        else:
            self._answer(position)
        return True

    def _react(self) -> bool:
        self.failures += 1
        self._plan = Plan(None, None, None, None)
        reaction = self.mind.react()
        if reaction == Reaction.GIVE_BACK:
            self.visitor.send("return")
        self._revising = True
        inverting = reaction == Reaction.INVERT
        self._turned = self.mind.inverted([self._opinions[at] for at in range(8)]) if inverting else None
        return reaction != Reaction.LEAVE

    def _answer(self, position: int) -> None:
        """Fill the form in and press on: forward to the last document, or back to the first when revising."""
        opinion = self._turned[position] if self._turned else self._opinion(position)
        self._opinions[position] = opinion
        self.wait(opinion.seconds)
        press = self._press(position)
        if opinion.slip and press != "back":
            self.visitor.send(press, magnitude=opinion.slip, justification=opinion.justification)
            self.refusals += 1
            assert self.page.value("magnitude") == opinion.slip, "what was typed is lost"
        if press == "finish":
            self._revising = False
        self.visitor.send(press, magnitude=opinion.typed, justification=opinion.justification)

    def _press(self, position: int) -> str:
        if self._revising:
            return "back" if position else "finish"
        return "next" if "next" in self.page.presses() else "finish"

    def _opinion(self, position: int) -> Opinion:
        return self.mind.opinion(self._topic.text, self._recognised(), again=position in self._opinions)

    def _recognised(self) -> DocumentText:
        """The document whose text stands in the page; the longest, where one text contains another."""
        there = [
            document
            for document in self._topic.documents.values()
            if " ".join(document.text.split()) in self.page.text
        ]
        assert there, f"no known document on {self.page.path}: {self.page.text}"
        return max(there, key=lambda document: len(document.text))


def judge_over_http(
    address: str,
    slug: str,
    memory: Memory,
    *,
    workers: int,
    seed: int,
    pace: float,
    mix: Mapping[str, int] = DEFAULT_MIX,
    threads: int = 4,
) -> list[HttpWorker]:
    """Send a crowd to the site at `address`, `threads` of them at a time; returns them when all have left."""
    dice = Random(f"http crowd/{seed}")
    kinds = enumerate(deal(mix, workers, dice))

    def live(number: int, kind: Kind) -> HttpWorker:
        mind = Mind(kind, Random(f"http worker/{seed}/{number}"), least_seconds=LEAST_SECONDS)
        worker = HttpWorker(through_http(address), mind, memory, lambda seconds: sleep(seconds * pace))
        worker.live(slug)
        return worker

    with ThreadPoolExecutor(threads) as pool:
        return [future.result() for future in [pool.submit(live, *one) for one in kinds]]
