"""What people can expect before they agree to take part: how long it takes, and what it pays."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.core.cache import cache

from judging.core.selectors.pay_rate import words_before_work
from judging.core.selectors.times import median_minutes
from judging.models import Study
from judging.protocol.estimates import first_minutes, hourly_pay

_KEPT_SECONDS: Final = 600
"""How long measured times are cached. They change slowly, and every visitor needs them."""
LEAST_UNITS: Final = 10
"""With fewer completed units than this, the researcher's own estimate is used."""


@dataclass(frozen=True)
class Offer:
    """The time and pay of a study, as its information page shows them.

    `first_minutes` is the time for the first unit, including the reading and the practice before it.
    `hourly` is the pay per hour for later units. `most_units` is the largest number of units that a worker
    can do, and `most_pay` is the pay for all of them.
    """

    unit_minutes: int
    first_minutes: int
    hourly: Decimal
    most_units: int
    most_pay: Decimal


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
        hourly=hourly_pay(study.pay_per_unit, unit_minutes),
        most_units=most_units,
        most_pay=most_units * study.pay_per_unit,
    )


def _measured(study: Study) -> tuple[float | None, int, int]:
    """Return the median minutes of a unit, the number of words to read first, and the number of topics.

    The minutes are None if workers have completed fewer than `LEAST_UNITS` units.
    """
    words, topics = words_before_work(study)
    minutes = median_minutes(Study.objects.filter(pk=study.pk), unit_size=study.unit_size, least=LEAST_UNITS)
    return minutes, words, topics
