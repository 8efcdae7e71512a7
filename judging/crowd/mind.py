"""The mind of a simulated worker: the worker's answers and decisions, and the seconds that they take.

`evaluation.crowds` draws the traits of the worker. From the level of a document, it also draws the number
that the worker enters and the seconds that the worker takes. The kind of the worker says how the worker
behaves in a study. Only care and patience can change later: both increase when the worker corrects a unit
that failed a check.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp
from random import Random

import numpy as np

from evaluation.crowds import INVERTING, MORE_CARE, WAITING, Crowd, Workers, draw_workers, favourite
from evaluation.crowds.workers import Answer
from judging.crowd import pairs, wording
from judging.crowd.answers import DefaultSettings, answers_in
from judging.crowd.kinds import CARELESS, SPAMMER, Kind, kind_of
from judging.crowd.wording import DocumentText, TopicText
from judging.protocol.scales import AnswerSettings, judging_of, scale_of
from judging.protocol.scales.answers import LONGEST


class Reaction(StrEnum):
    """A worker's reaction to the message that a unit failed a check."""

    CORRECT = "read again and judge again"
    INVERT = "reverse the order of the numbers"
    GIVE_BACK = "return the unit"
    LEAVE = "close the page and never come back"


def arrays_from(rng: Random) -> np.random.Generator:
    """Return a numpy generator that is seeded from `rng`."""
    return np.random.default_rng(rng.getrandbits(64))


def traits_of(crowd: Crowd, number: int, rng: Random) -> list[Workers]:
    """Draw the traits of `number` workers from a crowd. Return one `Workers` for each worker."""
    workers = draw_workers(crowd, number, arrays_from(rng))
    return [workers[[place]] for place in range(number)]


