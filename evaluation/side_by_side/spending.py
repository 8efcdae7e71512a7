"""What each arm cost, how long its work took, and how often it failed."""

from collections.abc import Sequence

import polars as pl

from ..frames import Judgments
from .arm import Arm

COST = {
    "arm": pl.String,
    "units": pl.Int64,
    "documents": pl.Int64,
    "judgments": pl.Int64,
    "paid": pl.Float64,
    "per_unit": pl.Float64,
    "per_document": pl.Float64,
    "per_judgment": pl.Float64,
}
TIME = {
    "arm": pl.String,
    "unit_seconds": pl.Float64,
    "document_seconds": pl.Float64,
    "visible_seconds": pl.Float64,
}
FAILURES = {"arm": pl.String, "failure": pl.String, "attempts": pl.Int64, "share": pl.Float64}


def units_of(judgments: Judgments) -> int:
    """Return the number of units in the judgments. The unit of another worker is another unit."""
    return judgments.table.select(judgments.unit_keys).n_unique()


def cost_table(arms: Sequence[Arm]) -> pl.DataFrame:
    """Return the columns of `COST`, with a row for each arm.

    `documents` counts a document once in each of its topics. The amounts include fees and paid units that do
    not count. They are null if the amount is unknown.

    Example: 10 units that cost 3.00 together have 60 judgments of 12 documents: .30 a unit, .25 a document
    and .05 a judgment.
    """
    return pl.DataFrame([_cost(arm) for arm in arms], schema=COST, orient="row")


def _cost(arm: Arm) -> tuple[str | float | None, ...]:
    table, paid = arm.judgments.table, arm.work.paid
    units = units_of(arm.judgments) if arm.work.units is None else arm.work.units
    documents = table.select("topic_id", "document_id").n_unique()
    shares = [None if paid is None or not each else paid / each for each in (units, documents, table.height)]
    return arm.name, units, documents, table.height, paid, *shares


def time_table(arms: Sequence[Arm]) -> pl.DataFrame:
    """Return the columns of `TIME`, with a row for each arm and null for times that are unknown."""
    rows = [
        (arm.name, arm.work.unit_seconds, arm.work.document_seconds, arm.work.visible_seconds) for arm in arms
    ]
    return pl.DataFrame(rows, schema=TIME, orient="row")


def failures_table(arms: Sequence[Arm]) -> pl.DataFrame:
    """Return the columns of `FAILURES`: for each arm and kind of failure the number and share of attempts."""
    rows = [
        (arm.name, failure, number, number / arm.work.attempts if arm.work.attempts else None)
        for arm in arms
        for failure, number in arm.work.failures.items()
    ]
    return pl.DataFrame(rows, schema=FAILURES, orient="row")


def price_of(arm: Arm, *, in_money: bool) -> float:
    """Return what an arm cost: in money or, if the amount of some arm is unknown, in judgments."""
    if in_money and arm.work.paid is not None:
        return arm.work.paid
    return float(arm.judgments.table.height)


def has_prices(arms: Sequence[Arm]) -> bool:
    """Return whether the cost of all arms is known, in the same currency."""
    paid = [arm.work.paid for arm in arms]
    return all(amount is not None and amount > 0 for amount in paid) and (
        len({arm.work.currency for arm in arms}) == 1
    )
