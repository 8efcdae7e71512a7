"""What a machine judge is and did, as the report of a study tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import polars as pl

SETTINGS: Final = {
    "judge": pl.String,
    "model": pl.String,
    "prompt": pl.String,
    "version": pl.String,
    "temperature": pl.Float64,
    "seed": pl.Int64,
    "first_call": pl.String,
    "prompt_sha256": pl.String,
}
CHECKS: Final = {
    "judge": pl.String,
    "check": pl.String,
    "passed": pl.Int64,
    "failed": pl.Int64,
    "share_passed": pl.Float64,
}
WORK: Final = {
    "judge": pl.String,
    "units_planned": pl.Int64,
    "units": pl.Int64,
    "units_left": pl.Int64,
    "sittings": pl.Int64,
    "screened_out": pl.Int64,
    "calls": pl.Int64,
    "input_tokens": pl.Int64,
    "output_tokens": pl.Int64,
    "money": pl.Float64,
    "seconds": pl.Float64,
    "money_per_document": pl.Float64,
}
FAULTS: Final = {"judge": pl.String, "fault": pl.String, "calls": pl.Int64}
ORDER: Final = {
    "judge": pl.String,
    "pairs": pl.Int64,
    "first_both_times": pl.Int64,
    "second_both_times": pl.Int64,
    "share_by_place": pl.Float64,
}


@dataclass(frozen=True)
class Machine:
    """A machine judge: its model and prompt, how often it passed each check, and what its calls cost.

    `first_call` is a day. `units` is the number of completed units, of those that were planned. `checks` maps
    each check to how often the judge passed and failed it, and `faults` maps each kind of fault to the number
    of calls. `documents` is the number of documents that it judged. `order` says of how many pairs the judge
    was asked in both orders, and how often it then chose the document in the first place both times, and the
    one in the second place both times. It is None for a judge of single documents.
    """

    name: str
    model: str
    prompt: str
    version: str
    prompt_sha256: str
    temperature: float
    seed: int | None
    first_call: str
    units_planned: int
    units: int
    units_left: int
    sittings: int
    screened_out: int
    documents: int
    checks: Mapping[str, tuple[int, int]]
    faults: Mapping[str, int]
    calls: int
    input_tokens: int
    output_tokens: int
    money: Decimal
    seconds: float
    order: tuple[int, int, int] | None = None

    @property
    def money_per_document(self) -> float | None:
        """The money of all calls, divided by the documents that the judge judged, or None without any."""
        return float(self.money) / self.documents if self.documents else None

    @property
    def share_by_place(self) -> float | None:
        """The share of the pairs in which the answer followed the place, or None without pairs."""
        if self.order is None:
            return None
        pairs, first, second = self.order
        return _share(first + second, pairs)

    @property
    def number_of_faults(self) -> int:
        """The number of calls without an answer that could be used."""
        return sum(self.faults.values())

    def failed(self) -> list[str]:
        """Return the checks that the judge failed more often than it passed them, the last check first."""
        return [check for check, (passed, failed) in [*self.checks.items()][::-1] if failed > passed]


def settings_table(machines: Sequence[Machine]) -> pl.DataFrame:
    """Return the columns of `SETTINGS`: the model and the prompt of each judge."""
    return pl.DataFrame(
        [
            (
                each.name,
                each.model,
                each.prompt,
                each.version,
                each.temperature,
                each.seed,
                each.first_call,
                each.prompt_sha256,
            )
            for each in machines
        ],
        schema=SETTINGS,
        orient="row",
    )


def checks_table(machines: Sequence[Machine]) -> pl.DataFrame:
    """Return the columns of `CHECKS`: how often each judge passed and failed each check."""
    return pl.DataFrame(
        [
            (each.name, check, passed, failed, _share(passed, passed + failed))
            for each in machines
            for check, (passed, failed) in each.checks.items()
        ],
        schema=CHECKS,
        orient="row",
    )


def work_table(machines: Sequence[Machine]) -> pl.DataFrame:
    """Return the columns of `WORK`: what each judge did, and what it cost."""
    return pl.DataFrame(
        [
            (
                each.name,
                each.units_planned,
                each.units,
                each.units_left,
                each.sittings,
                each.screened_out,
                each.calls,
                each.input_tokens,
                each.output_tokens,
                float(each.money),
                each.seconds,
                each.money_per_document,
            )
            for each in machines
        ],
        schema=WORK,
        orient="row",
    )


def faults_table(machines: Sequence[Machine]) -> pl.DataFrame:
    """Return the columns of `FAULTS`: the calls of each judge without a usable answer, by what was wrong."""
    rows = [(each.name, fault, calls) for each in machines for fault, calls in each.faults.items()]
    return pl.DataFrame(rows, schema=FAULTS, orient="row")


def order_table(machines: Sequence[Machine]) -> pl.DataFrame:
    """Return the columns of `ORDER`: whether the answers on pairs followed the place of the documents."""
    rows = [(each.name, *each.order, each.share_by_place) for each in machines if each.order is not None]
    return pl.DataFrame(rows, schema=ORDER, orient="row")


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
