"""The mind of a simulated worker: the worker's answers and decisions, and the seconds that they take.

For a document of true relevance t (a ratio scale on which N is 1), the worker's number is log-normal around
`scale · t^range`. The worker types the nearest number that suits their taste. Scale, range, noise and speed
are drawn once from the worker's kind, and taste is drawn once in the same way for every kind. Of these
values, only the noise can change later: it decreases when the worker corrects work after a failed check.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from judging.crowd import numbers, wording
from judging.crowd.kinds import Kind, Reaction
from judging.crowd.wording import DocumentText, TopicText

HIGHEST: Final = 5.0
"""The relevance of a highly relevant document. A document that is not relevant has the relevance 1."""
SKIMMING_SPEED: Final = 6.0
"""The reading speed, in words per second, above which workers skim."""


@dataclass(frozen=True)
class Opinion:
    """A worker's answer for a document, and the `seconds` that the worker takes for it.

    `slip` is an invalid number that the worker types first, or "".
    """

    value: float
    typed: str
    justification: str
    seconds: float
    slip: str = ""

    @property
    def visible_seconds(self) -> float:
        """Return the seconds that the browser reports, which exclude the time that the page takes to load."""
        return round(self.seconds * 0.97, 1)


@dataclass(frozen=True)
class Plan:
    """The positions of the documents at which a worker goes back, breaks off or gives the unit back.

    A position is None if the worker does not do this in the unit.
    """

    back_at: int | None
    breaks_off_at: int | None
    gives_back_at: int | None
    absence: float | None
    """Seconds until a worker who breaks off comes back, or None if the worker never comes back."""


class Mind:
    """The decisions of one worker. The same `rng`, topics and documents give the same decisions.

    `least_seconds` is the minimum time per document, which the first page shows to every worker.
    """

    def __init__(self, kind: Kind, rng: Random, *, least_seconds: float) -> None:
        self.kind = kind
        self.rng = rng
        self.least_seconds = least_seconds
        self.scale = kind.scale.draw(rng)
        self.range = kind.range.draw(rng)
        self.noise = kind.noise.draw(rng)
        self.words_per_second = kind.words_per_second.draw(rng)
        self.patience = kind.patience
        self.taste = numbers.draw_taste(rng)
        self.comma = rng.random() < 0.05

    def reading_seconds(self, words: int) -> float:
        """Return the seconds to read `words` words and to act on them."""
        return round(self.rng.lognormvariate(0.0, 0.25) * (3.0 + words / self.words_per_second), 3)

    def line(self, length: float) -> str:
        """Return the number that the worker types for a practice line of this length (100 to 1000)."""
        estimate = self.scale * length / 150.0 * exp(self.rng.gauss(0.0, self.kind.eye))
        return self._write(numbers.favourite(estimate, self.taste))

    def option(self, options: Sequence[str], right: str) -> int:
        """Return the index of the option that the worker chooses: the right one or a random wrong one."""
        places = range(len(options))
        if self.rng.random() < self.kind.understands:
            return next(place for place in places if options[place] == right)
        return self.rng.choice([place for place in places if options[place] != right])

    def opinion(self, topic: TopicText, document: DocumentText, *, again: bool = False) -> Opinion:
        """Return the opinion about a document. Reading it `again` takes half the time."""
        relevance = document.relevance if self.kind.reads else 1.0
        estimate = self.scale * relevance**self.range * exp(self.rng.gauss(0.0, self.noise))
        value = numbers.favourite(estimate, self.taste)
        seconds = self.reading_seconds(document.length) * (0.5 if again else 1.0)
        slips = not again and self.rng.random() < self.kind.slips
        slip = self.rng.choice(("0", "-1", "?", "ten")) if slips else ""
        return Opinion(
            value, self._write(value), self._reason(topic, document, value), self._waited(seconds), slip
        )

    def inverted(self, opinions: Sequence[Opinion]) -> list[Opinion]:
        """Return opinions with the numbers in reverse order: the largest replaces the smallest, and so on."""
        ascending = sorted(range(len(opinions)), key=lambda place: opinions[place].value)
        partner = dict(zip(ascending, reversed(ascending), strict=True))
        return [
            Opinion(
                opinions[partner[place]].value,
                opinions[partner[place]].typed,
                opinion.justification,
                self._waited(self.reading_seconds(5)),
            )
            for place, opinion in enumerate(opinions)
        ]

    def plan(self, documents: int) -> Plan:
        """Draw the worker's plan for a unit with this number of documents."""
        kind, rng = self.kind, self.rng
        breaks_off = rng.random() < kind.breaks_off
        return Plan(
            back_at=rng.randrange(1, documents) if rng.random() < kind.presses_back else None,
            breaks_off_at=rng.randrange(documents) if breaks_off else None,
            gives_back_at=rng.randrange(documents) if rng.random() < kind.gives_back else None,
            absence=rng.uniform(600.0, 7200.0) if breaks_off and rng.random() < 0.3 else None,
        )

    def react(self) -> Reaction:
        """Draw the reaction to a failed check. Workers who correct their work are more careful afterwards."""
        reactions = self.kind.reactions
        reaction = self.rng.choices(list(reactions), weights=list(reactions.values()))[0]
        if reaction == Reaction.CORRECT:
            self.noise *= 0.6
            self.patience = max(self.patience, 0.997)
        return reaction

    def wants_another(self) -> bool:
        """Decide at random whether the worker takes another unit."""
        return self.rng.random() < self.kind.stays

    def draw_absence(self) -> float | None:
        """Draw how many seconds a worker who got no unit waits before trying again. None means forever."""
        return self.rng.uniform(3600.0, 9000.0) if self.rng.random() < 0.5 else None

    def _waited(self, seconds: float) -> float:
        if seconds < self.least_seconds and self.rng.random() < self.patience:
            seconds = self.least_seconds * self.rng.uniform(1.02, 1.3)
        return round(max(seconds, 0.5), 3)

    def _write(self, value: float) -> str:
        return numbers.write_number(value, self.rng, comma=self.comma)

    def _reason(self, topic: TopicText, document: DocumentText, value: float) -> str:
        if not self.kind.reads:
            return wording.empty_reason(self.rng)
        if self.words_per_second > SKIMMING_SPEED:
            return wording.skimmed_reason(document, self.rng)
        highest = self.scale * HIGHEST**self.range
        return wording.reason(topic, document, value / highest, self.rng)