@dataclass(frozen=True)
class Opinion:
    """A worker's answer for a document, and the `seconds` that the worker takes for it.

    `typed` is how the worker writes the number `value`. `slip` is an invalid number that the worker types
    before it, or "" if there is none.
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
    """The positions in a unit at which a worker goes back, leaves the page, or gives the unit back.

    A position is None if the worker does not take that action in the unit.
    """

    back_at: int | None
    breaks_off_at: int | None
    gives_back_at: int | None
    absence: float | None
    """The seconds until a worker who leaves the page comes back, or None if the worker never does."""


class Mind:
    """The decisions of one worker. The same traits, `rng`, topics and documents give the same decisions.

    `traits` has the traits of a single worker. `least_seconds` is the minimum time per document, which the
    first page shows to every worker. By default, `kind_of` gives the kind of the worker. The scale and the
    labels of `study` say what the worker answers.
    """

    def __init__(
        self,
        traits: Workers,
        rng: Random,
        *,
        least_seconds: float,
        kind: Kind | None = None,
        study: AnswerSettings | None = None,
    ) -> None:
        self.traits = traits
        self.kind = kind or kind_of(traits)
        self.rng = rng
        self.arrays = arrays_from(rng)
        self.follow(least_seconds=least_seconds, study=study or DefaultSettings())
        self.care = 1.0
        self.comma = rng.random() < 0.05

    def follow(self, *, least_seconds: float, study: AnswerSettings) -> None:
        """Follow the minimum time and the scale of a study, such as the arm that the worker is in."""
        self.least_seconds = least_seconds
        self.study = study
        self.scale = scale_of(study)
        self.judging = judging_of(study)
        self.answers = answers_in(study)

    def reading_seconds(self, words: int) -> float:
        """Return the seconds that the worker needs for a page that shows no document.

        The worker first reads the `words` words of the page, and then acts.
        """
        pace = float(self.traits.pace[0]) * self.rng.lognormvariate(0.0, 0.25)
        return round(pace * (3.0 + words / self.kind.words_per_second), 3)

    def line(self, length: float, among: Sequence[float] = ()) -> str:
        """Return the worker's answer for a practice line of this length (100 to 1000).

        `among` has the lengths of all lines of the practice. Without ratios, the worker gives the right
        answer for the lengths as they seem to the worker, to the nearest hundredth of the frame.
        """
        practice = self.judging.practice
        if practice is not None and not self.scale.has_ratios:
            seen = [self._seen_length(each) for each in among]
            return practice.right(seen, list(among).index(length), self.study)
        scale = exp(float(self.traits.location[0]) + self.rng.gauss(0.0, self.kind.eye))
        (number,) = favourite(np.array([scale * length / 150.0]), self.traits.taste)
        return self._write(float(number))

    def _seen_length(self, length: float) -> int:
        seen = length * exp(self.rng.gauss(0.0, self.kind.eye))
        return 10 * round(min(seen, LONGEST) / 10)

    def option(self, options: Sequence[str], right: str) -> int:
        """Return the index of the option that the worker chooses: the right one or a random wrong one."""
        places = range(len(options))
        if self.rng.random() < self.kind.understands:
            return next(place for place in places if options[place] == right)
        return self.rng.choice([place for place in places if options[place] != right])

    def opinion(
        self, topic: TopicText, document: DocumentText, progress: float, *, again: bool = False
    ) -> Opinion:
        """Return the opinion about a document.

        `progress` says where the document is in its unit, from 0 (first) to 1 (last). If `again` is true, the
        worker rereads the document. This takes half as long, but a patient worker waits for the minimum time.
        """
        value, seconds = self._judge(document, progress, self.answers)
        slips = not again and self.rng.random() < self.kind.slips
        slip = self.rng.choice(self._slips) if slips and self._slips else ""
        return Opinion(
            value,
            self._write(value),
            self._reason(topic, document, value),
            self._waited(seconds / 2) if again else round(max(seconds, 0.5), 3),
            slip,
        )

    def see(self, document: DocumentText, progress: float) -> pairs.Seen:
        """Return how relevant a document seems to the worker, who reads it, and how long that takes."""
        level, seconds = self._judge(document, progress, pairs.perceived_level)
        return pairs.Seen(level, seconds)

    def _judge(self, document: DocumentText, progress: float, answers: Answer) -> tuple[float, float]:
        numbers, times = self.traits.judge(
            np.array([[document.level]]),
            np.array([[progress]]),
            np.array([[document.is_anchor]]),
            self.arrays,
            care=self.care,
            least_seconds=self.least_seconds,
            answers=answers,
        )
        return float(numbers[0, 0]), float(times[0, 0])

    def choice(
        self, topic: TopicText, pair: Sequence[DocumentText], seen: Sequence[pairs.Seen], seconds: float
    ) -> Opinion:
        """Return the opinion about a pair of documents.

        `seen` says how relevant they seem to the worker, and `seconds` how long it takes to read the page. A
        patient worker waits for the minimum time.
        """
        value = pairs.points(*seen)
        if self.kind.name == SPAMMER.name:
            reason = wording.empty_reason(self.rng)
        elif self.kind.name == CARELESS.name:
            reason = wording.skimmed_reason(self.rng.choice(pair), self.rng)
        else:
            reason = wording.reason_for_choice(topic, pair, value, self.rng)
        return Opinion(value, self._write(value), reason, self._waited(seconds))

    def inverted(self, opinions: Sequence[Opinion]) -> list[Opinion]:
        """Return the opinions with inverted numbers: the largest and the smallest swap places, and so on.

        Of two documents, the worker then chooses the other one.
        """
        if self.judging.compares_pairs:
            return [
                replace(
                    opinion,
                    value=1 - opinion.value,
                    typed=self._write(1 - opinion.value),
                    seconds=self._waited(self.reading_seconds(5)),
                )
                for opinion in opinions
            ]
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
        """Draw the worker's plan for a unit with `documents` documents."""
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
        if self.rng.random() < self.traits.corrects[0]:
            self.care *= MORE_CARE
            self.traits = replace(self.traits, patience=np.ones(1))
            return Reaction.CORRECT
        if self.rng.random() < INVERTING:
            return Reaction.INVERT
        return self.rng.choice((Reaction.GIVE_BACK, Reaction.LEAVE))

    def wants_another(self) -> bool:
        """Return, at random, whether the worker takes another unit."""
        return self.rng.random() < self.kind.stays

    def draw_absence(self) -> float | None:
        """Draw the seconds until a worker who did not get a unit tries again.

        Return None if the worker does not try again.
        """
        return self.rng.uniform(3600.0, 9000.0) if self.rng.random() < 0.5 else None

    def _waited(self, seconds: float) -> float:
        if seconds < self.least_seconds and self.rng.random() < self.traits.patience[0]:
            seconds = self.least_seconds * self.rng.uniform(*WAITING)
        return round(max(seconds, 0.5), 3)

    @property
    def _slips(self) -> list[str]:
        """Return the invalid texts that a worker can type by mistake. There are none if workers choose."""
        typed = () if self.judging.options else ("0", "-1", "?", "ten")
        return [text for text in typed if self.judging.parse(text, self.study).value is None]

    def _write(self, value: float) -> str:
        return self.judging.write(value, self.rng, comma=self.comma)

    def _reason(self, topic: TopicText, document: DocumentText, value: float) -> str:
        if self.kind.name == SPAMMER.name:
            return wording.empty_reason(self.rng)
        if self.kind.name == CARELESS.name:
            return wording.skimmed_reason(document, self.rng)
        return wording.reason(topic, document, value / self._highest, self.rng)

    @property
    def _highest(self) -> float:
        """Return the worker's number for a typical highly relevant document, or the largest number."""
        if not self.scale.has_ratios:
            return self.scale.largest_in(self.study)
        return exp(self.traits.location[0] + self.traits.exponent[0] * self.traits.crowd.levels[-1])
