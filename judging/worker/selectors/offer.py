"""What people can expect before they agree to take part: how long it takes, and what it pays.

In a study with arms, people agree before they are in one. So they read the range over all arms, and whether
any arm has work.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.core.cache import cache

from judging.core.selectors.arms import arms_of
from judging.core.selectors.pay_rate import words_before_work
from judging.core.selectors.times import median_minutes
from judging.core.selectors.units import no_work_in
from judging.models import Study
from judging.protocol.estimates import first_minutes, hourly_pay
from judging.protocol.scales import judging_of
from judging.protocol.states import FINAL, NoWork
from judging.protocol.words import Sentence

_KEPT_SECONDS: Final = 600
"""How long measured times are cached. They change slowly, and every visitor needs them."""
LEAST_UNITS: Final = 10
"""With fewer completed units than this, the researcher's own estimate is used."""


@dataclass(frozen=True)
class Offer:
    """The time and pay of a study, as its information page shows them.

    `pay` is for a unit, and `seconds` is the minimum time for a document.
    `first_minutes` is the time for the first unit, including the reading and the practice before it.
    `hourly` is the pay per hour for later units. `most_units` is the largest number of units that a worker
    can do, and `most_pay` is the pay for all of them.
    """

    unit_minutes: int
    first_minutes: int
    pay: Decimal
    hourly: Decimal
    most_units: int
    most_pay: Decimal
    seconds: float


@dataclass(frozen=True)
class Range:
    """What people can expect if they do not know their arm yet: at least `least`, and at most `most`."""

    arms: Sequence[Study]
    least: Offer
    most: Offer

    @property
    def is_one(self) -> bool:
        """Return whether all arms offer the same."""
        return self.least == self.most

    @property
    def work(self) -> list[Sentence]:
        """Return what workers do with the documents of a set. Arms can differ in it."""
        works = [judging_of(arm).work_of(arm.unit_size) for arm in self.arms]
        return list({work.text: work for work in works}.values())

    @property
    def announces_seconds(self) -> bool:
        """Return whether the minimum seconds of all arms are announced before consent."""
        return all(arm.seconds_announced == "yes" and arm.seconds_per_document for arm in self.arms)


def range_of(study: Study) -> Range:
    """Return the range of the offers of all arms. Without arms, its two ends are the study's own offer."""
    arms = arms_of(study)
    offers = [vars(offer_of(arm)) for arm in arms]
    least, most = (
        Offer(**{name: choose(offer[name] for offer in offers) for name in offers[0]})
        for choose in (min, max)
    )
    return Range(arms, least, most)


def no_work_at(study: Study, *, now: datetime, kind: str = "") -> NoWork | None:
    """Return why nobody new could get a unit in any arm now, or None if somebody could.

    If the arms have different reasons, a reason that passes goes before one that stays.
    """
    reasons = [no_work_in(arm, now=now, kind=kind) for arm in arms_of(study)]
    known = [reason for reason in reasons if reason is not None]
    if len(known) < len(reasons):
        return None
    return min(known, key=lambda reason: reason in (*FINAL, NoWork.ALL_DONE))


def offer_of(study: Study) -> Offer:
    """Return the offer of a study, estimated from its texts and its latest completed units."""
    measured: tuple[float | None, int, int] | None = cache.get_or_set(
        f"offer-{study.pk}-{study.expected_minutes}", lambda: _measured(study), _KEPT_SECONDS
    )
    minutes, words, topics = measured or _measured(study)  # in case the cache returns nothing
    unit_minutes = minutes or study.expected_minutes
    most_units = min(topics, study.max_units_per_worker or topics)
    return Offer(
        unit_minutes=max(1, round(unit_minutes)),
        first_minutes=first_minutes(words, unit_minutes),
        pay=study.pay_per_unit,
        hourly=hourly_pay(study.pay_per_unit, unit_minutes),
        most_units=most_units,
        most_pay=most_units * study.pay_per_unit,
        seconds=study.seconds_per_document,
    )


def _measured(study: Study) -> tuple[float | None, int, int]:
    """Return the median minutes of a unit, the number of words to read first, and the number of topics.

    The minutes are None if workers have completed fewer than `LEAST_UNITS` units.
    """
    words, topics = words_before_work(study)
    minutes = median_minutes(Study.objects.filter(pk=study.pk), unit_size=study.unit_size, least=LEAST_UNITS)
    return minutes, words, topics
