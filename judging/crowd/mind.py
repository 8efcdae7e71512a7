"""The mind of one simulated worker: what it types, how long it takes and what it decides to do.

Perception: a document of true relevance t (a ratio scale on which N is 1) deserves of this worker the number
`scale · t^range`; what comes to its mind is log-normal around that, and what it types the nearest number of
its taste. Scale, range, noise, speed and taste are the worker's own for good, drawn from its kind.
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
"""The relevance of a highly relevant document, on the scale on which one that is not relevant has 1."""
SKIMMING_SPEED: Final = 6.0
"""Words per second beyond which a worker skims."""


@dataclass(frozen=True)
class Opinion:
    """What a worker puts into a document's form, after how many seconds; `slip` is typed first by mistake."""

    value: float
    typed: str
    justification: str
    seconds: float
    slip: str = ""

    @property
    def visible_seconds(self) -> float:
        """What the browser reports: a little less than the server sees, since the page must load."""
        return round(self.seconds * 0.97, 1)


@dataclass(frozen=True)
class Plan:
    """What will happen on the way through a unit, each at a document's position, or not at all (None)."""

    back_at: int | None
    breaks_off_at: int | None
    gives_back_at: int | None
    absence: float | None
    """Seconds until a worker who broke off comes back; None: never."""


class Mind:
    """One worker of a kind. `rng` is its alone: the same rng and the same texts give the same behaviour.

    `least_seconds` is what the study asks for on each document, as its first page tells every worker.
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

    def reading(self, words: int) -> float:
        """Seconds for reading `words` words of anything and acting on them."""
        return round(self.rng.lognormvariate(0.0, 0.25) * (3.0 + words / self.words_per_second), 3)

    def line(self, length: float) -> str:
        """What it types for a practice line; lengths are in any unit, the longest near 1000."""
        seen = self.scale * length / 150.0 * exp(self.rng.gauss(0.0, self.kind.eye))
        return self._typed(numbers.favourite(seen, self.taste))

    def option(self, options: Sequence[str], right: str) -> int:
        """The place of the option it chooses; one who does not understand takes any of the wrong ones."""
        places = range(len(options))
        if self.rng.random() < self.kind.understands:
            return next(place for place in places if options[place] == right)
        return self.rng.choice([place for place in places if options[place] != right])

    def opinion(self, topic: TopicText, document: DocumentText, *, again: bool = False) -> Opinion:
        """What it makes of a document; `again`: on a second reading, which takes half the time."""
        relevance = document.relevance if self.kind.reads else 1.0
        came_to_mind = self.scale * relevance**self.range * exp(self.rng.gauss(0.0, self.noise))
        value = numbers.favourite(came_to_mind, self.taste)
        seconds = self.reading(document.length) * (0.5 if again else 1.0)
        slips = not again and self.rng.random() < self.kind.slips
        slip = self.rng.choice(("0", "-1", "?", "ten")) if slips else ""
        return Opinion(
            value, self._typed(value), self._reason(topic, document, value), self._waited(seconds), slip
        )

    def inverted(self, opinions: Sequence[Opinion]) -> list[Opinion]:
        """The same numbers in the opposite order: the largest where the smallest was, and so on."""
        ascending = sorted(range(len(opinions)), key=lambda place: opinions[place].value)
        partner = dict(zip(ascending, reversed(ascending), strict=True))
        return [
            Opinion(
                opinions[partner[place]].value,
                opinions[partner[place]].typed,
                opinion.justification,
                self._waited(self.reading(5)),
            )
            for place, opinion in enumerate(opinions)
        ]

    def plan(self, documents: int) -> Plan:
        """What will happen on the way through a unit of so many documents."""
        kind, dice = self.kind, self.rng
        breaks_off = dice.random() < kind.breaks_off
        return Plan(
            back_at=dice.randrange(1, documents) if dice.random() < kind.presses_back else None,
            breaks_off_at=dice.randrange(documents) if breaks_off else None,
            gives_back_at=dice.randrange(documents) if dice.random() < kind.gives_back else None,
            absence=dice.uniform(600.0, 7200.0) if breaks_off and dice.random() < 0.3 else None,
        )

    def react(self) -> Reaction:
        """Hear that the work is not accurate enough. Who mends takes more care from then on."""
        reactions = self.kind.reactions
        reaction = self.rng.choices(list(reactions), weights=list(reactions.values()))[0]
        if reaction == Reaction.MEND:
            self.noise *= 0.6
            self.patience = max(self.patience, 0.997)
        return reaction

    def wants_another(self) -> bool:
        """Whether it takes one more unit after this one."""
        return self.rng.random() < self.kind.stays

    def looks_in_again(self) -> float | None:
        """Where there is no work now: seconds until it looks in once more, or None."""
        return self.rng.uniform(3600.0, 9000.0) if self.rng.random() < 0.5 else None

    def _waited(self, seconds: float) -> float:
        if seconds < self.least_seconds and self.rng.random() < self.patience:
            seconds = self.least_seconds * self.rng.uniform(1.02, 1.3)
        return round(max(seconds, 0.5), 3)

    def _typed(self, value: float) -> str:
        return numbers.typed(value, self.rng, comma=self.comma)

    def _reason(self, topic: TopicText, document: DocumentText, value: float) -> str:
        if not self.kind.reads:
            return wording.empty_reason(self.rng)
        if self.words_per_second > SKIMMING_SPEED:
            return wording.skimmed_reason(document, self.rng)
        highest = self.scale * HIGHEST**self.range
        return wording.reason(topic, document, value / highest, self.rng)
