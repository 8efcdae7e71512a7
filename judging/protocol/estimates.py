"""What a study will take: units, judgments, money and hours, from the sizes of its pools alone.

**The arithmetic in prose.** A topic whose pool holds n documents beside the two anchors takes ⌈j·n/o⌉ units
of o other documents where each document is to get j judgments; see `planning`. Each unit is paid once. No
unit can be done in less than the time check asks, seconds · documents of a unit; what a worker takes in
fact is the expected time, or what units of earlier studies took. What the platform takes comes on top, in per
cent of the pay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from judging.protocol.planning import units_needed


@dataclass(frozen=True)
class Terms:
    """What the study asks of a unit and pays for it."""

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
        """Documents of a unit beside the anchors."""
        return self.unit_size - self.anchors


@dataclass(frozen=True)
class Estimate:
    """`hours` are those of all workers at the expected time, `least_hours` at the least that check (d) takes.

    `cost` is what workers get, `fee` what the platform takes on top. `hourly` is the pay of an hour at the
    expected time; `workers` the fewest who can do it, since nobody gets a topic twice.
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

    @property
    def total(self) -> Decimal:
        """Pay and fee together."""
        return self.cost + self.fee


def fee_on(pay: Decimal, per_cent: Decimal) -> Decimal:
    """What a platform takes on top of a sum of pay, to the cent, halves up: 33.33 % of 46.80 are 15.60."""
    return (pay * per_cent / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)


def estimate(pools: Sequence[int], terms: Terms) -> Estimate:
    """The estimate for pools of so many documents beside the anchors, one a topic.

    Example: two topics of 7 and 9 documents, 10 judgments each, units of 8: ⌈70/6⌉ + ⌈90/6⌉ = 12 + 15 = 27.
    """
    each = [units_needed(pool, judgments=terms.judgments_per_document, others=terms.others) for pool in pools]
    units = sum(each)
    return Estimate(
        documents=sum(pools),
        units=units,
        judgments=units * terms.unit_size,
        cost=units * terms.pay_per_unit,
        hours=units * terms.expected_minutes / 60,
        least_hours=units * terms.unit_size * terms.seconds_per_document / 3600,
        hourly=(terms.pay_per_unit * 60 / terms.expected_minutes).quantize(Decimal("0.01")),
        workers=max(each, default=0),
        fee=fee_on(units * terms.pay_per_unit, terms.platform_fee),
    )
