"""Estimate the units, judgments, time and money that a study needs, from the sizes of its pools.

**The arithmetic in prose.** A topic with n documents besides the anchors needs ⌈j·n/o⌉ units (see
`planning`). Here j is the number of judgments per document, and o is the number of documents in a unit
besides the anchors. Each unit is paid for once. The time check sets the minimum time for a unit: the seconds
per document times the number of documents. The total working time is computed from the expected time per
unit, not from this minimum. The platform's fee is a percentage of the pay, and is charged on top of the pay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import Final

from judging.protocol.planning import units_needed

_CENT: Final = Decimal("0.01")


@dataclass(frozen=True)
class Terms:
    """The settings of a study that determine the work and the pay."""

    unit_size: int
    anchors: int
    judgments_per_document: int
    seconds_per_document: float
    expected_minutes: int
    pay_per_unit: Decimal
    currency: str = "USD"
    platform_fee: Decimal = Decimal(0)

    @property
    def others(self) -> int:
        """Return the number of documents in a unit besides the anchors."""
        return self.unit_size - self.anchors


@dataclass(frozen=True)
class Estimate:
    """The work and cost of a study.

    `hours` is the total time of all workers if each unit takes the expected time. `least_hours` is their
    total time if each unit takes the minimum time of check (d). `cost` is the workers' pay, and `fee` is the
    platform's fee. `hourly` is the pay per hour if each unit takes the expected time. `workers` is the
    minimum number of workers: the number of units of the largest topic, because a worker gets each topic only
    once. `model` is what a model costs that predicts the gains.
    """

    documents: int
    units: int
    judgments: int
    cost: Decimal
    hours: float
    least_hours: float
    hourly: Decimal
    workers: int
    fee: Decimal = Decimal(0)
    model: Decimal = Decimal(0)

    @property
    def total(self) -> Decimal:
        """Return the pay plus the fee and the cost of the model."""
        return self.cost + self.fee + self.model


WORDS_PER_MINUTE: Final = 200
"""How fast people read instructions. They read a novel faster, because they need not remember it."""
PRACTICE_MINUTES: Final = 1


def first_minutes(words: int, unit_minutes: float) -> int:
    """Return how long the first unit takes, in whole minutes, rounded up.

    This includes the practice task, the unit itself, and the time to read `words` words before the first
    document.
    Example: 700 words and a unit of 10 minutes take 3.5 + 1 + 10 minutes, so the result is 15.
    """
    return ceil(words / WORDS_PER_MINUTE + PRACTICE_MINUTES + unit_minutes)


def hourly_pay(pay: Decimal, minutes: float) -> Decimal:
    """Return the pay per hour if a unit pays `pay` and takes `minutes`.

    The result is rounded to cents, and half a cent is rounded up.
    """
    return (pay * 60 / Decimal(minutes)).quantize(_CENT, ROUND_HALF_UP)


def fee_on(pay: Decimal, per_cent: Decimal) -> Decimal:
    """Return the platform's fee on an amount of pay.

    The fee is rounded to cents, and half a cent is rounded up. Example: 33.33 % of 46.80 is 15.60.
    """
    return (pay * per_cent / 100).quantize(_CENT, ROUND_HALF_UP)


def estimate(pools: Sequence[int], terms: Terms) -> Estimate:
    """Return the estimate for a study. `pools` holds the number of documents of each topic, without anchors.

    Example: the units have 8 documents, and each document gets 10 judgments. Then two topics with 7 and 9
    documents need ⌈70/6⌉ + ⌈90/6⌉ = 12 + 15 = 27 units.
    """
    units_by_topic = [
        units_needed(pool, judgments=terms.judgments_per_document, others=terms.others) for pool in pools
    ]
    units = sum(units_by_topic)
    return Estimate(
        documents=sum(pools),
        units=units,
        judgments=units * terms.unit_size,
        cost=units * terms.pay_per_unit,
        hours=units * terms.expected_minutes / 60,
        least_hours=units * terms.unit_size * terms.seconds_per_document / 3600,
        hourly=hourly_pay(terms.pay_per_unit, terms.expected_minutes),
        workers=max(units_by_topic, default=0),
        fee=fee_on(units * terms.pay_per_unit, terms.platform_fee),
    )
