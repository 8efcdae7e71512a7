"""The payments that wait for a researcher, with the facts to decide them."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import HELD, decided, decided_screen_outs
from judging.models import Assignment, Participation, Study

MOST_HELD: Final = 50
"""The maximum number of held payments on the page. The others follow once these are decided."""


@dataclass(frozen=True)
class HeldPayment:
    """A held payment, and what is known about it.

    `number` is the number of the worker's attempt, or None for a screen-out. `seconds` is the time for which
    documents were open. `failed` maps the letters of checks to how often they failed. `tau` is the lowest τ
    between two attempts to finish the unit. Unknown values are None.
    """

    worker: str
    number: int | None
    unit: str
    end: str
    amount: Decimal
    why: str
    seconds: float | None = None
    failed: Mapping[str, int] | None = None
    tau: float | None = None

    @property
    def key(self) -> str:
        """Return the value that the form of this payment sends."""
        return f"{self.worker}/{self.number or ''}"


def held_payments(study: Study) -> list[HeldPayment]:
    """Return the first held payments, the oldest first, at most `MOST_HELD`. This takes two queries."""
    units = decided(study).filter(HELD).select_related("participation", "topic", "unit")
    screen_outs = decided_screen_outs(study).filter(HELD).order_by("pk")
    rows = [_unit(unit) for unit in units.order_by("ended_at", "pk")[:MOST_HELD]]
    return [*rows, *map(_screen_out, screen_outs[: MOST_HELD - len(rows)])]


def _unit(unit: Assignment) -> HeldPayment:
    return HeldPayment(
        worker=unit.participation.pseudonym,
        number=unit.number,
        unit=unit_id(unit.topic.number, unit.unit.number),
        end=unit.get_state_display(),
        amount=unit.amount,
        why=unit.words_for_researchers,
        seconds=unit.open_seconds,
        failed=unit.failed_checks,
        tau=unit.lowest_tau,
    )


def _screen_out(worker: Participation) -> HeldPayment:
    why = worker.words_for_researchers
    return HeldPayment(worker.pseudonym, None, "", worker.get_state_display(), worker.amount, why)
